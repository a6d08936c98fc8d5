import { isBeyond, isBursting, type LimitResult } from '../../analysis';
import type { RunSummary } from '../../analysis/summary';
import { compressibilityLabel, sentenceCase } from '../../common/format/text';
import { moment, NO_VALUE, percentChange, plain, precise, ratio } from '../../common/format/units';
import { gridFromZero, lowerAxis, valueAxis } from '../../common/page/drawing';
import { kneeOf } from '../../storage/common/limits';
import { describeLimit, limitLabel } from '../../storage/limitNames';
import {
  type Block,
  type Chart,
  columns,
  details,
  heading,
  line,
  method,
  numbers,
  quantity,
  remark,
  type Text,
  table,
} from '../blocks';
import { armDots } from '../marks';
import { byWorkAndArm, withLinks } from '../title';
import type { Section } from './section';

/** Measured rates against documented ceilings. */
export const limits: Section = {
  id: 'limits',
  title: 'What limited each arm',
  isResult: true,
  blocks(run) {
    const { limits: results } = run.analysis;
    const known = byWorkAndArm(results, run.arms).filter(({ limits: list }) => list.length > 0);
    const reasons = [...new Set(results.flatMap(({ arm, reason }) => (reason === null ? [] : [`${arm}: ${reason}`])))];
    if (known.length === 0) return [];
    const knee = kneeChart(run, 'limits-knee');
    return [
      method(
        `Each figure is the measured rate as a share of a limit; 100 % is the sustained rate that AWS documents${run.place === 'model' ? ', divided by the scale' : ''}. The lowest limit is bold. It is named as the bottleneck if the service’s utilisation confirms it (confirmed), or if the rate reached 85 % of it and no metric shows spare capacity in the servers.`,
      ),
      knee !== null && { kind: 'charts', charts: [knee], beside: [] },
      limitTable(known),
      details('Figures: utilisation of the servers', evidenceTable(known)),
      { ...details('Sources of the limits', sources(known)), everyFormat: true },
      ...reasons.map((reason) => remark(`${reason}.`)),
      ...levels(run),
    ];
  },
};

function limitTable(results: readonly LimitResult[]): Block {
  const names = [...new Set(results.flatMap(({ limits: list }) => list.map(({ name }) => name)))];
  return table({
    caption: 'Share of each documented limit that was reached, sustained',
    captionHidden: true,
    columns: [...columns('Operation', 'Arm'), ...numbers('MB/s', ...names.map(limitLabel)), ...columns('Limited by')],
    rows: results.map((one) => {
      const { arm, operation, compressibility, measuredMBps, limits: list, binding, limitedBy, because } = one;
      return [
        `${operation} at ${compressibilityLabel(compressibility)}`,
        { arm },
        quantity(measuredMBps, plain),
        ...names.map((name): Text => {
          const limit = list.find((each) => each.name === name);
          if (limit === undefined) return '';
          const share = limit.efficiency === null ? NO_VALUE : `${plain(Math.round(limit.efficiency * 100))} %`;
          return name === binding?.baseline ? { strong: share } : share;
        }),
        limitedBy === null
          ? { soft: describeContradiction(one) ?? (isBeyond(one) ? 'none: well above the lowest' : 'none reached') }
          : [
              limitLabel(limitedBy),
              isBursting(one) && ', bursting',
              because === 'utilisation' && [' ', { soft: '(confirmed)' }],
            ],
      ];
    }),
  });
}

/** A limit that the rate reached, contradicted by the service's utilisation. */
const describeContradiction = ({ contradiction }: LimitResult): string | null =>
  contradiction === undefined
    ? null
    : `none: ${contradiction.metric} at most ${plain(Math.round(contradiction.value * 100))} %`;

/** Utilisation of servers (by the service) and clients (by EC2): evidence for or against a bottleneck. */
function evidenceTable(results: readonly LimitResult[]): Block {
  const ofClients = results.some(({ evidence }) => evidence.some(({ limit }) => limit.startsWith('client_')));
  const over = 'over the whole periods of each phase, by the service’s metrics';
  return table({
    caption: ofClients
      ? `Busiest server, target or client ${over}; a client’s network as a share of its documented baseline`
      : `Busiest server or target ${over}`,
    columns: [...columns('Operation', 'Arm'), ...numbers(...(results[0]?.evidence ?? []).map(({ metric }) => metric))],
    rows: results.map(({ arm, operation, compressibility, evidence }) => [
      `${operation} at ${compressibilityLabel(compressibility)}`,
      { arm },
      ...evidence.map(({ value, reason }) =>
        quantity(value, (share) => (share === null ? NO_VALUE : `${plain(Math.round(share * 100))} %`), {
          reason: reason ?? null,
        }),
      ),
    ]),
  });
}

