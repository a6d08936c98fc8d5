import type { MetricRole, StorageMetric } from '../storage';
import type { LustreConfiguration } from './configuration';
import { isLinked } from './rule/repositories';
import { typeOf } from './types';

/** CloudWatch namespace that FSx publishes in. */
export const LUSTRE_NAMESPACE = 'AWS/FSx';

/** Resource that a metric describes: the whole file system, or each of its servers, targets or publishers. */
export type MetricScope = 'file-system' | 'oss' | 'mds' | 'ost' | 'target' | 'mdt' | 'publisher';

/** When FSx publishes a metric. */
type MetricAvailability = 'always' | 'compressed' | 'persistent' | 'persistent-ssd' | 'linked';

/** One FSx for Lustre metric. A gauge is published once a minute for each target: read its sum at 60 s, or divide by the minutes of the period. */
export interface LustreMetricInfo extends StorageMetric {
  readonly scope: MetricScope;
  readonly statistic: 'Sum' | 'Average' | 'Maximum' | 'SampleCount';
  readonly availability: MetricAvailability;
}

/** Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html, and data-compression.html there. */
const ONLY: Readonly<Record<MetricAvailability, string | undefined>> = {
  always: undefined,
  compressed: 'which it does only where LZ4 is or was on',
  persistent: 'which it does not for scratch file systems',
  'persistent-ssd': 'which it does neither for scratch file systems nor for hard disks',
  linked: 'which it does only for file systems linked to S3',
};

type Row = readonly [
  name: string,
  role: MetricRole | null,
  scope: MetricScope,
  unit: LustreMetricInfo['unit'],
  statistic: LustreMetricInfo['statistic'],
  more?: { readonly gauge?: true; readonly availability?: MetricAvailability },
];

/** Source of names, dimensions, units and statistics: fs-metrics.html of the guide, as above; of what compression publishes: data-compression.html. */
const ROWS = [
  ['DataReadBytes', 'bytes_read', 'file-system', 'Bytes', 'Sum'],
  ['DataWriteBytes', 'bytes_written', 'file-system', 'Bytes', 'Sum'],
  ['DataReadOperations', 'read_operations', 'file-system', 'Count', 'Sum'],
  ['DataWriteOperations', 'write_operations', 'file-system', 'Count', 'Sum'],
  ['MetadataOperations', 'metadata_operations', 'file-system', 'Count', 'Sum'],
  // The guide lists no statistic; AWS's own graph counts the samples.
  ['ClientConnections', 'client_connections', 'file-system', 'Count', 'SampleCount', { gauge: true }],
  ['LogicalDiskUsage', 'logical_bytes', 'file-system', 'Bytes', 'Sum', { gauge: true, availability: 'compressed' }],
  ['PhysicalDiskUsage', 'physical_bytes', 'file-system', 'Bytes', 'Sum', { gauge: true, availability: 'compressed' }],
  ['NetworkThroughputUtilization', 'network_utilisation', 'oss', 'Percent', 'Average', { gauge: true }],
  ['NetworkSentBytes', 'network_bytes_sent', 'oss', 'Bytes', 'Sum'],
  ['NetworkReceivedBytes', 'network_bytes_received', 'oss', 'Bytes', 'Sum'],
  ['FileServerDiskThroughputUtilization', 'disk_utilisation', 'oss', 'Percent', 'Average', { gauge: true }],
  ['CPUUtilization', 'metadata_cpu', 'mds', 'Percent', 'Average', { gauge: true }],
  ['DiskReadBytes', 'disk_bytes_read', 'ost', 'Bytes', 'Sum'],
  ['DiskWriteBytes', 'disk_bytes_written', 'ost', 'Bytes', 'Sum'],
  ['DiskReadOperations', 'disk_read_operations', 'target', 'Count', 'Sum', { availability: 'persistent' }],
  ['DiskWriteOperations', 'disk_write_operations', 'target', 'Count', 'Sum', { availability: 'persistent' }],
  [
    'DiskIopsUtilization',
    'disk_iops_utilisation',
    'target',
    'Percent',
    'Average',
    { gauge: true, availability: 'persistent-ssd' },
  ],
  ['FreeDataStorageCapacity', 'capacity_free', 'ost', 'Bytes', 'Average', { gauge: true }],
  ['StorageCapacityUtilization', 'capacity_utilisation', 'ost', 'Percent', 'Average', { gauge: true }],
  // Space that is granted to the caches of clients counts as used.
  ['StorageCapacityUtilizationWithCachedWrites', 'capacity_with_grants', 'ost', 'Percent', 'Average', { gauge: true }],
  ['FileCreateOperations', 'file_creates', 'mdt', 'Count', 'Sum'],
  ['FileOpenOperations', 'file_opens', 'mdt', 'Count', 'Sum'],
  ['FileDeleteOperations', 'file_deletes', 'mdt', 'Count', 'Sum'],
  ['StatOperations', 'stats', 'mdt', 'Count', 'Sum'],
  // Of directories.
  ['RenameOperations', 'renames', 'mdt', 'Count', 'Sum'],
  ['DirectoryCreateOperations', 'dir_creates', 'mdt', 'Count', 'Sum'],
  ['DirectoryDeleteOperations', 'dir_deletes', 'mdt', 'Count', 'Sum'],
  ['AgeOfOldestQueuedMessage', null, 'publisher', 'Seconds', 'Maximum', { gauge: true, availability: 'linked' }],
  ['RepositoryRenameOperations', null, 'publisher', 'Count', 'Sum', { availability: 'linked' }],
] as const satisfies readonly Row[];

