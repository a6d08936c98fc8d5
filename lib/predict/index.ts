import type { Warning } from '../common/violation';
import { instanceType } from '../fleet/instanceTypes';
import type { StorageConfiguration } from '../schema/deployment';
import { bindingOf, effective, kneeOf, type Limit, type LimitOptions } from '../storage/common/limits';
import { metadataRatesOf, storageOf } from '../storage/lookup';
import type { ExpectedRange, ExpectedRate, FieldCapability, S3Transfers, ServerCaches } from '../storage/performance';
import type { Storage } from '../storage/storage';
import { checkedRequest, MIB, type PredictRequest } from './request';

/** The part of a prediction that comes from published measurements, not from documented limits. */
interface RunForecast {
  /** Rate that the run sees, from what others measured; `null` unless the request describes the run. */
  readonly run: { readonly MBps: ExpectedRate; readonly requestMs: number | null } | null;
  /** Metadata rates that the processes of the run see; `null` unless they are known. */
  readonly runMetadataPerSecond: Readonly<Record<string, ExpectedRate>> | null;
  /** Rates and times between S3 and the file system; `null` unless files and their size are known and data come from S3. */
  readonly s3: S3Transfers | null;
}

/** The part of a prediction that published measurements give for the run of a request. */
function runOf(
  field: FieldCapability | undefined,
  configuration: StorageConfiguration,
  limits: readonly Limit[],
  { streams, clients, seconds, servedFrom, files, fileBytes, readShare = 0 }: PredictRequest,
): RunForecast {
  const isDescribed = streams !== undefined || seconds !== undefined || servedFrom !== undefined;
  if (field === undefined || !isDescribed) return { run: null, runMetadataPerSecond: null, s3: null };
  const { count = 1, instanceType: type } = clients ?? {};
  const streamCount = streams === undefined ? undefined : streams.processes * count;
  const vcpus = type === undefined ? undefined : instanceType(type)?.vcpus;
  const { transferBytes = MIB } = streams ?? {};
  const from = servedFrom === 's3' ? undefined : servedFrom;
  return {
    run: {
      MBps: field.throughput(configuration, limits, {
        ...{ readShare, servedFrom: from, seconds, processes: streams?.processes, files, fileBytes },
      }),
      requestMs: streams === undefined ? null : field.requestMs(transferBytes),
    },
    runMetadataPerSecond:
      streamCount === undefined
        ? null
        : field.metadata(configuration, {
            ranks: streamCount,
            vcpus: vcpus === undefined ? undefined : vcpus * count,
            operations: files,
            fileBytes,
          }),
    s3:
      servedFrom !== 's3' || files === undefined || fileBytes === undefined
        ? null
        : field.s3(configuration, { clients: count, files, fileBytes, readShare, streamCount: streamCount ?? count }),
  };
}

/** Seconds until data of files in S3 are there: import of metadata, then `lfs hsm_restore` of all files; `null` for a storage without published measurements. */
export function hydrationSeconds(
  configuration: StorageConfiguration,
  { files, fileBytes, clients = 1 }: { readonly files: number; readonly fileBytes: number; readonly clients?: number },
): ExpectedRange | null {
  const field = storageOf(configuration).documented.performance?.field;
  if (field === undefined) return null;
  const transfers = field.s3(configuration, { clients, files, fileBytes, streamCount: clients, readShare: 0 });
  const [imported, restored] = [transfers.import.seconds, transfers.restore.seconds];
  const both = (end: keyof ExpectedRange): number => imported[end] + restored[end];
  return { low: both('low'), expected: both('expected'), high: both('high') };
}

/** Documented performance of a file system before it exists: ceilings and the binding one, baseline and burst. Offline and deterministic. */

export type { PredictRequest } from './request';

/** MB/s (10^6 bytes), baseline and while burst credits last. */
export interface Rate {
  readonly baseline: number;
  readonly burst: number;
}

/** `fsxbench.predict/1`. Rates are of all clients together. */
export interface Prediction<C extends StorageConfiguration = StorageConfiguration> extends RunForecast {
  readonly schema: 'fsxbench.predict/1';
  readonly configuration: C;
  readonly conditions: {
    readonly mode: 'write' | 'read' | 'mixed';
    readonly readShare: number;
    readonly ratio: number | null;
    readonly clients: { readonly count: number; readonly instanceType: string; readonly efa: boolean } | null;
    readonly workingSetGiB: number | null;
    readonly region: string | null;
  };
  readonly limits: readonly Limit[];
  readonly binding: { readonly baseline: Limit['name']; readonly burst: Limit['name'] };
  readonly throughputMBps: Rate;
  /** Burst duration, which nobody documents. */
  readonly burst: { readonly seconds: number | null; readonly reason: string };
  readonly perClient: {
    readonly limits: readonly Limit[];
    readonly ceilingMBps: Rate;
    /** The overall ceiling, shared evenly. */
    readonly shareMBps: Rate;
  } | null;
  /** The ratio beyond which compression brings no more throughput: baseline network ÷ baseline disk. `null` with a `kneeReason`. */
  readonly knee: number | null;
  /** Why there is no knee; `null` if there is one. */
  readonly kneeReason: string | null;
  readonly cache: CacheFit;
  /** Servers and targets by kind. `null` with a `serversReason` where their number is not published. */
  readonly servers: Readonly<Record<string, number | null>> | null;
  readonly serversReason?: string;
  readonly metadataPerSecond: Readonly<Record<string, number>> | null;
  /** Source of the rates, or why they are missing. */
  readonly metadataReason: string;
  /** Aspects that no published figure covers; the limits do not apply to them. */
  readonly undocumented: readonly string[];
  /** Legal but unwise choices. */
  readonly warnings: readonly Warning[];
}

