import { readFile, statfs } from 'node:fs/promises';
import { basename } from 'node:path';
import { mountsBelow } from '../../common/mounts';
import { runCommand } from '../command';
import { type LinkCounters, linkCounters, type ModelServers } from '../model/machine';
import { cpuSeconds, type OperationCounts, operationsReader } from '../model/operations';

/** Blocks of /sys/block/X/stat are always of 512 bytes (Linux, Documentation/block/stat). */
const SECTOR_BYTES = 512;

/** A local file system, and the servers behind it where it has some. */
export interface CountedStorage {
  readonly mountPoint: string;
  /** The space before and after compression is counted as well. */
  readonly compressed: boolean;
  /** Servers that count for themselves, as those of a scale model do. @default - the file system counts */
  readonly served?: ModelServers;
}

/** Counters of a block device since its creation. */
export interface DiskCounters {
  readonly readOperations: number;
  readonly readBytes: number;
  readonly writeOperations: number;
  readonly writeBytes: number;
}

/** Counters of a storage at one moment; `null` where nothing counts. */
export interface Counters {
  /** On the clock that only runs forward. */
  readonly atMs: number;
  readonly capacity: { readonly free: number; readonly total: number };
  readonly space: { readonly logicalBytes: number; readonly physicalBytes: number } | null;
  readonly disk: DiskCounters | null;
  /** Disk of the metadata server, where it has one of its own. */
  readonly metadataDisk: DiskCounters | null;
  readonly link: LinkCounters | null;
  /** Client operations, counted by the file system or its servers. */
  readonly operations: OperationCounts | null;
  /** Clients that are connected to the servers. */
  readonly connections: number | null;
  /** Seconds of a processor that the metadata server has used. */
  readonly metadataCpuSeconds: number | null;
}

/** A function that reads a storage's counters, as they have grown since it was first called or before. */
export function counterReader({ mountPoint, compressed, served }: CountedStorage): () => Promise<Counters> {
  const stored = served?.disk ?? mountPoint;
  const ask = served === undefined ? null : operationsReader(served);
  return async () => {
    const device = loopDevice(stored);
    const atMs = performance.now();
    // Counters that change by the second come first, so that they fall into their own period: servers may take seconds to answer.
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

/**
 * Counters of an XFS file system (Linux, Documentation/admin-guide/xfs: stats): directory entries, of files and directories together.
 * `null` for others, which count none.
 */
async function xfsOperations(device: string | null): Promise<OperationCounts | null> {
  const text = device && (await readFile(`/sys/fs/xfs/${device}/stats/stats`, 'utf8').catch(() => null));
  // dir: lookups, creations, removals, reads.
  const [, , created, removed] = /^dir (\d+) (\d+) (\d+)/m.exec(text || '') ?? [];
  return created === undefined ? null : { file_creates: Number(created), file_deletes: Number(removed) };
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
