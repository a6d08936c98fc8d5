import { isDeepStrictEqual } from 'node:util';
import { isRegion } from '../../common/aws/regions';
import { violationMessage } from '../../common/violation';
import { compressedFrom, type Prediction, predict, type Rate } from '../../predict';
import { checkRequest } from '../../predict/request';
import type { StorageConfiguration } from '../../schema/deployment';
import type { ScaleModel } from '../../schema/model';
import { armNamed } from '../../schema/plan';
import { bindingOf, type Limit } from '../../storage/common/limits';
import { codecOf } from '../../storage/lookup';
import { workloadOrNone } from '../../workload/lookup';
import { compresses, ofArm, type RunArm } from '../arm';
import { isSameWork } from '../figures/operationKind';
import { spaceAt } from '../figures/space';
import { ofKey } from '../metadata/subject';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { maxClients, modelLimits } from './known';
import { type LimitResult, modeOf } from './limitedBy';

interface Forecast extends Pick<Prediction, 'throughputMBps'> {
  readonly limits: readonly Limit[];
  readonly binding: { readonly baseline: string; readonly burst: string };
  readonly ratio: number | null;
}

/** The prediction of `fsxbench predict` at the ratio that was read back, or by the limits of a scale model; else a text with the reason. */
function predictionOf(subject: Subject, found: LimitResult): Forecast | string {
  const arm = armNamed(subject.arms, found.arm);
  const model = arm.deployed?.model;
  if (model !== undefined) return modelledOf(subject, arm, model, found);
  return arm.elsewhere?.limits ?? documentedOf(subject, arm, found);
}

/** The lowest limit of the model, which has no bursts, and no cache, since it is emptied before each read. */
function modelledOf(
  subject: Subject,
  known: RunArm,
  model: ScaleModel,
  found: Pick<LimitResult, 'arm' | 'operation' | 'kind' | 'compressibility'>,
): Forecast | string {
  const read = compresses(known) ? (spaceAt(subject.space, found)?.median ?? null) : null;
  if (compresses(known) && read === null) return 'the ratio of the data was not measured';
  const ratio = read && Math.max(1, read);
  const limits = modelLimits(model, modeOf(found), ratio, maxClients(tasksOf(subject, found)));
  const lowest = bindingOf(limits);
  if (lowest === null) return 'the model throttles neither disk nor network';
  const { baseline, burst } = lowest;
  return {
    limits,
    ratio,
    binding: { baseline: baseline.name, burst: burst.name },
    throughputMBps: { baseline: baseline.baselineMBps, burst: burst.burstMBps },
  };
}

function documentedOf(subject: Subject, known: RunArm, found: LimitResult): Forecast | string {
  const { configuration, storage, reason } = known;
  if (configuration === null) return reason ?? 'it is not described';
  if (storage === null || storage.documented.limits(configuration).length === 0)
    return `nothing is predicted of ${storage?.label}`;
  const space = spaceAt(subject.space, found);
  const ratio = compresses(known) ? (space?.median ?? null) : null;
  if (compresses(known) && ratio === null) return 'the ratio of the data was not measured';
  const { instanceType } = subject.clients;
  const region = subject.manifest?.region;
  const count = maxClients(tasksOf(subject, found));
  const bytes = Math.max(0, ...(space?.readings ?? []).map(({ apparentBytes }) => apparentBytes ?? 0));
  const request = {
    configuration,
    readShare: modeOf(found) === 'read' ? 1 : 0,
    // Data that do not compress take a little more than their size.
    ratio: ratio === null ? undefined : Math.max(1, ratio),
    clients: instanceType === null || count === 0 ? undefined : { count, instanceType },
    // A run reads the data that it wrote before.
    workingSetGiB: modeOf(found) === 'read' && bytes > 0 ? bytes / 2 ** 30 : undefined,
    // A Region that is newer than this list has no less burst than others, as far as is known.
    region: region && isRegion(region) ? region : undefined,
  };
  const [violation] = checkRequest(request).errors;
  if (violation !== undefined) return violationMessage(violation);
  const { limits, binding, throughputMBps, conditions } = predict(request);
  return { limits, binding, throughputMBps, ratio: conditions.ratio };
}

