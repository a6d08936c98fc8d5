import { mean, sampleStandardDeviation } from 'simple-statistics';
import { studentQuantile } from './distributions';
import { requireFinite } from './summary';

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
 * Finds outliers by Rosner's generalised extreme studentised deviate test, up to a fifth of the values (at least one).
 * Its false-positive rate on sets of normal values is about the given share.
 *
 * @param share of sets without outliers in which one is reported. @default 0.05
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
