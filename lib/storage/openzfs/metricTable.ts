import { counted, metricsBy } from '../kit/metrics';
import type { StorageMetric } from '../metrics';
import type { MetricRole } from '../role';

const percent = (name: string, role: MetricRole | null, statistic = 'Maximum') =>
  ({ name, role, unit: 'Percent', statistic, gauge: true }) as const;

const TABLE = [
  counted('DataReadBytes', 'bytes_read', 'Bytes'),
  counted('DataWriteBytes', 'bytes_written', 'Bytes'),
  counted('DataReadOperations', 'read_operations'),
  counted('DataWriteOperations', 'write_operations'),
  counted('MetadataOperations', 'metadata_operations'),
  { name: 'ClientConnections', role: 'client_connections', unit: 'Count', statistic: 'Maximum', gauge: true },
  percent('NetworkThroughputUtilization', 'network_utilisation'),
  percent('FileServerDiskThroughputUtilization', 'disk_utilisation'),
  percent('FileServerDiskIopsUtilization', 'disk_iops_utilisation'),
  percent('DiskIopsUtilization', null),
  percent('FileServerDiskThroughputBalance', null, 'Minimum'),
  percent('CPUUtilization', null),
  percent('FileServerCacheHitRatio', null, 'Average'),
  counted('DiskReadBytes', 'disk_bytes_read', 'Bytes'),
  counted('DiskWriteBytes', 'disk_bytes_written', 'Bytes'),
  { name: 'UsedStorageCapacity', role: 'physical_bytes', unit: 'Bytes', statistic: 'Average', gauge: true },
] as const satisfies readonly StorageMetric[];

export type OpenZfsMetricName = (typeof TABLE)[number]['name'];

/** Metrics of the whole file system, in the namespace of all of FSx. Source: https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/fsx-openzfs-metrics.html. */
export const OPENZFS_METRICS = metricsBy('FileSystemId', 'AWS/FSx', TABLE);
