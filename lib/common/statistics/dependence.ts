import { studentCdf, studentQuantile } from './distributions';
import { DEFAULT_SEED, drawFrom, shuffled } from './random';
import { meanOf } from './summary';

/** Shorter series say next to nothing of their autocorrelation. */
export const FEWEST_FOR_AUTOCORRELATION = 8;

/** Lag-1 autocorrelations that are weighed against one another, from -0.9 to 0.9. Beyond that, a series is a trend. */
const GRID = Array.from({ length: 19 }, (_, at) => (at - 9) / 10);
/**
 * Values for which each other series counts, since its noise may differ or be the same: keeps false differences below 5 % if half of the series are
 * autocorrelated (docs/decisions/comparisons.md).
 */
const OTHERS_COUNT = 4;

/** Log-likelihood of each lag-1 autocorrelation of the grid, up to a constant. */
export type Lag1Evidence = readonly number[];

const isTestable = (values: readonly number[]): boolean =>
  values.length >= FEWEST_FOR_AUTOCORRELATION && values.some((value) => value !== values[0]);

/** Lag1Evidence of several series that depend on their past alike, each in the order of time; none from those that are too short. */
export function evidenceOf(series: readonly (readonly number[])[]): Lag1Evidence {
  const fits = series.filter(isTestable).map((values) => GRID.map((lag1) => fitted(values, lag1).logLikelihood));
  return GRID.map((_, at) => fits.reduce((sum, one) => sum + (one[at] as number), 0));
}

/** The lag-1 autocorrelation that several series show together, each in the order of time; `null` if all are too short. */
export function autocorrelationOf(series: readonly (readonly number[])[]) {
  const count = series.filter(isTestable).length;
  if (count === 0) return null;
  // As in an interval, on average: one in full, the others for a few values.
  const longest = series.reduce((max, { length }) => Math.max(max, length), 0);
  const weights = normalised(
    evidenceOf(series).map((log) => (log * (1 + ((count - 1) * OTHERS_COUNT) / longest)) / count),
  );
  const expected = (of: (lag1: number) => number): number =>
    GRID.reduce((sum, lag1, at) => sum + of(lag1) * (weights[at] as number), 0);
  const lag1 = expected((each) => each);
  return {
    lag1,
    /** Standard deviation of what `lag1` may be. */
    uncertainty: Math.sqrt(expected((each) => (each - lag1) ** 2)),
    /** Probability that it is above 0. */
    positive: expected((each) => Number(each > 0)),
  };
}

/** Mean and standard error by generalised least squares (Prais–Winsten) of a series with that lag-1 autocorrelation. */
function fitted(values: readonly number[], lag1: number): { mean: number; error: number; logLikelihood: number } {
  const count = values.length;
  const [first, rest] = [1 - lag1 ** 2, (1 - lag1) ** 2];
  const information = first + (count - 1) * rest;
  let sum = first * (values[0] as number);
  for (let at = 1; at < count; at += 1)
    sum += (1 - lag1) * ((values[at] as number) - lag1 * (values[at - 1] as number));
  const mean = sum / information;
  let squares = first * ((values[0] as number) - mean) ** 2;
  for (let at = 1; at < count; at += 1)
    squares += ((values[at] as number) - mean - lag1 * ((values[at - 1] as number) - mean)) ** 2;
  return {
    mean,
    error: Math.sqrt(squares / (count - 1) / information),
    logLikelihood: (Math.log(first) - Math.log(information) - (count - 1) * Math.log(squares)) / 2,
  };
}

/** Probabilities in proportion to the exponentials. */
function normalised(logs: readonly number[]): number[] {
  const max = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - max));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Autocorrelations that are less probable than this change no interval. */
const NEGLIGIBLE = 1e-7;

/**
 * The interval of a mean under noise of unknown lag-1 autocorrelation: Student's interval for each autocorrelation, averaged by how well the series
 * agree with it, from a flat prior (Zellner and Tiao 1964, Journal of the American Statistical Association 59, 763–778). An interval for one
 * estimated autocorrelation, taken as known, is too narrow for short series.
 * @param values in the order of time @param evidence of all series of the experiment, including this one
 * @returns the interval, with the expected lag-1 autocorrelation; `null` for a constant series, or one that is too short
 */
