import { keyOf, type Range } from '../../common/collections';
import { plain } from '../../common/format/units';
import type { ScaleModel } from '../../schema/model';
import { kneeOf } from '../../storage/common/limits';
import type { Limit } from '../../storage/slices/documented';
import { compresses, type RunArm } from '../arm';
import type { Comparison } from '../compare/comparisons';
import { isSameWork } from '../figures/operationKind';
import { spaceAt } from '../figures/space';
import type { SubjectFigures } from '../subject';
import type { MeasuredTask } from '../task';
import type { LimitResult } from './limitedBy';
import type { PredictedAgainstMeasured, PredictedRate } from './predicted';

/** The limits of a scale model, in place of the documented ones; a model has no bursts. @param clients that take part; each may have its own link */
export function modelLimits(
  { scale, held }: ScaleModel,
  mode: 'write' | 'read',
  ratio: number | null,
  clients: number,
): {
  name: 'client_nic' | 'server_network' | 'disk' | 'disk_compressed';
  baselineMBps: number;
  burstMBps: number;
  source: string;
}[] {
  const limit = <N extends string>(name: N, figure: 'client' | 'network' | 'disk', times: number, how: string) => {
    const found = held.find((each) => each.name === `${figure}_${mode}`);
    if (found === undefined) return [];
    const MBps = found.setMBps * times;
    return [{ name, baselineMBps: MBps, burstMBps: MBps, source: `${found.source}, ÷ ${scale}${how}` }];
  };
  return [
    ...limit('client_nic', 'client', clients, `, × ${clients}`),
    ...limit('server_network', 'network', 1, ''),
    ...limit('disk', 'disk', 1, ''),
    ...(ratio === null ? [] : limit('disk_compressed', 'disk', ratio, `, × ${plain(ratio)} by compression`)),
  ] satisfies Limit[];
}

interface KnownLimits {
  readonly limits: readonly Limit[];
  /** Measured compression ratio that they count with; `null` if it was not measured or does not apply. */
  readonly ratio: number | null;
  /** Why the limits are unknown; `null` if they are known. */
  readonly reason: string | null;
}

/** The documented limits of an arm, or those that its model holds, for some of its tasks. */
export function limitsOf(
  subject: SubjectFigures,
  arm: RunArm,
  tasks: readonly MeasuredTask[],
  mode: 'write' | 'read',
): KnownLimits {
  const none = (reason: string): KnownLimits => ({ limits: [], ratio: null, reason });
  const unknown = arm.elsewhere?.limits ?? null;
  if (unknown !== null) return none(unknown);
  if (arm.configuration === null) return none(arm.reason ?? 'it is not described');
  const ratio = ratioOf(subject, arm, tasks[0]?.compressibility ?? null);
  const model = arm.deployed?.model;
  const limits = model
    ? modelLimits(model, mode, ratio, maxClients(tasks))
    : documented(subject, arm, tasks, mode, ratio);
  return { limits, ratio, reason: null };
}

/** Clients that took part in one of the tasks. */
export const maxClients = (tasks: readonly MeasuredTask[]): number =>
  tasks.reduce((max, { clients }) => Math.max(max, clients), 0);

/** Returns the measured ratio; `null` for an arm that does not compress, or if it was not measured. */
function ratioOf({ space }: SubjectFigures, arm: RunArm, compressibility: number | null): number | null {
  if (!compresses(arm)) return null;
  return spaceAt(space, { arm: arm.name, compressibility })?.median ?? null;
}

function documented(
  { clients, manifest }: SubjectFigures,
  { storage, configuration }: RunArm,
  tasks: readonly MeasuredTask[],
  mode: 'write' | 'read',
  ratio: number | null,
): readonly Limit[] {
  const { networkBaselineMbps, networkBurstMbps } = clients;
  if (storage === null || configuration === null) return [];
  return storage.documented.limits(configuration, {
    mode,
    ratio: ratio ?? undefined,
    clients:
      networkBaselineMbps === null
        ? undefined
        : {
            count: maxClients(tasks),
            networkBaselineMbps,
            networkBurstMbps: networkBurstMbps ?? undefined,
            ...clients.toEbs,
          },
    region: manifest?.region || undefined,
  });
}

/** A ratio of two measured rates this near to the scaling model agrees with it: each is throttled and predicted within 5 % ({@link NEAR_PERCENT}). */
const NEAR = 0.1;

