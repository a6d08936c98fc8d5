import type { Limit } from '../storage/common/limits';
import type { ServerCaches } from '../storage/performance';

/** The share of reads served by the file servers' caches. */
export interface CacheFit {
  /** File server memory for caching data, GiB; `null` if none is documented for the configuration. */
  readonly memoryGiB: number | null;
  /** SSD read cache, GiB; 0 without one. */
  readonly readCacheGiB: number;
  /** Share of the bytes read, 0 to 1. */
  readonly hitShare: number;
  /** The cache that serves the hits; `null` without hits. */
  readonly hitsFrom: 'memory' | 'read cache' | null;
}

/**
 * Decides whether the working set fits into a cache. Its uncompressed size counts, and no cache is faster for compression:
 * servers compress between their memory and the disks, and memory and network carry uncompressed data
 * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/data-compression.html). AWS does not document on which side the SSD read cache is;
 * its lower, documented rate counts. Cycling through more data than a cache holds gets no hits, so a partial fit counts
 * as none; a known hit share overrides this.
 */
export function cacheFit(
  { memoryGiB, readCacheGiB }: ServerCaches,
  {
    workingSetGiB,
    hitShare,
    fromMemory = false,
  }: { readonly workingSetGiB?: number; readonly hitShare?: number; readonly fromMemory?: boolean },
): CacheFit {
  const sizes = { memoryGiB, readCacheGiB };
  if (hitShare !== undefined && hitShare > 0)
    return { ...sizes, hitShare, hitsFrom: readCacheGiB > 0 && !fromMemory ? 'read cache' : 'memory' };
  if (workingSetGiB !== undefined) {
    if (workingSetGiB <= (memoryGiB ?? 0)) return { ...sizes, hitShare: 1, hitsFrom: 'memory' };
    if (workingSetGiB <= readCacheGiB) return { ...sizes, hitShare: 1, hitsFrom: 'read cache' };
  }
  return { ...sizes, hitShare: 0, hitsFrom: null };
}

/**
 * Combines limits of writes and reads into those of a mix, which share the time: a share of one direction's limit leaves the rest for the other.
 * Reads from memory do not use the disks; a disk without bytes is not a limit.
 */
export function mixLimits(
  write: readonly Limit[],
  read: readonly Limit[],
  readShare: number,
  fit: CacheFit,
  caches: ServerCaches,
): readonly Limit[] {
  return write.flatMap((limit): Limit[] => {
    const other = read.find(({ name }) => name === limit.name) ?? limit;
    const isDisk = limit.name === 'disk' || limit.name === 'disk_compressed';
    if (!isDisk && limit.baselineMBps === other.baselineMBps && limit.burstMBps === other.burstMBps) return [limit];
    const rate = (key: 'baselineMBps' | 'burstMBps') =>
      isDisk
        ? diskRate(limit[key], other[key], readShare, fit, caches.readCacheMBps ?? 0)
        : sharedRate(limit[key], other[key], readShare);
    const [baselineMBps, burstMBps] = [rate('baselineMBps'), rate('burstMBps')];
    const base = sourceOf(limit, other, readShare);
    const source = isDisk && readShare > 0 && fit.hitsFrom !== null ? `${base}; ${hits(fit, caches)}` : base;
    return Number.isFinite(baselineMBps) ? [{ ...limit, baselineMBps, burstMBps, source }] : [];
  });
}

/** Writes take their part of the time, and the reads that come so far theirs. */
const sharedRate = (write: number, read: number, share: number, missed = 1): number =>
  1 / ((1 - share) / write + (share * missed) / read);

function diskRate(write: number, read: number, share: number, fit: CacheFit, cacheMBps: number): number {
  const { hitShare, hitsFrom } = fit;
  const missed = sharedRate(write, read, share, 1 - hitShare);
  if (hitsFrom !== 'read cache' || share * hitShare === 0) return missed;
  // A cache is never slower than the disks behind it.
  return Math.min(missed, Math.max(cacheMBps, read) / (share * hitShare));
}

const hits = ({ hitShare, hitsFrom }: CacheFit, { source }: ServerCaches): string =>
  `${percent(hitShare)} of the reads from ${hitsFrom === 'memory' ? 'memory, bypassing the disks' : 'the read cache'} (${source})`;

function sourceOf({ source: write }: Limit, { source: read }: Limit, share: number): string {
  if (write === read || share === 0) return write;
  return share === 1 ? read : `time shared between writes (${write}) and reads (${read})`;
}

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
