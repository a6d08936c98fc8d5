import { minimumDetectable, repeatsFor, spreadFromVariation } from '../kit/statistics/detectable';
import type { Detectable, Plan, Step } from '../schema/plan';

/** Assumed variation of an arm's repeats before any is known: MLPerf Storage accepts 5 % as the same result. */
export const SUPPOSED_VARIATION = 0.05;

/** The minimum detectable difference of a plan; `null` for a plan without comparisons or repeats. */
export function detectableOf(
  steps: readonly Step[],
  arms: Plan['arms'],
  parameters: Plan['parameters'],
  variation: number = SUPPOSED_VARIATION,
): Detectable | null {
  const { repeats } = parameters;
  const kinds = new Set(
    steps.flatMap(({ phase, target, fileBytes, threads, tasks }) =>
      phase !== 'measure'
        ? []
        : tasks.flatMap(({ action }) =>
            action.kind === 'workload'
              ? [JSON.stringify([action.tool, action.operation, target, fileBytes, threads])]
              : [],
          ),
    ),
  );
  const comparisons = kinds.size * (arms.length - 1);
  if (typeof repeats !== 'number' || comparisons < 1) return null;
  const spread = spreadFromVariation(variation);
  const difference = minimumDetectable(repeats, spread, { comparisons });
  return { comparisons, repeats, variation, power: 0.8, difference };
}

/** The number of repeats that a plan with a number of comparisons needs to detect a difference. */
export function repeatsThatFind(
  difference: number,
  { comparisons, variation }: Pick<Detectable, 'comparisons' | 'variation'>,
): number | null {
  return repeatsFor(difference, spreadFromVariation(variation), { comparisons });
}
