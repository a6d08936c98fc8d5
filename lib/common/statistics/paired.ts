import { mean, sampleStandardDeviation } from 'simple-statistics';
import type { Range } from '../collections';
import { averagedInterval, type Lag1Evidence } from './dependence';
import { minimumDetectable } from './detectable';
import { studentQuantile } from './distributions';
import { DEFAULT_SEED, type Draw, drawFrom } from './random';
import { leavesOutEquality, outliers, requireFinite } from './summary';

/**
 * Tests a family of comparisons with a family-wise error rate of 5 %: in 95 % of runs no false difference is reported (Holm 1979).
 * Each member is tested with the error divided by the number of open members. Significant ones are settled, and the rest are retested as the smaller
 * family, until none is settled. Each keeps the interval of its last test, which excludes equality exactly if the difference is significant and
 * covers its true value at least as often as a single interval would. Unlike Bonferroni's, the intervals do not hold simultaneously.
 * @param test one member, with its error divided by a number of comparisons @param settles true if the result is a difference
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
 * @param pairs in the order of time @param systematic largest systematic error of a ratio, as a share
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

export interface Interval {
  readonly low: number;
  readonly high: number;
  /** 0.95 for 95 %, of this interval alone: higher than requested if there are several comparisons. */
  readonly confidence: number;
  readonly method:
    | 't'
    | 't and studentised bootstrap'
    | 't averaged over autocorrelations'
    | 't averaged over autocorrelations, and studentised bootstrap';
  /** The dependence of the values on one another that the interval allows for. @default - too few values: they are taken as independent */
  readonly dependence?: Dependence;
}

/** The dependence of repeats on the ones before. */
interface Dependence {
  readonly lag1: number;
  /** (Width ÷ that of Student's interval)²: so many repeats are worth one independent repeat. */
  readonly varianceInflation: number;
}

interface IntervalOptions {
  /** @default 0.95 */
  readonly confidence?: number;
  /** Number of comparisons by which the interval's error is divided (see `stepDown`). @default 1 */
  readonly comparisons?: number;
  /** @default {@link DEFAULT_SEED} */
  readonly seed?: number;
  /** Lag1Evidence of the autocorrelation of all series of the experiment; `null` takes the values as independent. @default - that of the values */
  readonly evidence?: Lag1Evidence | null;
}

/** Minimum number of values for bootstrapping. */
const BOOTSTRAP_FROM = 15;

const RESAMPLES = 999;

/**
 * A confidence interval for the mean of a few values, in the order of time; `null` for fewer than two, which have no variance.
 *
 * Below {@link BOOTSTRAP_FROM} values it is Student's. At a nominal 95 %, a percentile bootstrap of 3 to 10 values covers 74 to 89 %, and a
 * studentised one has no upper end at 3 and hides what 8 values show. Student's covers 93 to 97 % for symmetric noise, with or without outliers (the
 * logarithm of the ratio of two arms with like noise is symmetric), and 89 % for exponential noise. Above, it is the hull of Student's, which is too
 * narrow for skewed data, and the studentised bootstrap, which is too narrow for heavy tails (test/common/statistics measures all of this). From
 * eight values on, the hull includes the interval of {@link averagedInterval}, for autocorrelation.
 */
export function meanInterval(values: readonly number[], options: IntervalOptions = {}): Interval | null {
  const { confidence = 0.95, comparisons = 1, seed = DEFAULT_SEED, evidence } = options;
  requireFinite(values);
  if (!(confidence > 0 && confidence < 1)) throw new Error(`'confidence' must be between 0 and 1, got ${confidence}`);
  if (!(Number.isInteger(comparisons) && comparisons >= 1))
    throw new Error(`'comparisons' must be a whole number from 1, got ${comparisons}`);
  const count = values.length;
  if (count < 2) return null;
  const each = 1 - (1 - confidence) / comparisons;
  const centre = mean([...values]);
  const error = sampleStandardDeviation([...values]) / Math.sqrt(count);
  const reach = studentQuantile(each, count - 1) * error;
  const student = { low: centre - reach, high: centre + reach };
  const resamples = count >= BOOTSTRAP_FROM && error > 0;
  const independent = resamples ? hull(student, studentised(values, centre, error, each, drawFrom(seed))) : student;
  const averaged = evidence === null ? null : averagedInterval(values, each, evidence);
  if (averaged === null)
    return { ...independent, confidence: each, method: resamples ? 't and studentised bootstrap' : 't' };
  const { low, high } = hull(independent, averaged);
  const name = 't averaged over autocorrelations';
  return {
    low,
    high,
    confidence: each,
    method: resamples ? `${name}, and studentised bootstrap` : name,
    dependence: { lag1: averaged.lag1, varianceInflation: inflationOf(hull(student, averaged), reach) },
  };
}

/** Standard deviation of independent values whose mean would be as uncertain as that of values with this spread and lag-1 autocorrelation. */
export function inflatedSpread(spread: number, dependence?: Dependence | null): number {
  const lag1 = Math.max(0, dependence?.lag1 ?? 0);
  return spread * Math.sqrt((1 + lag1) / (1 - lag1));
}

const hull = (a: Range<number>, b: Range<number>): Range<number> => ({
  low: Math.min(a.low, b.low),
  high: Math.max(a.high, b.high),
});

const inflationOf = ({ low, high }: Range<number>, reach: number): number => ((high - low) / 2 / reach) ** 2;

/** Quantiles of (mean of a resample − mean) ÷ its standard error, reversed. */
function studentised(
  values: readonly number[],
  centre: number,
  error: number,
  confidence: number,
  draw: Draw,
): Range<number> {
  const count = values.length;
  const ratios: number[] = [];
  while (ratios.length < RESAMPLES) {
    let [sum, squares] = [0, 0];
    for (let index = 0; index < count; index += 1) {
      const away = (values[draw(count)] as number) - centre;
      sum += away;
      squares += away * away;
    }
    const variance = (squares - (sum * sum) / count) / (count - 1);
    // All values are equal, so there is no standard error to divide by.
    if (variance <= 1e-18 * error * error) continue;
    ratios.push(sum / count / Math.sqrt(variance / count));
  }
  ratios.sort((a, b) => a - b);
  const tail = ((1 - confidence) / 2) * (RESAMPLES + 1);
  const rank = (position: number): number => ratios[Math.min(Math.max(position, 1), RESAMPLES) - 1] as number;
  return { low: centre - rank(Math.ceil(RESAMPLES + 1 - tail)) * error, high: centre - rank(Math.floor(tail)) * error };
}
