import type { CloudWatchClient, MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import type { CollectedSeries } from '../schema/metrics';
import type { PublishedMetric } from '../storage/metrics';
import type { AskedMetric } from './draw/source';

/** GetMetricData takes 500 queries per call (CloudWatch quotas). */
const QUERIES_PER_CALL = 500;

/** Time window and period. */
export interface Grid {
  readonly from: Date;
  readonly to: Date;
  readonly periodSeconds: number;
}

/** Data points of a metric, or why there are none. */
export interface Answered {
  readonly points: CollectedSeries['points'];
  readonly reason?: string;
}

/** CloudWatch's metrics with at least these dimensions; it lists only metrics of the last two weeks. */
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

/** The data points of each metric in time order, from as many calls and pages as needed. */
export async function getPoints(
  client: CloudWatchClient,
  wanted: readonly AskedMetric[],
  grid: Grid,
): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (let at = 0; at < wanted.length; at += QUERIES_PER_CALL) {
    answers.push(...(await getSome(client, wanted.slice(at, at + QUERIES_PER_CALL), grid)));
  }
  return answers;
}

async function getSome(client: CloudWatchClient, wanted: readonly AskedMetric[], grid: Grid): Promise<Answered[]> {
  const { paginateGetMetricData } = await import('@aws-sdk/client-cloudwatch');
  const points = wanted.map((): [string, number][] => []);
  const failed = new Map<number, string>();
  const step = grid.periodSeconds * 1000;
  const request = {
    MetricDataQueries: wanted.map((one, index) => queryOf(one, `m${index}`, grid.periodSeconds)),
    // Whole periods, as CloudWatch advises.
    StartTime: new Date(Math.floor(grid.from.getTime() / step) * step),
    EndTime: new Date(Math.ceil(grid.to.getTime() / step) * step),
    ScanBy: 'TimestampAscending' as const,
  };
  for await (const page of paginateGetMetricData({ client }, request)) {
    for (const { Id = '', Timestamps = [], Values = [], StatusCode } of page.MetricDataResults ?? []) {
      const index = Number(Id.slice(1));
      for (const [place, time] of Timestamps.entries()) {
        const value = Values[place];
        if (value !== undefined) points[index]?.push([time.toISOString(), value]);
      }
      if (StatusCode === 'InternalError' || StatusCode === 'Forbidden') failed.set(index, StatusCode);
    }
  }
  return points.map((own, index) => {
    own.sort((a, b) => (a[0] < b[0] ? -1 : 1));
    if (own.length > 0) return { points: own };
    const code = failed.get(index);
    return { points: own, reason: code ? `CloudWatch answered ${code}` : 'no point in the window' };
  });
}

function queryOf({ namespace, metric, dimensions, stat }: AskedMetric, id: string, period: number): MetricDataQuery {
  return {
    Id: id,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: metric,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: period,
      Stat: stat,
    },
    ReturnData: true,
  };
}