const CLIENT_NIC = 'client_nic';

/** Significant digits of sums and products of documented numbers; the rest is floating-point noise. */
const exact = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The part of a prediction that is a rate, and its reasons. */
export type Throughput = Pick<Prediction, 'limits' | 'binding' | 'throughputMBps' | 'cache' | 'undocumented'>;

type Mix = Pick<PredictRequest, 'readShare' | 'workingSetGiB'>;
/** Throughput of one file system for several mixes, in their order: what a search among thousands needs. @param request one that was checked */
export function throughputAt(mixes: readonly Mix[], request: PredictRequest): Throughput[] {
  const limits = limitsOf(request);
  return mixes.map(({ readShare, workingSetGiB }) => throughputOf({ ...request, readShare, workingSetGiB }, limits));
}

/** @param request one that was checked */
function throughputOf(request: PredictRequest, { write, read }: ByDirection): Throughput {
  const { configuration, readShare = 0 } = request;
  const storage = storageOf(configuration);
  const caches = cachesOf(storage, configuration);
  const cache = cacheFit(caches, request);
  const limits = rounded(mixLimits(write, read, readShare, cache, caches));
  const binding = bindingOf(limits);
  if (binding === null)
    throw new Error(`nobody documents limits for this file system: ${storage.configuration.describe(configuration)}`);
  const { undocumented } = storage.documented.performance ?? {};
  return {
    limits,
    binding: { baseline: binding.baseline.name, burst: binding.burst.name },
    throughputMBps: { baseline: binding.baseline.baselineMBps, burst: binding.burst.burstMBps },
    cache,
    undocumented: undocumented?.(configuration, { readShare, hitShare: cache.hitShare }) ?? [],
  };
}

/** Predicts throughput and metadata rates. @throws Error with one line per problem of the request */
export function predict(asked: PredictRequest): Prediction {
  const { configuration, warnings } = checkedRequest(asked);
  const request = { ...asked, configuration };
  const { readShare = 0, ratio, clients, workingSetGiB, region } = asked;
  const storage = storageOf(configuration);
  const { performance } = storage.documented;
  const ways = limitsOf(request);
  const { limits, binding, throughputMBps, cache, undocumented } = throughputOf(request, ways);
  const described = runOf(performance?.field, configuration, limits, request);
  const servers = performance?.servers?.(configuration) ?? null;
  const kneeRatio = storage.configuration.compression === undefined ? null : kneeOf(limits);
  const knee = kneeRatio === null ? null : exact(kneeRatio);
  return {
    schema: 'fsxbench.predict/1',
    configuration,
    conditions: {
      mode: readShare === 0 ? 'write' : readShare === 1 ? 'read' : 'mixed',
      readShare,
      ratio: ratio ?? null,
      clients: clients === undefined ? null : { efa: false, ...clients },
      workingSetGiB: workingSetGiB ?? null,
      region: region ?? null,
    },
    limits,
    binding,
    throughputMBps,
    burst: {
      seconds: null,
      reason: burstReason(
        effective(limits).filter(({ baselineMBps }) => baselineMBps < throughputMBps.burst),
        performance?.burstReason?.(configuration),
      ),
    },
    perClient:
      clients === undefined
        ? null
        : perClient(throughputOf(request, limitsOf(request, 1)).limits, throughputMBps, clients.count),
    knee,
    kneeReason: knee === null ? noKnee(storage, ways) : null,
    cache,
    servers,
    serversReason: servers === null ? `the servers of ${storage.label} are not published` : undefined,
    ...described,
    metadataPerSecond: metadataRatesOf(configuration),
    metadataReason:
      performance?.metadataReason?.(configuration) ?? `no metadata rates are published for ${storage.label}`,
    undocumented,
    warnings,
  };
}

