import type { ScaleModel } from '../../schema/model';
import type { MetricRole } from '../../storage/role';
import type { Counters, DiskCounters } from './counters';

/**
 * Resource of a value: the whole file system (`null`), or one of its servers or targets, of which the lab has one of each. A service
 * that does not tell them apart publishes the first of its values.
 */
type Part = { readonly dimension: 'StorageTargetId' | 'FileServer'; readonly value: string } | null;

/** One value of what a storage has a metric for, whatever its service calls that. */
export interface DataPoint {
  readonly role: MetricRole;
  readonly value: number;
  readonly of: Part;
}

const DATA_TARGET: Part = { dimension: 'StorageTargetId', value: 'OST0000' };
const METADATA_TARGET: Part = { dimension: 'StorageTargetId', value: 'MDT0000' };
const FILE_SERVER: Part = { dimension: 'FileServer', value: 'OSS0000' };
const METADATA_SERVER: Part = { dimension: 'FileServer', value: 'MDS0000' };

/** Roles counted for the whole file system; all other operations FSx counts on each metadata target. */
const OF_THE_WHOLE: readonly string[] = ['metadata_operations', 'bytes_read', 'bytes_written'] satisfies MetricRole[];

/**
 * The data points of a period: levels as they are at its end, and what was counted since the counters at its beginning. What was not
 * counted at both ends is left out, as FSx leaves out what it does not know.
 *
 * @param before `null` for the first period, which has no beginning
 */
export const dataOf = (before: Counters | null, now: Counters, model: ScaleModel | null): DataPoint[] => [
  ...levels(now),
  ...(before === null ? [] : [...disks(before, now), ...load(before, now, model), ...operations(before, now)]),
];

/**
 * The counters at the beginning of the next period. A server that was too busy to answer keeps its last counters: what it counts meanwhile
 * falls into the period of its next answer.
 */
export const beginningOf = (before: Counters | null, now: Counters): Counters => ({
  ...now,
  operations: now.operations ?? before?.operations ?? null,
});

const point = (role: MetricRole, value: number, of: Part): DataPoint => ({ role, value, of });

function levels({ capacity: { free, total }, space, connections }: Counters): DataPoint[] {
  return [
    // Both forms are published, it seems: with and without the target (facts of
    // https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html and of AWS’s own graphs).
    point('capacity_free', free, null),
    point('capacity_free', free, DATA_TARGET),
    point('capacity_utilisation', (100 * (total - free)) / total, DATA_TARGET),
    // No server of the lab grants space to its clients' caches.
    point('capacity_with_grants', (100 * (total - free)) / total, DATA_TARGET),
    // FSx publishes logical and physical usage only where LZ4 is or was on (https://docs.aws.amazon.com/fsx/latest/LustreGuide/data-compression.html).
    ...(space === null
      ? []
      : [point('logical_bytes', space.logicalBytes, null), point('physical_bytes', space.physicalBytes, null)]),
    // One sample for each connection: AWS's own graph counts the samples.
    ...Array.from({ length: connections ?? 0 }, () => point('client_connections', 1, null)),
  ];
}

/**
 * Growth of counters that one device or server counts; `null` where they are not known. Counters only grow: if one went back, others count
 * now, and nothing is known of what the rest of them stand for.
 */
function grown<T extends { readonly [K in keyof T]?: number }>(before: T | null, now: T | null): T | null {
  if (before === null || now === null) return null;
  const names = Object.keys(now) as (keyof T)[];
  const more = names
    .filter((name) => before[name] !== undefined)
    .map((name) => [name, (now[name] ?? 0) - (before[name] ?? 0)] as const);
  return more.every(([, value]) => value >= 0) ? (Object.fromEntries(more) as T) : null;
}

function disks(before: Counters, now: Counters): DataPoint[] {
  const data = grown(before.disk, now.disk);
  // Where a file system counts its operations, and no server has a disk for them, the disk of the data holds the metadata as well.
  const metadata = now.metadataDisk === null ? now.operations && data : grown(before.metadataDisk, now.metadataDisk);
  const operationsOf = (disk: DiskCounters | null, of: Part): DataPoint[] =>
    disk === null
      ? []
      : [
          point('disk_read_operations', disk.readOperations, of),
          point('disk_write_operations', disk.writeOperations, of),
        ];
  return [
    ...(data === null
      ? []
      : [
          point('disk_bytes_read', data.readBytes, DATA_TARGET),
          point('disk_bytes_written', data.writeBytes, DATA_TARGET),
        ]),
    ...operationsOf(data, DATA_TARGET),
    ...operationsOf(metadata, METADATA_TARGET),
  ];
}

/** Load of servers that are apart from their clients and, where their rates are throttled, how busy they were. */
function load(before: Counters, now: Counters, model: ScaleModel | null): DataPoint[] {
  const seconds = (now.atMs - before.atMs) / 1000;
  /** In percent; `null` without a limit. */
  const busy = (name: ScaleModel['held'][number]['name'], moved: number): number | null => {
    const set = model?.held.find((figure) => figure.name === name)?.setMBps;
    return set === undefined ? null : (100 * moved) / (seconds * set * 1e6);
  };
  const data: DataPoint[] = [];
  const link = grown(before.link, now.link);
  if (link !== null) {
    const { received, sent } = link;
    data.push(
      point('bytes_written', received, null),
      point('bytes_read', sent, null),
      point('network_bytes_received', received, FILE_SERVER),
      point('network_bytes_sent', sent, FILE_SERVER),
    );
    const ways = [busy('network_write', received), busy('network_read', sent)].filter((way) => way !== null);
    // The link is as wide in each direction: the busier one is how busy it is.
    if (ways.length > 0) data.push(point('network_utilisation', Math.max(...ways), FILE_SERVER));
  }
  const disk = grown(before.disk, now.disk);
  if (disk !== null) {
    const [written, read] = [busy('disk_write', disk.writeBytes), busy('disk_read', disk.readBytes)];
    if (written !== null && read !== null) data.push(point('disk_utilisation', written + read, FILE_SERVER));
  }
  const metadataDisk = grown(before.metadataDisk, now.metadataDisk);
  if (metadataDisk !== null && model?.metadata !== undefined) {
    const used = (100 * metadataDisk.writeOperations) / (seconds * model.metadata.writesPerSecond);
    data.push(point('disk_iops_utilisation', used, METADATA_TARGET));
  }
  const [from, to] = [before.metadataCpuSeconds, now.metadataCpuSeconds];
  // It has one thread, so one processor is its whole capacity.
  if (from !== null && to !== null && to >= from)
    data.push(point('metadata_cpu', (100 * (to - from)) / seconds, METADATA_SERVER));
  return data;
}

/** Nothing if one count went back: another file system, or a server that was away meanwhile or reset its counts. */
const operations = (before: Counters, now: Counters): DataPoint[] =>
  Object.entries(grown(before.operations, now.operations) ?? {}).map(([role, value]) =>
    point(role as MetricRole, value, OF_THE_WHOLE.includes(role) ? null : METADATA_TARGET),
  );
