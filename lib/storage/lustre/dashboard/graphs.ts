import { chunks } from '../../../common/chunks';
import { parts } from '../../../dashboard/expression';
import { type Graph, graph, linePerArm, type Panel, text, throughputGraphs } from '../../../dashboard/graph';
import { dimensionsOf, type LustreMetricName, metricInfo } from '../metricTable';
import {
  acrossParts,
  compressionRatio,
  everyPart,
  freeCapacity,
  iops,
  lustreMetricOf,
  readThroughput,
  writeThroughput,
} from './expressions';
import type { LustreView } from './view';

/** Graphs of the clients: MB/s read and written, and operations. */
export function clientGraphs(arms: readonly LustreView[]): Graph[] {
  return [
    ...throughputGraphs(arms, {
      width: 8,
      rate: (arm, mode) => (mode === 'write' ? writeThroughput(arm) : readThroughput(arm)),
      ceilings: (arm, mode) => arm.ceilings[mode],
    }),
    graph({
      title: 'Clients: operations (read + write + metadata)',
      width: 8,
      unit: 'operations/s',
      left: linePerArm(arms, iops),
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
    /** Beginning of the names of the servers or targets that are shown. @default - every server or target */
    readonly prefix?: string;
  },
): Graph {
  const { prefix, ...rest } = options;
  const by = dimensionsOf(metricInfo(name).scope).at(-1) ?? '';
  return graph({
    ...rest,
    left: arms.map((arm) => ({ label: arm.name, by, of: parts(everyPart(arm.fileSystemId, name, undefined, prefix)) })),
  });
}

/** Load of the servers: the first to reach 100 % limits the arm. Graphs of metadata may be elsewhere already. */
export function serverGraphs(arms: readonly LustreView[], { metadata }: { readonly metadata: boolean }): Graph[] {
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

export const metadataGraphs = (arms: readonly LustreView[]): Graph[] =>
  METADATA.map(([name, meaning], index) =>
    // Creating and looking up are what benchmarks ask for: they are larger.
    eachGraph(arms, name, {
      title: `Metadata: ${meaning}`,
      width: index < 2 ? 12 : index < 4 ? 6 : 4,
      unit: 'a minute',
    }),
  );

/** A graph of what FSx may not publish for every configuration. */
interface Conditional {
  readonly title: string;
  readonly needs: LustreMetricName;
  draw(arms: readonly LustreView[], place: { readonly title: string; readonly width: number }): Graph;
}

const each = (title: string, needs: LustreMetricName, unit: string): Conditional => ({
  title,
  needs,
  draw: (arms, place) => eachGraph(arms, needs, { ...place, unit, max: unit === '%' ? 100 : undefined }),
});

/** Effect of compression on space, and how full targets are. */
const SPACE: readonly Conditional[] = [
  {
    title: 'Space: logical and physical',
    needs: 'LogicalDiskUsage',
    draw: (arms, place) =>
      graph({
        ...place,
        unit: 'bytes',
        left: arms.flatMap((arm) => [
          { label: `${arm.name} logical`, of: lustreMetricOf(arm, 'LogicalDiskUsage') },
          { label: `${arm.name} physical`, of: lustreMetricOf(arm, 'PhysicalDiskUsage') },
        ]),
      }),
  },
  {
    title: 'Space: ratio logical ÷ physical',
    needs: 'PhysicalDiskUsage',
    draw: (arms, place) => graph({ ...place, unit: 'x : 1', left: linePerArm(arms, compressionRatio) }),
  },
  {
    title: 'Space: free capacity',
    needs: 'FreeDataStorageCapacity',
    draw: (arms, place) => graph({ ...place, unit: 'bytes', left: linePerArm(arms, freeCapacity) }),
  },
  each('Disks: bytes written, after compression', 'DiskWriteBytes', 'bytes a minute'),
  each('Disks: bytes read, before decompression', 'DiskReadBytes', 'bytes a minute'),
  each('Targets: capacity used', 'StorageCapacityUtilization', '%'),
];

/**
 * One query for each graph, by the ids of the file systems, summed over servers or targets: a line for each would exceed what a dashboard
 * may have. CloudWatch takes no second query, and names its lines by the ids.
 */
const across = (needs: LustreMetricName, aggregate: 'SUM' | 'MAX', title: string, unit: string): Conditional => ({
  title,
  needs,
  draw: (arms, place) => {
    const [first, ...others] = arms;
    const alone = others.length === 0 ? first : undefined;
    const ids = arms.map(({ fileSystemId }) => fileSystemId);
    const line = { label: alone?.name ?? needs, colour: alone?.colour };
    return graph({
      ...place,
      unit,
      max: unit === '%' ? 100 : undefined,
      left: [{ ...line, of: acrossParts(ids, needs, aggregate) }],
    });
  },
});

/** Metrics that no other graph shows. */
const REST: readonly Conditional[] = [
  {
    title: 'Clients: connections',
    needs: 'ClientConnections',
    draw: (arms, place) =>
      graph({
        ...place,
        unit: 'connections',
        left: linePerArm(arms, (arm) => lustreMetricOf(arm, 'ClientConnections')),
      }),
  },
  across('NetworkSentBytes', 'SUM', 'File servers: bytes sent', 'bytes a minute'),
  across('NetworkReceivedBytes', 'SUM', 'File servers: bytes received', 'bytes a minute'),
  across('DiskReadOperations', 'SUM', 'Disks: read operations', 'a minute'),
  across('DiskWriteOperations', 'SUM', 'Disks: write operations', 'a minute'),
  across('DiskIopsUtilization', 'MAX', 'Disks: IOPS of the busiest target', '%'),
  across('StorageCapacityUtilizationWithCachedWrites', 'MAX', 'Fullest target: used, or granted to client caches', '%'),
  across('AgeOfOldestQueuedMessage', 'MAX', 'S3 links: age of the oldest waiting message', 'seconds'),
  across('RepositoryRenameOperations', 'SUM', 'S3 links: renames', 'a minute'),
];

/** Most graphs side by side that can still be read. */
const ABREAST = 4;

/** Graphs that have a line, in filled rows. */
function drawn(arms: readonly LustreView[], graphs: readonly Conditional[]): Graph[] {
  const all = graphs.flatMap((one) => {
    const own = arms.filter(({ publishes }) => publishes(one.needs));
    return own.length === 0 ? [] : [{ one, own }];
  });
  const rows = chunks(all, Math.ceil(all.length / Math.ceil(all.length / ABREAST)));
  return rows.flatMap((row) =>
    row.map(({ one, own }) => one.draw(own, { title: one.title, width: Math.floor(24 / row.length) })),
  );
}

export const spaceGraphs = (arms: readonly LustreView[]): Graph[] => drawn(arms, SPACE);

export const restGraphs = (arms: readonly LustreView[]): Graph[] => drawn(arms, REST);

/** One line that names graphs which FSx has no data for, by the reason; nothing where each has some. */
export function undrawn(arms: readonly LustreView[]): Panel[] {
  const without = [...SPACE, ...REST].flatMap(({ title, needs }) => {
    const { only } = metricInfo(needs);
    return only === undefined || arms.some(({ publishes }) => publishes(needs)) ? [] : [{ title, only }];
  });
  if (without.length === 0) return [];
  const byReason = [...Map.groupBy(without, ({ only }) => only)];
  const words = byReason
    .map(([only, same]) => `${same.map(({ title }) => `*${title}*`).join(', ')}, ${only}`)
    .join('; ');
  const markdown = `Not shown, since FSx publishes nothing for it: ${words}.`;
  return [text(markdown, 24, 2)];
}
