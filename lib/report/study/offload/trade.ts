import { isSameWork } from '../../../analysis/figures/operationKind';
import { spaceAt } from '../../../analysis/figures/space';
import type { RunSummary } from '../../../analysis/summary';
import { offloadBench } from '../../../benchmark/offload';
import { keyOf, type ValueOrReason } from '../../../common/collections';
import { compressibilityLabel, listed } from '../../../common/format/text';
import { NO_VALUE, plain, ratio } from '../../../common/format/units';
import type { ArmLook, Sentence } from '../../../common/page/arms';
import { gridFromZero, lowerAxis, valueAxis } from '../../../common/page/drawing';
import { medianOf } from '../../../common/statistics';
import type { Sample } from '../../../schema/sample';
import { type Block, type Chart, column, line, number, printed, quantity, remark, tableOf, text } from '../../blocks';
import type { Section } from '../../sections/section';

/** Taller than the others: each point has a line of words next to it. */
const HEIGHT = 300;
const [TOP, BOTTOM] = [24, 42];
const LETTER = 5.4;
const LINE = 12;

type Placed = ReturnType<typeof placed>[number];

/** The name of a point: other runs' come with their benchmark. */
const nameOf = ({ from, arm }: TradePoint): string => (from === undefined ? arm : `${from} ${arm}`);

/** Names of points, with the target of their data where that differs between them. */
function namesOf(points: readonly TradePoint[]): (point: TradePoint) => string {
  const several = new Set(points.map(({ compressibility }) => compressibility)).size > 1;
  return (point) =>
    several && point.compressibility !== null
      ? `${nameOf(point)}, ${compressibilityLabel(point.compressibility)}`
      : nameOf(point);
}

/** Area in proportion to the processor time, up to a dot that hides no other. */
const radiusOf = (cpu: number | null, max: number): number =>
  cpu === null || max <= 0 ? 4 : 2.5 + 8.5 * Math.sqrt(cpu / max);

function placed(points: readonly TradePoint[]) {
  const max = Math.max(0, ...points.map((point) => cpuPerGB(point) ?? 0));
  const named = namesOf(points);
  return points.flatMap((point) => {
    const [x, y, cpu] = [point.ratio.value, point.throughputMBps.value, cpuPerGB(point)];
    if (x === null || y === null) return [];
    const label = named(point);
    const spent = cpu === null ? 'CPU time not known' : `${plain(cpu)} s of CPU time per GB`;
    const title = `${label}: ${plain(y)} MB/s at ${ratio(x)}:1, ${spent}`;
    return { point, x, y, label, title, radius: radiusOf(cpu, max), filled: cpu !== null };
  });
}

/** Words next to their points in one column, each as near to its point as the others leave room. */
export function spreadLabels(heights: readonly number[], min: number, low: number, high: number): number[] {
  const order = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const at = [...heights];
  let floor = low;
  for (const index of order) {
    at[index] = Math.max(at[index] ?? 0, floor);
    floor = (at[index] ?? 0) + min;
  }
  let ceiling = high;
  for (const index of order.reverse()) {
    at[index] = Math.min(at[index] ?? 0, ceiling);
    ceiling = (at[index] ?? 0) - min;
  }
  return at;
}

/** The arm's colour in all of the report; points of other runs are grey. */
const colourOf = ({ from, arm }: TradePoint, look: ArmLook): string =>
  from === undefined ? look.colour(arm) : 'var(--soft)';

