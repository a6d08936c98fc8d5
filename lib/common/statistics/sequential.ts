import { ndtr } from 'cephes';
import { entryOf, keyOf } from '../collections';
import { FEWEST_FOR_AUTOCORRELATION } from './dependence';

/** Pairs before the first interim analysis of an experiment that may stop early: fewer cannot show whether repeats depend on one another. */
export const FEWEST_FOR_INTERIM = FEWEST_FOR_AUTOCORRELATION;

/** Points of the grid between 0 and the boundary at the last analysis. */
const POINTS = 200;

const density = (away: number, variance: number): number =>
  Math.exp((-away * away) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);

/**
 * The probability that the sum of independent standard normal values is beyond ± `boundary` × √count after any of `first` to `most` values: the
 * recursion of Armitage, McPherson and Rowe (1969, https://doi.org/10.2307/2343787).
 */
function crossing(boundary: number, first: number, max: number): number {
  const step = (boundary * Math.sqrt(max)) / POINTS;
  const sums = Array.from({ length: 2 * POINTS + 1 }, (_, at) => (at - POINTS) * step);
  const onward = Array.from({ length: 2 * POINTS + 1 }, (_, steps) => step * density(steps * step, 1));
  const within = (values: number[], count: number): number[] =>
    values.map((value, at) => {
      const excess = (Math.abs(sums[at] as number) - boundary * Math.sqrt(count)) / step;
      // A point stands for the half step on either side of it.
      return value * Math.min(1, Math.max(0, 0.5 - excess));
    });
  let inside = within(
    sums.map((sum) => density(sum, first)),
    first,
  );
  for (let count = first + 1; count <= max; count += 1) {
    const before = inside;
    inside = within(
      sums.map((_, to) =>
        before.reduce((sum, value, from) => sum + value * (onward[Math.abs(to - from)] as number), 0),
      ),
      count,
    );
  }
  return 1 - step * inside.reduce((sum, value) => sum + value, 0);
}

const known = new Map<string, number>();

/**
 * The critical value of Pocock's boundary (1977, https://doi.org/10.1093/biomet/64.2.191) in standard errors: without an effect, the mean is beyond
 * it after any of `first` to `most` values in `share` of experiments.
 */
export function pocockBoundary(first: number, max: number, share = 0.05): number {
  if (!(Number.isInteger(first) && Number.isInteger(max) && first >= 1 && max >= first))
    throw new Error(`interim analyses must be after whole numbers of values from 1, got ${first} to ${max}`);
  return entryOf(known, keyOf(first, max, share), () => {
    let [low, high] = [1, 8];
    for (let halved = 0; halved < 30; halved += 1) {
      const middle = (low + high) / 2;
      if (crossing(middle, first, max) > share) low = middle;
      else high = middle;
    }
    return high;
  });
}

/**
 * Share of experiments in which an interval may miss the truth at any of several analyses, if repeats are independent. The rest of 5 % is for
 * dependent repeats: at an autocorrelation of 0.8, which few pairs reveal, 0.05 here would become 5.6 % (docs/decisions/stopping.md).
 */
const MISSED = 0.04;

/**
 * The confidence of each interval of an experiment of at most `max` pairs that any analysis from {@link FEWEST_FOR_INTERIM} pairs on may stop.
 * Student's interval replaces the normal one (Jennison and Turnbull 2000, section 4.4).
 */
export function confidenceWithInterim(max: number): number {
  // There is no interim analysis.
  if (max <= FEWEST_FOR_INTERIM) return 0.95;
  return 2 * ndtr(pocockBoundary(FEWEST_FOR_INTERIM, max, MISSED)) - 1;
}
