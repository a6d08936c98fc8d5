import { readFile, statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchClient, type MetricDatum, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { mountsBelow } from '../kit/mounts';
import { runCommand } from './command';

/** How far apart the lab's points are; FSx publishes one a minute. */
const LAB_METRICS_PERIOD_SECONDS = 5;

/** The one storage target that a local file system stands for. */
const TARGET = 'OST0000';
/** Its one metadata target, where the file system counts what is done to its directories. */
const METADATA_TARGET = 'MDT0000';
/** Timers may fire a little early; a period must have ended. */
const AFTER_PERIOD_MS = 20;
/** Blocks of /sys/block/X/stat are always of 512 bytes (Linux, Documentation/block/stat). */
const SECTOR_BYTES = 512;

/** A local file system, and the emulated one in whose name its counters are published. */
interface PublishedStorage {
  readonly fileSystemId: string;
  readonly mountPoint: string;
  /** FSx publishes logical and physical usage only where LZ4 is or was on (guide/data-compression). */
  readonly compressed: boolean;
}

/** What `createPublisher` needs. */
interface PublisherOptions {
  readonly client: CloudWatchClient;
  readonly storages: readonly PublishedStorage[];
  /** @default 5 seconds */
  readonly periodSeconds?: number;
}

/** Publishes the counters of the lab's storages as FSx publishes its own. */
interface Publisher {
  /**
   * Puts the points of the period that has just ended; returns how many. A second call within a period puts none:
   * FSx publishes each gauge once a period, and whoever sums them relies on that.
   */
  publishOnce(): Promise<number>;
}

/** Counters of a block device since it was made. */
interface DiskCounters {
  readonly readOperations: number;
  readonly readBytes: number;
  readonly writeOperations: number;
  readonly writeBytes: number;
}

/** Entries of directories that were made and removed since a file system was mounted. */
interface DirectoryCounters {
  readonly created: number;
  readonly removed: number;
}

/**
 * A publisher of AWS/FSx metrics made of what this machine really counts.
 *
 * Of FSx's metrics only those are put that can be measured on a local file system: what the disk moved, what is used and what is
 * free, and of XFS what was created and removed, files and directories together; there the one device stands for the metadata target,
 * too, whose disk operations are then those of data as well. What clients sent (DataReadBytes, DataWriteBytes) and what servers did is counted by no one here, so it is left out.
 */
export function createPublisher({
  client,
  storages,
  periodSeconds = LAB_METRICS_PERIOD_SECONDS,
}: PublisherOptions): Publisher {
  const before: Before = { disk: new Map(), directories: new Map() };
  const periodMs = periodSeconds * 1000;
  let published = 0;
  return {
    async publishOnce() {
      const period = Math.floor(Date.now() / periodMs) * periodMs - periodMs;
      if (period === published) return 0;
      published = period;
      const timestamp = new Date(period);
      const read = await Promise.all(storages.map((storage) => measure(storage, before, timestamp)));
      const data = read.flat();
      if (data.length > 0) await client.send(new PutMetricDataCommand({ Namespace: 'AWS/FSx', MetricData: data }));
      return data.length;
    },
  };
}

/** Options of `startPublishing`. */
export interface StartPublishingOptions extends PublisherOptions {
  /** A measurement that failed; the next is tried all the same. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Publishes at a fixed period until it is told to stop.
 *
 * @returns stops it with the end of the period that runs, so that the end of a run is in the metrics
 */
export function startPublishing({ onError = () => {}, ...options }: StartPublishingOptions): () => Promise<void> {
  const publisher = createPublisher(options);
  const periodMs = (options.periodSeconds ?? LAB_METRICS_PERIOD_SECONDS) * 1000;
  let stopping = false;
  const loop = (async () => {
    for (let last = false; ; last = stopping) {
      await publisher.publishOnce().catch(onError);
      if (last) return;
      await sleep(periodMs - (Date.now() % periodMs) + AFTER_PERIOD_MS);
    }
  })();
  return async () => {
    stopping = true;
    await loop;
  };
}

/** What was counted when the last period ended, by file system. */
interface Before {
  readonly disk: Map<string, DiskCounters>;
  readonly directories: Map<string, DirectoryCounters>;
}

async function measure(storage: PublishedStorage, before: Before, timestamp: Date): Promise<MetricDatum[]> {
  const { fileSystemId, mountPoint, compressed } = storage;
  const device = loopDevice(mountPoint);
  const [disk, directories, capacity, usage] = await Promise.all([
    diskCounters(device),
    directoryCounters(device),
    statfs(mountPoint),
    compressed ? spaceUsed(mountPoint) : null,
  ]);
  const whole = [{ Name: 'FileSystemId', Value: fileSystemId }];
  const target = [...whole, { Name: 'StorageTargetId', Value: TARGET }];
  const metadata = [...whole, { Name: 'StorageTargetId', Value: METADATA_TARGET }];
  const datum = (MetricName: string, Value: number, Unit: MetricDatum['Unit'], Dimensions = target): MetricDatum => ({
    MetricName,
    Value,
    Unit,
    Dimensions,
    Timestamp: timestamp,
    StorageResolution: 1,
  });

  const free = capacity.bavail * capacity.bsize;
  const total = capacity.blocks * capacity.bsize;
  const data = [
    datum('FreeDataStorageCapacity', free, 'Bytes'),
    // Both forms are published, it seems: with and without the target (facts of guide/fs-metrics and of AWS's own graphs).
    datum('FreeDataStorageCapacity', free, 'Bytes', whole),
    datum('StorageCapacityUtilization', (100 * (total - free)) / total, 'Percent'),
  ];
  if (usage !== null) {
    data.push(datum('LogicalDiskUsage', usage.logicalBytes, 'Bytes', whole));
    data.push(datum('PhysicalDiskUsage', usage.physicalBytes, 'Bytes', whole));
  }
  const last = before.disk.get(fileSystemId);
  if (disk !== null) before.disk.set(fileSystemId, disk);
  // The counters only grow; a smaller one is another device's.
  if (disk !== null && last !== undefined && disk.writeBytes >= last.writeBytes && disk.readBytes >= last.readBytes) {
    const [reads, writes] = [disk.readOperations - last.readOperations, disk.writeOperations - last.writeOperations];
    data.push(
      datum('DiskReadBytes', disk.readBytes - last.readBytes, 'Bytes'),
      datum('DiskWriteBytes', disk.writeBytes - last.writeBytes, 'Bytes'),
      ...[target, ...(directories === null ? [] : [metadata])].flatMap((dimensions) => [
        datum('DiskReadOperations', reads, 'Count', dimensions),
        datum('DiskWriteOperations', writes, 'Count', dimensions),
      ]),
    );
  }
  const earlier = before.directories.get(fileSystemId);
  if (directories !== null) before.directories.set(fileSystemId, directories);
  if (directories !== null && earlier !== undefined && directories.created >= earlier.created) {
    data.push(
      datum('FileCreateOperations', directories.created - earlier.created, 'Count', metadata),
      datum('FileDeleteOperations', directories.removed - earlier.removed, 'Count', metadata),
    );
  }
  return data;
}

/** Name of the loop device under a mount point, such as `loop3`; `null` where there is none, as with a plain directory. */
function loopDevice(mountPoint: string): string | null {
  const mount = mountsBelow(mountPoint).find((found) => found.mountPoint === mountPoint);
  return mount?.device.startsWith('/dev/loop') ? basename(mount.device) : null;
}

async function diskCounters(device: string | null): Promise<DiskCounters | null> {
  const text = device && (await readFile(`/sys/block/${device}/stat`, 'utf8').catch(() => null));
  if (!text) return null;
  const [readOperations = 0, , readSectors = 0, , writeOperations = 0, , writeSectors = 0] = text
    .trim()
    .split(/\s+/)
    .map(Number);
  return {
    readOperations,
    readBytes: readSectors * SECTOR_BYTES,
    writeOperations,
    writeBytes: writeSectors * SECTOR_BYTES,
  };
}

/** What XFS counts of each of its file systems (Linux, Documentation/admin-guide/xfs: stats); `null` for others. */
async function directoryCounters(device: string | null): Promise<DirectoryCounters | null> {
  const text = device && (await readFile(`/sys/fs/xfs/${device}/stats/stats`, 'utf8').catch(() => null));
  // dir: lookups, creations, removals, reads.
  const [, , created, removed] = /^dir (\d+) (\d+) (\d+)/m.exec(text || '') ?? [];
  return created === undefined ? null : { created: Number(created), removed: Number(removed) };
}

/**
 * Bytes of files before and after compression, by `compsize`, which reads Btrfs's own tree and neither syncs nor reads data.
 * `null` where it cannot tell: not installed, or nothing on the disk yet.
 */
async function spaceUsed(mountPoint: string): Promise<{ logicalBytes: number; physicalBytes: number } | null> {
  const { code, stdout } = await runCommand('compsize', ['--bytes', '--one-file-system', mountPoint], { seconds: 10 });
  if (code !== 0) return null;
  // Columns: type, percentage, disk usage, uncompressed, referenced.
  const total = /^TOTAL\s+\S+\s+(\d+)\s+(\d+)/m.exec(stdout);
  return total === null ? null : { physicalBytes: Number(total[1]), logicalBytes: Number(total[2]) };
}

/** A CloudWatch client of the emulator. */
export function emulatorCloudWatch(environment: NodeJS.ProcessEnv): CloudWatchClient {
  return new CloudWatchClient({
    endpoint: environment.AWS_ENDPOINT_URL,
    region: environment.AWS_REGION,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
    },
  });
}
