import { mean, median, sampleStandardDeviation } from 'simple-statistics';
import type { Range } from '../collections';
import { studentQuantile } from './distributions';

/** The mean of values; `null` for none. */
export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The median of values in any order; `null` for none. */
export const medianOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : median([...values]);

/** The coefficient of variation, standard deviation ÷ mean; `null` for fewer than two values or a mean that is not positive. @throws if a value is not finite */
export function variationOf(values: readonly number[]): number | null {
  requireFinite(values);
  const average = values.length < 2 ? 0 : mean([...values]);
  return average > 0 ? sampleStandardDeviation([...values]) / average : null;
}

/** The geometric mean of positive values; `null` without one. */
export const geometricMean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.exp(meanLog(values));

/** The geometric mean of the second values ÷ that of the first; `null` if either is empty. */
export const geometricRatio = (first: readonly number[], second: readonly number[]): number | null =>
  first.length === 0 || second.length === 0 ? null : Math.exp(meanLog(second) - meanLog(first));

const meanLog = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.log(value), 0) / values.length;

/** Rejects missing values: the caller, who knows why they are missing, must remove and count them. */
export function requireFinite(values: readonly number[]): void {
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new Error(`'values' must be finite numbers, got ${wrong}`);
}

/** An outlier. It stays in every figure; the user should look for its cause. */
export interface Outlier {
  readonly index: number;
  readonly value: number;
  /** Distance from the mean of the remaining values, in their standard deviations, and its critical value. */
  readonly score: number;
  readonly limit: number;
}

/** The minimum number of values: among four, any one may look like an outlier. */
export const FEWEST_FOR_OUTLIERS = 5;

/**
 * Outliers by Rosner's generalised extreme studentised deviate test, up to a fifth of the values (at least one).
 * @param share of normal sets without outliers in which one is reported. @default 0.05
 */
export function outliers(values: readonly number[], share = 0.05): Outlier[] {
  requireFinite(values);
  const count = values.length;
  if (count < FEWEST_FOR_OUTLIERS) return [];
  const left = values.map((value, index) => ({ value, index }));
  const suspects: Outlier[] = [];
  let found = 0;
  for (let removed = 0; removed < Math.max(1, Math.floor(count / 5)); removed += 1) {
    const rest = left.map(({ value }) => value);
    const [centre, deviation] = [mean(rest), sampleStandardDeviation(rest)];
    const at = rest.reduce(
      (best, value, index) => (Math.abs(value - centre) > Math.abs((rest[best] as number) - centre) ? index : best),
      0,
    );
    const [{ value, index }] = left.splice(at, 1) as [{ value: number; index: number }];
    const score = Math.abs(value - centre) / deviation;
    const limit = limitFor(count - removed, share);
    suspects.push({ index, value, score, limit });
    if (score > limit) found = suspects.length;
  }
  return suspects.slice(0, found).sort((a, b) => a.index - b.index);
}

/** Rosner (1983), Technometrics 25, 165–172: the critical value for the most extreme of a number of values. */
function limitFor(count: number, share: number): number {
  const t = studentQuantile(1 - share / count, count - 2);
  return ((count - 1) * t) / Math.sqrt((count - 2 + t * t) * count);
}

/** True if the interval excludes each ratio that a systematic error could make of 1. @param systematic largest such error, a share: 0.05 is 5 % */
export const leavesOutEquality = ({ low, high }: Range<number>, systematic = 0): boolean =>
  low > 1 / (1 - systematic) || high < 1 - systematic;

/**
 * True if an interval shows that neither side is slower by `smallest` (0.02 is 2 %): two one-sided tests of equivalence (TOST, Schuirmann 1987,
 * https://doi.org/10.1007/BF01068419). For an error of 5 % they need an interval of 90 %; one of 95 % errs less often.
 */
export const isNegligible = ({ low, high }: Range<number>, smallest: number): boolean =>
  low >= 1 - smallest && high <= 1 / (1 - smallest);
