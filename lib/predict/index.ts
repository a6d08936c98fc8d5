/**
 * What AWS documents of the speed of a file system before it exists: its ceilings, which of them binds, for good and in a burst.
 * Offline and pure: the same request gives the same document.
 */
import { instanceType } from '../fleet/instanceTypes';
import type { LustreConfiguration } from '../storage/lustre/configuration';
import { kindOf } from '../storage/lustre/documented';
import {
  bindingOf,
  kneeOf,
  type Limit,
  type LimitOptions,
  limitsOf,
  type MetadataRates,
  metadataRates,
} from '../storage/lustre/limits';
import { checkLustre, type Finding } from '../storage/lustre/rules';
import { type Servers, serversOf } from '../storage/lustre/servers';
import { type CacheFit, cacheFit, mixLimits, readCacheMBps } from './mix';
import { type PredictRequest, problemsOf } from './request';

export type { CacheFit } from './mix';
export type { PredictRequest } from './request';

/** MB/s (10^6 bytes) for good, and while burst credits last. */
export interface Rate {
  readonly baseline: number;
  readonly burst: number;
}

/** `fsxbench.predict/1`. Rates are of all clients together. */
export interface Prediction {
  readonly schema: 'fsxbench.predict/1';
  readonly configuration: LustreConfiguration;
  readonly conditions: {
    readonly mode: 'write' | 'read' | 'mixed';
    readonly readShare: number;
    readonly ratio: number | null;
    readonly clients: { readonly count: number; readonly instanceType: string; readonly efa: boolean } | null;
    readonly workingSetGiB: number | null;
    readonly region: string | null;
  };
  readonly limits: readonly Limit[];
  /** Names of the limits that are lowest. */
  readonly binding: { readonly baseline: Limit['name']; readonly burst: Limit['name'] };
  readonly throughputMBps: Rate;
  /** How long the burst lasts: AWS documents it nowhere. */
  readonly burst: { readonly seconds: number | null; readonly reason: string };
  readonly perClient: {
    readonly limits: readonly Limit[];
    readonly ceilingMBps: Rate;
    /** The ceiling of the whole, shared evenly. */
    readonly shareMBps: Rate;
  } | null;
  /** Ratio from which on compression helps no more: network ÷ disk, both for good. `null` where no byte reaches a disk. */
  readonly knee: number | null;
  /** Why there is no knee; `null` where there is one. */
  readonly kneeReason: string | null;
  readonly cache: CacheFit;
  readonly servers: Servers;
  readonly metadataPerSecond: MetadataRates | null;
  /** Where the rates come from, or why there are none. */
  readonly metadataReason: string;
  /** What of this no published number covers; the limits then do not hold for it. */
  readonly undocumented: readonly string[];
  /** What is legal but unwise. */
  readonly warnings: readonly Finding[];
}

/** Digits that sums and products of documented numbers need; the rest is noise of binary fractions. */
const exact = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Predicts. @throws Error that lists, a line each, what is wrong with the request */
export function predict(request: PredictRequest): Prediction {
  const problems = problemsOf(request);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const { configuration, readShare = 0, ratio, clients, workingSetGiB, region } = request;
  const fit = cacheFit(configuration, request);
  const limits = limitsFor(request, fit, clients?.count);
  const binding = bindingOf(limits);
  const servers = serversOf(configuration);
  if (binding === null || servers === null) throw new Error('AWS documents no limits of this file system');
  const quotient = kneeOf(limits);
  const knee = quotient === null ? null : exact(quotient);
  const baseline = binding.baseline.baselineMBps;
  // The guide puts the burst of some Regions (530) below what it gives the 200 tier for good (750) there: no burst takes that away.
  const isBelow = binding.burst.burstMBps < baseline;
  const throughputMBps = { baseline, burst: isBelow ? baseline : binding.burst.burstMBps };
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
    binding: { baseline: binding.baseline.name, burst: isBelow ? binding.baseline.name : binding.burst.name },
    throughputMBps,
    burst: {
      seconds: null,
      reason:
        throughputMBps.burst > throughputMBps.baseline
          ? 'AWS publishes no size of the credits that a burst uses up; only a run shows how long it lasts'
          : 'there is no burst: the same ceiling holds for good',
    },
    perClient: clients === undefined ? null : perClient(request, fit, throughputMBps, clients.count),
    knee,
    kneeReason: knee === null ? 'no byte reaches a disk, which compression could spare' : null,
    cache: fit,
    servers,
    metadataPerSecond: metadataRates(configuration),
    metadataReason:
      configuration.metadata === undefined
        ? 'AWS publishes metadata rates only for file systems with a metadata configuration (guide/performance)'
        : 'operations for each provisioned metadata IOPS; none is published for stat (guide/performance)',
    undocumented: undocumented(request, fit),
    warnings: checkLustre(configuration).warnings,
  };
}

/**
 * What LZ4 should reach, from what was measured without compression: as much more as the data shrink, up to the network.
 *
 * @param noneMBps measured rate without compression
 * @param ratio of the data, as measured, not as a tool was asked for
 * @param networkMBps where the network stops it
 */
export function compressedFrom(noneMBps: number, ratio: number, networkMBps: number): number {
  return Math.max(noneMBps, Math.min(noneMBps * ratio, networkMBps));
}

function limitsFor(request: PredictRequest, fit: CacheFit, count: number | undefined): readonly Limit[] {
  const { configuration, readShare = 0, ratio, clients, region } = request;
  const type = clients === undefined ? null : instanceType(clients.instanceType);
  const options: LimitOptions = {
    ratio,
    region,
    ...(clients === undefined || type === null || count === undefined
      ? {}
      : {
          clients: {
            count,
            networkBaselineMbps: type.networkBaselineMbps,
            networkBurstMbps: type.networkBurstMbps,
            efa: clients.efa,
          },
        }),
  };
  const write = limitsOf(configuration, { ...options, mode: 'write' });
  const read = limitsOf(configuration, { ...options, mode: 'read' });
  return mixLimits(write, read, readShare, fit, readCacheMBps(configuration)).map((limit) => ({
    ...limit,
    baselineMBps: exact(limit.baselineMBps),
    burstMBps: exact(limit.burstMBps),
  }));
}

function perClient(request: PredictRequest, fit: CacheFit, whole: Rate, count: number): Prediction['perClient'] {
  const limits = limitsFor(request, fit, 1).filter(({ name }) => name.startsWith('client_'));
  const lowest = (key: 'baselineMBps' | 'burstMBps') => Math.min(...limits.map((limit) => limit[key]));
  return {
    limits,
    ceilingMBps: { baseline: lowest('baselineMBps'), burst: lowest('burstMBps') },
    shareMBps: { baseline: exact(whole.baseline / count), burst: exact(whole.burst / count) },
  };
}

function undocumented({ configuration, readShare = 0 }: PredictRequest, { hitShare }: CacheFit): string[] {
  const tiering = kindOf(configuration) === 'PERSISTENT_2_INTELLIGENT_TIERING';
  return tiering && readShare > 0 && hitShare < 1
    ? [
        'reads that miss the caches of Intelligent-Tiering: no throughput is published, each takes tens of milliseconds (guide/intelligent-tiering-file-systems)',
      ]
    : [];
}
