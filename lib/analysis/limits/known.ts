import { keyOf } from '../../common/collections';
import { plain } from '../../common/format/units';
import type { ScaleModel } from '../../schema/model';
import { kneeOf, type Limit } from '../../storage/common/limits';
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
): Limit[] {
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
  ];
}

/** The documented limits of an arm, or those that its model holds, for some of its tasks, with the measured ratio that they count with. */
export function limitsOf(subject: SubjectFigures, arm: RunArm, tasks: readonly MeasuredTask[], mode: 'write' | 'read') {
  const none = (reason: string) => ({ limits: [], ratio: null, reason });
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

export const maxClients = (tasks: readonly MeasuredTask[]): number =>
  tasks.reduce((max, { clients }) => Math.max(max, clients), 0);

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
export type ScalingVerdict = ReturnType<typeof verdictOf>;

/** The scaling model of compression in a run on the scale model, the one kind of published statement that such a run can decide. */
export type ScalingModel = ReturnType<typeof compressionScaling>;

/** Judges a run on a scale model: elsewhere other things than disk and network may set the pace. */
export function compressionScaling(
  limits: readonly LimitResult[],
  { rates }: PredictedAgainstMeasured,
  comparisons: readonly Comparison[],
) {
  const judged = rates.flatMap((rate) => {
    const { predictedMBps = null, measuredMBps = null } = rate.fromUncompressed ?? {};
    const found = comparisons.find((one) => one.metric === 'throughput' && isSameWork(one, rate));
    const measured = found?.estimate ?? null;
    if (predictedMBps === null || !measuredMBps || found === undefined || measured === null) return [];
    return { rate, verdict: verdictOf(rate, found, measured, predictedMBps / measuredMBps) };
  });
  return { verdicts: judged.map(({ verdict }) => verdict), knees: kneesOf(judged, limits) };
}

function verdictOf(
  { arm, operation, kind, compressibility, ratio, limitedBy }: PredictedRate,
  { baseline, interval, different, negligible }: Comparison,
  measured: number,
  expected: number,
) {
  const near = Math.abs(measured / expected - 1) <= NEAR;
  const excluded = interval !== null && (expected < interval.low || expected > interval.high);
  // Near 1, the scaling model expects no gain and no difference is needed; elsewhere the run must show a difference.
  const isDecided = Math.abs(expected - 1) <= NEAR || different === true;
  const wrong = !near && excluded ? ('not reproduced' as const) : ('inconclusive' as const);
  const verdict = near && isDecided ? ('reproduced' as const) : wrong;
  return {
    arm,
    baseline,
    operation,
    kind,
    compressibility,
    ratio,
    /** Times as fast as the baseline, by the scaling model, and as measured: the mean over pairs, with its interval. */
    expected,
    measured,
    interval: interval && { low: interval.low, high: interval.high },
    different,
    negligible,
    limitedBy,
    /** `inconclusive`: the ratio is off, but its interval includes the expected one; or it is near, and may also be no gain at all. */
    verdict,
  };
}

/** Knees of the run: past a knee the network is the bottleneck, so the speed-up measured there is the ratio at which it lies. */
function kneesOf(
  judged: readonly { readonly rate: PredictedRate; readonly verdict: ScalingVerdict }[],
  limits: readonly LimitResult[],
) {
  const past = judged.filter(({ rate }) => rate.binding?.baseline === 'server_network');
  const groups = Map.groupBy(past, ({ verdict: { arm, operation } }) => keyOf(arm, operation));
  return [...groups.values()].flatMap((group) => {
    const furthest = group.reduce((far, one) => ((one.verdict.ratio ?? 0) > (far.verdict.ratio ?? 0) ? one : far));
    const { arm, operation, measured } = furthest.verdict;
    const expected = kneeOf(limits.find((one) => isSameWork(one, furthest.verdict))?.limits ?? []);
    if (expected === null) return [];
    return { arm, operation, expected, measured, errorPercent: (measured / expected - 1) * 100 };
  });
}
