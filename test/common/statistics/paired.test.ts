import {
  comparePairs,
  findChanges,
  meanInterval,
  minimumDetectable,
  outliers,
  type PairedValues,
  stepDown,
} from '../../../lib/common/statistics';
import { drawn, draws } from '../../support/drawn';
import { autoregressive, burst, NOISES, type Noise, type Synthetic, share, synthetic } from './synthetic';

const SEEDS = 400;

/** Three standard errors of a share of that many seeds. */
const within = (nominal: number, seeds = SEEDS): number => 3 * Math.sqrt((nominal * (1 - nominal)) / seeds);

/** Pairs of a run: noise of 4 % in each arm, and what the hour does to both. */
function run(
  from: Synthetic,
  pairs: number,
  truth: number,
  both: (pair: number) => number = () => 1,
  noise: Noise = 'normal',
): PairedValues[] {
  return Array.from({ length: pairs }, (_, pair) => ({
    baseline: 3560 * both(pair) * Math.exp(0.04 * NOISES[noise](from)),
    value: 3560 * truth * both(pair) * Math.exp(0.04 * NOISES[noise](from)),
  }));
}

const covers = (pairs: readonly PairedValues[], truth: number, seed: number): boolean => {
  const interval = comparePairs(pairs, { seed }).ratioInterval;
  return interval !== null && interval.low <= truth && truth <= interval.high;
};

describe.each(drawn([3, 5, 10, 20]))('with %i pairs', (pairs) => {
  test.each([1, 1.03, 1.3])('the interval covers a true ratio of %f at the promised rate', (truth) => {
    const rate = share(SEEDS, (from, seed) => covers(run(from, pairs, truth), truth, seed));
    expect(rate).toBeGreaterThanOrEqual(0.95 - within(0.95));
  });

  test('equal arms are called different no more often than stated', () => {
    const rate = share(SEEDS, (from, seed) => comparePairs(run(from, pairs, 1), { seed }).different === true);
    expect(rate).toBeLessThanOrEqual(0.05 + within(0.05));
    expect(rate).toBeGreaterThan(0.01);
  });

  test('a drift that both arms go through falls out', () => {
    const drift = (pair: number) => 1 - (0.5 * pair) / pairs;
    const rate = share(SEEDS, (from, seed) => covers(run(from, pairs, 1.03, drift), 1.03, seed));
    expect(rate).toBeGreaterThanOrEqual(0.95 - within(0.95));
    expect(comparePairs(run(synthetic(1), pairs, 1.3, drift)).ratio).toBeCloseTo(1.3, 1);
  });
});

describe.each(drawn([3, 5, 10]))('with %i pairs', (pairs) => {
  test.each([1, 1.03, 1.3])('a burst that ends for both arms falls out of a true ratio of %f', (truth) => {
    const burst = (pair: number) => (pair < (2 * pairs) / 3 ? 12_460 / 11_428 : 1);
    const rate = share(SEEDS, (from, seed) => covers(run(from, pairs, truth, burst), truth, seed));
    expect(rate).toBeGreaterThanOrEqual(0.95 - within(0.95));
  });

  test.each([1, 1.03, 1.3])('outliers leave a true ratio of %f within the interval', (truth) => {
    const rate = share(SEEDS, (from, seed) =>
      covers(
        run(from, pairs, truth, () => 1, 'with outliers'),
        truth,
        seed,
      ),
    );
    expect(rate).toBeGreaterThanOrEqual(0.95 - within(0.95));
  });

  test('equal arms with outliers, a drift and a burst that ends are called different no more often than stated', () => {
    const hour = (pair: number) => (1 - (0.3 * pair) / pairs) * (pair < pairs / 2 ? 1.1 : 1);
    const called = share(
      SEEDS,
      (from, seed) => comparePairs(run(from, pairs, 1, hour, 'with outliers'), { seed }).different === true,
    );
    expect(called).toBeLessThanOrEqual(0.05 + within(0.05));
  });
});

