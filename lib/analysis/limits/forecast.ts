import { isRegion } from '../../common/aws/regions';
import { breachMessage } from '../../common/breach';
import { type Prediction, predict } from '../../predict';
import { checkRequest } from '../../predict/request';
import type { ScaleModel } from '../../schema/model';
import { armNamed } from '../../schema/plan';
import { bindingOf } from '../../storage/common/binding';
import type { Limit } from '../../storage/slices/documented';
import { compresses, type RunArm } from '../arm';
import { isSameWork } from '../figures/operationKind';
import { spaceAt } from '../figures/space';
import { ofArm } from '../ofArm';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { mostClients } from './known';
import { type LimitResult, modeOf } from './limitedBy';
import { modelLimits } from './modelled';

/** Prediction for one rate: the limits, the lowest of them, and the compression ratio assumed. */
export interface Forecast extends Pick<Prediction, 'throughputMBps'> {
  readonly limits: readonly Limit[];
  readonly binding: { readonly baseline: string; readonly burst: string };
  readonly ratio: number | null;
}

/**
 * The prediction of `fsxbench predict` at the ratio that was read back, or by the limits of a scale model; a text if there is none, with
 * the reason.
 */
export function predictionOf(subject: Subject, found: LimitResult): Forecast | string {
  const arm = armNamed(subject.arms, found.arm);
  const model = arm.deployed?.model;
  if (model !== undefined) return modelledOf(subject, arm, model, found);
  return arm.elsewhere?.prediction ?? documentedOf(subject, arm, found);
}

/** The lowest limit of the model, which has no bursts, and no cache, since it is emptied before each read. */
function modelledOf(
  subject: Subject,
  known: RunArm,
  model: ScaleModel,
  found: Pick<LimitResult, 'arm' | 'operation' | 'kind' | 'compressibility'>,
): Forecast | string {
  const compressed = compresses(known);
  const read = spaceAt(subject.space, found)?.median ?? null;
  if (compressed && read === null) return 'the ratio of the data was not measured';
  const ratio = compressed && read !== null ? Math.max(1, read) : null;
  const clients = mostClients(tasksOf(subject, found));
  const limits = modelLimits(model, modeOf(found), ratio, clients);
  const lowest = bindingOf(limits);
  if (lowest === null) return 'the model holds neither disk nor network';
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
  const compressed = compresses(known);
  const ratio = space?.median ?? null;
  if (compressed && ratio === null) return 'the ratio of the data was not measured';
  const { instanceType } = subject.clients;
  const region = subject.manifest?.region;
  const count = mostClients(tasksOf(subject, found));
  const bytes = Math.max(0, ...(space?.readings ?? []).map(({ apparentBytes }) => apparentBytes ?? 0));
  const request = {
    configuration,
    readShare: modeOf(found) === 'read' ? 1 : 0,
    // Data that do not compress take a little more than their size.
    ratio: compressed && ratio !== null ? Math.max(1, ratio) : undefined,
    clients: instanceType === null || count === 0 ? undefined : { count, instanceType },
    // What a run reads is what it wrote before.
    workingSetGiB: modeOf(found) === 'read' && bytes > 0 ? bytes / 2 ** 30 : undefined,
    // A Region that is newer than this list has no less burst than others, as far as is known.
    region: region && isRegion(region) ? region : undefined,
  };
  const [breach] = checkRequest(request).errors;
  if (breach !== undefined) return breachMessage(breach);
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
