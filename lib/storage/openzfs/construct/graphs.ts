import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import {
  ceilingLines,
  ceilingsOf,
  graph,
  idOf,
  inMegabytes,
  linePerArm,
  perSecond,
} from '../../../constructs/dashboard/graph';
import { camelCase } from '../../../kit/format/strings';
import type { ArmView } from '../../construct';
import { limitsOf } from '../limits';
import type { OpenZfsMetricName } from '../metricTable';
import type { OpenZfsFileSystem } from './fileSystem';

type Arm = ArmView<OpenZfsFileSystem>;

const NAMES = { server_network: 'network, sustained', disk: 'disks, sustained' };

const rate = (arm: Arm, name: OpenZfsMetricName, options?: cloudwatch.MathExpressionOptions) =>
  perSecond(arm.storage.metric(name), `${camelCase(name)}_${idOf(arm)}`, options);

const throughput = (arms: readonly Arm[], title: string, name: OpenZfsMetricName) =>
  graph({
    ...{ title, width: 12, unit: 'MB/s' },
    left: linePerArm(arms, (arm, options) =>
      inMegabytes(rate(arm, name), `${name}_${idOf(arm)}`.toLowerCase(), options),
    ),
    ceilings: ceilingLines(arms, ({ storage }) => ceilingsOf(limitsOf(storage.configuration), NAMES)),
  });

const operations = (arms: readonly Arm[], title: string, name: OpenZfsMetricName, width: number) =>
  graph({
    title,
    width,
    unit: 'operations/s',
    left: linePerArm(arms, (arm, options) => rate(arm, name, options)),
  });

const levels = (arms: readonly Arm[], title: string, name: OpenZfsMetricName, unit = '%', width = 6) =>
  graph({
    ...{ title, width, unit, ...(unit === '%' && { max: 100 }) },
    left: linePerArm(arms, ({ storage }, options) => storage.metric(name, options)),
  });

/** Throughput of the clients. */
export const clientGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  throughput(arms, 'Clients: write throughput', 'DataWriteBytes'),
  throughput(arms, 'Clients: read throughput', 'DataReadBytes'),
];

/** Load of the server. */
export const serverGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  levels(arms, 'Network throughput of what is provisioned', 'NetworkThroughputUtilization'),
  levels(arms, 'Disk throughput of what is provisioned', 'FileServerDiskThroughputUtilization'),
  levels(arms, 'Disk IOPS of what the server can do', 'FileServerDiskIopsUtilization'),
  levels(arms, 'CPU', 'CPUUtilization'),
];

export const metadataGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
  operations(arms, 'Metadata operations', 'MetadataOperations', 24),
];

/** The disks behind the caches, and what is left of the burst. */
export const diskGraphs = (arms: readonly Arm[]): cloudwatch.IWidget[] => [
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
