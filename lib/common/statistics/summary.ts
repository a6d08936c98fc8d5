import { mean, median, sampleStandardDeviation } from 'simple-statistics';

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

/** The geometric mean of the second values ÷ that of the first; `null` where one has none. */
export const geometricRatio = (first: readonly number[], second: readonly number[]): number | null =>
  first.length === 0 || second.length === 0 ? null : Math.exp(meanLog(second) - meanLog(first));

const meanLog = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.log(value), 0) / values.length;

/** Rejects missing values: the caller, who knows why they are missing, must remove and count them. */
export function requireFinite(values: readonly number[]): void {
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new Error(`'values' must be finite numbers, got ${wrong}`);
}
