import type { MetricRole } from '../role';
import type { StorageMetric } from '../storage';
import type { LustreConfiguration } from './configuration';
import { kindOf } from './documented';
import { isLinked } from './rule/repositories';

/** CloudWatch namespace of FSx. */
export const LUSTRE_NAMESPACE = 'AWS/FSx';

/** FSx publishes a value a minute. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html. */
export const LUSTRE_METRIC_PERIOD_SECONDS = 60;

/** What a metric counts for: the whole file system, or each of its servers, targets or publishers. */
export type MetricScope = 'file-system' | 'oss' | 'mds' | 'ost' | 'target' | 'mdt' | 'publisher';

/** When FSx publishes a metric. */
type MetricAvailability = 'always' | 'compressed' | 'persistent' | 'persistent-ssd' | 'linked';

/** One metric of FSx for Lustre. A gauge is published once a minute for each target: read its sum at 60 s, or divide by the minutes of the period. */
export interface LustreMetricInfo extends StorageMetric {
  readonly scope: MetricScope;
  readonly statistic: 'Sum' | 'Average' | 'Maximum' | 'SampleCount';
  readonly availability: MetricAvailability;
  readonly meaning: string;
}

/**
 * Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html,
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/data-compression.html.
 */
const ONLY: Readonly<Record<MetricAvailability, string | undefined>> = {
  always: undefined,
  compressed: 'which it does only where LZ4 is or was on',
  persistent: 'which it does not for scratch file systems',
  'persistent-ssd': 'which it does neither for scratch file systems nor for hard disks',
  linked: 'which it does only for file systems linked to S3',
};

type Row = readonly [
  name: string,
  scope: MetricScope,
  unit: LustreMetricInfo['unit'],
  statistic: LustreMetricInfo['statistic'],
  meaning: string,
  more?: { readonly gauge?: true; readonly availability?: MetricAvailability },
];

/**
 * Source of names, dimensions, units and statistics: https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html; of what
 * compression publishes: https://docs.aws.amazon.com/fsx/latest/LustreGuide/data-compression.html.
 */
const ROWS = [
  ['DataReadBytes', 'file-system', 'Bytes', 'Sum', 'bytes that clients read'],
  ['DataWriteBytes', 'file-system', 'Bytes', 'Sum', 'bytes that clients wrote'],
  ['DataReadOperations', 'file-system', 'Count', 'Sum', 'read operations of clients'],
  ['DataWriteOperations', 'file-system', 'Count', 'Sum', 'write operations of clients'],
  ['MetadataOperations', 'file-system', 'Count', 'Sum', 'metadata operations of clients'],
  // The guide lists no statistic; AWS's own graph counts the samples.
  ['ClientConnections', 'file-system', 'Count', 'SampleCount', 'active connections of clients', { gauge: true }],
  [
    'LogicalDiskUsage',
    'file-system',
    'Bytes',
    'Sum',
    'bytes stored, before compression',
    { gauge: true, availability: 'compressed' },
  ],
  [
    'PhysicalDiskUsage',
    'file-system',
    'Bytes',
    'Sum',
    'bytes stored, after compression',
    { gauge: true, availability: 'compressed' },
  ],
  [
    'NetworkThroughputUtilization',
    'oss',
    'Percent',
    'Average',
    'network traffic against what the server can do',
    { gauge: true },
  ],
  ['NetworkSentBytes', 'oss', 'Bytes', 'Sum', 'bytes sent, data repositories included'],
  ['NetworkReceivedBytes', 'oss', 'Bytes', 'Sum', 'bytes received, data repositories included'],
  [
    'FileServerDiskThroughputUtilization',
    'oss',
    'Percent',
    'Average',
    'disk throughput against what the server can do',
    { gauge: true },
  ],
  ['CPUUtilization', 'mds', 'Percent', 'Average', 'CPU of the metadata server', { gauge: true }],
  ['DiskReadBytes', 'ost', 'Bytes', 'Sum', 'bytes read from disk, as stored'],
  ['DiskWriteBytes', 'ost', 'Bytes', 'Sum', 'bytes written to disk, as stored'],
  ['DiskReadOperations', 'target', 'Count', 'Sum', 'read operations of the disk', { availability: 'persistent' }],
  ['DiskWriteOperations', 'target', 'Count', 'Sum', 'write operations of the disk', { availability: 'persistent' }],
  [
    'DiskIopsUtilization',
    'target',
    'Percent',
    'Average',
    'disk IOPS against what the target can do',
    { gauge: true, availability: 'persistent-ssd' },
  ],
  ['FreeDataStorageCapacity', 'ost', 'Bytes', 'Average', 'bytes free', { gauge: true }],
  ['StorageCapacityUtilization', 'ost', 'Percent', 'Average', 'capacity in use', { gauge: true }],
  [
    'StorageCapacityUtilizationWithCachedWrites',
    'ost',
    'Percent',
    'Average',
    'capacity in use or granted to caches of clients',
    { gauge: true },
  ],
  ['FileCreateOperations', 'mdt', 'Count', 'Sum', 'files created'],
  ['FileOpenOperations', 'mdt', 'Count', 'Sum', 'files opened'],
  ['FileDeleteOperations', 'mdt', 'Count', 'Sum', 'files deleted'],
  ['StatOperations', 'mdt', 'Count', 'Sum', 'stat operations'],
  ['RenameOperations', 'mdt', 'Count', 'Sum', 'directories renamed'],
  ['DirectoryCreateOperations', 'mdt', 'Count', 'Sum', 'directories created'],
  ['DirectoryDeleteOperations', 'mdt', 'Count', 'Sum', 'directories deleted'],
  [
    'AgeOfOldestQueuedMessage',
    'publisher',
    'Seconds',
    'Maximum',
    'age of the oldest waiting import or export',
    { gauge: true, availability: 'linked' },
  ],
  ['RepositoryRenameOperations', 'publisher', 'Count', 'Sum', 'renames carried to S3', { availability: 'linked' }],
] as const satisfies readonly Row[];

