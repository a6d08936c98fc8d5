import { isBeyond, isBursting, type LimitResult } from '../../analysis/limits/limitedBy';
import type { RunSummary } from '../../analysis/summary';
import { sentenceCase } from '../../common/format/text';
import { moment, NO_VALUE, percentChange, plain, precise, ratio } from '../../common/format/units';
import { gridFromZero, lowerAxis, valueAxis } from '../../common/page/drawing';
import { kneeOf } from '../../storage/common/limits';
import { describeLimit, limitLabel } from '../../storage/limitNames';
import {
  armColumn,
  type Block,
  type Chart,
  column,
  details,
  heading,
  line,
  method,
  number,
  quantity,
  remark,
  tableOf,
} from '../blocks';
import { armDots } from '../charts';
import { byWorkAndArm, describeWork, withLinks } from '../title';
import type { Section } from './section';

export const limits: Section = {
  id: 'limits',
  title: 'What limited each arm',
  isResult: true,
  blocks(run) {
    const { limits: results } = run.analysis;
    const known = byWorkAndArm(results, run.arms).filter(({ limits: list }) => list.length > 0);
    const reasons = new Set(results.flatMap(({ arm, reason }) => (reason === null ? [] : `${arm}: ${reason}`)));
    if (known.length === 0) return [];
    const knee = kneeChart(run, 'limits-knee');
    return [
      method(
        `Each figure is the measured rate as a share of a limit; 100 % is the sustained rate that AWS documents${run.place === 'model' ? ', divided by the scale' : ''}. The lowest limit is bold. It is named as the bottleneck if the service’s utilisation confirms it (confirmed), or if the rate reached 85 % of it and no metric shows spare capacity in the servers.`,
      ),
      knee !== null && { kind: 'charts', charts: [knee] },
      limitTable(known),
      details('Figures: utilisation of the servers', evidenceTable(known)),
      { ...details('Sources of the limits', sources(known)), everyFormat: true },
      ...[...reasons].map((reason) => remark(`${reason}.`)),
      ...levels(run),
    ];
  },
};

const percentOf = (share: number | null): string => (share === null ? NO_VALUE : `${plain(Math.round(share * 100))} %`);

function limitTable(results: readonly LimitResult[]): Block {
  const names = [...new Set(results.flatMap(({ limits: list }) => list.map(({ name }) => name)))];
  const caption = 'Share of each documented limit that was reached, sustained';
  return tableOf(results, { caption, captionHidden: true }, [
    WORK,
    armColumn(),
    number('MB/s', ({ measuredMBps }) => measuredMBps, plain),
    ...names.map((name) =>
      number(limitLabel(name), ({ limits: list, binding }: LimitResult) => {
        const limit = list.find((each) => each.name === name);
        const share = limit === undefined ? '' : percentOf(limit.efficiency);
        return name === binding?.baseline ? { strong: share } : share;
      }),
    ),
    column('Limited by', (one) =>
      one.limitedBy === null
        ? { soft: describeContradiction(one) ?? (isBeyond(one) ? 'none: well above the lowest' : 'none reached') }
        : [
            limitLabel(one.limitedBy),
            isBursting(one) && ', bursting',
            one.because === 'utilisation' && [' ', { soft: '(confirmed)' }],
          ],
    ),
  ]);
}

const WORK = column<LimitResult>('Operation', describeWork);

const describeContradiction = ({ contradiction }: LimitResult): string | null =>
  contradiction === undefined ? null : `none: ${contradiction.metric} at most ${percentOf(contradiction.value)}`;

/** Utilisation of servers (by the service) and clients (by EC2): evidence for or against a bottleneck. */
function evidenceTable(results: readonly LimitResult[]): Block {
  // Writes and reads of clients, and arms of different kinds, have different metrics.
  const metrics = [...new Set(results.flatMap(({ evidence }) => evidence.map(({ metric }) => metric)))];
  const ofClients = results.some(({ evidence }) => evidence.some(({ limit }) => limit.startsWith('client_')));
  const over = 'over the whole periods of each phase, by the service’s metrics';
  const caption = ofClients
    ? `Busiest server, target or client ${over}; a client’s network as a share of its documented baseline`
    : `Busiest server or target ${over}`;
  return tableOf(results, { caption }, [
    WORK,
    armColumn(),
    ...metrics.map((metric) =>
      number(metric, ({ evidence }: LimitResult) => {
        const found = evidence.find((one) => one.metric === metric);
        return found === undefined ? '' : quantity(found.value, percentOf, { reason: found.reason });
      }),
    ),
  ]);
}

function sources(results: readonly LimitResult[]): Block {
  const all = results.flatMap(({ arm, limits: list }) => list.map((limit) => ({ ...limit, arm })));
  const groups = Map.groupBy(all, ({ arm, name, source }) => `${arm} ${name} ${source}`);
  const firsts = [...groups.values()].map(([first]) => first as (typeof all)[number]);
  return tableOf(firsts, { caption: 'Documented limits', captionHidden: true }, [
    column('Limit', ({ name }) => describeLimit(name)),
    column('Arm', ({ arm }) => arm),
    number('MB/s sustained', ({ baselineMBps }) => baselineMBps, plain),
    number('MB/s in a burst', ({ burstMBps }) => burstMBps, plain),
    column('Source', ({ source }) => withLinks(source)),
  ]);
}

const SEEN_IN = {
  service: 'periods of the service’s metric',
  iterations: 'iterations of the tool',
  repeats: 'repeats',
};

/** Burst and baseline separately, if throughput dropped permanently. */
function levels({ analysis }: RunSummary): Block[] {
  const changed = analysis.levels.flatMap(({ changes, unit, ...level }) =>
    (changes ?? []).map((change) => ({ ...level, ...change, unit: unit === 'x' ? '×' : unit })),
  );
  if (changed.length === 0) return [];
  const figures = tableOf(changed, { caption: 'Lasting changes of throughput' }, [
    column('Operation', describeWork),
    armColumn(),
    column('When', ({ at, between: [from, to], hours }) => [
      `${plain(hours)} h`,
      { below: [moment(at), from !== to && `, from ${moment(from)} to ${moment(to)}`] },
    ]),
    number('Before', ({ before, unit }) => `${precise(before)} ${unit}`),
    number('After', ({ after, unit }) => `${precise(after)} ${unit}`),
    number('Change', ({ relative }) => percentChange(relative * 100)),
    column('Seen in', ({ values, source }) => `${values} ${SEEN_IN[source]}`),
  ]);
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
      const axis = { x: 'x', y: 'y', stroke: 'var(--axis)' };
      return {
        x: { domain: [0.9, end], ...lowerAxis('measured ratio (x:1)') },
        y: { zero: true, nice: true, grid: true, ...valueAxis('MB/s', 5) },
        marks: [
          ...gridFromZero({ plot }),
          plot.line(ceiling(network.burstMBps, disk.burstMBps), { ...axis, strokeDasharray: '4 3' }),
          plot.line(ceiling(network.baselineMBps, disk.baselineMBps), { ...axis, strokeWidth: 1.6 }),
          armDots({ plot, look }, points, 4),
        ],
      };
    },
  };
}
