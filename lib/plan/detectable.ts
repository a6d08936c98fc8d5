import { minimumDetectable, repeatsFor, spreadFromVariation } from '../kit/statistics/detectable';
import type { Detectable, Plan, Step } from '../schema/plan';

/** By how much an arm's repeats are supposed to vary, before any is known: MLPerf Storage takes 5 % as the same result. */
export const SUPPOSED_VARIATION = 0.05;

/** What the comparisons of a plan can show; `null` for a plan that compares nothing, or whose repeats are not set. */
export function detectableOf(
  steps: readonly Step[],
  arms: Plan['arms'],
  parameters: Plan['parameters'],
): Detectable | null {
  const { repeats } = parameters;
  const kinds = new Set(
    steps.flatMap(({ phase, target, fileBytes, tasks }) =>
      phase !== 'measure'
        ? []
        : tasks.flatMap(({ action }) =>
            action.kind === 'workload' ? [JSON.stringify([action.operation, target, fileBytes ?? null])] : [],
          ),
    ),
  );
  const comparisons = kinds.size * (arms.length - 1);
  if (typeof repeats !== 'number' || comparisons < 1) return null;
  const spread = spreadFromVariation(SUPPOSED_VARIATION);
  const difference = minimumDetectable(repeats, spread, { comparisons });
  return { comparisons, repeats, variation: SUPPOSED_VARIATION, power: 0.8, difference };
}

/** How many repeats a plan of so many comparisons needs for a difference. */
export function repeatsThatFind(difference: number, comparisons: number): number | null {
  return repeatsFor(difference, spreadFromVariation(SUPPOSED_VARIATION), { comparisons });
}