/** Name of a metric of FSx for Lustre. */
export type LustreMetricName = (typeof ROWS)[number][0];

const ROLES: Readonly<Record<LustreMetricName, MetricRole | null>> = {
  DataReadBytes: 'bytes_read',
  DataWriteBytes: 'bytes_written',
  DataReadOperations: 'read_operations',
  DataWriteOperations: 'write_operations',
  MetadataOperations: 'metadata_operations',
  ClientConnections: 'client_connections',
  LogicalDiskUsage: 'logical_bytes',
  PhysicalDiskUsage: 'physical_bytes',
  NetworkThroughputUtilization: 'network_utilisation',
  NetworkSentBytes: 'network_bytes_sent',
  NetworkReceivedBytes: 'network_bytes_received',
  FileServerDiskThroughputUtilization: 'disk_utilisation',
  CPUUtilization: 'metadata_cpu',
  DiskReadBytes: 'disk_bytes_read',
  DiskWriteBytes: 'disk_bytes_written',
  DiskReadOperations: 'disk_read_operations',
  DiskWriteOperations: 'disk_write_operations',
  DiskIopsUtilization: 'disk_iops_utilisation',
  FreeDataStorageCapacity: 'capacity_free',
  StorageCapacityUtilization: 'capacity_utilisation',
  StorageCapacityUtilizationWithCachedWrites: null,
  FileCreateOperations: 'file_creates',
  FileOpenOperations: 'file_opens',
  FileDeleteOperations: 'file_deletes',
  StatOperations: 'stats',
  RenameOperations: 'renames',
  DirectoryCreateOperations: 'dir_creates',
  DirectoryDeleteOperations: 'dir_deletes',
  AgeOfOldestQueuedMessage: null,
  RepositoryRenameOperations: null,
};

/** Every metric of FSx for Lustre: what the dashboard shows and what `collect` asks for. */
export const LUSTRE_METRICS: readonly (LustreMetricInfo & { readonly name: LustreMetricName })[] = (
  ROWS as readonly (Row & (typeof ROWS)[number])[]
).map(([name, scope, unit, statistic, meaning, more]) => ({
  name,
  role: ROLES[name],
  scope,
  unit,
  statistic,
  meaning,
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

/** What every metric of one file system has. */
export const identityOf = (fileSystemId: string): Readonly<Record<'FileSystemId', string>> => ({
  FileSystemId: fileSystemId,
});

/** Names of the dimensions of a scope, in CloudWatch's order of them. */
export function dimensionsOf(scope: MetricScope): readonly string[] {
  const own = DIMENSION[scope];
  return own === null ? ['FileSystemId'] : ['FileSystemId', own];
}

/** What is known of a metric. */
export function metricInfo(name: LustreMetricName): LustreMetricInfo & { readonly name: LustreMetricName } {
  const info = LUSTRE_METRICS.find((it) => it.name === name);
  if (info === undefined) throw new Error(`'name' must be a metric of FSx for Lustre, got ${name}`);
  return info;
}

/** Whether FSx publishes a metric for such a file system; what it does not publish is absent, not zero. */
export function isPublished({ availability }: LustreMetricInfo, configuration: LustreConfiguration): boolean {
  const kind = kindOf(configuration);
  switch (availability) {
    case 'always':
      return true;
    // Also once it was switched off again, which a benchmark never does.
    case 'compressed':
      return configuration.dataCompressionType === 'LZ4';
    case 'persistent':
      return kind !== 'SCRATCH_2';
    case 'persistent-ssd':
      return kind !== 'SCRATCH_2' && kind !== 'PERSISTENT_1_HDD';
    case 'linked':
      return isLinked(configuration);
  }
}

/**
 * The search for a metric over all servers, targets or publishers of a file system, as an expression of CloudWatch.
 * It finds only what had data within two weeks, and no alarm can use it.
 *
 * @param filter further search terms, such as `StorageTargetId=MDT` if a metric is published for targets of both kinds
 */
export function searchExpression(
  fileSystemId: string,
  name: LustreMetricName,
  statistic: string = metricInfo(name).statistic,
  periodSeconds: number = LUSTRE_METRIC_PERIOD_SECONDS,
  filter?: string,
): string {
  const schema = [LUSTRE_NAMESPACE, ...dimensionsOf(metricInfo(name).scope)].join(',');
  const terms = [`MetricName="${name}"`, `FileSystemId="${fileSystemId}"`, ...(filter === undefined ? [] : [filter])];
  return `SEARCH('{${schema}} ${terms.join(' ')}', '${statistic}', ${periodSeconds})`;
}
