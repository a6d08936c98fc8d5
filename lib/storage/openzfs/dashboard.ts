import { inMegabytes } from '../../dashboard/expression';
import {
  ceilingLines,
  type DashboardPart,
  type Graph,
  graph,
  idOf,
  linePerArm,
  type ShownArm,
} from '../../dashboard/graph';
import { ceilingsOf, counted, gauge, metricsBy, publishedGraphs } from '../common/graphs';
import type { MetricRole, StorageMetric } from '../storage';
import type { OpenZfsStorage } from './configuration';
import { limitsOf } from './documented';

const TABLE = [
  counted('DataReadBytes', 'bytes_read', 'Bytes'),
  counted('DataWriteBytes', 'bytes_written', 'Bytes'),
  counted('DataReadOperations', 'read_operations'),
  counted('DataWriteOperations', 'write_operations'),
  counted('MetadataOperations', 'metadata_operations'),
  gauge('ClientConnections', 'client_connections', 'Count', 'Maximum'),
  gauge('NetworkThroughputUtilization', 'network_utilisation', 'Percent', 'Maximum'),
  gauge('FileServerDiskThroughputUtilization', 'disk_utilisation', 'Percent', 'Maximum'),
  gauge('FileServerDiskIopsUtilization', 'disk_iops_utilisation', 'Percent', 'Maximum'),
  gauge('DiskIopsUtilization', null, 'Percent', 'Maximum'),
  gauge('FileServerDiskThroughputBalance', null, 'Percent', 'Minimum'),
  gauge('CPUUtilization', null, 'Percent', 'Maximum'),
  gauge('FileServerCacheHitRatio', null, 'Percent', 'Average'),
  counted('DiskReadBytes', 'disk_bytes_read', 'Bytes'),
  counted('DiskWriteBytes', 'disk_bytes_written', 'Bytes'),
  gauge('UsedStorageCapacity', 'physical_bytes', 'Bytes', 'Average'),
] as const satisfies readonly StorageMetric[];

export type OpenZfsMetricName = (typeof TABLE)[number]['name'];

/** Metrics of the whole file system, in the namespace of all of FSx. Source: https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/fsx-openzfs-metrics.html. */
export const OPENZFS_METRICS = metricsBy('FileSystemId', 'AWS/FSx', TABLE);

type Arm = ShownArm<OpenZfsStorage>;

const GOOD = [
  '**What good looks like.** Throughput ends at the line of the disks, or with reads from the caches at that of the network; its share of what is',
  'provisioned is near 100 % then. Burst credits that fall to zero take the throughput with them to the sustained line. What disks write is less than',
  'what clients write where the volume compresses.',
];

const NAMES = { server_network: 'network, sustained', disk: 'disks, sustained' };

const { levels, rate } = publishedGraphs<OpenZfsStorage, OpenZfsMetricName>(OPENZFS_METRICS);

const throughput = (arms: readonly Arm[], title: string, name: OpenZfsMetricName): Graph =>
  graph({
    title,
    width: 12,
    unit: 'MB/s',
    left: linePerArm(arms, (arm) => inMegabytes(rate(arm, name), `${name}_${idOf(arm)}`.toLowerCase())),
    ceilings: ceilingLines(arms, ({ configuration }) => ceilingsOf(limitsOf(configuration), NAMES)),
  });

const operations = (arms: readonly Arm[], title: string, name: OpenZfsMetricName, width: number): Graph =>
  graph({ title, width, unit: 'operations/s', left: linePerArm(arms, (arm) => rate(arm, name)) });

const clientGraphs = (arms: readonly Arm[]): Graph[] => [
  throughput(arms, 'Clients: write throughput', 'DataWriteBytes'),
  throughput(arms, 'Clients: read throughput', 'DataReadBytes'),
];

const serverGraphs = (arms: readonly Arm[]): Graph[] => [
  levels(arms, 'Network throughput of what is provisioned', 'NetworkThroughputUtilization'),
  levels(arms, 'Disk throughput of what is provisioned', 'FileServerDiskThroughputUtilization'),
  levels(arms, 'Disk IOPS of what the server can do', 'FileServerDiskIopsUtilization'),
  levels(arms, 'CPU', 'CPUUtilization'),
];

/** The disks behind the caches, and what is left of the burst. */
const diskGraphs = (arms: readonly Arm[]): Graph[] => [
  throughput(arms, 'Disks: write throughput', 'DiskWriteBytes'),
  throughput(arms, 'Disks: read throughput', 'DiskReadBytes'),
  levels(arms, 'Burst credits of disk throughput', 'FileServerDiskThroughputBalance'),
  levels(arms, 'Reads from caches', 'FileServerCacheHitRatio'),
  levels(arms, 'Disk IOPS of what is provisioned', 'DiskIopsUtilization'),
  levels(arms, 'Stored, after compression', 'UsedStorageCapacity', 'bytes'),
  operations(arms, 'Clients: writes', 'DataWriteOperations', 8),
  operations(arms, 'Clients: reads', 'DataReadOperations', 8),
  levels(arms, 'Clients: connections', 'ClientConnections', 'connections', 8),
];

export function openZfsDashboard(arms: readonly Arm[], about: readonly MetricRole[]): DashboardPart {
  const metadata = [[operations(arms, 'Metadata operations', 'MetadataOperations', 24)]];
  const data = [clientGraphs(arms), serverGraphs(arms)];
  return about.includes('metadata_operations')
    ? { reading: GOOD, rows: [...metadata, ...data], more: [diskGraphs(arms)] }
    : { reading: GOOD, rows: data, more: [...metadata, diskGraphs(arms)] };
}
