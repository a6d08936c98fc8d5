import * as z from 'zod';
import { number, type Of, text } from './document';

/** Seconds between two points: 60 on AWS, 3 in the lab with its short runs. CloudWatch only has 1, 5, 10 and 30 below a minute (GetMetricData). */
export const METRICS_PERIOD = { aws: 60, lab: 3 } as const;

/** Phase length needed for metrics of one point a minute to show it; IO500 requires as much (https://github.com/IO500/io500). */
export const SECONDS_FOR_METRICS = 300;

/** Metrics that the driver publishes, each with the dimension `Stack`, and that a stack's dashboard and alarms read. */
export const DRIVER_METRICS = {
  namespace: 'fsxbench',
  /** 1 while a run is active, 0 once when it ends. Nothing is published without a run. */
  runActive: 'RunActive',
  /** Steps of the run that are done, as a running count. */
  stepsDone: 'StepsDone',
} as const;

/** Checked without a copy, since a run may have hundreds of thousands; the published schema has the tuple. */
const points = z
  .custom<[string, number][]>(
    (value) =>
      Array.isArray(value) &&
      value.every(
        (point) =>
          Array.isArray(point) && point.length === 2 && typeof point[0] === 'string' && Number.isFinite(point[1]),
      ),
    'must be a list of [time, value]',
  )
  .meta({
    type: 'array',
    items: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'number' }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
  });

const seriesSchema = z.object({
  namespace: text,
  metric: text,
  dimensions: z.record(text, text),
  statistic: text,
  unit: text.nullable(),
  periodSeconds: number,
  /** Start of each period in ISO 8601, and its value. */
  points,
  /** Why the points are missing. */
  reason: text.optional(),
});
export type CollectedSeries = Of<typeof seriesSchema>;

const window = z.object({ from: text, to: text });

/** `metrics/<arm>.json` */
export const metricsSchema = z.object({
  schema: z.literal('fsxbench.metrics/1'),
  run: text,
  window,
  series: z.array(seriesSchema.extend({ arm: text })),
});
export type MetricsFile = Of<typeof metricsSchema>;
export type MetricSeries = MetricsFile['series'][number];

/** `metrics/clients/series.json`: what EC2 published of the clients. */
export const clientMetricsSchema = z.object({
  schema: z.literal('fsxbench.client-metrics/1'),
  run: text,
  window,
  series: z.array(seriesSchema),
});
export type ClientMetricsFile = Of<typeof clientMetricsSchema>;
export const CLIENT_METRICS = 'metrics/clients/series.json';

const alarmSchema = z.object({
  name: text,
  state: z.enum(['OK', 'ALARM', 'INSUFFICIENT_DATA']),
  /** Since when, in ISO 8601; `null` where CloudWatch does not say. */
  since: text.nullable(),
  description: text,
});
export type CollectedAlarm = Of<typeof alarmSchema>;

/** `metrics/dashboard/series.json`: what the run's dashboard shows next to what the files of the arms have. */
export const dashboardMetricsSchema = z.object({
  schema: z.literal('fsxbench.dashboard-metrics/1'),
  run: text,
  dashboard: text,
  window,
  series: z.array(seriesSchema),
  /** The dashboard's alarms as they were when this was collected; `null` in the lab, which evaluates none. */
  alarms: z.array(alarmSchema).nullable(),
});
export type DashboardMetricsFile = Of<typeof dashboardMetricsSchema>;

/** A time window of a run, in milliseconds since the epoch. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** One period of a metric: a sum over everything that publishes it, such as all metadata targets. */
export interface Period extends Window {
  readonly value: number;
}

/** Returns the series of a metric that have data points, or the reason for their absence. */
export function seriesOf(
  all: readonly MetricSeries[],
  metric: string,
): { readonly series: readonly MetricSeries[]; readonly reason: string | null } {
  const own = all.filter((one) => one.metric === metric);
  const series = own.filter(({ points }) => points.length > 0);
  if (series.length > 0) return { series, reason: null };
  const why = own.find(({ reason }) => reason !== undefined)?.reason;
  return { series, reason: `${metric}: ${why ?? 'not collected; run npx fsxbench collect'}` };
}