function sources(results: readonly LimitResult[]): Block {
  const all = results.flatMap(({ arm, operation, limits: list }) =>
    list.map((limit) => ({ ...limit, arm, operation, key: `${arm} ${limit.name} ${limit.source}` })),
  );
  return table({
    caption: 'Documented limits',
    captionHidden: true,
    columns: [...columns('Limit', 'Arm'), ...numbers('MB/s sustained', 'MB/s in a burst'), ...columns('Source')],
    rows: [...Map.groupBy(all, ({ key }) => key).values()].map((group) => {
      const [{ arm, name, baselineMBps, burstMBps, source }] = group as [(typeof all)[number]];
      return [describeLimit(name), arm, quantity(baselineMBps, plain), quantity(burstMBps, plain), withLinks(source)];
    }),
  });
}

const SEEN_IN = {
  service: 'periods of the service’s metric',
  iterations: 'iterations of the tool',
  repeats: 'repeats',
};

/** Burst and baseline separately, if throughput dropped permanently. */
function levels({ analysis }: RunSummary): Block[] {
  const changed = analysis.levels.filter(({ changes }) => (changes ?? []).length > 0);
  if (changed.length === 0) return [];
  const figures = table({
    caption: 'Lasting changes of throughput',
    columns: [...columns('Operation', 'Arm', 'When'), ...numbers('Before', 'After', 'Change'), ...columns('Seen in')],
    rows: changed.flatMap(({ arm, operation, compressibility, unit, source, values, changes }) =>
      (changes ?? []).map(({ at, between, hours, before, after, relative }) => [
        `${operation}${compressibility === null ? '' : ` at ${compressibilityLabel(compressibility)}`}`,
        { arm },
        [
          `${plain(hours)} h`,
          { below: [moment(at), between[0] !== between[1] && `, from ${moment(between[0])} to ${moment(between[1])}`] },
        ],
        `${precise(before)} ${unit === 'x' ? '×' : unit}`,
        `${precise(after)} ${unit === 'x' ? '×' : unit}`,
        percentChange(relative * 100),
        `${values} ${SEEN_IN[source]}`,
      ]),
    ),
  });
  return [heading('Burst and baseline'), figures];
}

/** Write throughput against the measured ratio, over what is documented; `null` for a run that has not both. */
export function kneeChart({ analysis, arms, place }: RunSummary, id: string): Chart | null {
  const written = analysis.limits.filter(
    ({ operation, measuredMBps }) => operation === 'write' && measuredMBps !== null,
  );
  const compressed = written.find(({ ratio: reached, limits }) => reached !== null && limits.length > 0);
  if (compressed === undefined) return null;
  const knee = kneeOf(compressed.limits);
  const limit = (name: string) => compressed.limits.find((one) => one.name === name);
  const [network, disk] = [limit('server_network'), limit('disk')];
  if (knee === null || network === undefined || disk === undefined) return null;
  const points = written.map(({ arm, ratio: reached, measuredMBps }) => ({
    x: reached ?? 1,
    y: measuredMBps as number,
    arm,
    title: `${arm}, ${ratio(reached ?? 1)}:1: ${plain(measuredMBps)} MB/s`,
  }));
  const end = Math.max(knee * 1.25, ...points.map(({ x }) => x)) + 0.2;
  const ceiling = (net: number, perRatio: number) =>
    [1, Math.max(1, Math.min(net / perRatio, end)), end].map((x) => ({ x, y: Math.min(net, perRatio * x) }));
  const [kind, dashed] = place === 'model' ? ['throttled', ''] : ['documented', '; dashed, the same in a burst'];
  return {
    id,
    caption: line`${{ strong: 'Write throughput' }} against the measured ratio. ${arms.map(({ name }) => [{ arm: name }, ' '])} The line is the ${kind} limit: disk × ratio, then the network from ${ratio(knee)}:1 on, where more compression no longer helps${dashed}.`,
    title: `Write throughput against compression, with the ${kind} limit`,
    description: `${sentenceCase(kind)}: ${plain(disk.baselineMBps)} MB/s × ratio up to ${plain(network.baselineMBps)} MB/s at ${ratio(knee)}:1. ${points.map(({ title }) => `${title}.`).join(' ')}`,
    options: ({ plot, look }) => {
      return {
        x: { domain: [0.9, end], ...lowerAxis('measured ratio (x:1)') },
        y: { zero: true, nice: true, grid: true, ...valueAxis('MB/s', 5) },
        marks: [
          ...gridFromZero({ plot }),
          plot.line(ceiling(network.burstMBps, disk.burstMBps), {
            x: 'x',
            y: 'y',
            stroke: 'var(--axis)',
            strokeDasharray: '4 3',
          }),
          plot.line(ceiling(network.baselineMBps, disk.baselineMBps), {
            x: 'x',
            y: 'y',
            stroke: 'var(--axis)',
            strokeWidth: 1.6,
          }),
          armDots({ plot, look }, points, 4),
        ],
      };
    },
  };
}
