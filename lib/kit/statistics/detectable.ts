import { jStat } from 'jstat';
import { studentQuantile } from './interval';

export interface PowerOptions {
  /** Confidence required of a reported difference. @default 0.95 */
  readonly confidence?: number;
  /** Probability of detecting a difference of that size. @default 0.8 */
  readonly power?: number;
  /** Comparisons in the family. Holm's step-down has at least this power. @default 1 */
  readonly comparisons?: number;
}

/**
 * The smallest difference between two arms that a number of paired repeats detects with the given power, relative to the baseline: 0.03 is
 * 3 %. It can be computed before money is spent if the variance of earlier runs is known. Assumes Student's interval; the hull used for
 * many repeats is up to 5 % wider.
 *
 * @param repeats pairs
 * @param spread standard deviation of the logarithm of the ratio from pair to pair; {@link spreadFromVariation} makes it from the
 *   coefficient of variation of one arm
 * @returns `null` for fewer than two repeats, which detect nothing
 */
export function minimumDetectable(repeats: number, spread: number, options: PowerOptions = {}): number | null {
  const { confidence = 0.95, power = 0.8, comparisons = 1 } = options;
  if (!(Number.isInteger(repeats) && repeats >= 0)) throw new Error(`'repeats' must be a whole number, got ${repeats}`);
  if (!(spread >= 0 && Number.isFinite(spread))) throw new Error(`'spread' must be from 0, got ${spread}`);
  if (!(power > 0.05 && power < 1)) throw new Error(`'power' must be between 0.05 and 1, got ${power}`);
  if (repeats < 2) return null;
  return Math.expm1((effectFor(repeats - 1, 1 - (1 - confidence) / comparisons, power) * spread) / Math.sqrt(repeats));
}

/** The number of repeats that detect a difference of that size; `null` if more than a thousand are needed. */
export function repeatsFor(difference: number, spread: number, options: PowerOptions = {}): number | null {
  if (!(difference > 0)) throw new Error(`'difference' must be above 0, got ${difference}`);
  const enough = (repeats: number): boolean => (minimumDetectable(repeats, spread, options) as number) <= difference;
  if (!enough(1000)) return null;
  let [low, high] = [1, 1000];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Spread of the ratio of two arms whose values vary independently with the same coefficient of variation. */
export function spreadFromVariation(coefficientOfVariation: number): number {
  return Math.sqrt(2 * Math.log1p(coefficientOfVariation ** 2));
}

/** Cache, since a report needs the same few values repeatedly. */
const known = new Map<string, number>();

/** From here on jStat's series for the noncentral distribution underflows: exp(−away² ÷ 2) is 0 from 38 on. */
const FAR = 30;

/** Power of Student's test for an effect of `away` standard errors. For large effects only the variance estimate matters. */
function powerAt(critical: number, degrees: number, away: number): number {
  if (away > FAR) return jStat.chisquare.cdf(degrees * (away / critical) ** 2, degrees);
  return 1 - jStat.noncentralt.cdf(critical, degrees, away);
}

/** Effect size in standard errors that Student's test with so many degrees of freedom detects with that power. */
export function effectFor(degrees: number, confidence: number, power: number): number {
  const key = `${degrees} ${confidence} ${power}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const critical = studentQuantile(confidence, degrees);
  // From here on the noncentral distribution approximates a shifted Student's, and its series is slow.
  if (degrees > 60) return critical + jStat.studentt.inv(power, degrees);
  let [low, high] = [0, critical];
  const reaches = (away: number): boolean => powerAt(critical, degrees, away) >= power;
  while (!reaches(high) && high < 1e4) [low, high] = [high, high * 2];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  known.set(key, high);
  return high;
}
