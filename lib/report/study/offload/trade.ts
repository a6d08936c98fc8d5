import type { RunSummary } from '../../../analysis/summary';
import { offloadBench } from '../../../benchmark/offload';
import { keyOf, type ValueOrReason } from '../../../common/collections';
import { compressibilityLabel, listed } from '../../../common/format/text';
import { NO_VALUE, plain, ratio } from '../../../common/format/units';
import type { ArmLook, Sentence } from '../../../common/page/arms';
import { gridFromZero, lowerAxis, valueAxis } from '../../../common/page/drawing';
import {
  type Block,
  type Chart,
  columns,
  line,
  numbers,
  printed,
  quantity,
  remark,
  type TableField,
  table,
  text,
} from '../../blocks';
import type { Section } from '../../sections/section';
import { allPoints, cpuPerGB, pointsOf, type TradePoint } from './points';

/** Taller than the others: each point has a line of words next to it. */
const HEIGHT = 300;
const [TOP, BOTTOM] = [24, 42];
/** Width of a letter next to a point, in pixels. */
const LETTER = 5.4;
/** Height of a line of text, in pixels. */
const LINE = 12;

/** A point that has both figures. */
interface Placed {
  readonly point: TradePoint;
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly title: string;
  readonly radius: number;
  readonly filled: boolean;
}

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

