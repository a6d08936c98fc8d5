import type { Limit } from '../../storage/slices/documented';
import { compresses, type RunArm } from '../arm';
import { spaceAt } from '../figures/space';
import type { SubjectFigures } from '../subject';
import type { MeasuredTask } from '../task';
import { modelLimits } from './modelled';

interface KnownLimits {
  readonly limits: readonly Limit[];
  /** Measured compression ratio that they count with; `null` if it was not measured or does not apply. */
  readonly ratio: number | null;
  /** Why there are none; `null` where there are. */
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
    ? modelLimits(model, mode, ratio, mostClients(tasks))
    : documented(subject, arm, tasks, mode, ratio);
  return { limits, ratio, reason: null };
}

/** Clients that took part in one of the tasks. */
export const mostClients = (tasks: readonly MeasuredTask[]): number =>
  tasks.reduce((most, { clients }) => Math.max(most, clients), 0);

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
            count: mostClients(tasks),
            networkBaselineMbps,
            networkBurstMbps: networkBurstMbps ?? undefined,
            ...clients.toEbs,
          },
    region: manifest?.region || undefined,
  });
}
