import { median } from 'simple-statistics';
import { studentQuantile } from './distributions';
import { DEFAULT_SEED, type Draw, drawFrom, shuffled } from './random';
import { requireFinite } from './summary';

/** Probability that a change is reported in a series without one. */
const FALSE_ALARMS = 0.01;
const PERMUTATIONS = 499;
const RESAMPLES = 199;
const TIME_CONFIDENCE = 0.95;

export type Levels = ReturnType<typeof findChanges>;
/** A lasting level shift in a series. */
export type Change = Levels['changes'][number];

/**
 * Finds lasting level shifts in a series, such as the drop in throughput when burst credits run out. @param values equally spaced, without gaps
 *
 * Binary segmentation on the largest difference of means, with a permutation test for significance. The statistic is first divided by the variance
 * inflation of autocorrelated noise: otherwise slow noise looks like a change. If a straight line fits a stretch better than a step, the stretch
 * drifts, and no change is reported in it. A change and a drift within one level are not distinguished.
 */
export function findChanges(values: readonly number[]) {
  requireFinite(values);
  // Of a level, in points.
  const shortest = Math.max(5, Math.floor(values.length / 20));
  const draw = drawFrom(DEFAULT_SEED);
  const cuts: { index: number; probability: number; interval: { from: number; to: number; confidence: number } }[] = [];
  const drifting = new Set<number>();
  split(0, values.length);
  cuts.sort((a, b) => a.index - b.index);
  const bounds = [0, ...cuts.map(({ index }) => index), values.length];
  const segments = bounds.slice(1).flatMap((to, at) => {
    const from = bounds[at] as number;
    if (to <= from) return [];
    const part = values.slice(from, to);
    // Of the indexes from `from` to below `to`, with the ends of the straight line through a drifting level.
    return [{ from, to, mean: meanOf(part), line: drifting.has(from) ? lineThrough(part) : null }];
  });
  const changes = cuts.map((cut, at) => {
    // Means within the neighbouring changes.
    const [before, after] = [segments[at]?.mean as number, segments[at + 1]?.mean as number];
    return {
      /** Beginning of the second level (`index`; with 95 % confidence in the `interval`), and the `probability` of such a step by chance alone. */
      ...cut,
      before,
      after,
      relative: before === 0 ? null : after / before - 1,
    };
  });
  return { changes, segments };

  function split(from: number, to: number): void {
    const part = values.slice(from, to);
    if (part.length < 2 * shortest) return;
    const best = bestStep(part, shortest);
    const inflation = varianceInflation(lag1Autocorrelation(part));
    const probability = chance(part, best.gain / inflation, shortest, draw);
    // A clean slope looks like autocorrelated noise, in which no step stands out.
    if (probability === null ? hasTrend(part) : isDrift(part, best.index, shortest, inflation)) drifting.add(from);
    if (probability === null || drifting.has(from)) return;
    const block = inflation < 1.2 ? 1 : Math.min(Math.ceil(4 * inflation), Math.floor(part.length / 8));
    const where = timeInterval(part, best.index, shortest, Math.max(block, 1), draw);
    cuts.push({
      index: from + best.index,
      probability,
      interval: { from: from + where.from, to: from + where.to, confidence: TIME_CONFIDENCE },
    });
    split(from, from + best.index);
    split(from + best.index, to);
  }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The split that explains most of the sum of squares, and how much. */
function bestStep(values: readonly number[], shortest: number): { index: number; gain: number } {
  const count = values.length;
  const centre = meanOf(values);
  let [sum, index, gain] = [0, 0, 0];
  for (let at = 1; at <= count - shortest; at += 1) {
    sum += (values[at - 1] as number) - centre;
    if (at < shortest) continue;
    const explained = (sum * sum * count) / (at * (count - at));
    if (explained > gain) [index, gain] = [at, explained];
  }
  return { index, gain };
}

function residuals(values: readonly number[], index: number): number[] {
  const before = index === 0 ? 0 : meanOf(values.slice(0, index));
  const after = meanOf(values.slice(index));
  return values.map((value, at) => value - (at < index ? before : after));
}

const squares = (values: readonly number[]): number => values.reduce((sum, value) => sum + value * value, 0);

/** True if a line fits better than one step and, by the Bayesian information criterion, better than four levels: a staircase is not a drift. */
function isDrift(values: readonly number[], index: number, shortest: number, inflation: number): boolean {
  const line = squares(besideLine(values));
  if (line > squares(residuals(values, index))) return false;
  const levels = [values.slice(0, index), values.slice(index)].reduce(
    (sum, half) => sum + squares(residuals(half, bestStep(half, shortest).index)),
    0,
  );
  // Two parameters against four levels and their three boundaries.
  return (values.length / inflation) * Math.log(line / levels) < 5 * Math.log(values.length);
}

/** Residuals of a straight line. */
function besideLine(values: readonly number[]): number[] {
  const [first, last] = lineThrough(values);
  const step = values.length < 2 ? 0 : (last - first) / (values.length - 1);
  return values.map((value, at) => value - first - step * at);
}

/** The least-squares line, as its first and last point. */
function lineThrough(values: readonly number[]): [first: number, last: number] {
  const [middle, centre] = [(values.length - 1) / 2, meanOf(values)];
  const across = values.reduce((sum, value, at) => sum + (at - middle) * (value - centre), 0);
  const along = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  const reach = along === 0 ? 0 : (across / along) * middle;
  return [centre - reach, centre + reach];
}

/** Confidence required to report a slope; it can be high, since relevant slopes are obvious. */
const SLOPE_CONFIDENCE = 0.999;

/** True if the least-squares line has a significant slope, given the residual noise and its autocorrelation. */
function hasTrend(values: readonly number[]): boolean {
  const count = values.length;
  const noise = besideLine(values);
  const [first, last] = lineThrough(values);
  // Correct for the bias of a fitted line, which is twice that of a mean.
  const lag1 = Math.min(Math.max((autocorrelation(noise) + 2 / count) / (1 - 4 / count), 0), 0.95);
  const inflation = varianceInflation(lag1);
  const degrees = count / inflation - 2;
  if (degrees < 1) return false;
  const along = (count * (count * count - 1)) / 12;
  const error = Math.sqrt(((squares(noise) / (count - 2)) * inflation) / along);
  const slope = (last - first) / (count - 1);
  return error === 0 ? slope !== 0 : Math.abs(slope) / error > studentQuantile(SLOPE_CONFIDENCE, degrees);
}

/** Points in a stretch that is short enough to rarely contain a step. */
const WINDOW = 24;

/** Lag-1 autocorrelation, from 0 to below 1: the median over short stretches, of which few have a step, with Kendall's correction for their bias. */
function lag1Autocorrelation(values: readonly number[]): number {
  const stretches = Math.max(1, Math.floor(values.length / WINDOW));
  const length = Math.floor(values.length / stretches);
  const seen = Array.from({ length: stretches }, (_, at) =>
    autocorrelation(values.slice(at * length, (at + 1) * length)),
  );
  return Math.min(Math.max((median(seen) + 1 / length) / (1 - 3 / length), 0), 0.95);
}

function autocorrelation(values: readonly number[]): number {
  const centre = meanOf(values);
  const noise = values.map((value) => value - centre);
  const power = squares(noise);
  // Equal values are a rounding error away from their mean, all on one side of it.
  if (power <= 1e-24 * squares(values)) return 0;
  let next = 0;
  for (let at = 1; at < noise.length; at += 1) next += (noise[at] as number) * (noise[at - 1] as number);
  return next / power;
}

/** Variance inflation: points of autocorrelated noise equivalent to one independent point. */
const varianceInflation = (lag1: number): number => (1 + lag1) / (1 - lag1);

/** Block permutation of the series, with a random start. */
function permuted(values: readonly number[], block: number, draw: Draw): number[] {
  const count = values.length;
  const start = block === 1 ? 0 : draw(count);
  const blocks = Array.from({ length: Math.ceil(count / block) }, (_, at) => at * block);
  const turned = [...values.slice(start), ...values.slice(0, start)];
  return shuffled(blocks, draw)
    .reverse()
    .flatMap((from) => turned.slice(from, from + block));
}

/** Returns the probability that noise alone explains a gain, by permutations; `null` as soon as it is known to be above {@link FALSE_ALARMS}. */
function chance(values: readonly number[], gain: number, shortest: number, draw: Draw): number | null {
  let reached = 0;
  for (let time = 0; time < PERMUTATIONS; time += 1) {
    if (bestStep(shuffled(values, draw), shortest).gain >= gain) reached += 1;
    if ((reached + 1) / (PERMUTATIONS + 1) > FALSE_ALARMS) return null;
  }
  return (reached + 1) / (PERMUTATIONS + 1);
}

/** Bootstraps the position of the step by adding permuted noise to it. */
function timeInterval(
  values: readonly number[],
  index: number,
  shortest: number,
  block: number,
  draw: Draw,
): { from: number; to: number } {
  const noise = residuals(values, index);
  const found = Array.from({ length: RESAMPLES }, () => {
    const other = permuted(noise, block, draw);
    return bestStep(
      values.map((value, at) => value - (noise[at] as number) + (other[at] as number)),
      shortest,
    ).index;
  }).sort((a, b) => a - b);
  const tail = ((1 - TIME_CONFIDENCE) / 2) * (RESAMPLES + 1);
  return { from: found[Math.floor(tail) - 1] as number, to: found[RESAMPLES - Math.floor(tail)] as number };
}
