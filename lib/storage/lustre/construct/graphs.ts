import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { graph, linePerArm, MINUTE, throughputGraphs } from '../../../constructs/dashboard/graph';
import { dimensionsOf, type LustreMetricName, metricInfo, queryExpression } from '../metricTable';
import {
  compressionRatio,
  freeCapacity,
  iops,
  lustreMetric,
  lustreMetricEach,
  readThroughput,
  writeThroughput,
} from './metrics';
import type { LustreView } from './view';

/** Graphs of the clients: MB/s read and written, and operations. */
export function clientGraphs(arms: readonly LustreView[]): cloudwatch.IWidget[] {
  return [
    ...throughputGraphs(arms, {
      width: 8,
      rate: ({ storage }, mode) => (mode === 'write' ? writeThroughput(storage) : readThroughput(storage)),
      ceilings: (arm, mode) => arm.ceilings[mode],
    }),
    graph({
      title: 'Clients: operations (read + write + metadata)',
      width: 8,
      unit: 'operations/s',
      left: linePerArm(arms, ({ storage }, options) => iops(storage, options)),
    }),
  ];
}

/** A line for each server or target of each arm. */
export function eachGraph(
  arms: readonly LustreView[],
  name: LustreMetricName,
  options: {
    readonly title: string;
    readonly width: number;
    readonly unit: string;
    readonly max?: number;
    /** Further search terms, such as `StorageTargetId=MDT`. @default - every server or target */
    readonly filter?: string;
  },
): cloudwatch.GraphWidget {
  const { filter, ...rest } = options;
  const dimension = dimensionsOf(metricInfo(name).scope).at(-1);
  return graph({
    ...rest,
    left: arms.map((arm) =>
      // CloudWatch puts each server's or target's own name into the legend (dynamic labels).
      lustreMetricEach(arm.storage, name, { label: `${arm.name} \${PROP('Dim.${dimension}')}`, filter }),
    ),
  });
}

/** Load of the servers: the first to reach 100 % limits the arm. Graphs of metadata may be elsewhere already. */
export function serverGraphs(
  arms: readonly LustreView[],
  { metadata = true }: { readonly metadata?: boolean } = {},
): cloudwatch.IWidget[] {
  const percent = { width: metadata ? 8 : 12, unit: '%', max: 100 };
  return [
    eachGraph(arms, 'NetworkThroughputUtilization', { title: 'File servers: network', ...percent }),
    eachGraph(arms, 'FileServerDiskThroughputUtilization', { title: 'File servers: disk throughput', ...percent }),
    ...(metadata ? [eachGraph(arms, 'CPUUtilization', { title: 'Metadata servers: CPU', ...percent })] : []),
  ];
}

/** Every metadata operation that FSx counts, by metadata target. */
const METADATA: readonly (readonly [LustreMetricName, string])[] = [
  ['FileCreateOperations', 'files created'],
  ['StatOperations', 'stat operations'],
  ['FileOpenOperations', 'files opened'],
  ['FileDeleteOperations', 'files deleted'],
  ['DirectoryCreateOperations', 'directories created'],
  ['DirectoryDeleteOperations', 'directories deleted'],
  ['RenameOperations', 'directories renamed'],
];

export function metadataGraphs(arms: readonly LustreView[]): cloudwatch.IWidget[] {
  return METADATA.map(([name, meaning], index) =>
    // Creating and looking up are what benchmarks ask for: they are larger.
    eachGraph(arms, name, {
      title: `Metadata: ${meaning}`,
      width: index < 2 ? 12 : index < 4 ? 6 : 4,
      unit: 'a minute',
    }),
  );
}

/** Effect of compression on space. FSx publishes logical and physical usage only where compression is or was on. */
export function spaceGraphs(arms: readonly LustreView[]): cloudwatch.IWidget[] {
  return [
    graph({
      title: 'Space: logical and physical (compressed arms only)',
      width: 8,
      unit: 'bytes',
      left: arms.flatMap(({ name, storage }) => [
        lustreMetric(storage, 'LogicalDiskUsage', { label: `${name} logical` }),
        lustreMetric(storage, 'PhysicalDiskUsage', { label: `${name} physical` }),
      ]),
    }),
    graph({
      title: 'Space: ratio logical ÷ physical',
      width: 8,
      unit: 'x : 1',
      left: linePerArm(arms, ({ storage }, options) => compressionRatio(storage, options)),
    }),
    graph({
      title: 'Space: free capacity',
      width: 8,
      unit: 'bytes',
      left: linePerArm(arms, ({ storage }, options) => freeCapacity(storage, options)),
    }),
    eachGraph(arms, 'DiskWriteBytes', {
      title: 'Disks: bytes written, after compression',
      width: 8,
      unit: 'bytes a minute',
    }),
    eachGraph(arms, 'DiskReadBytes', {
      title: 'Disks: bytes read, before decompression',
      width: 8,
      unit: 'bytes a minute',
    }),
    eachGraph(arms, 'StorageCapacityUtilization', {
      title: 'Targets: capacity used',
      width: 8,
      unit: '%',
      max: 100,
    }),
  ];
}

/** Metrics that no other graph shows, summed over servers or targets: a line for each would exceed what a dashboard may have. */
const REST: readonly (readonly [LustreMetricName, 'SUM' | 'MAX', title: string, unit: string])[] = [
  ['NetworkSentBytes', 'SUM', 'File servers: bytes sent', 'bytes a minute'],
  ['NetworkReceivedBytes', 'SUM', 'File servers: bytes received', 'bytes a minute'],
  ['DiskReadOperations', 'SUM', 'Disks: read operations', 'a minute'],
  ['DiskWriteOperations', 'SUM', 'Disks: write operations', 'a minute'],
  ['DiskIopsUtilization', 'MAX', 'Disks: IOPS of the busiest target', '%'],
  ['StorageCapacityUtilizationWithCachedWrites', 'MAX', 'Fullest target: used, or granted to client caches', '%'],
  ['AgeOfOldestQueuedMessage', 'MAX', 'S3 links: age of the oldest waiting message', 'seconds'],
  ['RepositoryRenameOperations', 'SUM', 'S3 links: renames', 'a minute'],
];

/** One query for each graph, by the ids of the file systems: CloudWatch takes no second one, and names its lines by the ids. */
export function restGraphs(arms: readonly LustreView[]): cloudwatch.IWidget[] {
  const [first, ...others] = arms;
  const ids = arms.map(({ storage }) => storage.fileSystemId);
  const alone = others.length === 0 ? first : undefined;
  return [
    graph({
      title: 'Clients: connections',
      width: 8,
      unit: 'connections',
      left: linePerArm(arms, ({ storage }, options) => lustreMetric(storage, 'ClientConnections', options)),
    }),
    ...REST.map(([name, aggregate, title, unit]) =>
      graph({
        ...{ title, width: 8, unit, ...(unit === '%' && { max: 100 }) },
        left: [
          new cloudwatch.MathExpression({
            expression: queryExpression(ids, name, aggregate),
            period: MINUTE,
            label: alone?.name ?? name,
            ...(alone && { color: alone.colour }),
          }),
        ],
      }),
    ),
  ];
}
