import { studentQuantile } from '../kit/statistics/interval';

/** A confidence interval of a ratio of two means. */
export interface TwoSampleInterval {
  readonly low: number;
  readonly high: number;
  /** Of this interval alone; raised when several are to hold together. */
  readonly confidence: number;
  readonly method: 'Welch t on logarithms';
}

/**
 * The ratio of the geometric means of two sets of repeats that are not pairs, B ÷ A. They may vary differently: Welch's interval, with
 * the quantiles of Student's distribution.
 *
 * @returns `null` with fewer than two values on a side
 */
export function ratioInterval(
  a: readonly number[],
  b: readonly number[],
  { confidence = 0.95, comparisons = 1 }: { readonly confidence?: number; readonly comparisons?: number } = {},
): TwoSampleInterval | null {
  if (a.length < 2 || b.length < 2) return null;
  const each = 1 - (1 - confidence) / comparisons;
  const [left, right] = [moments(a), moments(b)];
  const centre = right.mean - left.mean;
  const variance = left.ofMean + right.ofMean;
  // Welch–Satterthwaite; both sides without any spread leave nothing to estimate.
  const degrees =
    variance === 0
      ? a.length + b.length - 2
      : variance ** 2 / (left.ofMean ** 2 / (a.length - 1) + right.ofMean ** 2 / (b.length - 1));
  const reach = studentQuantile(each, degrees) * Math.sqrt(variance);
  return {
    low: Math.exp(centre - reach),
    high: Math.exp(centre + reach),
    confidence: each,
    method: 'Welch t on logarithms',
  };
}

/** Standard deviation of the logarithm of B ÷ A, of one repeat of each. */
export function pairSpread(a: readonly number[], b: readonly number[]): number {
  return Math.sqrt(moments(a).ofMean * a.length + moments(b).ofMean * b.length);
}

/** Mean of the logarithms, and the variance of that mean. */
function moments(values: readonly number[]): { mean: number; ofMean: number } {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  return { mean, ofMean: variance / logs.length };
}
