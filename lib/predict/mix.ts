import type { LustreConfiguration } from '../storage/lustre/configuration';
import { kindOf } from '../storage/lustre/documented';
import { readCacheGiB, serverMemoryGiB } from '../storage/lustre/limits';
import { READ_CACHE_MBPS } from '../storage/lustre/performance';
import type { Limit } from '../storage/storage';

/** The share of reads served by the file servers' caches. */
export interface CacheFit {
  /** File server memory for caching data, GiB; `null` if none is documented for the configuration. */
  readonly memoryGiB: number | null;
  /** SSD read cache, GiB; 0 if there is none. */
  readonly readCacheGiB: number;
  /** Share of the bytes read, 0 to 1. */
  readonly hitShare: number;
  /** The cache that serves the hits; `null` if there are none. */
  readonly hitsFrom: 'memory' | 'read cache' | null;
}

/**
 * Decides whether the working set fits into a cache. Its uncompressed size counts, since servers cache uncompressed data
 * (guide/data-compression). Cycling through more data than a cache holds gets no hits, so a partial fit counts as none;
 * a known hit share overrides this.
 */
export function cacheFit(
  configuration: LustreConfiguration,
  { workingSetGiB, hitShare }: { readonly workingSetGiB?: number; readonly hitShare?: number },
): CacheFit {
  const sizes = { memoryGiB: serverMemoryGiB(configuration), readCacheGiB: readCacheGiB(configuration) };
  if (hitShare !== undefined && hitShare > 0)
    return { ...sizes, hitShare, hitsFrom: sizes.readCacheGiB > 0 ? 'read cache' : 'memory' };
  if (workingSetGiB !== undefined) {
    if (workingSetGiB <= (sizes.memoryGiB ?? 0)) return { ...sizes, hitShare: 1, hitsFrom: 'memory' };
    if (workingSetGiB <= sizes.readCacheGiB) return { ...sizes, hitShare: 1, hitsFrom: 'read cache' };
  }
  return { ...sizes, hitShare: 0, hitsFrom: null };
}

/**
 * Combines the limits of writes and of reads into those of a mix. Both directions share the network, as its metric counts them
 * (guide/fs-metrics). The disks share their time between writes and cache-missing reads; reads from memory do not touch them
 * (guide/performance). A disk that no byte reaches is not a limit.
 */
export function mixLimits(
  write: readonly Limit[],
  read: readonly Limit[],
  readShare: number,
  fit: CacheFit,
  cacheMBps: number | null,
): readonly Limit[] {
  return write.flatMap((limit, index): Limit[] => {
    const other = read[index] ?? limit;
    if (limit.name !== 'disk' && limit.name !== 'disk_compressed') return [limit];
    const plain = write.find(({ name }) => name === 'disk') ?? limit;
    const times = limit.baselineMBps / plain.baselineMBps;
    const rate = (key: 'baselineMBps' | 'burstMBps') =>
      diskRate(limit[key], other[key], readShare, fit, (cacheMBps ?? 0) * times);
    const [baselineMBps, burstMBps] = [rate('baselineMBps'), rate('burstMBps')];
    return Number.isFinite(baselineMBps)
      ? [{ ...limit, baselineMBps, burstMBps, source: sourceOf(limit, other, readShare, fit) }]
      : [];
  });
}

function diskRate(write: number, read: number, share: number, fit: CacheFit, cacheMBps: number): number {
  const { hitShare, hitsFrom } = fit;
  const missed = 1 / ((1 - share) / write + (share * (1 - hitShare)) / read);
  if (hitsFrom !== 'read cache' || share * hitShare === 0) return missed;
  // A cache is never slower than the disks behind it.
  return Math.min(missed, Math.max(cacheMBps, read) / (share * hitShare));
}

function sourceOf(write: Limit, read: Limit, share: number, { hitShare, hitsFrom }: CacheFit): string {
  const base = share === 0 ? write.source : share === 1 ? read.source : mixed(write, read);
  if (share === 0 || hitsFrom === null) return base;
  const hits = `${percent(hitShare)} of the reads from ${hitsFrom === 'memory' ? 'memory, bypassing the disks' : 'the read cache'}`;
  return `${base}; ${hits} (guide/performance)`;
}

function mixed(write: Limit, read: Limit): string {
  return write.source === read.source
    ? write.source
    : `time shared between writes (${write.source}) and reads (${read.source})`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** Throughput of the SSD read cache in MB/s; `null` if there is none. */
export function readCacheMBps(configuration: LustreConfiguration): number | null {
  const size = readCacheGiB(configuration);
  if (size === 0) return null;
  // The cache of Intelligent-Tiering delivers its throughput capacity (guide/intelligent-tiering-file-systems).
  return kindOf(configuration) === 'PERSISTENT_2_INTELLIGENT_TIERING'
    ? (configuration.throughputCapacity ?? 0)
    : (size / 1000) * READ_CACHE_MBPS;
}