/** Speed-up by compression at one target, checked against the scaling model: equal to the compression ratio, up to the network limit. */
export interface ScalingVerdict
  extends Pick<LimitResult, 'arm' | 'operation' | 'kind' | 'compressibility' | 'limitedBy'> {
  /** The arm without compression. */
  readonly baseline: string;
  /** Compression ratio as measured. */
  readonly ratio: number | null;
  /** Times as fast as the baseline, by the scaling model. */
  readonly expected: number;
  /** The mean over pairs, with its interval. */
  readonly measured: number;
  readonly interval: Range<number> | null;
  /** True if the measured ratio differs significantly from 1; `null` for fewer than two pairs. */
  readonly different: boolean | null;
  /** True if the comparison found no meaningful difference. */
  readonly negligible?: boolean;
  /** `inconclusive`: the ratio is off, but its interval includes the expected one; or it is near, and may also be no gain at all. */
  readonly verdict: 'reproduced' | 'not reproduced' | 'inconclusive';
}

/** The ratio from which on more compression gained nothing, compared with network ÷ disk. */
interface MeasuredKnee {
  readonly arm: string;
  readonly operation: string;
  readonly expected: number;
  readonly measured: number;
  readonly errorPercent: number;
}

/** The scaling model of compression in a run on the scale model, the one kind of published statement that such a run can decide. */
export interface ScalingModel {
  readonly verdicts: readonly ScalingVerdict[];
  /** One for each operation that was measured past the knee. */
  readonly knees: readonly MeasuredKnee[];
}

/** Judges a run on a scale model: elsewhere other things than disk and network may set the pace. */
export function compressionScaling(
  limits: readonly LimitResult[],
  { rates }: PredictedAgainstMeasured,
  comparisons: readonly Comparison[],
): ScalingModel {
  const judged = rates.flatMap((rate) => {
    const { fromUncompressed: scalingModel } = rate;
    if (scalingModel === null || scalingModel.predictedMBps === null || !scalingModel.measuredMBps) return [];
    const found = comparisons.find((one) => one.metric === 'throughput' && isSameWork(one, rate));
    const measured = found?.estimate ?? null;
    if (found === undefined || measured === null) return [];
    return [
      { rate, verdict: verdictOf(rate, found, measured, scalingModel.predictedMBps / scalingModel.measuredMBps) },
    ];
  });
  return { verdicts: judged.map(({ verdict }) => verdict), knees: kneesOf(judged, limits) };
}

function verdictOf(
  { arm, operation, kind, compressibility, ratio, limitedBy }: PredictedRate,
  { baseline, interval, different, negligible }: Comparison,
  measured: number,
  expected: number,
): ScalingVerdict {
  const near = Math.abs(measured / expected - 1) <= NEAR;
  const excluded = interval !== null && (expected < interval.low || expected > interval.high);
  // Near 1, the scaling model expects no gain and no difference is needed; elsewhere the run must show a difference.
  const isDecided = Math.abs(expected - 1) <= NEAR || different === true;
  const verdict = near && isDecided ? 'reproduced' : !near && excluded ? 'not reproduced' : 'inconclusive';
  return {
    arm,
    baseline,
    operation,
    kind,
    compressibility,
    ratio,
    expected,
    measured,
    interval: interval && { low: interval.low, high: interval.high },
    different,
    negligible,
    limitedBy,
    verdict,
  };
}

/** Knees of the run: past a knee the network is the bottleneck, so the speed-up measured there is the ratio at which it lies. */
function kneesOf(
  judged: readonly { readonly rate: PredictedRate; readonly verdict: ScalingVerdict }[],
  limits: readonly LimitResult[],
): MeasuredKnee[] {
  const past = judged.filter(({ rate }) => rate.binding?.baseline === 'server_network');
  const groups = Map.groupBy(past, ({ verdict: { arm, operation } }) => keyOf(arm, operation));
  return [...groups.values()].flatMap((group): MeasuredKnee[] => {
    const furthest = group.reduce((far, one) => ((one.verdict.ratio ?? 0) > (far.verdict.ratio ?? 0) ? one : far));
    const { arm, operation, measured } = furthest.verdict;
    const own = limits.find((one) => isSameWork(one, furthest.verdict));
    const expected = kneeOf(own?.limits ?? []);
    return expected === null
      ? []
      : [{ arm, operation, expected, measured, errorPercent: (measured / expected - 1) * 100 }];
  });
}