/** Throughput against ratio; the area of a dot is the processor time of a GB, and lines join the levels of an algorithm. */
function tradeChart(points: readonly TradePoint[]): Chart | null {
  const drawn = placed(points);
  if (drawn.length === 0) return null;
  const others = [...new Set(points.flatMap(({ from }) => from ?? []))];
  const hollow = drawn.some(({ filled }) => !filled);
  return {
    id: 'trade',
    caption: line`${{ strong: 'Write throughput' }} against the compression ratio that was read back. Each mark is an arm; its area is the CPU time per GB of data. Lines join the levels of an algorithm.${hollow && ' The CPU time of a hollow mark was not counted.'}${others.length > 0 && ` The arms of ${listed(others)} are also shown.`}`,
    title: 'Throughput against compression ratio, with CPU time',
    description: drawn.map(({ title }) => `${title}.`).join(' '),
    options: ({ plot, look }) => {
      const top = Math.max(...drawn.map(({ y }) => y)) * 1.12;
      const left = Math.min(1, ...drawn.map(({ x }) => x)) - 0.03;
      const right = Math.max(1.1, ...drawn.map(({ x }) => x)) + 0.03;
      const heights = drawn.map(({ y }) => y);
      const labels = spreadLabels(heights, (LINE * top) / (HEIGHT - TOP - BOTTOM), 0, top);
      const colour = ({ point }: Placed): string => colourOf(point, look);
      const lineOf = ({ point }: Placed): string => keyOf(point.from ?? null, point.family, point.compressibility);
      const faint = { stroke: colour, strokeOpacity: 0.45, strokeWidth: 0.7 };
      const levels = [...Map.groupBy(drawn, lineOf).values()].flatMap((family) =>
        family.length < 2 ? [] : family.toSorted((a, b) => (a.point.level ?? 0) - (b.point.level ?? 0)),
      );
      const beside = drawn.map((each, index) => ({ ...each, height: labels[index] ?? each.y }));
      return {
        height: HEIGHT,
        marginRight: 12 + LETTER * Math.max(...drawn.map(({ label }) => label.length)),
        x: { domain: [left, right], ...lowerAxis('measured ratio (x:1)', 5) },
        y: { domain: [0, top], grid: true, ...valueAxis('MB/s', 5) },
        marks: [
          ...gridFromZero({ plot }),
          plot.link(beside, { x1: 'x', y1: 'y', x2: right, y2: 'height', ...faint }),
          plot.line(levels, { x: 'x', y: 'y', z: lineOf, stroke: 'var(--soft)', strokeWidth: 1.4 }),
          plot.dot(beside, {
            x: 'x',
            y: 'y',
            r: ({ radius }: Placed) => radius,
            symbol: ({ point: { from, arm } }: Placed) => (from === undefined ? look.symbol(arm) : 'circle'),
            stroke: colour,
            strokeWidth: 1.2,
            fill: (each: Placed) => (each.filled ? colour(each) : 'none'),
            fillOpacity: 0.55,
            title: 'title',
          }),
          plot.text(beside, {
            x: right,
            y: 'height',
            text: 'label',
            dx: 4,
            textAnchor: 'start',
            fill: colour,
            fontSize: 10,
          }),
        ],
        r: { type: 'identity' },
      };
    },
  };
}

const isOwn = (run: RunSummary): boolean => run.benchmark === offloadBench.name;

/** Cost and benefit of compression: throughput, ratio and processor time of each algorithm and level. */
export const trade: Section = {
  id: 'compression-cost',
  title: 'What compression costs and saves',
  isResult: true,
  after: null,
  headline: (run) => (isOwn(run) ? sentences(pointsOf(run)) : []),
  blocks(run) {
    if (!isOwn(run)) return [];
    const points = allPoints(run);
    if (points.length === 0) return [];
    const cpu = (run.record.manifest?.arms ?? []).flatMap(({ serverCpu }) => serverCpu ?? []);
    const chart = tradeChart(points);
    return [
      text(
        'Medians over the repeats. The ratio is the bytes written ÷ the bytes stored, read back after each write; a GB is 10⁹ bytes before compression.',
      ),
      {
        kind: 'charts',
        charts: chart === null ? [] : [chart],
        figures: [printed('Figures: throughput, ratio and CPU time', figures(points))],
      },
      ...[...new Set(cpu)].map((word) => remark(`The servers’ CPU time is that of ${word}.`)),
      run.lab &&
        remark(
          'In the lab, Btrfs replaces ZFS: LZO for lz4, zlib for gzip, zstd for zstd, each in extents of 128 KiB. The CPU time of a level is that of this computer; hardware offload was not tried.',
        ),
    ];
  },
};

