import { ndtr } from 'cephes';
import { FEWEST_FOR_AUTOCORRELATION } from './autocorrelation';

/**
 * The first look at an experiment that stops when it is settled. Before it, nothing tells repeats that depend on one another from independent ones.
 */
export const FIRST_LOOK = FEWEST_FOR_AUTOCORRELATION;

/** Points of the grid between 0 and the boundary at the last look. */
const POINTS = 200;

const density = (away: number, variance: number): number =>
  Math.exp((-away * away) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);

/**
 * The probability that the sum of independent standard normal values leaves ± `boundary` × √count at a look after each of `first` to `most` values: the
 * recursion of Armitage, McPherson and Rowe (1969, https://doi.org/10.2307/2343787).
 */
function crossing(boundary: number, first: number, most: number): number {
  const step = (boundary * Math.sqrt(most)) / POINTS;
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
  for (let count = first + 1; count <= most; count += 1) {
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
 * The critical value of Pocock's boundary (1977, https://doi.org/10.1093/biomet/64.2.191) in standard errors: looked at after each of `first` to `most`
 * values, the mean of values without an effect is beyond it at any of the looks with that probability.
 */
export function pocockBoundary(first: number, most: number, error = 0.05): number {
  if (!(Number.isInteger(first) && Number.isInteger(most) && first >= 1 && most >= first))
    throw new Error(`looks must be after whole numbers of values, got ${first} to ${most}`);
  const key = `${first} ${most} ${error}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  let [low, high] = [1, 8];
  for (let halved = 0; halved < 30; halved += 1) {
    const middle = (low + high) / 2;
    if (crossing(middle, first, most) > error) low = middle;
    else high = middle;
  }
  known.set(key, high);
  return high;
}

/**
 * The confidence of each interval of an experiment that is looked at after every pair from {@link FIRST_LOOK} on, and may stop at any of these looks: so high
 * that in 95 % of experiments none of the looks misses the truth. Student's interval of that confidence stands in for the normal one (Jennison and
 * Turnbull 2000, section 4.4).
 *
 * @param most pairs of the experiment
 */
export function confidenceWithLooks(most: number): number {
  return 2 * ndtr(pocockBoundary(FIRST_LOOK, Math.max(FIRST_LOOK, most))) - 1;
}
