import { counted } from '../kit/metrics';
import type { MetricsCapability } from '../metrics';

/** Id of the bucket's metrics configuration, without which S3 publishes nothing by the minute. */
export const FILTER_ID = 'EntireBucket';

const latency = <Name extends string>(name: Name) =>
  ({ name, role: null, unit: 'Milliseconds', statistic: 'Average', gauge: true }) as const;

const TABLE = [
  counted('BytesUploaded', 'bytes_written', 'Bytes'),
  counted('BytesDownloaded', 'bytes_read', 'Bytes'),
  counted('PutRequests', 'write_operations'),
  counted('GetRequests', 'read_operations'),
  counted('PostRequests', null),
  counted('HeadRequests', null),
  counted('ListRequests', null),
  counted('DeleteRequests', 'file_deletes'),
  counted('4xxErrors', null),
  counted('5xxErrors', null),
  latency('FirstByteLatency'),
  latency('TotalRequestLatency'),
] as const;
export type S3MetricName = (typeof TABLE)[number]['name'];

const identity = (bucket: string) => ({ BucketName: bucket, FilterId: FILTER_ID });

/**
 * Request metrics, a value a minute, delivered on a best-effort basis: a minute may come late or never.
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/metrics-dimensions.html.
 */
export const S3_METRICS: MetricsCapability = {
  namespace: 'AWS/S3',
  table: TABLE,
  identity,
  presumed: (bucket) => TABLE.map(({ name }) => ({ metric: name, dimensions: identity(bucket) })),
};