function figures(points: readonly TradePoint[]): Block {
  const field = ({ value, reason }: ValueOrReason, words: (value: number | null) => string) =>
    quantity(value, words, { reason, below: reason });
  const milliseconds = (value: number | null): string => (value === null ? NO_VALUE : plain(value * 1000));
  return tableOf(points, { caption: 'Throughput, ratio and CPU time by arm', captionHidden: true }, [
    column('Arm', (point) => (point.from === undefined ? { arm: point.arm } : nameOf(point))),
    column('Data', ({ compressibility }) => compressibilityLabel(compressibility)),
    number('Write, MB/s', ({ throughputMBps }) => field(throughputMBps, plain)),
    number('Ratio', (point) => field(point.ratio, ratio)),
    number('Servers, s/GB', ({ serverCpuPerGB }) => field(serverCpuPerGB, plain)),
    // Only a client that compresses counts its processors.
    number('Clients, s/GB', ({ clientCpuPerGB: cpu }) => (cpu.value === null ? NO_VALUE : field(cpu, plain))),
    number('99 % of writes within, ms', ({ latencyP99: latency }) =>
      latency.value === null ? NO_VALUE : field(latency, milliseconds),
    ),
  ]);
}

/** The arm without compression against the cheapest and the dearest level by CPU time; if that is unknown, by the space that they store. */
function sentences(points: readonly TradePoint[]): Sentence[] {
  const targets = [...new Set(points.map(({ compressibility }) => compressibility))];
  return targets.flatMap((target): Sentence[] => {
    const all = points.filter((point) => point.compressibility === target);
    const known = all.filter((point) => cpuPerGB(point) !== null);
    const own = known.length > 0 ? known : all.filter(({ throughputMBps }) => throughputMBps.value !== null);
    const price = (point: TradePoint): number => cpuPerGB(point) ?? point.ratio.value ?? 0;
    const [off] = own.filter(({ family, clientCpuPerGB }) => family === 'off' && clientCpuPerGB.value === null);
    const compressed = own.filter((point) => point !== off && (point.ratio.value ?? 1) > 1.05);
    const [cheapest, ...dearer] = [...compressed].sort((a, b) => price(a) - price(b));
    const dearest = dearer.at(-1);
    if (off === undefined || cheapest === undefined || dearest === undefined) return [];
    const wrote = (point: TradePoint): string => ` wrote ${plain(point.throughputMBps.value)} MB/s`;
    const taken = (point: TradePoint): string => {
      const cpu = cpuPerGB(point);
      return cpu === null ? '' : ` for ${plain(cpu)} s of CPU time per GB`;
    };
    const said = (point: TradePoint): string => `${wrote(point)} at ${ratio(point.ratio.value)}:1${taken(point)}`;
    return [
      [
        `On data made for ${compressibilityLabel(target)}, `,
        { arm: off.arm },
        `${wrote(off)}${taken(off)}; `,
        { arm: cheapest.arm },
        `${said(cheapest)}, and `,
        { arm: dearest.arm },
        `${said(dearest)}.`,
      ],
    ];
  });
}

/** `gzip-6-r128`: gzip with records of 128 KiB, of the level 6. Arms of a family differ in their level alone: lines join them. */
export function familyOf(arm: string) {
  const [, before, level, after = ''] = /^(.*?)-(\d+)(-.*)?$/.exec(arm) ?? [];
  return before === undefined ? { family: arm, level: null } : { family: before + after, level: Number(level) };
}

/** Values of a metric by repeat, and why some are missing. */
function seriesOf(samples: readonly Sample[], operation: string, metric: string) {
  const own = samples.filter((sample) => sample.operation === operation && sample.metric === metric);
  return {
    values: new Map(own.flatMap(({ repeat, value }) => (value === null ? [] : [[repeat, value] as const]))),
    reason: own.find(({ value }) => value === null)?.reason ?? (own.length === 0 ? 'not measured' : null),
  };
}
type Series = ReturnType<typeof seriesOf>;

