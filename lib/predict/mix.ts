import type { LustreConfiguration } from '../storage/lustre/configuration';
import { kindOf } from '../storage/lustre/documented';
import { type Limit, readCacheGiB, serverMemoryGiB } from '../storage/lustre/limits';
import { READ_CACHE_MBPS } from '../storage/lustre/performance';

/** How much of what is read comes out of caches of the file servers. */
export interface CacheFit {
  /** Memory of the file servers in which data is cached, GiB; `null` where the configuration has none documented. */
  readonly memoryGiB: number | null;
  /** SSD read cache, GiB; 0 where there is none. */
  readonly readCacheGiB: number;
  /** Of the bytes read, 0 to 1. */
  readonly hitShare: number;
  /** What answers the hits; `null` where nothing does. */
  readonly hitsFrom: 'memory' | 'read cache' | null;
}

/**
 * Whether what is read again and again fits into a cache. It is compared as it is before compression, as servers keep it in memory
 * (guide/data-compression). Reading in turn through more than a cache holds finds nothing in it, so a part that would fit counts
 * for nothing; a share that is known is given instead.
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
 * The limits of reads and writes together, from those of writes and those of reads. The network is one for both directions, as its
 * metric counts it (guide/fs-metrics). The disks share their time between writes and reads that miss; reads from memory pass them
 * by (guide/performance). A disk that no byte has to reach is no limit.
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
  // A cache makes nothing slower than the disks behind it.
  return Math.min(missed, Math.max(cacheMBps, read) / (share * hitShare));
}

function sourceOf(write: Limit, read: Limit, share: number, { hitShare, hitsFrom }: CacheFit): string {
  const base = share === 0 ? write.source : share === 1 ? read.source : mixed(write, read);
  if (share === 0 || hitsFrom === null) return base;
  const hits = `${percent(hitShare)} of the reads from ${hitsFrom === 'memory' ? 'memory, which pass the disks by' : 'the read cache'}`;
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

/** What the SSD read cache delivers in MB/s; `null` where there is none. */
export function readCacheMBps(configuration: LustreConfiguration): number | null {
  const size = readCacheGiB(configuration);
  if (size === 0) return null;
  // Of Intelligent-Tiering the throughput capacity is what its cache delivers (guide/intelligent-tiering-file-systems).
  return kindOf(configuration) === 'PERSISTENT_2_INTELLIGENT_TIERING'
    ? (configuration.throughputCapacity ?? 0)
    : (size / 1000) * READ_CACHE_MBPS;
}
