import { median, sampleStandardDeviation } from 'simple-statistics';
import { requireFinite } from './describe';
import { minimumDetectable } from './detectable';
import { type Interval, type IntervalOptions, meanInterval } from './interval';
import { type Outlier, outliers } from './outliers';

/** The values of both arms in one repeat, measured at the same time on the same data. */
export interface PairedValues {
  readonly baseline: number;
  readonly value: number;
}

/** An arm compared with the baseline over all repeats. */
export interface PairedComparison {
  readonly pairs: number;
  /** Geometric mean of value ÷ baseline; `null` without a pair. */
  readonly ratio: number | null;
  readonly medianRatio: number | null;
  /** Confidence interval of the ratio; `null` for fewer than two pairs. */
  readonly ratioInterval: Interval | null;
  /** Mean of value − baseline, in their unit. */
  readonly difference: number | null;
  readonly differenceInterval: Interval | null;
  /** True if the interval of the ratio excludes 1; `null` if there is no interval. */
  readonly different: boolean | null;
  /** Standard deviation of the logarithm of the ratio. */
  readonly spread: number | null;
  /** The smallest relative difference that this number of pairs detects with 80 % power at this spread. */
  readonly minimumDetectable: number | null;
  /** Pairs whose ratio is an outlier; they are not excluded. */
  readonly outliers: readonly Outlier[];
}

/**
 * Compares two arms pair by pair, which cancels effects common to both in a repeat (time of day, neighbours, drift).
 * Uses logarithms of ratios, so that twice as fast and half as fast are equally far from equality.
 *
 * @throws if a value is not positive: a repeat in which an arm moved nothing is not a pair
 */
export function comparePairs(pairs: readonly PairedValues[], options: IntervalOptions = {}): PairedComparison {
  requireFinite(pairs.flatMap(({ baseline, value }) => [baseline, value]));
  const wrong = pairs.findIndex(({ baseline, value }) => baseline <= 0 || value <= 0);
  if (wrong >= 0)
    throw new Error(
      `'pairs' must hold positive values, got ${pairs[wrong]?.baseline} and ${pairs[wrong]?.value} in pair ${wrong}`,
    );
  const logs = pairs.map(({ baseline, value }) => Math.log(value / baseline));
  const differences = pairs.map(({ baseline, value }) => value - baseline);
  const count = pairs.length;
  const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count;
  const inLogs = meanInterval(logs, options);
  const spread = count < 2 ? null : sampleStandardDeviation(logs);
  return {
    pairs: count,
    ratio: count === 0 ? null : Math.exp(average(logs)),
    medianRatio: count === 0 ? null : Math.exp(median(logs)),
    ratioInterval: inLogs && { ...inLogs, low: Math.exp(inLogs.low), high: Math.exp(inLogs.high) },
    difference: count === 0 ? null : average(differences),
    differenceInterval: meanInterval(differences, options),
    different: inLogs && (inLogs.low > 0 || inLogs.high < 0),
    spread,
    minimumDetectable: spread === null ? null : minimumDetectable(count, spread, options),
    outliers: outliers(logs).map((outlier) => ({ ...outlier, value: Math.exp(outlier.value) })),
  };
}
