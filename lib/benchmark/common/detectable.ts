import { entryOf } from '../../common/collections';
import {
  FEWEST_FOR_AUTOCORRELATION,
  minimumDetectable,
  repeatsFor,
  spreadFromVariation,
} from '../../common/statistics';
import type { Detectable, Plan, Step } from '../../schema/plan';
import type { PlanEnvironment } from '../plan';

/** Assumed variation of an arm's repeats before any is known: MLPerf Storage accepts 5 % as the same result. */
export const SUPPOSED_VARIATION = 0.05;

/** The minimum detectable difference of a plan; `null` for a plan without comparisons or repeats. */
export function detectableOf(
  steps: readonly Step[],
  arms: Plan['arms'],
  parameters: Plan['parameters'],
  { variation = SUPPOSED_VARIATION, systematic }: Pick<PlanEnvironment, 'variation' | 'systematic'>,
): Detectable | null {
  const { repeats } = parameters;
  const starts = startsOf(steps);
  const comparisons = starts.size * (arms.length - 1);
  if (typeof repeats !== 'number' || comparisons < 1) return null;
  const spread = spreadFromVariation(variation);
  const difference = minimumDetectable(repeats, spread, { comparisons, systematic });
  const independence = repeats < FEWEST_FOR_AUTOCORRELATION ? 'assumed' : 'tested';
  const gaps = [...starts.values()].flatMap((own) => own.slice(1).map((start, at) => start - (own[at] as number)));
  const apart = gaps.length === 0 ? {} : { apartSeconds: gaps.reduce((min, gap) => Math.min(min, gap)) };
  const beyond = systematic === undefined ? {} : { systematic };
  const why = difference === null ? { reason: 'one repeat finds no difference: the variance is unknown' } : {};
  return { comparisons, repeats, variation, ...beyond, power: 0.8, difference, ...why, independence, ...apart };
}

/** Expected seconds from the start of the plan to each repeat of a kind of measurement, by kind. */
function startsOf(steps: readonly Step[]): Map<string, number[]> {
  const starts = new Map<string, Map<number, number>>();
  let now = 0;
  for (const { phase, repeat, compressibility, fileBytes, threads, tasks, expectedSeconds } of steps) {
    for (const { action } of phase === 'measure' ? tasks : []) {
      if (action.kind !== 'workload') continue;
      const kind = JSON.stringify([action.tool, action.operation, compressibility, fileBytes, threads]);
      // Of arms that take turns the first.
      entryOf(
        entryOf(starts, kind, () => new Map<number, number>()),
        repeat,
        () => now,
      );
    }
    now += expectedSeconds;
  }
  return new Map([...starts].map(([kind, own]) => [kind, [...own.values()]]));
}

/** The number of repeats that a plan with a number of comparisons needs to detect a difference. */
export const repeatsThatFind = (
  difference: number,
  { comparisons, variation, systematic }: Pick<Detectable, 'comparisons' | 'variation' | 'systematic'>,
): number | null => repeatsFor(difference, spreadFromVariation(variation), { comparisons, systematic });
