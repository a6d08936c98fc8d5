import { FEWEST_FOR_AUTOCORRELATION } from './autocorrelation';
import { DEFAULT_SEED, type Draw, drawFrom } from './random';
import { meanOf } from './summary';

/** Lags that are looked at together: noise next to slow noise hides most of its autocorrelation at lag 1, and less of it at 2 and 3. */
const LAGS = [1, 2, 3];
/** Orders in which the values are drawn: the probability is known to half a percent where it matters. */
const ORDERS = 499;

/** How much values in the order of time resemble those before. */
export interface SeriesDependence {
  /** Mean lag-1 autocorrelation of the series. */
  readonly lag1: number;
  /** Probability of so much resemblance, or more, in independent values: one-sided permutation test. */
  readonly p: number;
}

/** The dependence that several series in the order of time show together; `null` if all are too short or constant. */
export function dependenceOf(series: readonly (readonly number[])[]): SeriesDependence | null {
  const deviations = series.filter(({ length }) => length >= FEWEST_FOR_AUTOCORRELATION).flatMap(scaled);
  if (deviations.length === 0) return null;
  const resemblance = (all: readonly (readonly number[])[]): number =>
    all.reduce((sum, one) => sum + LAGS.reduce((own, lag) => own + correlation(one, lag), 0), 0);
  const found = resemblance(deviations);
  const draw = drawFrom(DEFAULT_SEED);
  let more = 1;
  for (let order = 0; order < ORDERS; order += 1)
    if (resemblance(deviations.map((one) => shuffled(one, draw))) >= found) more += 1;
  return {
    lag1: meanOf(deviations.map((one) => correlation(one, 1))) ?? 0,
    p: more / (ORDERS + 1),
  };
}

/** What is left of `values` after the part that follows `others` (ordinary least squares): noise that both share is gone. */
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

function shuffled(values: readonly number[], draw: Draw): number[] {
  const drawn = [...values];
  for (let at = drawn.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [drawn[at], drawn[other]] = [drawn[other] as number, drawn[at] as number];
  }
  return drawn;
}