/** Why the duration of a burst is unknown. @param bursting limits that the burst exceeds @param ofStorage the storage's reason */
function burstReason(
  bursting: readonly Limit[],
  ofStorage = 'nobody publishes how long a burst lasts; only a run shows it',
): string {
  const reasons = [
    ...(bursting.some(({ name }) => name !== CLIENT_NIC) ? [ofStorage] : []),
    ...(bursting.some(({ name }) => name === CLIENT_NIC)
      ? ['EC2 does not publish how long the network cards of the clients burst']
      : []),
  ];
  return reasons.length === 0 ? 'there is no burst: the ceiling is sustained' : reasons.join('; ');
}

function noKnee({ label, configuration: { compression } }: Storage, { write }: ByDirection): string {
  if (compression === undefined) return `${label} does not compress`;
  return kneeOf(write) === null
    ? `that needs documented limits of both network and disks, which ${label} does not have`
    : 'no byte reaches a disk, so compression saves no disk throughput';
}

/** The caches of the servers; by default, the memory in which they cache. */
function cachesOf(
  { documented: { performance, serverMemoryBytes } }: Storage,
  configuration: StorageConfiguration,
): ServerCaches {
  const bytes = serverMemoryBytes?.(configuration) ?? null;
  return (
    performance?.caches?.(configuration) ?? {
      memoryGiB: bytes === null ? null : bytes / 2 ** 30,
      readCacheGiB: 0,
      readCacheMBps: null,
      source: 'memory of the servers',
    }
  );
}

/**
 * The expected rate with LZ4: the measured rate without compression × ratio, up to the network limit.
 *
 * @param ratio of the data, as measured, not as requested from a tool
 */
export const compressedFrom = (noneMBps: number, ratio: number, networkMBps: number): number =>
  Math.max(noneMBps, Math.min(noneMBps * ratio, networkMBps));

interface ByDirection {
  readonly write: readonly Limit[];
  readonly read: readonly Limit[];
}

/** @param count the clients, if any are known */
function limitsOf(request: PredictRequest, count = request.clients?.count): ByDirection {
  const { configuration, ratio, clients, region, streams } = request;
  const { limits, performance } = storageOf(configuration).documented;
  const type = clients === undefined ? null : instanceType(clients.instanceType);
  const cards = clients?.efa === true ? type?.efaMbps : undefined;
  const options: LimitOptions = {
    ratio,
    region,
    ...(clients === undefined || type === null || count === undefined
      ? {}
      : {
          clients: {
            count,
            networkBaselineMbps: cards ?? type.networkBaselineMbps,
            networkBurstMbps: cards ?? type.networkBurstMbps,
            ebsBaselineMBps: type.ebsBaselineMBps,
            ebsBurstMBps: type.ebsBurstMBps,
            efa: clients.efa,
          },
        }),
  };
  const inFlight =
    streams === undefined || performance?.field === undefined
      ? []
      : [performance.field.streams({ inFlight: 1, transferBytes: MIB, ...streams, clients: count ?? 1 })];
  const of = (mode: 'write' | 'read') => [...limits(configuration, { ...options, mode }), ...inFlight];
  return { write: of('write'), read: of('read') };
}

const rounded = (limits: readonly Limit[]): readonly Limit[] =>
  limits.map((limit) => ({ ...limit, baselineMBps: exact(limit.baselineMBps), burstMBps: exact(limit.burstMBps) }));

/** @param ofOne the limits of a single client and the file system */
function perClient(ofOne: readonly Limit[], whole: Rate, count: number): Prediction['perClient'] {
  const limits = ofOne.filter(({ name }) => name.startsWith('client_'));
  const lowest = (key: 'baselineMBps' | 'burstMBps', max: number) =>
    Math.min(max, ...limits.map((limit) => limit[key]));
  return {
    limits,
    ceilingMBps: { baseline: lowest('baselineMBps', whole.baseline), burst: lowest('burstMBps', whole.burst) },
    shareMBps: { baseline: exact(whole.baseline / count), burst: exact(whole.burst / count) },
  };
}

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
 * its lower, documented rate counts. Cycling through more data than a cache holds gets no hits, so a partial fit counts as none.
 */
export function cacheFit(
  { memoryGiB, readCacheGiB }: ServerCaches,
  { workingSetGiB = Number.POSITIVE_INFINITY, servedFrom }: Pick<PredictRequest, 'workingSetGiB' | 'servedFrom'>,
): CacheFit {
  const sizes = { memoryGiB, readCacheGiB };
  if (servedFrom === 'memory' || workingSetGiB <= (memoryGiB ?? 0))
    return { ...sizes, hitShare: 1, hitsFrom: 'memory' };
  if (workingSetGiB <= readCacheGiB) return { ...sizes, hitShare: 1, hitsFrom: 'read cache' };
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
  `${hitShare * 100} % of the reads from ${hitsFrom === 'memory' ? 'memory, bypassing the disks' : 'the read cache'} (${source})`;

function sourceOf({ source: write }: Limit, { source: read }: Limit, share: number): string {
  if (write === read || share === 0) return write;
  return share === 1 ? read : `time shared between writes (${write}) and reads (${read})`;
}
