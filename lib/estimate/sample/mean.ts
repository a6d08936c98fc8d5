import { studentQuantile } from '../../common/statistics/distributions';

export interface Mean {
  readonly mean: number;
  /** Half the width of the 95 % interval. */
  readonly margin: number;
}

/**
 * The mean over parts that were drawn from separately, each with at least two values. Its variance is the stratified one plus a term for rare values
 * that were not drawn: of n similar draws, up to 1 in n may still differ by `range`.
 */
export function stratifiedMean(
  parts: readonly { readonly weight: number; readonly values: readonly number[] }[],
  range: number,
): Mean {
  const whole = parts.reduce((sum, { weight }) => sum + weight, 0);
  let draws = 0;
  let mean = 0;
  let variance = 0;
  let freedom = 0;
  for (const { weight, values } of parts) {
    const n = values.length;
    const own = values.reduce((sum, value) => sum + value, 0) / n;
    const spread = values.reduce((sum, value) => sum + (value - own) ** 2, 0) / (n - 1);
    const term = (weight / whole) ** 2 * (spread / n);
    draws += n;
    mean += (weight / whole) * own;
    variance += term;
    freedom += term ** 2 / (n - 1);
  }
  const unseen = (range / draws) ** 2;
  // Welch and Satterthwaite; what was not met is taken as one more part, as free as all draws.
  const degrees = (variance + unseen) ** 2 / (freedom + unseen ** 2 / (draws - 1));
  return { mean, margin: studentQuantile(0.95, degrees) * Math.sqrt(variance + unseen) };
}
