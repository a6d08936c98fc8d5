import type { CloudWatchClient, MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { BOUNDED } from '../common/aws/connection';
import { chunks } from '../common/collections';
import type { CollectedSeries } from '../schema/metrics';
import type { PublishedMetric } from '../storage/storage';
import type { TimeWindow } from './window';

/** GetMetricData takes 500 queries per call (CloudWatch quotas). */
const QUERIES_PER_CALL = 500;

export interface Grid extends TimeWindow {
  readonly periodSeconds: number;
}

/** A metric to collect: its series without what CloudWatch answers. */
type Wanted = Omit<CollectedSeries, 'periodSeconds' | 'points' | 'reason'>;

export async function cloudWatchOr(client: CloudWatchClient | undefined): Promise<CloudWatchClient> {
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  return client ?? new CloudWatchClient(BOUNDED);
}

export async function listMetrics(
  client: CloudWatchClient,
  namespace: string,
  dimensions: Readonly<Record<string, string>>,
): Promise<PublishedMetric[]> {
  const { paginateListMetrics } = await import('@aws-sdk/client-cloudwatch');
  // Deduplicated by text, since an endpoint may list a metric once per data point.
  const found = new Map<string, PublishedMetric>();
  const wanted = Object.entries(dimensions);
  const filter = { Namespace: namespace, Dimensions: wanted.map(([Name, Value]) => ({ Name, Value })) };
  for await (const page of paginateListMetrics({ client }, filter)) {
    for (const { Namespace = namespace, MetricName, Dimensions = [] } of page.Metrics ?? []) {
      const own = Object.fromEntries(Dimensions.map(({ Name = '', Value = '' }) => [Name, Value]));
      // Some endpoints treat the filter as a hint.
      if (!MetricName || Namespace !== namespace || wanted.some(([name, value]) => own[name] !== value)) continue;
      found.set(`${MetricName} ${JSON.stringify(Object.entries(own).sort())}`, { metric: MetricName, dimensions: own });
    }
  }
  return [...found.keys()].sort().map((key) => found.get(key) as PublishedMetric);
}

/** The series of each metric: its points in time order, from as many calls and pages as needed, or the reason for their absence. */
export async function collectSeries<W extends Wanted>(
  client: CloudWatchClient,
  wanted: readonly W[],
  grid: Grid,
): Promise<(W & CollectedSeries)[]> {
  const series: (W & CollectedSeries)[] = [];
  for (const some of chunks(wanted, QUERIES_PER_CALL)) series.push(...(await seriesOf(client, some, grid)));
  return series;
}

async function seriesOf<W extends Wanted>(
  client: CloudWatchClient,
  wanted: readonly W[],
  grid: Grid,
): Promise<(W & CollectedSeries)[]> {
  const { paginateGetMetricData } = await import('@aws-sdk/client-cloudwatch');
  const points = wanted.map((): [string, number][] => []);
  /** The last answer to each query that was not the whole of it: less than was published would pass for all of it. */
  const failed = new Map<number, string>();
  const step = grid.periodSeconds * 1000;
  const request = {
    MetricDataQueries: wanted.map((one, index) => queryOf(one, `m${index}`, grid.periodSeconds)),
    // Whole periods, as CloudWatch advises.
    StartTime: new Date(Math.floor(grid.from.getTime() / step) * step),
    EndTime: new Date(Math.ceil(grid.to.getTime() / step) * step),
    ScanBy: 'TimestampAscending' as const,
  };
  for await (const page of paginateGetMetricData({ client }, request))
    for (const { Id = '', Timestamps = [], Values = [], StatusCode } of page.MetricDataResults ?? []) {
      const index = Number(Id.slice(1));
      for (const [place, time] of Timestamps.entries()) {
        const value = Values[place];
        if (value !== undefined) points[index]?.push([time.toISOString(), value]);
      }
      if (StatusCode === 'InternalError' || StatusCode === 'Forbidden' || StatusCode === 'PartialData')
        failed.set(index, StatusCode);
      else if (failed.get(index) === 'PartialData') failed.delete(index);
    }
  return wanted.map((one, index) => {
    const code = failed.get(index);
    const own = code === undefined ? (points[index] ?? []).sort((a, b) => (a[0] < b[0] ? -1 : 1)) : [];
    const reason = code ? `CloudWatch answered ${code}` : 'no point in the window';
    return { ...one, periodSeconds: grid.periodSeconds, points: own, ...(own.length === 0 && { reason }) };
  });
}

function queryOf({ namespace, metric, dimensions, statistic }: Wanted, id: string, period: number): MetricDataQuery {
  return {
    Id: id,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: metric,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: period,
      Stat: statistic,
    },
    ReturnData: true,
  };
}
