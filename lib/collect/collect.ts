import type { CloudWatchClient, MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import type { DeployedArm, Manifest, MetricSeries, MetricsFile } from '../model/run';
import { LUSTRE_METRICS, LUSTRE_NAMESPACE } from '../storage/metricTable';

/** GetMetricData takes 500 queries a call (CloudWatch quotas). */
const QUERIES_PER_CALL = 500;

/** What to collect. */
export interface CollectOptions {
  readonly manifest: Manifest;
  /** From the first task's start to the last one's end. */
  readonly window: { readonly from: Date; readonly to: Date };
  readonly client?: CloudWatchClient;
}

/** A metric as CloudWatch has it: the dimensions say which server or target. */
interface Published {
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/**
 * Every FSx metric of every arm over the run's window, each server and target for itself, by the statistic of the metric's table. A metric
 * that the service documents but did not publish stands there with its reason, so that nobody takes its absence for a zero.
 */
export async function collectMetrics(options: CollectOptions): Promise<Map<string, MetricsFile>> {
  const { manifest, window } = options;
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  const client = options.client ?? new CloudWatchClient({});
  const files = new Map<string, MetricsFile>();
  for (const arm of manifest.arms) {
    const series =
      arm.fileSystemId === null
        ? []
        : await collectArm(client, arm, arm.fileSystemId, manifest.metricsPeriodSeconds, window);
    const iso = { from: window.from.toISOString(), to: window.to.toISOString() };
    files.set(arm.name, { schema: 'fsxbench.metrics/1', run: manifest.run, window: iso, series });
  }
  return files;
}

async function collectArm(
  client: CloudWatchClient,
  arm: DeployedArm,
  fileSystemId: string,
  periodSeconds: number,
  window: CollectOptions['window'],
): Promise<MetricSeries[]> {
  const published = await listPublished(client, fileSystemId);
  const base = { arm: arm.name, namespace: LUSTRE_NAMESPACE, periodSeconds };
  const wanted = published.flatMap((one) => {
    const info = LUSTRE_METRICS.find(({ name }) => name === one.metric);
    return info ? [{ ...one, info }] : [];
  });
  const series: MetricSeries[] = [];
  for (let at = 0; at < wanted.length; at += QUERIES_PER_CALL) {
    const part = wanted.slice(at, at + QUERIES_PER_CALL);
    const values = await getPoints(
      client,
      part.map(({ metric, dimensions, info }, index) =>
        query(index, metric, dimensions, info.statistic, periodSeconds),
      ),
      window,
    );
    for (const [index, { metric, dimensions, info }] of part.entries()) {
      const points = values.get(`m${index}`) ?? [];
      series.push({
        ...base,
        metric,
        dimensions,
        statistic: info.statistic,
        unit: info.unit,
        points,
        ...(points.length === 0 ? { reason: 'no point in the run’s window' } : {}),
      });
    }
  }
  for (const { name, statistic, unit } of LUSTRE_METRICS) {
    if (wanted.some(({ metric }) => metric === name)) continue;
    series.push({
      ...base,
      metric: name,
      dimensions: { FileSystemId: fileSystemId },
      statistic,
      unit,
      points: [],
      reason: 'the service published none',
    });
  }
  return series;
}

/** What CloudWatch knows of a file system; it lists metrics of the last two weeks. */
async function listPublished(client: CloudWatchClient, fileSystemId: string): Promise<Published[]> {
  const { paginateListMetrics } = await import('@aws-sdk/client-cloudwatch');
  // By its text: an endpoint may name a metric once for each of its points.
  const found = new Map<string, Published>();
  const filter = { Namespace: LUSTRE_NAMESPACE, Dimensions: [{ Name: 'FileSystemId', Value: fileSystemId }] };
  for await (const page of paginateListMetrics({ client }, filter)) {
    for (const { MetricName, Dimensions = [] } of page.Metrics ?? []) {
      const dimensions = Object.fromEntries(Dimensions.map(({ Name = '', Value = '' }) => [Name, Value]));
      // Some endpoints take the filter for a hint.
      if (!MetricName || dimensions.FileSystemId !== fileSystemId) continue;
      found.set(`${MetricName} ${JSON.stringify(Object.entries(dimensions).sort())}`, {
        metric: MetricName,
        dimensions,
      });
    }
  }
  return [...found.keys()].sort().map((key) => found.get(key) as Published);
}

function query(
  index: number,
  metric: string,
  dimensions: Published['dimensions'],
  statistic: string,
  periodSeconds: number,
): MetricDataQuery {
  return {
    Id: `m${index}`,
    MetricStat: {
      Metric: {
        Namespace: LUSTRE_NAMESPACE,
        MetricName: metric,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: periodSeconds,
      Stat: statistic,
    },
    ReturnData: true,
  };
}

type Points = [string, number][];

async function getPoints(
  client: CloudWatchClient,
  queries: MetricDataQuery[],
  window: CollectOptions['window'],
): Promise<Map<string, Points>> {
  const { paginateGetMetricData } = await import('@aws-sdk/client-cloudwatch');
  const points = new Map<string, Points>();
  if (queries.length === 0) return points;
  const request = {
    MetricDataQueries: queries,
    StartTime: window.from,
    EndTime: window.to,
    ScanBy: 'TimestampAscending' as const,
  };
  for await (const page of paginateGetMetricData({ client }, request)) {
    for (const { Id = '', Timestamps = [], Values = [] } of page.MetricDataResults ?? []) {
      const known = points.get(Id) ?? [];
      for (const [index, time] of Timestamps.entries()) {
        const value = Values[index];
        if (value !== undefined) known.push([time.toISOString(), value]);
      }
      points.set(Id, known);
    }
  }
  for (const list of points.values()) list.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return points;
}