const tasksOf = (
  { measured }: Subject,
  wanted: Pick<LimitResult, 'arm' | 'operation' | 'compressibility'>,
): readonly MeasuredTask[] =>
  ofArm(measured, wanted.arm).filter(({ arm, name: operation, compressibility }) =>
    isSameWork({ arm, operation, compressibility }, wanted),
  );

/** Predictions against what a run measured, with the error of each. */
export type PredictedAgainstMeasured = ReturnType<typeof predictedAgainstMeasured>;

export function predictedAgainstMeasured(subject: Subject) {
  const { elsewhere, limits } = subject;
  const known = ratiosOf(subject);
  const because = known.length === 0 ? null : (elsewhere?.ratio ?? null);
  const ratioReason = because === null ? null : `Ratios are not compared with those of LZ4: ${because}`;
  const ratios = because === null ? known : [];
  const unpredictable = elsewhere?.limits ?? null;
  return {
    rates: unpredictable === null ? limits.map((limit) => rateOf(subject, limit, limits)) : [],
    ratios,
    operations: unpredictable === null ? operationsOf(subject) : [],
    /** Why documented limits do not apply to this run; `null` if they do. */
    reason: unpredictable === null ? null : `Rates are not predicted: ${unpredictable}`,
    /** Why no ratios are compared, as a clause; `null` if they are, or if none is known. */
    ratioReason,
  };
}

/** Rates documented for one operation of an arm before the run, against those measured. MB/s of all clients together. */
export type PredictedRate = ReturnType<typeof rateOf>;

function rateOf(subject: Subject, found: LimitResult, all: readonly LimitResult[]) {
  const { arm, operation, kind, compressibility, measuredMBps, limitedBy } = found;
  const level = subject.levels.find((one) => one.unit === 'MB/s' && isSameWork(one, found));
  // The levels of a run that lost its burst; `null` for one that kept its level.
  const levelsMBps =
    level?.burst == null || level.baseline === null ? null : { baseline: level.baseline, burst: level.burst };
  const base = { arm, operation, kind, compressibility, measuredMBps, levelsMBps, limitedBy };
  const forecast = predictionOf(subject, found);
  const [prediction, reason] = typeof forecast === 'string' ? [null, forecast] : [forecast, null];
  const predictedMBps = prediction?.throughputMBps ?? null;
  const binding = prediction?.binding ?? null;
  const error = (key: keyof Rate): number | null =>
    errorPercent(predictedMBps?.[key] ?? null, levelsMBps?.[key] ?? measuredMBps);
  const isPredicted = limitedBy === binding?.baseline || limitedBy === binding?.burst;
  return {
    ...base,
    /** Ratio assumed by the prediction: as measured, at least 1; `null` for an arm without compression. */
    ratio: prediction?.ratio ?? null,
    predictedMBps,
    /** (Predicted ÷ measured − 1) in percent: above 0, the measured rate is lower. If the burst was lost, each is compared with its own level. */
    errorPercent: { baseline: error('baseline'), burst: error('burst') },
    binding,
    /** True if the limit found is among those predicted; `null` if either is unknown. */
    agrees: limitedBy === null || binding === null ? null : isPredicted,
    /** Rates expected with compression, from the same file system's uncompressed rates; `null` for an arm without compression. */
    fromUncompressed: prediction && lawOf(subject, found, prediction, levelsMBps?.burst ?? measuredMBps, all),
    reason,
  };
}

