import { binarySearch, entryOf, keyOf } from '../collections';
import { FEWEST_FOR_AUTOCORRELATION } from './dependence';
import { noncentralTail, studentQuantile } from './distributions';

export interface PowerOptions {
  /** Confidence required of a reported difference. @default 0.95 */
  readonly confidence?: number;
  /** Probability of detecting a difference of that size. @default 0.8 */
  readonly power?: number;
  /** Comparisons in the family. Holm's step-down has at least this power. @default 1 */
  readonly comparisons?: number;
  /** Largest systematic error of a ratio, as a share: repeats do not average it away. @default 0 */
  readonly systematic?: number | undefined;
}

/**
 * The smallest relative difference between two arms that a number of paired repeats detects with the given power: 0.03 is 3 %. It needs only the
 * variance of earlier runs. Assumes Student's interval; the hull used for many repeats is up to 5 % wider. From {@link FEWEST_FOR_AUTOCORRELATION}
 * repeats on, it includes autocorrelation that the repeats do not rule out.
 *
 * @param repeats pairs
 * @param spread standard deviation of the logarithm of the ratio from pair to pair, as of {@link spreadFromVariation}
 * @returns `null` for fewer than two repeats
 */
export function minimumDetectable(repeats: number, spread: number, options: PowerOptions = {}): number | null {
  const { confidence = 0.95, power = 0.8, comparisons = 1, systematic = 0 } = options;
  if (!(Number.isInteger(repeats) && repeats >= 0)) throw new Error(`'repeats' must be a whole number, got ${repeats}`);
  if (!(spread >= 0 && Number.isFinite(spread))) throw new Error(`'spread' must be from 0, got ${spread}`);
  if (!(power > 0.05 && power < 1)) throw new Error(`'power' must be between 0.05 and 1, got ${power}`);
  if (repeats < 2) return null;
  const effect = effectFor(repeats - 1, 1 - (1 - confidence) / comparisons, power) * allowance(repeats, comparisons);
  return Math.expm1((effect * spread) / Math.sqrt(repeats) - Math.log1p(-systematic));
}

/**
 * Factor by which allowing for autocorrelation raises the difference that so many independent repeats detect, by simulation, for 1, 4 and 8 comparisons:
 * 1.8, 1.8 and 1.6 with 8 repeats, 1.7, 1.7 and 1.4 with 10, 1.3, 1.3 and 1.2 with 20, 1.1 with 40. The formula is never below by more than 3 %.
 */
const allowance = (repeats: number, comparisons: number): number =>
  repeats < FEWEST_FOR_AUTOCORRELATION ? 1 : 1 + 8 / repeats / (1 + comparisons / 16);

/** The number of repeats that detect a difference of that size; `null` if more than a thousand are needed. */
export function repeatsFor(difference: number, spread: number, options: PowerOptions = {}): number | null {
  if (!(difference > 0)) throw new Error(`'difference' must be above 0, got ${difference}`);
  const enough = (repeats: number): boolean => (minimumDetectable(repeats, spread, options) as number) <= difference;
  // Fewer need not be worse: those too few to show autocorrelation are taken as independent.
  for (let repeats = 2; repeats < FEWEST_FOR_AUTOCORRELATION; repeats += 1) if (enough(repeats)) return repeats;
  if (!enough(1000)) return null;
  return binarySearch(enough, FEWEST_FOR_AUTOCORRELATION - 1, 1000);
}

/** Spread of the ratio of two arms whose values vary independently with the same coefficient of variation. */
export const spreadFromVariation = (coefficientOfVariation: number): number =>
  Math.sqrt(2 * Math.log1p(coefficientOfVariation ** 2));

/** Cache, since a report needs the same few values repeatedly. */
const known = new Map<string, number>();

/** Effect size in standard errors that Student's test with so many degrees of freedom detects with that power. */
export const effectFor = (degrees: number, confidence: number, power: number): number =>
  entryOf(known, keyOf(degrees, confidence, power), () => computedEffect(degrees, confidence, power));

function computedEffect(degrees: number, confidence: number, power: number): number {
  const critical = studentQuantile(confidence, degrees);
  // From here on the noncentral distribution approximates a shifted Student's.
  if (degrees > 60) return critical + Math.sign(power - 0.5) * studentQuantile(Math.abs(2 * power - 1), degrees);
  let [low, high] = [0, critical];
  const reaches = (away: number): boolean => noncentralTail(critical, degrees, away) >= power;
  while (!reaches(high) && high < 1e4) [low, high] = [high, high * 2];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}
