import { groupBy, keyOf } from '../kit/groupBy';
import type { MetricSeries } from '../schema/metrics';
import { LUSTRE_METRICS } from '../storage/lustre/metricTable';
import type { RunRecord } from '../store/record';

/** One CloudWatch metric over the run, all arms and all servers, in a unit that people read. */
export interface MetricView {
  readonly metric: string;
  readonly statistic: string;
  readonly unit: string;
  readonly series: readonly {
    readonly arm: string;
    /** Which server or target, where the metric has one. */
    readonly part: string;
    readonly periodSeconds: number;
    readonly points: readonly (readonly [at: number, value: number])[];
  }[];
}

/** Metrics in the order in which an engineer asks for them; others follow by name. */
const ORDER = [
  'DataWriteBytes',
  'DataReadBytes',
  'DiskWriteBytes',
  'DiskReadBytes',
  'DataWriteOperations',
  'DataReadOperations',
  'MetadataOperations',
  'FileCreateOperations',
  'FileOpenOperations',
  'FileDeleteOperations',
  'StatOperations',
  'NetworkThroughputUtilization',
  'FileServerDiskThroughputUtilization',
  'DiskIopsUtilization',
  'CPUUtilization',
  'LogicalDiskUsage',
  'PhysicalDiskUsage',
  'FreeDataStorageCapacity',
];

/** The metrics that have points. */
export function metricViews({ metrics }: RunRecord): MetricView[] {
  const present = allSeries(metrics).filter(({ points }) => points.length > 0);
  const groups = groupBy(present, ({ namespace, metric, statistic, unit }) =>
    keyOf(namespace, metric, statistic, unit),
  );
  return [...groups.values()]
    .map((group): MetricView => {
      const first = group[0] as MetricSeries;
      const { unit, scale } = reading(first);
      return {
        metric: first.metric,
        statistic: first.statistic,
        unit,
        series: group.map(({ arm, dimensions, periodSeconds, points }) => ({
          arm,
          part: partOf(dimensions),
          periodSeconds,
          points: points.map(([at, value]) => [Date.parse(at), value * scale(periodSeconds)] as const),
        })),
      };
    })
    .sort((a, b) => rank(a.metric) - rank(b.metric) || (a.metric < b.metric ? -1 : a.metric > b.metric ? 1 : 0));
}

/** The metrics without points, by reason. */
export function absentMetrics({ metrics }: RunRecord): { reason: string; names: string[] }[] {
  const absent = allSeries(metrics).filter(({ points }) => points.length === 0);
  const groups = groupBy(absent, ({ reason }) => reason ?? 'no points in the time of the run');
  return [...groups].map(([reason, series]) => ({
    reason,
    names: [...groupBy(series, ({ metric }) => metric)].map(
      ([metric, own]) => `${metric} (${[...new Set(own.map(({ arm }) => arm))].join(', ')})`,
    ),
  }));
}

function allSeries(metrics: RunRecord['metrics']): MetricSeries[] {
  return metrics.flatMap(({ series }) => series);
}

function rank(metric: string): number {
  const index = ORDER.indexOf(metric);
  return index < 0 ? ORDER.length : index;
}

/** Levels, such as bytes stored: their sum is one over the targets, which publish once a period, not one over time. */
const LEVELS = new Set<string>(LUSTRE_METRICS.filter(({ gauge }) => gauge).map(({ name }) => name));

/** Sums over a period become rates, so that periods of different length can be compared; levels stay what they are. */
function reading({ metric, unit, statistic }: MetricSeries): {
  unit: string;
  scale: (periodSeconds: number) => number;
} {
  const isSum = statistic === 'Sum' && !LEVELS.has(metric);
  if (unit === 'Bytes') {
    return isSum ? { unit: 'MB/s', scale: (period) => 1 / period / 1e6 } : { unit: 'GiB', scale: () => 2 ** -30 };
  }
  if (unit === 'Percent') return { unit: '%', scale: () => 1 };
  if (isSum) return { unit: 'per second', scale: (period) => 1 / period };
  return { unit: unit === null || unit === 'None' ? '' : unit.toLowerCase(), scale: () => 1 };
}

/** What tells series of one arm apart: every dimension but the file system's. */
function partOf(dimensions: Readonly<Record<string, string>>): string {
  return Object.entries(dimensions)
    .filter(([name]) => name !== 'FileSystemId')
    .map(([, value]) => value)
    .sort()
    .join(' ');
}