/** The scaling model of compression: throughput grows by the compression ratio, up to the network's limit. It needs an arm whose bottleneck is the disk. */
function lawOf(
  subject: Subject,
  { arm, operation, compressibility }: LimitResult,
  { ratio, limits }: Forecast,
  measuredMBps: number | null,
  all: readonly LimitResult[],
) {
  if (ratio === null) return null;
  const none = (reason: string, from: string | null = null) => ({
    arm: from,
    measuredMBps: null,
    predictedMBps: null,
    errorPercent: null,
    reason,
  });
  const own = uncompressed(armNamed(subject.arms, arm));
  const plain = subject.arms.find(
    (one) => !compresses(one) && own !== null && isDeepStrictEqual(uncompressed(one), own),
  );
  if (plain === undefined) return none('the run has no arm that differs in compression alone');
  const other = all.find((one) => isSameWork(one, { arm: plain.name, operation, compressibility }));
  if (other === undefined || other.measuredMBps === null)
    return none('it was not measured without compression', plain.name);
  const without = predictionOf(subject, other);
  if (typeof without === 'string') return none(without, plain.name);
  if (without.binding.baseline !== 'disk')
    return none('without compression the disks are not the lowest limit, so there is nothing to gain', plain.name);
  const ceilings = limits.filter(({ name }) => name !== 'disk' && name !== 'disk_compressed');
  const max = Math.min(...ceilings.map(({ burstMBps }) => burstMBps));
  const predictedMBps = compressedFrom(other.measuredMBps, ratio, max);
  return {
    arm: plain.name,
    measuredMBps: other.measuredMBps,
    predictedMBps,
    errorPercent: errorPercent(predictedMBps, measuredMBps),
    reason: null,
  };
}

/** The configuration of an arm without its compression; `null` if the arm has no configuration or cannot compress. */
const uncompressed = ({ storage, configuration }: RunArm): StorageConfiguration | null =>
  (configuration && storage?.documented.performance?.uncompressed?.(configuration)) ?? null;

/** Predicts the ratio of each compressing arm: LZ4 with 128 KiB records compresses fio and IOR buffers in a known way. */
function ratiosOf({ arms, samples, measured, space }: Subject) {
  return space.flatMap(({ arm, compressibility, median, readings }) => {
    const { planned } = armNamed(arms, arm);
    if (planned === null || codecOf(planned) !== 'LZ4') return [];
    const steps = new Set(
      ofArm(measured, arm)
        .filter((task) => task.compressibility === compressibility && task.operation === 'write')
        .map(({ step }) => step),
    );
    const written = ofArm(samples, arm).find(({ step, pattern }) => steps.has(step) && pattern !== null);
    if (written?.pattern == null) return [];
    const { pattern, tool, toolVersion } = written;
    const predicted = workloadOrNone(tool)?.data?.knownPattern(pattern, toolVersion)?.expectedRatio ?? null;
    const missing = median === null ? (readings.find(({ reason }) => reason)?.reason ?? 'not measured') : null;
    return {
      arm,
      compressibility,
      pattern,
      tool: [tool, toolVersion].filter((part) => part !== null).join(' '),
      predicted,
      measured: median,
      errorPercent: errorPercent(predicted, median),
      reason: predicted === null ? `nobody measured how far ${pattern} of this tool compresses` : missing,
    };
  });
}

/** Operations a second that AWS documents for the metadata IOPS, against what was measured. */
function operationsOf({ metadata }: Subject) {
  return (metadata?.rates ?? []).map((each) => {
    const { arm, operation, fileBytes, rate, documented } = each;
    return {
      arm,
      operation,
      fileBytes,
      predictedPerSecond: documented.value,
      measuredPerSecond: rate.value,
      errorPercent: errorPercent(documented.value, rate.value),
      /** The bottleneck by the service's counters: the prediction applies if it is the servers. */
      boundBy: ofKey(metadata?.bounds ?? [], each)?.by ?? null,
      reason: documented.reason ?? rate.reason,
    };
  });
}

const errorPercent = (predicted: number | null, measured: number | null): number | null =>
  predicted === null || measured === null || measured === 0 ? null : (predicted / measured - 1) * 100;

/** Error up to which a rate is as predicted. MLPerf Storage takes results as replicated within 5 %. */
export const NEAR_PERCENT = 5;

/** True for a rate between the documented baseline and burst, or near them. */
export function isAsPredicted({ errorPercent: { baseline, burst }, levelsMBps }: PredictedRate): boolean {
  if (baseline === null || burst === null) return false;
  if (levelsMBps !== null) return Math.abs(baseline) <= NEAR_PERCENT && Math.abs(burst) <= NEAR_PERCENT;
  return baseline <= NEAR_PERCENT && burst >= -NEAR_PERCENT;
}