describe('a family of comparisons, step by step', () => {
  const seeds = draws(SEEDS, 100);
  /** Eight of them, as a paired plan has: some arms are equal, the others are not. */
  const family = (from: Synthetic, truths: readonly number[], pairs: number) => {
    const runs = truths.map((truth) => run(from, pairs, truth));
    const test = (member: number, comparisons: number) => comparePairs(runs[member] as PairedValues[], { comparisons });
    return { found: stepDown(truths.length, test, ({ different }) => different === true), test };
  };
  const EQUAL = [1, 1, 1, 1, 1, 1, 1, 1];
  const PUBLISHED = [1, 1, 1.6, 1.6, 2.5, 2.5, 3.3, 3.3];
  const SMALL = [1, 1, 1.1, 1.1, 1.3, 1.3, 2, 2];

  test.each([
    ['none is different', EQUAL, 3],
    ['none is different', EQUAL, 5],
    ['most are', PUBLISHED, 3],
    ['most are', PUBLISHED, 5],
    ['some are by little', SMALL, 5],
  ])('calls an equal arm different in no more runs than stated where %s (%j, %i pairs)', (_, truths, pairs) => {
    const wrong = share(seeds, (from) =>
      family(from, truths, pairs).found.some(({ different }, member) => truths[member] === 1 && different),
    );
    expect(wrong).toBeLessThanOrEqual(0.05 + within(0.05, seeds));
  });

  test('gives each an interval that holds its truth at least as often as it says', () => {
    let [held, all] = [0, 0];
    share(seeds, (from) => {
      family(from, SMALL, 5).found.forEach(({ ratioInterval }, member) => {
        const truth = SMALL[member] as number;
        all += 1;
        if (ratioInterval && ratioInterval.low <= truth && truth <= ratioInterval.high) held += 1;
        expect(ratioInterval?.confidence).toBeGreaterThanOrEqual(0.95);
      });
      return true;
    });
    expect(held / all).toBeGreaterThanOrEqual(0.95 - within(0.95, all));
  });

  test('finds all that testing each against the whole family finds, and more', () => {
    let [stepwise, atOnce, lost] = [0, 0, 0];
    share(seeds, (from) => {
      const { found, test } = family(from, SMALL, 5);
      found.forEach(({ different }, member) => {
        const bonferroni = test(member, SMALL.length).different === true;
        if (different) stepwise += 1;
        if (bonferroni) atOnce += 1;
        if (bonferroni && !different) lost += 1;
      });
      return true;
    });
    expect(lost).toBe(0);
    expect(stepwise).toBeGreaterThan(1.05 * atOnce);
  });

  test('has power where it counts: five pairs find the published differences, three miss some, two most', () => {
    const power = (pairs: number): number => {
      let found = 0;
      share(draws(200, 60), (from) => {
        found += family(from, PUBLISHED, pairs).found.filter(
          ({ different }, at) => PUBLISHED[at] !== 1 && different,
        ).length;
        return true;
      });
      return found / (draws(200, 60) * 6);
    };
    expect(power(5)).toBeGreaterThan(0.99);
    expect(power(3)).toBeGreaterThan(0.9);
    expect(power(2)).toBeLessThan(0.4);
  });
});

test('30 % are found with few pairs, 3 % in such noise only with many', () => {
  const found = (pairs: number, truth: number, seeds = 200): number =>
    share(seeds, (from, seed) => comparePairs(run(from, pairs, truth), { seed }).different === true);
  expect(found(5, 1.3)).toBeGreaterThan(0.98);
  expect(found(5, 1.03)).toBeLessThan(0.4);
  expect(found(60, 1.03, 40)).toBeGreaterThan(0.9);
});

describe('the interval of a mean', () => {
  const rate = (count: number, noise: Noise): number =>
    share(SEEDS, (from, seed) => {
      const interval = meanInterval(
        Array.from({ length: count }, () => NOISES[noise](from)),
        { seed },
      );
      return interval !== null && interval.low <= 0 && 0 <= interval.high;
    });

  test.each<[Noise, number]>([
    ['normal', 3],
    ['normal', 10],
    ['with outliers', 3],
    ['with outliers', 5],
    ['with outliers', 10],
    ['normal', 20],
    ['uniform', 20],
    ['exponential', 20],
    ['with outliers', 20],
  ])('keeps its promise for %s noise of %i values', (noise, count) => {
    expect(rate(count, noise)).toBeGreaterThanOrEqual(0.95 - within(0.95));
  });

  test('is known to promise too much for uniform and, more so, for exponential noise of few values', () => {
    expect(rate(5, 'uniform')).toBeGreaterThan(0.9);
    expect(rate(5, 'exponential')).toBeGreaterThan(0.86);
    expect(rate(5, 'exponential')).toBeLessThan(0.93);
  });
});