/** Accepted units of counts; CloudWatch omits the unit if the publisher did. */
const UNITS = ['Bytes', 'Count', 'None'];

/** A count published by the service, per period, summed over all servers; or why it is unknown. */
export function countsOf(
  all: readonly MetricSeries[],
  metric: string,
): { readonly periods: readonly Period[]; readonly reason: string | null } {
  const { series: found, reason: none } = seriesOf(all, metric);
  // Only sums can be added, each series once; a file with another unit is not from this service (fs-metrics).
  const sum = found.filter(({ statistic, unit }) => statistic === 'Sum' && UNITS.includes(unit ?? 'None'));
  const series = [...new Map(sum.map((one) => [JSON.stringify(one.dimensions), one])).values()];
  const [{ statistic, unit } = {}] = found;
  const other = `${metric}: collected as ${statistic} in ${unit}, not as a sum of bytes or operations`;
  const reason = none ?? (series.length === 0 ? other : null);
  const sums = new Map<number, Period>();
  for (const { points, periodSeconds } of series) {
    const starts = startsOf(points);
    for (const [index, [, value]] of points.entries()) {
      const from = starts[index] as number;
      const known = sums.get(from);
      sums.set(from, { from, to: from + periodSeconds * 1000, value: (known?.value ?? 0) + value });
    }
  }
  return { periods: [...sums.values()].sort((a, b) => a.from - b.from), reason };
}

const parsed = new WeakMap<MetricSeries['points'], readonly number[]>();

/** Times of the points of one or more series, as they were written and in milliseconds since the epoch. */
interface Times {
  readonly texts: readonly string[];
  readonly starts: readonly number[];
}

/** Keeps the points of many series as columns, in an eighth of the memory: most share their times. Points are made on each request. */
export class SeriesColumns {
  private readonly texts = new Map<string, string>();
  private readonly times = new Map<string, Times>();

  of({ points, ...series }: MetricSeries): MetricSeries {
    const { texts, starts } = this.timesOf(points);
    const values = Float64Array.from(points, ([, value]) => value);
    return {
      ...series,
      get points() {
        const made = texts.map((at, index) => [at, values[index] as number] as const);
        parsed.set(made, starts);
        return made;
      },
    };
  }

  private timesOf(points: MetricSeries['points']): Times {
    const ends = `${points.length} ${points[0]?.[0]} ${points.at(-1)?.[0]}`;
    const known = this.times.get(ends);
    if (known !== undefined && points.every(([at], index) => at === known.texts[index])) return known;
    const texts = points.map(([at]) => this.texts.get(at) ?? at);
    for (const at of texts) this.texts.set(at, at);
    const times = { texts, starts: startsOf(points) };
    this.times.set(ends, times);
    return times;
  }
}

/** Start of each period, in milliseconds since the epoch. They are asked for by task and server, and are slow to parse. */
export function startsOf(points: MetricSeries['points']): readonly number[] {
  const known = parsed.get(points) ?? points.map(([at]) => Date.parse(at));
  parsed.set(points, known);
  return known;
}

export const overlap = (a: Window, b: Window): boolean => a.from < b.to && b.from < a.to;

/** True if a period is entirely within one of the windows: a minute at the edge includes other activity. */
export const inside = (period: Window, windows: readonly Window[]): boolean =>
  windows.some(({ from, to }) => period.from >= from && period.to <= to);

export function within(
  { points, periodSeconds }: Pick<MetricSeries, 'points' | 'periodSeconds'>,
  windows: readonly Window[],
): number[] {
  const starts = startsOf(points);
  const own: number[] = [];
  for (const [index, [, value]] of points.entries()) {
    const from = starts[index] as number;
    if (inside({ from, to: from + periodSeconds * 1000 }, windows)) own.push(value);
  }
  return own;
}

export const tooShort = (metric: string): string => `${metric}: no whole period of it lies within the phase`;
