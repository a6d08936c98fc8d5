import { median, sampleStandardDeviation } from 'simple-statistics';
import { requireFinite } from './describe';
import { minimumDetectable } from './detectable';
import { type Interval, type IntervalOptions, meanInterval } from './interval';
import { type Outlier, outliers } from './outliers';

/** What both arms did in one repeat, in the same minutes on the same data. */
export interface PairedValues {
  readonly baseline: number;
  readonly value: number;
}

/** An arm against the baseline over all repeats. */
export interface PairedComparison {
  readonly pairs: number;
  /** Geometric mean of value ÷ baseline; `null` without a pair. */
  readonly ratio: number | null;
  readonly medianRatio: number | null;
  /** Of the ratio. `null` for fewer than two pairs. */
  readonly ratioInterval: Interval | null;
  /** Mean of value − baseline, in their unit. */
  readonly difference: number | null;
  readonly differenceInterval: Interval | null;
  /** Does the interval of the ratio leave out 1? `null` where there is no interval. */
  readonly different: boolean | null;
  /** Standard deviation of the logarithm of the ratio. */
  readonly spread: number | null;
  /** The smallest relative difference that as many pairs of this spread find four times in five. */
  readonly minimumDetectable: number | null;
  /** Pairs whose ratio does not go with the others; they are counted all the same. */
  readonly outliers: readonly Outlier[];
}

/**
 * Compares two arms pair by pair, so that what changes from repeat to repeat for both (the hour, the neighbours, a drift) falls out.
 * Ratios are compared by their logarithms: twice as fast and half as fast are equally far from no difference.
 *
 * @throws when a value is not a positive number: a repeat in which an arm moved nothing is no pair
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