export type LustreMetricName = (typeof ROWS)[number][0];

/** Every FSx for Lustre metric: the dashboard shows these and `collect` asks for them. */
export const LUSTRE_METRICS: readonly (LustreMetricInfo & { readonly name: LustreMetricName })[] = (
  ROWS as readonly (Row & (typeof ROWS)[number])[]
).map(([name, role, scope, unit, statistic, more]) => ({
  name,
  role,
  scope,
  unit,
  statistic,
  gauge: more?.gauge ?? false,
  availability: more?.availability ?? 'always',
  only: ONLY[more?.availability ?? 'always'],
}));

const DIMENSION: Readonly<Record<MetricScope, 'FileServer' | 'StorageTargetId' | 'Publisher' | null>> = {
  'file-system': null,
  oss: 'FileServer',
  mds: 'FileServer',
  ost: 'StorageTargetId',
  target: 'StorageTargetId',
  mdt: 'StorageTargetId',
  publisher: 'Publisher',
};

/** Dimensions that all metrics of one file system share. */
export const identityOf = (fileSystemId: string): Readonly<Record<'FileSystemId', string>> => ({
  FileSystemId: fileSystemId,
});

/** Names of the dimensions of a scope, in CloudWatch's order of them. */
export function dimensionsOf(scope: MetricScope): readonly string[] {
  const own = DIMENSION[scope];
  return own === null ? ['FileSystemId'] : ['FileSystemId', own];
}

export function metricInfo(name: LustreMetricName): LustreMetricInfo & { readonly name: LustreMetricName } {
  const info = LUSTRE_METRICS.find((it) => it.name === name);
  if (info === undefined) throw new Error(`'name' must be an FSx for Lustre metric, got ${name}`);
  return info;
}

/** True if FSx publishes a metric for such a file system; an unpublished one is absent, not zero. */
export function isPublished({ availability }: LustreMetricInfo, configuration: LustreConfiguration): boolean {
  const metrics = typeOf(configuration)?.metrics;
  switch (availability) {
    case 'always':
      return true;
    // Also once it was switched off again, which a benchmark never does.
    case 'compressed':
      return configuration.dataCompressionType === 'LZ4';
    case 'persistent':
      return metrics?.diskOperations ?? true;
    case 'persistent-ssd':
      return metrics?.diskIops ?? true;
    case 'linked':
      return isLinked(configuration);
  }
}
