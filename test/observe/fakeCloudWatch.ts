import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  type GetMetricDataCommandInput,
  ListMetricsCommand,
  type MetricDataResult,
} from '@aws-sdk/client-cloudwatch';
import { dimensionsOf, LUSTRE_METRICS, LUSTRE_NAMESPACE, type MetricScope } from '../../lib/storage/lustre/metricTable';

/** A metric that somebody has published. */
export interface PublishedMetric {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

const PARTS: Readonly<Record<MetricScope, readonly string[]>> = {
  'file-system': [],
  oss: ['OSS0000', 'OSS0002'],
  mds: ['MDS0000', 'MDS0001'],
  ost: ['OST0000', 'OST0001', 'OST0002'],
  mdt: ['MDT0000', 'MDT0001'],
  target: ['MDT0000', 'MDT0001', 'OST0000', 'OST0001', 'OST0002'],
  publisher: ['AutoImport'],
};

/** Everything that FSx documents for a file system, with the dimensions that it documents (guide/fs-metrics). */
export function publishedBy(fileSystemId: string): PublishedMetric[] {
  return LUSTRE_METRICS.flatMap(({ name: metric, scope }) => {
    const own = dimensionsOf(scope)[1];
    const whole = { FileSystemId: fileSystemId };
    const all = own === undefined ? [whole] : PARTS[scope].map((part) => ({ ...whole, [own]: part }));
    return all.map((dimensions) => ({ namespace: LUSTRE_NAMESPACE, metric, dimensions }));
  });
}

const keyOf = ({ namespace, metric, dimensions }: PublishedMetric): string =>
  JSON.stringify([namespace, metric, Object.entries(dimensions).sort()]);

const pairs = (list: readonly { Name?: string; Value?: string }[] = []): Record<string, string> =>
  Object.fromEntries(list.map(({ Name = '', Value = '' }) => [Name, Value]));

/**
 * CloudWatch as far as a collector asks it: lists by namespace and dimensions, and answers what was published with a value for each period,
 * in two pages, of which the first is not complete. It refuses what the service refuses.
 */
export function fakeCloudWatch(published: readonly PublishedMetric[], value = (index: number): number => index + 1) {
  const asked: GetMetricDataCommandInput[] = [];
  const known = new Set(published.map(keyOf));
  const client = new CloudWatchClient({ region: 'us-east-1' });
  client.send = (async (command: unknown) => {
    if (command instanceof ListMetricsCommand) {
      const wanted = Object.entries(pairs(command.input.Dimensions));
      const found = published.filter(
        ({ namespace, dimensions }) =>
          namespace === command.input.Namespace && wanted.every(([name, own]) => dimensions[name] === own),
      );
      return {
        Metrics: found.map(({ namespace, metric, dimensions }) => ({
          Namespace: namespace,
          MetricName: metric,
          Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
        })),
      };
    }
    if (command instanceof DescribeAlarmsCommand) return {};
    if (!(command instanceof GetMetricDataCommand)) throw new Error('unexpected command');
    const { MetricDataQueries = [], StartTime, EndTime, NextToken } = command.input;
    if (MetricDataQueries.length > 500) throw new Error('ValidationError: more than 500 queries');
    if (NextToken === undefined) asked.push(command.input);
    return {
      MetricDataResults: MetricDataQueries.map(({ Id, MetricStat }): MetricDataResult => {
        const { Namespace = '', MetricName = '', Dimensions } = MetricStat?.Metric ?? {};
        const step = (MetricStat?.Period ?? 0) * 1000;
        const has = known.has(keyOf({ namespace: Namespace, metric: MetricName, dimensions: pairs(Dimensions) }));
        const count = has ? Math.floor((Number(EndTime) - Number(StartTime)) / step) : 0;
        const half = Math.floor(count / 2);
        const indexes = Array.from({ length: count }, (_, index) => index);
        const own = NextToken === undefined ? indexes.slice(0, half) : indexes.slice(half);
        return {
          Id,
          Timestamps: own.map((index) => new Date(Number(StartTime) + index * step)),
          Values: own.map(value),
          StatusCode: NextToken === undefined ? 'PartialData' : 'Complete',
        };
      }),
      ...(NextToken === undefined && { NextToken: 'more' }),
    };
  }) as typeof client.send;
  return { client, asked };
}
