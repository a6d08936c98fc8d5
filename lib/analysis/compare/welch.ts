import {
  type Interval,
  inflatedSpread,
  type Lag1Evidence,
  meanInterval,
  studentQuantile,
} from '../../common/statistics';

/** A confidence interval of a ratio of two means. */
export interface TwoSampleInterval extends Pick<Interval, 'low' | 'high' | 'confidence'> {
  readonly method: 'Welch t on logarithms';
  /** The dependence of the repeats of each side that the interval allows for. @default - both sides have too few: they are taken as independent */
  readonly dependence?: readonly [a: Interval['dependence'] | null, b: Interval['dependence'] | null];
}

interface TwoSampleOptions {
  readonly confidence?: number;
  readonly comparisons?: number;
  /** Lag1Evidence of the autocorrelation of all repeats that are compared. @default - that of each side alone */
  readonly evidence?: Lag1Evidence;
}

/**
 * The ratio of the geometric means of two sets of repeats that are not pairs, B ÷ A. They may vary differently: Welch's interval, with
 * the quantiles of Student's distribution, and the variance of each side inflated by its autocorrelation.
 *
 * @param a in the order of time, as b
 * @returns `null` with fewer than two values on a side
 */
export function ratioInterval(
  a: readonly number[],
  b: readonly number[],
  { confidence = 0.95, comparisons = 1, evidence }: TwoSampleOptions = {},
): TwoSampleInterval | null {
  if (a.length < 2 || b.length < 2) return null;
  const each = 1 - (1 - confidence) / comparisons;
  const sides = [a, b].map((values) => {
    const { dependence = null } = meanInterval(values.map(Math.log), { confidence: each, evidence }) ?? {};
    const { mean, ofMean } = moments(values);
    return { mean, ofMean: ofMean * (dependence?.varianceInflation ?? 1), dependence };
  });
  const [left, right] = sides as [(typeof sides)[number], (typeof sides)[number]];
  const centre = right.mean - left.mean;
  const variance = left.ofMean + right.ofMean;
  // Welch–Satterthwaite; both sides without any spread leave nothing to estimate.
  const degrees =
    variance === 0
      ? a.length + b.length - 2
      : variance ** 2 / (left.ofMean ** 2 / (a.length - 1) + right.ofMean ** 2 / (b.length - 1));
  const reach = studentQuantile(each, degrees) * Math.sqrt(variance);
  const isAllowedFor = left.dependence !== null || right.dependence !== null;
  return {
    low: Math.exp(centre - reach),
    high: Math.exp(centre + reach),
    confidence: each,
    method: 'Welch t on logarithms',
    dependence: isAllowedFor ? [left.dependence, right.dependence] : undefined,
  };
}

/** Standard deviation of the logarithm of B ÷ A, of one repeat of each, inflated by the lag-1 autocorrelation of the repeats. */
export function pairSpread(a: readonly number[], b: readonly number[], { dependence }: TwoSampleInterval): number {
  const spreads = [a, b].map((values, side) =>
    inflatedSpread(Math.sqrt(moments(values).ofMean * values.length), dependence?.[side]),
  );
  return Math.hypot(...spreads);
}

/** Mean of the logarithms, and the variance of that mean. */
function moments(values: readonly number[]): { mean: number; ofMean: number } {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  return { mean, ofMean: variance / logs.length };
}
