import type { MetricRole } from '../role';
import type { EfsStorage } from './configuration';

/** CloudWatch namespace of EFS. */
export const EFS_NAMESPACE = 'AWS/EFS';

/** One metric of EFS, a value a minute for the whole file system. Source: https://docs.aws.amazon.com/efs/latest/ug/efs-metrics.html. */
interface EfsMetric {
  readonly name: string;
  /** What engines ask for; `null` for what means something to EFS alone. */
  readonly role: MetricRole | null;
  readonly unit: 'Bytes' | 'Count' | 'Percent' | 'Bytes/Second';
  /** The statistic that answers the usual question. */
  readonly statistic: 'Sum' | 'Average' | 'Maximum' | 'Minimum' | 'SampleCount';
  /** A level, not a count: it does not add up over minutes. */
  readonly gauge: boolean;
  readonly meaning: string;
}

const count = (name: string, role: MetricRole | null, meaning: string): EfsMetric => ({
  ...{ name, role, meaning, unit: 'Bytes', statistic: 'Sum', gauge: false },
});

/** Every metric of EFS that a run is judged by; replication and storage classes are not among them. */
export const EFS_METRICS = [
  count('DataReadIOBytes', 'bytes_read', 'bytes that clients read'),
  count('DataWriteIOBytes', 'bytes_written', 'bytes that clients wrote'),
  // Each operation is a sample: their number is that of the operations.
  {
    ...count('MetadataIOBytes', 'metadata_operations', 'metadata operations of clients'),
    unit: 'Count',
    statistic: 'SampleCount',
  },
  count('MeteredIOBytes', null, 'bytes that count against the throughput: reads a third'),
  { ...count('ClientConnections', 'client_connections', 'connections of clients'), unit: 'Count', gauge: true },
  {
    ...{ name: 'PercentIOLimit', role: 'iops_utilisation', unit: 'Percent', statistic: 'Maximum', gauge: true },
    meaning: 'operations against what General Purpose can do',
  },
  {
    ...{ name: 'PermittedThroughput', role: 'throughput_permitted', unit: 'Bytes/Second', statistic: 'Minimum' },
    ...{ gauge: true, meaning: 'metered throughput that is allowed at the moment' },
  },
  {
    ...{ name: 'BurstCreditBalance', role: 'burst_credits', unit: 'Bytes', statistic: 'Minimum', gauge: true },
    meaning: 'bytes that can still be moved in a burst',
  },
] as const satisfies readonly EfsMetric[];

export type EfsMetricName = (typeof EFS_METRICS)[number]['name'];

/** Whether EFS publishes a metric for such a file system. */
export function isPublished(
  { name }: Pick<EfsMetric, 'name'>,
  { throughputMode, performanceMode }: EfsStorage,
): boolean {
  if (name === 'PercentIOLimit') return performanceMode !== 'max-io';
  return name !== 'BurstCreditBalance' || throughputMode === 'bursting';
}
