import { counted, metricsBy } from '../kit/metrics';
import type { StorageMetric } from '../metrics';
import type { EfsStorage } from './configuration';

const level = <Name extends string, Role extends StorageMetric['role']>(name: Name, role: Role, unit: string) =>
  ({ name, role, unit, statistic: 'Minimum', gauge: true }) as const;

const TABLE = [
  counted('DataReadIOBytes', 'bytes_read', 'Bytes'),
  counted('DataWriteIOBytes', 'bytes_written', 'Bytes'),
  // Each operation is a sample: their number is that of the operations.
  { ...counted('MetadataIOBytes', 'metadata_operations'), statistic: 'SampleCount' },
  // What counts against the throughput: of reads a third.
  counted('MeteredIOBytes', null, 'Bytes'),
  { ...counted('ClientConnections', 'client_connections'), gauge: true },
  // Operations against what General Purpose can do.
  { ...level('PercentIOLimit', 'iops_utilisation', 'Percent'), statistic: 'Maximum' },
  level('PermittedThroughput', 'throughput_permitted', 'Bytes/Second'),
  level('BurstCreditBalance', 'burst_credits', 'Bytes'),
] as const satisfies readonly StorageMetric[];

export type EfsMetricName = (typeof TABLE)[number]['name'];

/**
 * Metrics of the whole file system that a run is judged by, without replication and storage classes. Source:
 * https://docs.aws.amazon.com/efs/latest/ug/efs-metrics.html.
 */
export const EFS_METRICS = metricsBy('FileSystemId', 'AWS/EFS', TABLE);

/** True if EFS publishes a metric for such a file system. */
export function isPublished({ name }: StorageMetric, { throughputMode, performanceMode }: EfsStorage): boolean {
  if (name === 'PercentIOLimit') return performanceMode !== 'max-io';
  return name !== 'BurstCreditBalance' || throughputMode === 'bursting';
}