function placed(points: readonly TradePoint[]): Placed[] {
  const max = Math.max(0, ...points.map((point) => cpuPerGB(point) ?? 0));
  const named = namesOf(points);
  return points.flatMap((point): Placed[] => {
    const [x, y, cpu] = [point.ratio.value, point.throughputMBps.value, cpuPerGB(point)];
    if (x === null || y === null) return [];
    const spent = cpu === null ? 'CPU time not known' : `${plain(cpu)} s of CPU time per GB`;
    return [
      {
        point,
        x,
        y,
        label: named(point),
        radius: radiusOf(cpu, max),
        filled: cpu !== null,
        title: `${named(point)}: ${plain(y)} MB/s at ${ratio(x)}:1, ${spent}`,
      },
    ];
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

/** Arms of one family are of the colour of its first. */
function colourOf(point: TradePoint, all: readonly TradePoint[], look: ArmLook): string {
  if (point.from !== undefined) return 'var(--soft)';
  const families = [...new Set(all.filter(({ from }) => from === undefined).map(({ family }) => family))];
  const first = all.find(({ family, from }) => from === undefined && family === point.family);
  return families.length > 6
    ? look.colour(first?.arm ?? point.arm)
    : `var(--arm-${families.indexOf(point.family) % 6})`;
}

/** Throughput against ratio; the area of a dot is the processor time of a GB, and lines join the levels of an algorithm. */
function tradeChart(points: readonly TradePoint[], id: string): Chart | null {
  const drawn = placed(points);
  if (drawn.length === 0) return null;
  const others = [...new Set(points.flatMap(({ from }) => from ?? []))];
  const hollow = drawn.some(({ filled }) => !filled);
  return {
    id,
    caption: line`${{ strong: 'Write throughput' }} against the compression ratio that was read back. The area of a dot is the CPU time per GB of data; lines join the levels of an algorithm.${hollow && ' A hollow dot has no count of CPU time.'}${others.length > 0 && ` The arms of ${listed(others)} are also shown.`}`,
    title: 'Throughput against compression ratio, with CPU time',
    description: drawn.map(({ title }) => `${title}.`).join(' '),
    options: ({ plot, look }) => {
      const top = Math.max(...drawn.map(({ y }) => y)) * 1.12;
      const [left, right] = [
        Math.min(1, ...drawn.map(({ x }) => x)) - 0.03,
        Math.max(1.1, ...drawn.map(({ x }) => x)) + 0.03,
      ];
      const perPixel = top / (HEIGHT - TOP - BOTTOM);
      const labels = spreadLabels(
        drawn.map(({ y }) => y),
        LINE * perPixel,
        0,
        top,
      );
      const colour = ({ point }: Placed): string => colourOf(point, points, look);
      const levels = [
        ...Map.groupBy(drawn, ({ point }) => keyOf(point.from ?? null, point.family, point.compressibility)).values(),
      ].flatMap((family) =>
        family.length < 2 ? [] : [...family].sort((a, b) => (a.point.level ?? 0) - (b.point.level ?? 0)),
      );
      const beside = drawn.map((each, index) => ({ ...each, height: labels[index] ?? each.y }));
      return {
        height: HEIGHT,
        marginRight: 12 + LETTER * Math.max(...drawn.map(({ label }) => label.length)),
        x: { domain: [left, right], ...lowerAxis('measured ratio (x:1)', 5) },
        y: { domain: [0, top], grid: true, ...valueAxis('MB/s', 5) },
        marks: [
          ...gridFromZero({ plot }),
          plot.link(beside, {
            x1: 'x',
            y1: 'y',
            x2: right,
            y2: 'height',
            stroke: colour,
            strokeOpacity: 0.45,
            strokeWidth: 0.7,
          }),
          plot.line(levels, {
            x: 'x',
            y: 'y',
            stroke: colour,
            strokeWidth: 1.4,
            z: ({ point }: Placed) => keyOf(point.from ?? null, point.family, point.compressibility),
          }),
          plot.dot(beside, {
            x: 'x',
            y: 'y',
            r: ({ radius }: Placed) => radius,
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

/** Processor time per GB, an arm a line: that of the servers, and behind it that of the clients. */
function cpuChart(points: readonly TradePoint[], id: string): Chart | null {
  const known = points.filter(({ from, serverCpuPerGB }) => from === undefined && serverCpuPerGB.value !== null);
  if (known.length === 0) return null;
  const labelOf = namesOf(known);
  const bars = known.flatMap((point) => {
    const servers = point.serverCpuPerGB.value ?? 0;
    const clients = point.clientCpuPerGB.value ?? 0;
    const label = labelOf(point);
    const of = (who: string, seconds: number) => `${label}: ${plain(seconds)} s of the ${who}’ CPUs per GB`;
    return [
      { label, from: 0, to: servers, point, opacity: 0.75, title: of('servers', servers) },
      ...(clients > 0
        ? [{ label, from: servers, to: servers + clients, point, opacity: 0.3, title: of('clients', clients) }]
        : []),
    ];
  });
  const clients = bars.some(({ opacity }) => opacity < 0.5);
  return {
    id,
    caption: line`${{ strong: 'CPU time' }} per GB of data, in seconds: the servers’${clients && '; paler, that of clients that compress'}.`,
    title: 'CPU time per GB by arm',
    description: bars.map(({ title }) => `${title}.`).join(' '),
    options: ({ plot, look }) => ({
      height: Math.max(120, TOP + BOTTOM + known.length * 20),
      marginLeft: 92,
      x: { zero: true, grid: true, ...valueAxis('s per GB', 5), labelAnchor: 'center' },
      y: { domain: known.map(labelOf), label: null, tickSize: 0 },
      marks: [
        plot.gridX({ stroke: 'var(--grid)', strokeOpacity: 1 }),
        plot.barX(bars, {
          x1: 'from',
          x2: 'to',
          y: 'label',
          insetTop: 2,
          insetBottom: 2,
          title: 'title',
          fillOpacity: 'opacity',
          fill: ({ point }: { point: TradePoint }) => colourOf(point, points, look),
        }),
        plot.ruleX([0], { stroke: 'var(--axis)' }),
      ],
      opacity: { type: 'identity' },
    }),
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
    const charts = [tradeChart(points, 'trade'), cpuChart(points, 'cpu-per-gb')].filter(
      (chart): chart is Chart => chart !== null,
    );
    return [
      text(
        'Medians over the repeats. The ratio is the bytes written ÷ the bytes stored, read back after each write; a GB is 10⁹ bytes before compression.',
      ),
      { kind: 'charts', charts, figures: [printed('Figures: throughput, ratio and CPU time', figures(points))] },
      ...cpuTimeNotes(run),
      ...elsewhere(run),
    ];
  },
};

function figures(points: readonly TradePoint[]): Block {
  const field = ({ value, reason }: ValueOrReason, words: (value: number | null) => string): TableField =>
    quantity(value, words, { reason, below: reason });
  const milliseconds = (value: number | null): string => (value === null ? NO_VALUE : plain(value * 1000));
  return table({
    caption: 'Throughput, ratio and CPU time by arm',
    captionHidden: true,
    columns: [
      ...columns('Arm', 'Data'),
      ...numbers('Write, MB/s', 'Ratio', 'Servers, s/GB', 'Clients, s/GB', '99 % of writes within, ms'),
    ],
    rows: points.map((point) => [
      point.from === undefined ? { arm: point.arm } : nameOf(point),
      compressibilityLabel(point.compressibility),
      field(point.throughputMBps, plain),
      field(point.ratio, ratio),
      field(point.serverCpuPerGB, plain),
      // Only a client that compresses counts its processors.
      point.clientCpuPerGB.value === null ? NO_VALUE : field(point.clientCpuPerGB, plain),
      point.latencyP99.value === null ? NO_VALUE : field(point.latencyP99, milliseconds),
    ]),
  });
}

/** Explains what the processor time includes, once for all arms with the same explanation. */
function cpuTimeNotes({ record }: RunSummary): Block[] {
  const words = new Set((record.manifest?.arms ?? []).flatMap(({ serverCpu }) => serverCpu ?? []));
  return [...words].map((word) => remark(`The servers’ CPU time is that of ${word}.`));
}

/** Note that levels in the lab are those of another compressor. */
function elsewhere({ lab }: RunSummary): Block[] {
  return lab
    ? [
        remark(
          'In the lab, Btrfs replaces ZFS: LZO for lz4, zlib for gzip, zstd for zstd, each in extents of 128 KiB. The CPU time of a level is that of this computer; hardware offload was not tried.',
        ),
      ]
    : [];
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
    const taken = (point: TradePoint): string => {
      const cpu = cpuPerGB(point);
      return cpu === null ? '' : ` for ${plain(cpu)} s of CPU time per GB`;
    };
    const said = (point: TradePoint): string =>
      ` wrote ${plain(point.throughputMBps.value)} MB/s at ${ratio(point.ratio.value)}:1${taken(point)}`;
    return [
      [
        `On data made for ${compressibilityLabel(target)}, `,
        { arm: off.arm },
        ` wrote ${plain(off.throughputMBps.value)} MB/s${taken(off)}; `,
        { arm: cheapest.arm },
        `${said(cheapest)}, and `,
        { arm: dearest.arm },
        `${said(dearest)}.`,
      ],
    ];
  });
}