const orReason = (value: number | null, reason: string | null): ValueOrReason => ({
  value,
  reason: value === null ? reason : null,
});

/** The median of what a GB took, within the repeats that have both. */
function perGB(amounts: Series, bytes: Series): ValueOrReason {
  const values = [...amounts.values].flatMap(([repeat, value]) => {
    const moved = bytes.values.get(repeat);
    return moved !== undefined && moved > 0 ? (value * 1e9) / moved : [];
  });
  return orReason(medianOf(values), amounts.reason ?? bytes.reason ?? 'not measured');
}

/** Operations that write: plain, or compressed by a storage's clients. */
const WRITES: readonly string[] = ['write', 'stream_write'];

const isWritten = ({ operation, metric, phase }: Sample): boolean =>
  phase === 'measure' && WRITES.includes(operation) && metric === 'throughput';

/** Result of an arm for data of one compressibility. */
export type TradePoint = ReturnType<typeof pointsOf>[number] & {
  /** Benchmark of the other run that the point is from. @default - of this run */
  readonly from?: string;
};

export function pointsOf(run: RunSummary) {
  const counted = run.record.counted.filter(({ repeat }) => repeat > 0);
  const written = new Set(counted.filter(isWritten).map(({ arm, compressibility }) => keyOf(arm, compressibility)));
  const groups = Map.groupBy(counted, ({ arm, compressibility }) => keyOf(arm, compressibility));
  const points = [...groups].flatMap(([key, samples]) => {
    const first = samples[0] as Sample;
    if (!written.has(key)) return [];
    const operation = samples.find(isWritten)?.operation ?? '';
    const write = (metric: string): Series => seriesOf(samples, operation, metric);
    // By their unit, as all figures: a tool may print MiB/s.
    const cell = run.cells.find((one) => one.metric === 'throughput' && isSameWork(one, { ...first, operation }));
    const why = cell?.samples.find(({ reason }) => reason !== null)?.reason ?? 'not measured';
    const space = spaceAt(run.space, first);
    const latency = write('completion_latency_p99');
    return {
      arm: first.arm,
      compressibility: first.compressibility,
      ...familyOf(first.arm),
      /** Bytes of user data ÷ bytes that they took. */
      ratio: orReason(space?.median ?? null, space?.readings[0]?.reason ?? 'not measured'),
      /** Medians over the repeats, each computed within its repeat. */
      throughputMBps: orReason(cell?.median ?? null, why),
      /** Seconds of CPU time for 10⁹ bytes of user data. */
      serverCpuPerGB: perGB(write('server_cpu_seconds'), write('bytes')),
      clientCpuPerGB: perGB(write('client_cpu_seconds'), write('bytes')),
      /** Seconds in which 99 % of the writes were complete. */
      latencyP99: orReason(medianOf([...latency.values.values()]), latency.reason),
    };
  });
  const order = run.arms.map(({ name }) => name);
  return points.sort(
    (a, b) => (a.compressibility ?? 0) - (b.compressibility ?? 0) || order.indexOf(a.arm) - order.indexOf(b.arm),
  );
}

/** The points of a run and of those that were given next to it. */
export function allPoints(run: RunSummary): TradePoint[] {
  const others = (run.beside ?? []).flatMap((other) =>
    pointsOf(other).map((point): TradePoint => ({ ...point, from: other.benchmark })),
  );
  return [...pointsOf(run), ...others];
}

/** CPU time that compression and the servers' other work took; `null` if it was not counted. */
export function cpuPerGB({ serverCpuPerGB, clientCpuPerGB }: TradePoint): number | null {
  if (serverCpuPerGB.value === null) return null;
  return serverCpuPerGB.value + (clientCpuPerGB.value ?? 0);
}
