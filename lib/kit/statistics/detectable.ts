import { jStat } from 'jstat';
import { studentQuantile } from './interval';

export interface PowerOptions {
  /** How sure a reported difference must be. @default 0.95 */
  readonly confidence?: number;
  /** How often a difference of that size shall be found. @default 0.8 */
  readonly power?: number;
  /** Comparisons of the family. Holm's step-down finds it at least as often as said here. @default 1 */
  readonly comparisons?: number;
}

/**
 * The smallest difference between two arms that so many paired repeats will find with the given power, relative to the baseline: 0.03 is
 * 3 %. Known before money is spent, when the spread of earlier runs is. For Student's interval; the hull that is used for many repeats is
 * up to 5 % wider.
 *
 * @param repeats pairs
 * @param spread standard deviation of the logarithm of the ratio from pair to pair; {@link spreadFromVariation} makes it from the
 *   coefficient of variation of one arm
 * @returns `null` for fewer than two repeats, which find nothing
 */
export function minimumDetectable(repeats: number, spread: number, options: PowerOptions = {}): number | null {
  const { confidence = 0.95, power = 0.8, comparisons = 1 } = options;
  if (!(Number.isInteger(repeats) && repeats >= 0)) throw new Error(`'repeats' must be a whole number, got ${repeats}`);
  if (!(spread >= 0 && Number.isFinite(spread))) throw new Error(`'spread' must be from 0, got ${spread}`);
  if (!(power > 0.05 && power < 1)) throw new Error(`'power' must be between 0.05 and 1, got ${power}`);
  if (repeats < 2) return null;
  return Math.expm1((noncentrality(repeats, 1 - (1 - confidence) / comparisons, power) * spread) / Math.sqrt(repeats));
}

/** How many repeats find a difference of that size; `null` when more than a thousand would be needed. */
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

/** Spread of the ratio of two arms whose values vary independently by the same coefficient of variation. */
export function spreadFromVariation(coefficientOfVariation: number): number {
  return Math.sqrt(2 * Math.log1p(coefficientOfVariation ** 2));
}

/** A report asks for the same few again and again. */
const known = new Map<string, number>();

/** From here on jStat's series for the noncentral distribution loses its terms: exp(−away² ÷ 2) is 0 from 38 on. */
const FAR = 30;

/** How often Student's test finds what is so many standard errors away. Far away only the estimate of the spread decides. */
function powerAt(critical: number, degrees: number, away: number): number {
  if (away > FAR) return jStat.chisquare.cdf(degrees * (away / critical) ** 2, degrees);
  return 1 - jStat.noncentralt.cdf(critical, degrees, away);
}

/** By how many standard errors the truth must be away so that Student's test finds it with that power. */
function noncentrality(repeats: number, confidence: number, power: number): number {
  const key = `${repeats} ${confidence} ${power}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const degrees = repeats - 1;
  const critical = studentQuantile(confidence, degrees);
  // From here on the noncentral distribution is a shifted Student's, and its series takes long.
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
