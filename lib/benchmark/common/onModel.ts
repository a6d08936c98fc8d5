import { METRICS_PERIOD } from '../../schema/metrics';
import { HELD_WITHIN, type ScaleModel } from '../../schema/model';
import type { PlanDefinition } from '../plan';

/** A phase on scale models, as long as a period of the lab's metrics: the servers' own count is compared with the clients'. */
export function phaseOnModel(models: readonly ScaleModel[]): { readonly seconds: number; readonly maxMiB: number } {
  const fastestMBps = Math.max(...models.flatMap(({ held }) => held.map(({ setMBps }) => setMBps)));
  const seconds = METRICS_PERIOD.lab;
  // Twice what any limit allows: the time ends the phase.
  return { seconds, maxMiB: Math.ceil((fastestMBps * 1e6 * seconds * 2) / 2 ** 20) };
}

/** `key=value` texts over a plan's defaults where arms have scale models, whose rates are known before; none without a model. */
export const settingsOnModel = (
  { onModel }: Pick<PlanDefinition, 'onModel'>,
  models: readonly ScaleModel[],
): readonly string[] =>
  models.length === 0 ? [] : [`smallestDifferencePercent=${HELD_WITHIN * 100}`, ...(onModel?.(models) ?? [])];
