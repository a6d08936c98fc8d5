import { mean, sampleStandardDeviation } from 'simple-statistics';
import { requireFinite } from './describe';
import { studentQuantile } from './interval';

/** A value that does not go with the others. It stays in every figure: its reason is to be looked for. */
export interface Outlier {
  readonly index: number;
  readonly value: number;
  /** Distance from the mean of those that were left, in their standard deviations, and from where on it counts. */
  readonly score: number;
  readonly limit: number;
}

/** Below this nothing can be said: of four values any one may lie apart. */
const LEAST = 5;

/**
 * Names the outliers by Rosner's generalised extreme studentised deviate test, looking for up to a fifth of the values (at least one).
 * Of sets of normal values without any, about the given share is said to have some.
 *
 * @param share of sets without outliers in which one is named. @default 0.05
 */
export function outliers(values: readonly number[], share = 0.05): Outlier[] {
  requireFinite(values);
  const count = values.length;
  if (count < LEAST) return [];
  const left = values.map((value, index) => ({ value, index }));
  const suspects: Outlier[] = [];
  let found = 0;
  for (let removed = 0; removed < Math.max(1, Math.floor(count / 5)); removed += 1) {
    const rest = left.map(({ value }) => value);
    const [centre, deviation] = [mean(rest), sampleStandardDeviation(rest)];
    if (deviation === 0) break;
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

/** Rosner (1983), Technometrics 25, 165–172: the limit for the most extreme of so many values. */
function limitFor(count: number, share: number): number {
  const t = studentQuantile(1 - share / count, count - 2);
  return ((count - 1) * t) / Math.sqrt((count - 2 + t * t) * count);
}