export function averagedInterval(values: readonly number[], confidence: number, evidence?: Lag1Evidence) {
  if (!isTestable(values)) return null;
  const degrees = values.length - 1;
  const fits = GRID.map((lag1) => fitted(values, lag1));
  const weights = normalised(
    fits.map(({ logLikelihood: own }, at) => {
      const all = evidence?.[at] ?? own;
      return own + (OTHERS_COUNT / values.length) * (all - own);
    }),
  );
  const parts = fits.flatMap((one, at) =>
    (weights[at] as number) < NEGLIGIBLE ? [] : [{ ...one, weight: weights[at] as number }],
  );
  const below = (x: number): number =>
    parts.reduce((sum, { mean, error, weight }) => sum + weight * studentCdf((x - mean) / error, degrees), 0);
  const reach = studentQuantile(confidence, degrees);
  const end = (sign: 1 | -1): number => {
    const ends = parts.map(({ mean, error }) => mean + sign * reach * error);
    return crossing(below, (1 + sign * confidence) / 2, Math.min(...ends), Math.max(...ends));
  };
  return { low: end(-1), high: end(1), lag1: GRID.reduce((sum, lag1, at) => sum + lag1 * (weights[at] as number), 0) };
}

/** The point at which a rising function reaches a level: the Illinois variant of false position. */
function crossing(rising: (x: number) => number, level: number, from: number, to: number): number {
  let [low, high] = [from, to];
  let [under, over] = [rising(low) - level, rising(high) - level];
  const enough = 1e-9 * (to - from);
  let last = 0;
  for (let step = 0; step < 100 && under < 0 && over > 0 && high - low > enough; step += 1) {
    const x = (low * over - high * under) / (over - under);
    const found = rising(x) - level;
    if (found === 0) return x;
    if (found > 0) {
      if (last > 0) under /= 2;
      [high, over, last] = [x, found, 1];
    } else {
      if (last < 0) over /= 2;
      [low, under, last] = [x, found, -1];
    }
    if (Math.abs(found) < 1e-12) break;
  }
  return last > 0 ? high : low;
}

/** Lags that are looked at together: noise next to slow noise hides most of its autocorrelation at lag 1, and less of it at 2 and 3. */
const LAGS = [1, 2, 3];
/** Orders in which the values are drawn: the probability is known to half a percent where it matters. */
const ORDERS = 499;

/**
 * How much the values of several series, in the order of time, resemble those before: their mean lag-1 autocorrelation, and the probability `p` of
 * so much resemblance, or more, in independent values (one-sided permutation test). `null` if all are too short or constant.
 */
export function dependenceOf(series: readonly (readonly number[])[]) {
  const deviations = series.filter(({ length }) => length >= FEWEST_FOR_AUTOCORRELATION).flatMap(scaled);
  if (deviations.length === 0) return null;
  const resemblance = (all: readonly (readonly number[])[]): number =>
    all.reduce((sum, one) => sum + LAGS.reduce((own, lag) => own + correlation(one, lag), 0), 0);
  const found = resemblance(deviations);
  const draw = drawFrom(DEFAULT_SEED);
  let more = 1;
  for (let order = 0; order < ORDERS; order += 1)
    if (resemblance(deviations.map((one) => shuffled(one, draw))) >= found) more += 1;
  return { lag1: meanOf(deviations.map((one) => correlation(one, 1))) ?? 0, p: more / (ORDERS + 1) };
}

/** The residuals of `values` after ordinary least squares on `others`: without the noise that both share. */
export function residualsOf(values: readonly number[], others: readonly number[]): number[] {
  const [own, other] = [deviationsOf(values), deviationsOf(others)];
  const square = other.reduce((sum, each) => sum + each ** 2, 0);
  const slope = square === 0 ? 0 : other.reduce((sum, each, at) => sum + each * (own[at] as number), 0) / square;
  return own.map((each, at) => each - slope * (other[at] as number));
}

function deviationsOf(values: readonly number[]): number[] {
  const mean = meanOf(values) ?? 0;
  return values.map((value) => value - mean);
}

/** Deviations whose squares sum to 1; none for constant values. */
function scaled(values: readonly number[]): number[][] {
  const own = deviationsOf(values);
  const length = Math.hypot(...own);
  return length < 1e-12 ? [] : [own.map((each) => each / length)];
}

const correlation = (deviations: readonly number[], lag: number): number =>
  deviations.reduce((sum, each, at) => (at < lag ? sum : sum + each * (deviations[at - lag] as number)), 0);
