import { readFile, statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchClient, type MetricDatum, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { mountsBelow } from '../kit/mounts';
import { METRICS_PERIOD } from '../schema/metrics';
import type { ScaleModel } from '../schema/model';
import { runCommand } from './command';
import { type LinkCounters, linkCounters, type ModelServers } from './model/machine';

/** The single storage target that a local file system stands in for. */
const TARGET = 'OST0000';
/** Its single metadata target, if the file system counts directory operations. */
const METADATA_TARGET = 'MDT0000';
/** The single file server of a scale model. */
const FILE_SERVER = 'OSS0000';
/** Margin for timers that fire early, since the period must have ended. */
const AFTER_PERIOD_MS = 20;
/** Blocks of /sys/block/X/stat are always of 512 bytes (Linux, Documentation/block/stat). */
const SECTOR_BYTES = 512;

/** A local file system, and the emulated one under whose name its counters are published. */
interface PublishedStorage {
  readonly fileSystemId: string;
  readonly mountPoint: string;
  /**
   * FSx publishes logical and physical usage only where LZ4 is or was on
   * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/data-compression.html).
   */
  readonly compressed: boolean;
  /** A storage of the scale model has servers that count for themselves, and limits. @default - the file system counts */
  readonly served?: ModelServers & { readonly model: ScaleModel };
}

/** Options of `createPublisher`. */
interface PublisherOptions {
  readonly client: CloudWatchClient;
  readonly storages: readonly PublishedStorage[];
  /** @default 5 seconds */
  readonly periodSeconds?: number;
}

/** Publishes the counters of the lab's storages as FSx publishes its own. */
interface Publisher {
  /**
   * Publishes the data points of the period that just ended and returns their number. A second call within a period publishes none,
   * since FSx publishes each gauge once per period, and sums rely on that.
   */
  publishOnce(): Promise<number>;
}

/** Counters of a block device since its creation. */
interface DiskCounters {
  readonly readOperations: number;
  readonly readBytes: number;
  readonly writeOperations: number;
  readonly writeBytes: number;
}

/** Directory entries created and removed since a file system was mounted. */
interface DirectoryCounters {
  readonly created: number;
  readonly removed: number;
}

/**
 * Publishes AWS/FSx metrics from this machine's own counters.
 *
 * Only metrics that can be measured on a local file system are published: bytes and operations of the disk, used and free space, and
 * on XFS created and removed entries, files and directories together. There the device also stands in for the metadata target, so its disk
 * operations include those of data. Client traffic (DataReadBytes, DataWriteBytes) and server load are not counted there, and not published.
 *
 * The servers of a scale model are apart from its clients, so what comes to them can be counted: bytes on their end of the link, which
 * the clients have no part in. With their disk's bytes they say how busy the servers are, too.
 */
export function createPublisher({ client, storages, periodSeconds = METRICS_PERIOD.lab }: PublisherOptions): Publisher {
  const before: Before = { disk: new Map(), directories: new Map(), link: new Map() };
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
  /** Called if a measurement failed; the next one is still tried. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Publishes at a fixed period until it is stopped.
 *
 * @returns a function that stops it at the end of the current period, so that the metrics cover the end of a run
 */
export function startPublishing({ onError = () => {}, ...options }: StartPublishingOptions): () => Promise<void> {
  const publisher = createPublisher(options);
  const periodMs = (options.periodSeconds ?? METRICS_PERIOD.lab) * 1000;
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

/** Counters at the end of the last period, by file system. */
interface Before {
  readonly disk: Map<string, DiskCounters>;
  readonly directories: Map<string, DirectoryCounters>;
  readonly link: Map<string, LinkCounters & { readonly atMs: number }>;
}

async function measure(storage: PublishedStorage, before: Before, timestamp: Date): Promise<MetricDatum[]> {
  const { fileSystemId, mountPoint, compressed, served } = storage;
  const stored = served?.disk ?? mountPoint;
  const device = loopDevice(stored);
  const [disk, directories, link, capacity, usage] = await Promise.all([
    diskCounters(device),
    directoryCounters(device),
    served === undefined ? null : linkCounters(served),
    statfs(stored),
    compressed ? spaceUsed(stored) : null,
  ]);
  const atMs = performance.now();
  const whole = [{ Name: 'FileSystemId', Value: fileSystemId }];
  const target = [...whole, { Name: 'StorageTargetId', Value: TARGET }];
  const metadata = [...whole, { Name: 'StorageTargetId', Value: METADATA_TARGET }];
  const server = [...whole, { Name: 'FileServer', Value: FILE_SERVER }];
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
    // Both forms are published, it seems: with and without the target (facts of
    // https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html and of AWS's own graphs).
    datum('FreeDataStorageCapacity', free, 'Bytes', whole),
    datum('StorageCapacityUtilization', (100 * (total - free)) / total, 'Percent'),
  ];
  if (usage !== null) {
    data.push(datum('LogicalDiskUsage', usage.logicalBytes, 'Bytes', whole));
    data.push(datum('PhysicalDiskUsage', usage.physicalBytes, 'Bytes', whole));
  }
  const last = before.disk.get(fileSystemId);
  if (disk !== null) before.disk.set(fileSystemId, disk);
  // Counters only grow; a smaller value means a different device.
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
  const passed = before.link.get(fileSystemId);
  if (link !== null) before.link.set(fileSystemId, { ...link, atMs });
  if (served !== undefined && link !== null && passed !== undefined && link.received >= passed.received) {
    const [received, sent] = [link.received - passed.received, link.sent - passed.sent];
    const seconds = (atMs - passed.atMs) / 1000;
    const busy = (direction: 'read' | 'write', of: 'disk' | 'network', bytes: number): number => {
      const set = served.model.held.find(({ name }) => name === `${of}_${direction}`)?.setMBps;
      return set === undefined ? 0 : (100 * bytes) / (seconds * set * 1e6);
    };
    data.push(
      datum('DataWriteBytes', received, 'Bytes', whole),
      datum('DataReadBytes', sent, 'Bytes', whole),
      datum('NetworkReceivedBytes', received, 'Bytes', server),
      datum('NetworkSentBytes', sent, 'Bytes', server),
      // The link is as wide in each direction: the busier one is how busy it is.
      datum(
        'NetworkThroughputUtilization',
        Math.max(busy('write', 'network', received), busy('read', 'network', sent)),
        'Percent',
        server,
      ),
    );
    if (disk !== null && last !== undefined)
      data.push(
        datum(
          'FileServerDiskThroughputUtilization',
          busy('write', 'disk', disk.writeBytes - last.writeBytes) +
            busy('read', 'disk', disk.readBytes - last.readBytes),
          'Percent',
          server,
        ),
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

/** Name of the loop device under a mount point, such as `loop3`; `null` if there is none, as with a plain directory. */
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

/** XFS's counters of a file system (Linux, Documentation/admin-guide/xfs: stats); `null` for others. */
async function directoryCounters(device: string | null): Promise<DirectoryCounters | null> {
  const text = device && (await readFile(`/sys/fs/xfs/${device}/stats/stats`, 'utf8').catch(() => null));
  // dir: lookups, creations, removals, reads.
  const [, , created, removed] = /^dir (\d+) (\d+) (\d+)/m.exec(text || '') ?? [];
  return created === undefined ? null : { created: Number(created), removed: Number(removed) };
}

/**
 * Bytes of files before and after compression, by `compsize`, which reads the metadata of Btrfs and neither syncs nor reads data.
 * `null` if unavailable: not installed, or nothing on the disk yet.
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
