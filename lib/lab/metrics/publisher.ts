import { readFile, statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchClient,
  type MetricDatum,
  PutMetricDataCommand,
  type StandardUnit,
} from '@aws-sdk/client-cloudwatch';
import { BOUNDED } from '../../common/aws/connection';
import { mountsBelow } from '../../common/mounts';
import { METRICS_PERIOD } from '../../schema/metrics';
import type { ScaleModel } from '../../schema/model';
import type { MetricRole, MetricsCapability } from '../../storage/storage';
import { type LinkCounters, linkCounters, type ModelServers } from '../model/machine';
import { cpuSeconds, type OperationCounts, operationsReader } from '../model/operations';
import { runCommand } from '../processes';

/** Blocks of /sys/block/X/stat are always of 512 bytes (Linux, Documentation/block/stat). */
const SECTOR_BYTES = 512;

/** Counters of a block device since its creation. */
interface DiskCounters {
  readonly readOperations: number;
  readonly readBytes: number;
  readonly writeOperations: number;
  readonly writeBytes: number;
}

/** Counters of a storage at one moment; `null` for a storage without counters. */
export interface Counters {
  /** On the clock that only runs forward. */
  readonly atMs: number;
  readonly capacity: { readonly free: number; readonly total: number };
  readonly space: { readonly logicalBytes: number; readonly physicalBytes: number } | null;
  readonly disk: DiskCounters | null;
  /** Disk of the metadata server; `null` without a separate one. */
  readonly metadataDisk: DiskCounters | null;
  readonly link: LinkCounters | null;
  /** Client operations, counted by the file system or its servers. */
  readonly operations: OperationCounts | null;
  readonly connections: number | null;
  /** Seconds of a processor that the metadata server has used. */
  readonly metadataCpuSeconds: number | null;
}

/** A function that reads a storage's counters, as they have grown since it was first called or before. */
function counterReader({ mountPoint, compressed, served }: PublishedStorage): () => Promise<Counters> {
  const stored = served?.disk ?? mountPoint;
  const ask = served === undefined ? null : operationsReader(served);
  return async () => {
    const device = loopDevice(stored);
    const atMs = performance.now();
    // Counters that change by the second come first, to fall into their own period: servers may take seconds to answer.
    const [disk, metadataDisk, link, metadataCpuSeconds] = await Promise.all([
      diskCounters(device),
      served === undefined ? null : diskCounters(loopDevice(served.metadata)),
      served === undefined ? null : linkCounters(served),
      served === undefined ? null : cpuSeconds(served),
    ]);
    const answer = (await ask?.()) ?? null;
    const operations = answer?.operations ?? (await xfsOperations(device));
    const [{ bavail, blocks, bsize }, space] = await Promise.all([
      statfs(stored),
      compressed ? spaceUsed(stored) : null,
    ]);
    return {
      atMs,
      capacity: { free: bavail * bsize, total: blocks * bsize },
      space,
      disk,
      metadataDisk,
      link,
      operations,
      connections: answer?.connections ?? null,
      metadataCpuSeconds,
    };
  };
}

/** Name of the loop device under a mount point, such as `loop3`; `null` for any other, such as a plain directory. */
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

/** Counters of an XFS file system (Linux, Documentation/admin-guide/xfs: stats): entries of files and directories together. `null` for others. */
async function xfsOperations(device: string | null): Promise<OperationCounts | null> {
  const text = device && (await readFile(`/sys/fs/xfs/${device}/stats/stats`, 'utf8').catch(() => null));
  // dir: lookups, creations, removals, reads.
  const [, , created, removed] = /^dir (\d+) (\d+) (\d+)/m.exec(text || '') ?? [];
  return created === undefined ? null : { file_creates: Number(created), file_deletes: Number(removed) };
}

/** Bytes before and after compression by `compsize`, which reads only Btrfs metadata; `null` if it is not installed, or the disk is empty. */
async function spaceUsed(mountPoint: string): Promise<{ logicalBytes: number; physicalBytes: number } | null> {
  const { code, stdout } = await runCommand('compsize', ['--bytes', '--one-file-system', mountPoint], { seconds: 10 });
  if (code !== 0) return null;
  // Columns: type, percentage, disk usage, uncompressed, referenced.
  const total = /^TOTAL\s+\S+\s+(\d+)\s+(\d+)/m.exec(stdout);
  return total === null ? null : { physicalBytes: Number(total[1]), logicalBytes: Number(total[2]) };
}

/** Resource of a value: the file system (`null`), or its one server or target. A service without such a dimension publishes only the first value. */
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

/** The data points of a period: levels at its end, and growth of what was counted at both ends, as by FSx. @param before `null` for the first period */
export const dataOf = (before: Counters | null, now: Counters, model: ScaleModel | null): DataPoint[] => [
  ...levels(now),
  ...(before === null ? [] : [...disks(before, now), ...load(before, now, model), ...operations(before, now)]),
];

/** The counters at the beginning of the next period. What a server counts while it is too busy to answer falls into the period of its next answer. */
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

