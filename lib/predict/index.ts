/**
 * Documented performance of a file system before it exists: its ceilings and the binding one, baseline and burst.
 * Offline and pure: the same request gives the same document.
 */
import { instanceType } from '../fleet/instanceTypes';
import { bindingOf, kneeOf } from '../storage/kit/binding';
import type { LustreConfiguration } from '../storage/lustre/configuration';
import { kindOf } from '../storage/lustre/documented';
import { limitsOf, type MetadataRates, metadataRates } from '../storage/lustre/limits';
import { checkLustre } from '../storage/lustre/rules';
import { type Servers, serversOf } from '../storage/lustre/servers';
import type { Breach, Limit, LimitOptions } from '../storage/storage';
import { type CacheFit, cacheFit, mixLimits, readCacheMBps } from './mix';
import { type PredictRequest, problemsOf } from './request';

export type { CacheFit } from './mix';
export type { PredictRequest } from './request';

/** MB/s (10^6 bytes), baseline and while burst credits last. */
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
  /** Names of the lowest limits. */
  readonly binding: { readonly baseline: Limit['name']; readonly burst: Limit['name'] };
  readonly throughputMBps: Rate;
  /** Burst duration, which AWS does not document. */
  readonly burst: { readonly seconds: number | null; readonly reason: string };
  readonly perClient: {
    readonly limits: readonly Limit[];
    readonly ceilingMBps: Rate;
    /** The overall ceiling, shared evenly. */
    readonly shareMBps: Rate;
  } | null;
  /** The ratio beyond which compression brings no more throughput: baseline network ÷ baseline disk. `null` if no byte reaches a disk. */
  readonly knee: number | null;
  /** Why there is no knee; `null` if there is one. */
  readonly kneeReason: string | null;
  readonly cache: CacheFit;
  readonly servers: Servers;
  readonly metadataPerSecond: MetadataRates | null;
  /** Source of the rates, or why there are none. */
  readonly metadataReason: string;
  /** Aspects that no published figure covers; the limits do not apply to them. */
  readonly undocumented: readonly string[];
  /** Legal but unwise choices. */
  readonly warnings: readonly Breach[];
}

/** Significant digits of sums and products of documented numbers; the rest is floating-point noise. */
const exact = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Predicts throughput and metadata rates. @throws Error with one line per problem of the request */
export function predict(request: PredictRequest): Prediction {
  const problems = problemsOf(request);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const { configuration, readShare = 0, ratio, clients, workingSetGiB, region } = request;
  const fit = cacheFit(configuration, request);
  const limits = limitsFor(request, fit, clients?.count);
  const binding = bindingOf(limits);
  const servers = serversOf(configuration);
  if (binding === null || servers === null) throw new Error('AWS documents no limits for this file system');
  const quotient = kneeOf(limits);
  const knee = quotient === null ? null : exact(quotient);
  const baseline = binding.baseline.baselineMBps;
  // For some Regions the guide's burst (530) is below its baseline of the 200 tier (750): a burst never reduces the baseline.
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
          ? 'AWS does not publish the size of the burst credit balance; only a run shows how long a burst lasts'
          : 'there is no burst: the ceiling is sustained',
    },
    perClient: clients === undefined ? null : perClient(request, fit, throughputMBps, clients.count),
    knee,
    kneeReason: knee === null ? 'no byte reaches a disk, so compression saves no disk throughput' : null,
    cache: fit,
    servers,
    metadataPerSecond: metadataRates(configuration),
    metadataReason:
      configuration.metadata === undefined
        ? 'AWS publishes metadata rates only for file systems with a metadata configuration (guide/performance)'
        : 'operations per provisioned metadata IOPS; none is published for stat (guide/performance)',
    undocumented: undocumented(request, fit),
    warnings: checkLustre(configuration).warnings,
  };
}

/**
 * The expected rate with LZ4, from a rate measured without compression: multiplied by the ratio, up to the network limit.
 *
 * @param noneMBps measured rate without compression
 * @param ratio of the data, as measured, not as requested from a tool
 * @param networkMBps the network limit
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
        'reads that miss the caches of Intelligent-Tiering: AWS publishes no throughput, and each read takes tens of milliseconds (guide/intelligent-tiering-file-systems)',
      ]
    : [];
}
