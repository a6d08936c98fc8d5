import type { MetricRole } from '../role';
import type { StorageMetric } from '../storage';

/** CloudWatch namespace, which is that of all of FSx. Metrics: https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/fsx-openzfs-metrics.html. */
export const OPENZFS_NAMESPACE = 'AWS/FSx';

const count = (name: string, role: MetricRole, unit = 'Count') =>
  ({ name, role, unit, statistic: 'Sum', gauge: false }) as const;
const percent = (name: string, role: MetricRole | null, statistic = 'Maximum') =>
  ({ name, role, unit: 'Percent', statistic, gauge: true }) as const;

/** A value a minute for the whole file system. */
export const OPENZFS_METRICS = [
  count('DataReadBytes', 'bytes_read', 'Bytes'),
  count('DataWriteBytes', 'bytes_written', 'Bytes'),
  count('DataReadOperations', 'read_operations'),
  count('DataWriteOperations', 'write_operations'),
  count('MetadataOperations', 'metadata_operations'),
  { name: 'ClientConnections', role: 'client_connections', unit: 'Count', statistic: 'Maximum', gauge: true },
  percent('NetworkThroughputUtilization', 'network_utilisation'),
  percent('FileServerDiskThroughputUtilization', 'disk_utilisation'),
  percent('FileServerDiskIopsUtilization', 'disk_iops_utilisation'),
  percent('DiskIopsUtilization', null),
  percent('FileServerDiskThroughputBalance', null, 'Minimum'),
  percent('CPUUtilization', null),
  percent('FileServerCacheHitRatio', null, 'Average'),
  count('DiskReadBytes', 'disk_bytes_read', 'Bytes'),
  count('DiskWriteBytes', 'disk_bytes_written', 'Bytes'),
  { name: 'UsedStorageCapacity', role: 'physical_bytes', unit: 'Bytes', statistic: 'Average', gauge: true },
] as const satisfies readonly StorageMetric[];

export type OpenZfsMetricName = (typeof OPENZFS_METRICS)[number]['name'];
