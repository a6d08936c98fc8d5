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
  return { mean, margin: quantileT975(degrees) * Math.sqrt(variance + unseen) };
}

/** Student's t at 97.5 %: exact for 1 and 2 degrees, else by its expansion around the normal (error below 0.8 % from 3 on). */
export function quantileT975(degrees: number): number {
  if (degrees < 2) return 12.706 + (4.303 - 12.706) * Math.max(0, degrees - 1);
  if (degrees < 3) return 4.303 + (3.182 - 4.303) * (degrees - 2);
  const z = 1.959964;
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  );
}
