import { keyOf } from '../common/collections';
import { type MetricSeries, startsOf } from '../schema/metrics';
import { identityIn, metricNamed } from '../storage/lookup';
import type { MetricRole } from '../storage/storage';
import { statistics } from './figures/statistics';
import type { Run } from './run';

type Series = MetricView['series'][number];

/** Most servers or targets that are drawn as lines: more would hide each other. */
export const MOST_LINES = 6;

/** The series of a metric, those of an arm with many of them as one band from the least to the most. */
export function bandsOf(series: readonly Series[]) {
  const arms = [...Map.groupBy(series, ({ arm }) => arm)];
  return {
    lines: arms.flatMap(([, own]) => (own.length > MOST_LINES ? [] : own)),
    bands: arms.flatMap(([arm, own]) => (own.length > MOST_LINES ? [bandOf(arm, own)] : [])),
  };
}

/** Servers or targets of one arm that are too many for a line each: their range at each point in time. */
export type Band = ReturnType<typeof bandOf>;

function bandOf(arm: string, series: readonly Series[]) {
  const byTime = Map.groupBy(
    series.flatMap(({ points }) => points),
    ([at]) => at,
  );
  const points = [...byTime]
    .sort(([a], [b]) => a - b)
    .map(([at, own]) => {
      const { min, median, max } = statistics(own.map(([, value]) => value));
      return { at, low: min ?? 0, mid: median ?? 0, high: max ?? 0 };
    });
  return { arm, parts: series.length, periodSeconds: Math.max(...series.map((one) => one.periodSeconds)), points };
}

/** Metrics in the order in which an engineer asks for them; others follow by name. */
const ORDER: readonly (MetricRole | null)[] = [
  'bytes_written',
  'bytes_read',
  'disk_bytes_written',
  'disk_bytes_read',
  'write_operations',
  'read_operations',
  'metadata_operations',
  'file_creates',
  'file_opens',
  'file_deletes',
  'stats',
  'network_utilisation',
  'disk_utilisation',
  'disk_iops_utilisation',
  'metadata_cpu',
  'server_cpu',
  'logical_bytes',
  'physical_bytes',
  'capacity_free',
];

/** One CloudWatch metric over the run, all arms and all servers, in a unit that people read. */
export type MetricView = ReturnType<typeof metricViews>[number];

export function metricViews(run: Run) {
  const present = allSeries(run)
    .filter(({ points }) => points.length > 0)
    .sort((a, b) => rank(a) - rank(b) || byName(a, b));
  const groups = Map.groupBy(present, ({ namespace, metric, statistic, unit }) =>
    keyOf(namespace, metric, statistic, unit),
  );
  return [...groups.values()].map((group) => {
    const first = group[0] as MetricSeries;
    const { unit, scale } = reading(first);
    return {
      metric: first.metric,
      statistic: first.statistic,
      unit,
      series: group.map((one) => ({
        arm: one.arm,
        part: partOf(one.dimensions, identityIn(first.namespace)),
        periodSeconds: one.periodSeconds,
        // Made again on each request: the points of all metrics together outweigh the rest of the run.
        get points(): readonly (readonly [at: number, value: number])[] {
          const { points } = one;
          const starts = startsOf(points);
          const factor = scale(one.periodSeconds);
          return points.map(([, value], index) => [starts[index] as number, value * factor] as const);
        },
      })),
    };
  });
}

export function absentMetrics(run: Run): { reason: string; names: string[] }[] {
  const absent = allSeries(run).filter(({ points }) => points.length === 0);
  const groups = Map.groupBy(absent, ({ reason }) => reason ?? 'no data points during the run');
  return [...groups].map(([reason, series]) => ({
    reason,
    names: [...Map.groupBy(series, ({ metric }) => metric)].map(
      ([metric, own]) => `${metric} (${[...new Set(own.map(({ arm }) => arm))].join(', ')})`,
    ),
  }));
}

function allSeries({ arms, metrics }: Run): MetricSeries[] {
  const known = arms.flatMap(({ series }) => series);
  const others = metrics.flatMap(({ series }) => series).filter(({ arm }) => !arms.some(({ name }) => name === arm));
  return [...known, ...others];
}

function rank({ namespace, metric }: MetricSeries): number {
  const index = ORDER.indexOf(metricNamed(namespace, metric)?.role ?? null);
  return index < 0 ? ORDER.length : index;
}

const byName = ({ metric: a }: MetricSeries, { metric: b }: MetricSeries): number => (a < b ? -1 : a > b ? 1 : 0);

/** Converts sums over a period to rates, which are comparable for periods of any length; levels stay unchanged. */
function reading({ namespace, metric, unit, statistic }: MetricSeries): {
  unit: string;
  scale: (periodSeconds: number) => number;
} {
  const isSum = statistic === 'Sum' && !metricNamed(namespace, metric)?.gauge;
  if (unit === 'Bytes')
    return isSum ? { unit: 'MB/s', scale: (period) => 1 / period / 1e6 } : { unit: 'GiB', scale: () => 2 ** -30 };
  if (unit === 'Percent') return { unit: '%', scale: () => 1 };
  if (isSum) return { unit: 'per second', scale: (period) => 1 / period };
  return { unit: unit === null || unit === 'None' ? '' : unit.toLowerCase(), scale: () => 1 };
}

/** Returns the dimension values that distinguish series of one arm: all but those that identify the arm. */
const partOf = (dimensions: Readonly<Record<string, string>>, identity: readonly string[]): string =>
  Object.entries(dimensions)
    .filter(([name]) => !identity.includes(name))
    .map(([, value]) => value)
    .sort()
    .join(' ');