describe('outliers', () => {
  test.each([5, 10, 20, 40])('are named in no more than about 5 %% of sets of %i normal values', (count) => {
    const rate = share(1000, (from) => outliers(Array.from({ length: count }, () => from.normal())).length > 0);
    expect(rate).toBeLessThan(0.075);
  });
});

describe('the minimum detectable difference', () => {
  test.each([3, 5, 7, 10, 30])('of %i pairs is found four times in five, or more often', (pairs) => {
    const difference = minimumDetectable(pairs, 0.05) as number;
    const found = share(pairs < 15 ? 1500 : 300, (from) => {
      const run = Array.from({ length: pairs }, () => ({
        baseline: 100,
        value: 100 * (1 + difference) * Math.exp(0.05 * from.normal()),
      }));
      return comparePairs(run).different === true;
    });
    // Two standard errors of that many seeds; what allows for autocorrelation is rounded up.
    const error = pairs < 15 ? 0.021 : 0.046;
    expect(found).toBeGreaterThan(0.8 - error);
    expect(found).toBeLessThan(pairs < 8 ? 0.8 + error : 0.92);
  });

  test.each([
    [2, 8],
    [2, 1],
    [3, 8],
    [5, 8],
    [3, 200],
  ])('of %i pairs among %i comparisons is found four times in five, too, however far away', (pairs, comparisons) => {
    const log = Math.log1p(minimumDetectable(pairs, 0.01, { comparisons }) as number);
    const found = share(1500, (from) => {
      const run = Array.from({ length: pairs }, () => ({
        baseline: 100,
        value: 100 * Math.exp(log + 0.01 * from.normal()),
      }));
      return comparePairs(run, { comparisons }).different === true;
    });
    expect(Math.abs(found - 0.8)).toBeLessThan(0.031);
  });
});

test.each([0, 0.5])('the end of a burst is found, once, where it is (memory %f)', (memory) => {
  const found = share(40, (_, seed) => {
    const { changes } = findChanges(burst(seed, { memory }));
    return changes.length === 1 && Math.abs((changes[0]?.index as number) - 160) <= 10;
  });
  expect(found).toBeGreaterThan(0.9);
});

test.each([0, 0.5])('the interval of its time covers the truth (memory %f)', (memory) => {
  const covered = share(40, (_, seed) => {
    const [change] = findChanges(burst(seed, { memory, noise: 350 })).changes;
    return change !== undefined && change.interval.from <= 160 && 160 <= change.interval.to;
  });
  expect(covered).toBeGreaterThan(0.87);
});

test.each([0, 0.5, 0.8])('a series without a change has one no more often than stated (memory %f)', (memory) => {
  const wrong = share(150, (from) => findChanges(autoregressive(from, 240, memory)).changes.length > 0);
  expect(wrong).toBeLessThanOrEqual(0.01 + 3 * Math.sqrt((0.01 * 0.99) / 100));
});

test('a drift is no change of level', () => {
  const results = Array.from({ length: 10 }, (_, seed) =>
    findChanges(burst(seed + 1, { before: 100, after: 100, noise: 1 }).map((value, index) => value + index / 40)),
  );
  expect(results.filter(({ changes }) => changes.length > 0)).toEqual([]);
  expect(results.filter(({ segments }) => segments[0]?.line).length).toBeGreaterThan(8);
  for (const { segments } of results) {
    const [first, last] = segments[0]?.line ?? [100, 106];
    expect([Math.round(first), Math.round(last)]).toEqual([100, 106]);
  }
});

test.each([
  [24, 0],
  [240, 0],
  [240, 0.5],
  [240, 0.8],
])('%i points without a drift (memory %f) have one in no more than one of fifty', (count, memory) => {
  const wrong = share(150, (from) =>
    findChanges(autoregressive(from, count, memory)).segments.some(({ line }) => line !== null),
  );
  expect(wrong).toBeLessThanOrEqual(0.02);
});

test.each([60, 100])('a step without any noise is found in %i values, wherever it is', (count) => {
  const missed = Array.from({ length: count - 36 }, (_, at) => at + 18).filter((first) => {
    const series = Array.from({ length: count }, (_, at) => (at < first ? 1.3 : 1.1));
    return findChanges(series).changes[0]?.index !== first;
  });
  expect(missed).toEqual([]);
});
