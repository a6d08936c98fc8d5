import type { ScaleModel } from '../../schema/model';
import type { Counters, DiskCounters } from './counters';

/** What a value is of: the whole file system (`null`), or one of its servers or targets, of which the lab has one of each kind. */
type Part = { readonly dimension: 'StorageTargetId' | 'FileServer'; readonly value: string } | null;

/** One value of a metric of FSx. */
export interface DataPoint {
  readonly name: string;
  readonly value: number;
  readonly unit: 'Bytes' | 'Count' | 'Percent';
  readonly of: Part;
}

const DATA_TARGET: Part = { dimension: 'StorageTargetId', value: 'OST0000' };
const METADATA_TARGET: Part = { dimension: 'StorageTargetId', value: 'MDT0000' };
const FILE_SERVER: Part = { dimension: 'FileServer', value: 'OSS0000' };
const METADATA_SERVER: Part = { dimension: 'FileServer', value: 'MDS0000' };

/** Operations that FSx counts for the whole file system; all others it counts on each metadata target. */
const OF_THE_WHOLE = ['MetadataOperations'];

/**
 * The data points of a period: levels as they are at its end, and what was counted since the counters at its beginning. What was not
 * counted at both ends is left out, as FSx leaves out what it does not know.
 *
 * @param before `null` for the first period, which has no beginning
 */
export function dataOf(before: Counters | null, now: Counters, model: ScaleModel | null): DataPoint[] {
  return [
    ...levels(now),
    ...(before === null
      ? []
      : [...disks(before, now), ...(model === null ? [] : load(before, now, model)), ...operations(before, now)]),
  ];
}

/**
 * The counters at the beginning of the next period. A server that was too busy to say what it counted is taken by its last answer: what it
 * counts meanwhile falls into the period of its next one.
 */
export const beginningOf = (before: Counters | null, now: Counters): Counters => ({
  ...now,
  operations: now.operations ?? before?.operations ?? null,
});

const bytes = (name: string, value: number, of: Part): DataPoint => ({ name, value, unit: 'Bytes', of });
const count = (name: string, value: number, of: Part): DataPoint => ({ name, value, unit: 'Count', of });
const percent = (name: string, value: number, of: Part): DataPoint => ({ name, value, unit: 'Percent', of });

function levels({ capacity: { free, total }, space, connections }: Counters): DataPoint[] {
  return [
    bytes('FreeDataStorageCapacity', free, DATA_TARGET),
    // Both forms are published, it seems: with and without the target (facts of
    // https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html and of AWS’s own graphs).
    bytes('FreeDataStorageCapacity', free, null),
    percent('StorageCapacityUtilization', (100 * (total - free)) / total, DATA_TARGET),
    // FSx publishes logical and physical usage only where LZ4 is or was on (https://docs.aws.amazon.com/fsx/latest/LustreGuide/data-compression.html).
    ...(space === null
      ? []
      : [bytes('LogicalDiskUsage', space.logicalBytes, null), bytes('PhysicalDiskUsage', space.physicalBytes, null)]),
    // One sample for each connection: AWS's own graph counts the samples.
    ...Array.from({ length: connections ?? 0 }, () => count('ClientConnections', 1, null)),
  ];
}

/** What a disk did meanwhile; `null` where it is not known, or is another one: its counters only grow. */
function grown(before: DiskCounters | null, now: DiskCounters | null): DiskCounters | null {
  if (before === null || now === null) return null;
  const more = {
    readOperations: now.readOperations - before.readOperations,
    readBytes: now.readBytes - before.readBytes,
    writeOperations: now.writeOperations - before.writeOperations,
    writeBytes: now.writeBytes - before.writeBytes,
  };
  return Object.values(more).every((value) => value >= 0) ? more : null;
}

function disks(before: Counters, now: Counters): DataPoint[] {
  const data = grown(before.disk, now.disk);
  // Where a file system counts its operations, and no server has a disk for them, the disk of the data holds the metadata, too.
  const metadata = now.metadataDisk === null ? now.operations && data : grown(before.metadataDisk, now.metadataDisk);
  const operationsOf = (disk: DiskCounters | null, of: Part): DataPoint[] =>
    disk === null
      ? []
      : [count('DiskReadOperations', disk.readOperations, of), count('DiskWriteOperations', disk.writeOperations, of)];
  return [
    ...(data === null
      ? []
      : [bytes('DiskReadBytes', data.readBytes, DATA_TARGET), bytes('DiskWriteBytes', data.writeBytes, DATA_TARGET)]),
    ...operationsOf(data, DATA_TARGET),
    ...operationsOf(metadata, METADATA_TARGET),
  ];
}

/** How busy the servers of a scale model were, and what came to them. */
function load(before: Counters, now: Counters, { held, metadata }: ScaleModel): DataPoint[] {
  const seconds = (now.atMs - before.atMs) / 1000;
  const busy = (name: ScaleModel['held'][number]['name'], moved: number): number => {
    const set = held.find((figure) => figure.name === name)?.setMBps;
    return set === undefined ? 0 : (100 * moved) / (seconds * set * 1e6);
  };
  const data: DataPoint[] = [];
  if (before.link !== null && now.link !== null && now.link.received >= before.link.received) {
    const [received, sent] = [now.link.received - before.link.received, now.link.sent - before.link.sent];
    // The link is as wide in each direction: the busier one is how busy it is.
    const busier = Math.max(busy('network_write', received), busy('network_read', sent));
    data.push(
      bytes('DataWriteBytes', received, null),
      bytes('DataReadBytes', sent, null),
      bytes('NetworkReceivedBytes', received, FILE_SERVER),
      bytes('NetworkSentBytes', sent, FILE_SERVER),
      percent('NetworkThroughputUtilization', busier, FILE_SERVER),
    );
  }
  const disk = grown(before.disk, now.disk);
  if (disk !== null) {
    const used = busy('disk_write', disk.writeBytes) + busy('disk_read', disk.readBytes);
    data.push(percent('FileServerDiskThroughputUtilization', used, FILE_SERVER));
  }
  const metadataDisk = grown(before.metadataDisk, now.metadataDisk);
  if (metadataDisk !== null && metadata !== undefined) {
    const used = (100 * metadataDisk.writeOperations) / (seconds * metadata.writesPerSecond);
    data.push(percent('DiskIopsUtilization', used, METADATA_TARGET));
  }
  const [from, to] = [before.metadataCpuSeconds, now.metadataCpuSeconds];
  // It works on one thread: all of one processor is all that it has.
  if (from !== null && to !== null && to >= from)
    data.push(percent('CPUUtilization', (100 * (to - from)) / seconds, METADATA_SERVER));
  return data;
}

function operations(before: Counters, now: Counters): DataPoint[] {
  return Object.entries(now.operations ?? {}).flatMap(([metric, value]) => {
    const earlier = before.operations?.[metric];
    // Fewer than before: another file system, or a server that was away meanwhile.
    if (earlier === undefined || value < earlier) return [];
    return [count(metric, value - earlier, OF_THE_WHOLE.includes(metric) ? null : METADATA_TARGET)];
  });
}
