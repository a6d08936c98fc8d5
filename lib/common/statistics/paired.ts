import { sampleStandardDeviation } from 'simple-statistics';
import { minimumDetectable } from './detectable';
import { type Interval, type IntervalOptions, inflatedSpread, meanInterval } from './interval';
import { leavesOutEquality, outliers, requireFinite } from './summary';

/**
 * Tests a family of comparisons with a family-wise error rate of 5 %: in 95 % of runs no false difference is reported (Holm 1979).
 *
 * Each member is tested with the error divided by the number of open members. Significant ones are settled, and the rest are retested as the smaller
 * family, until none is settled. Each keeps the interval of its last test, which excludes equality exactly if the difference is significant and
 * covers its true value at least as often as a single interval would. Unlike Bonferroni's, the intervals do not hold simultaneously.
 *
 * @param test one member, with its error divided by a number of comparisons
 * @param settles true if the result is a difference
 * @returns the result of each member, in order
 */
export function stepDown<T>(
  size: number,
  test: (member: number, comparisons: number) => T,
  settles: (found: T) => boolean,
): T[] {
  const results = new Array<T>(size);
  let open = Array.from({ length: size }, (_, member) => member);
  for (;;) {
    const before = open.length;
    for (const member of open) results[member] = test(member, before);
    open = open.filter((member) => !settles(results[member] as T));
    if (open.length === 0 || open.length === before) return results;
  }
}

/** The values of both arms in one repeat, measured at the same time on the same data. */
export interface PairedValues {
  readonly baseline: number;
  readonly value: number;
}

/**
 * Compares two arms pair by pair, which cancels effects common to both in a repeat (time of day, neighbours, drift). In logarithms of ratios, twice
 * as fast and half as fast are equally far from equality. Slow noise of one arm does not cancel; from eight pairs on, the interval allows for it.
 *
 * @param pairs in the order of time
 * @param systematic largest systematic error of a ratio, as a share
 * @throws if a value is not positive: a repeat in which an arm moved nothing is not a pair
 */
export function comparePairs(
  pairs: readonly PairedValues[],
  { systematic, ...options }: IntervalOptions & { readonly systematic?: number | undefined } = {},
) {
  requireFinite(pairs.flatMap(({ baseline, value }) => [baseline, value]));
  const wrong = pairs.findIndex(({ baseline, value }) => baseline <= 0 || value <= 0);
  if (wrong >= 0)
    throw new Error(
      `'pairs' must hold positive values, got ${pairs[wrong]?.baseline} and ${pairs[wrong]?.value} in pair ${wrong}`,
    );
  const logs = pairs.map(({ baseline, value }) => Math.log(value / baseline));
  const count = pairs.length;
  const inLogs = meanInterval(logs, options);
  const ratioInterval: Interval | null = inLogs && {
    ...inLogs,
    low: Math.exp(inLogs.low),
    high: Math.exp(inLogs.high),
  };
  const spread = count < 2 ? null : sampleStandardDeviation(logs);
  return {
    pairs: count,
    /** Geometric mean of value ÷ baseline; `null` without a pair. */
    ratio: count === 0 ? null : Math.exp(logs.reduce((sum, log) => sum + log, 0) / count),
    /** `null` for fewer than two pairs. */
    ratioInterval,
    /** True if the interval excludes 1, and what the systematic error makes of it; `null` without an interval. */
    different: ratioInterval && leavesOutEquality(ratioInterval, systematic),
    /** Standard deviation of the logarithm of the ratio. */
    spread,
    /** The smallest relative difference that this number of pairs detects with 80 % power at this spread and autocorrelation. */
    minimumDetectable:
      spread === null
        ? null
        : minimumDetectable(count, inflatedSpread(spread, inLogs?.dependence), { ...options, systematic }),
    /** Pairs whose ratio is an outlier; they are not excluded. */
    outliers: outliers(logs).map((outlier) => ({ ...outlier, value: Math.exp(outlier.value) })),
  };
}