/** Growth of counters of one device or server; `null` if unknown. Counters only grow: if one is lower, another device counts now. */
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
  // For a file system that counts its operations, without servers with a metadata disk, the disk of the data holds the metadata as well.
  const metadata = now.metadataDisk === null ? now.operations && data : grown(before.metadataDisk, now.metadataDisk);
  const points: DataPoint[] = [];
  if (data !== null) {
    points.push(point('disk_bytes_read', data.readBytes, DATA_TARGET));
    points.push(point('disk_bytes_written', data.writeBytes, DATA_TARGET));
  }
  for (const [disk, of] of [[data, DATA_TARGET] as const, [metadata, METADATA_TARGET] as const]) {
    if (disk === null) continue;
    points.push(point('disk_read_operations', disk.readOperations, of));
    points.push(point('disk_write_operations', disk.writeOperations, of));
  }
  return points;
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

/** Margin for timers that fire early, since the period must have ended. */
const AFTER_PERIOD_MS = 20;

/** A local file system, and the emulated one under whose name its counters are published. */
export interface PublishedStorage {
  readonly mountPoint: string;
  /** The space before and after compression is counted as well. */
  readonly compressed: boolean;
  /** Servers that count for themselves, as those of a scale model do. @default - the file system counts */
  readonly served?: ModelServers;
  readonly fileSystemId: string;
  /** Metrics that its service publishes; no others, and in its namespace. */
  readonly service: MetricsCapability;
  /** Throttled rates, from which the load of its servers follows. @default - nothing is held */
  readonly model?: ScaleModel;
}

interface PublisherOptions {
  readonly client: CloudWatchClient;
  readonly storages: readonly PublishedStorage[];
  /** Publishes the load of the clients in a period. @default - nobody does */
  readonly publishClients?: (at: Date) => Promise<number>;
  /** @default METRICS_PERIOD.lab */
  readonly periodSeconds?: number;
}

/** Publishes services' metrics from own counters: disks, space and, on XFS, entries; counts of stand-ins' servers; links and load of a scale model. */
export function createPublisher(options: PublisherOptions) {
  const { client, storages, publishClients, periodSeconds = METRICS_PERIOD.lab } = options;
  const readers = storages.map((storage) => ({
    storage,
    read: counterReader(storage),
    before: null as Counters | null,
  }));
  const periodMs = periodSeconds * 1000;
  const lastEnded = (): number => Math.floor(Date.now() / periodMs) * periodMs - periodMs;
  let published = 0;
  return {
    /** Publishes the data points of the last period; returns their number. At most once per period, as FSx publishes gauges: sums rely on that. */
    async publishOnce(): Promise<number> {
      if (lastEnded() === published) return 0;
      published = lastEnded();
      let count = (await publishClients?.(new Date(published))) ?? 0;
      // One after the other: many at once would disturb what is measured.
      for (const reader of readers) {
        const { service, fileSystemId, model = null } = reader.storage;
        // On a busy machine those before it may have taken longer than a period.
        published = lastEnded();
        const now = await reader.read();
        // A link that does not answer has this period's bytes in the next.
        if (now.link === null && reader.before?.link) continue;
        const data = datums(dataOf(reader.before, now, model), service, fileSystemId, new Date(published));
        reader.before = beginningOf(reader.before, now);
        if (data.length > 0)
          await client.send(new PutMetricDataCommand({ Namespace: service.namespace, MetricData: data }));
        count += data.length;
      }
      return count;
    },
  };
}

export function datums(points: readonly DataPoint[], service: MetricsCapability, resourceId: string, at: Date) {
  // Of several resources behind one storage, the lab has one in the place of all.
  const identity = service.identity(service.parts?.(resourceId)[0] ?? resourceId);
  const data: MetricDatum[] = [];
  for (const { role, value, of } of points) {
    const metric = service.table.find((one) => one.role === role);
    if (metric === undefined) continue;
    const apart = of !== null && (service.dimensions?.(metric.name) ?? []).includes(of.dimension);
    // Published once if the service has no such dimension.
    if (of !== null && !apart && data.some(({ MetricName }) => MetricName === metric.name)) continue;
    const dimensions = { ...identity, ...(apart ? { [of.dimension]: of.value } : {}) };
    data.push({
      MetricName: metric.name,
      Value: value,
      Unit: metric.unit as StandardUnit,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      Timestamp: at,
      StorageResolution: 1,
    });
  }
  return data;
}

/** Waits until the period is over: the next call of `publishOnce` then has one to publish. */
export async function endOfPeriod(): Promise<void> {
  const periodMs = METRICS_PERIOD.lab * 1000;
  await sleep(periodMs - (Date.now() % periodMs) + AFTER_PERIOD_MS);
}

export const emulatorCloudWatch = (environment: NodeJS.ProcessEnv): CloudWatchClient =>
  new CloudWatchClient({
    ...BOUNDED,
    endpoint: environment.AWS_ENDPOINT_URL,
    region: environment.AWS_REGION,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
    },
  });
