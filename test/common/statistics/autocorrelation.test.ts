import { called, NOISES } from '../../../bench/shared/falseAlarms';
import { ratioInterval } from '../../../lib/analysis/compare/comparedCell';
import { autocorrelationOf, evidenceOf, meanInterval } from '../../../lib/common/statistics';
import { averagedInterval } from '../../../lib/common/statistics/dependence';
import { draws } from '../../support/drawn';
import { autoregressive, share, synthetic } from './synthetic';

// The whole table, of 10,000 runs a cell, is made by `npm run bench falseAlarms`.

/** Four standard errors of a share of 5 % of so many runs: one suite in thirty thousand fails by chance. */
const within = (runs: number): number => 0.05 + 4 * Math.sqrt((0.05 * 0.95) / runs);

describe('false differences in the report of a run without any, from eight pairs on', () => {
  test.each(Object.keys(NOISES).flatMap((name) => [8, 20].map((repeats) => [name, repeats] as const)))(
    'are no more than 5 %% in %s noise, %i repeats',
    (name, repeats) => {
      const runs = repeats < 15 ? draws(250, 60) : draws(60, 20);
      expect(called(NOISES[name] as never, repeats, runs, { seed: 7 }).runs).toBeLessThanOrEqual(within(runs));
    },
  );

  test('are many times that below, which is why the report says so', () => {
    expect(called(NOISES['AR(1) 0.5'] as never, 5, 200, { seed: 7 }).runs).toBeGreaterThan(0.2);
  });
});

test.each([8, 10, 20])(
  'a comparison of its own is called different no more often than stated in AR(1) 0.5, %i pairs',
  (pairs) => {
    const runs = draws(1000, 300);
    const wrong = share(runs, (from) => {
      const interval = meanInterval(autoregressive(from, pairs, 0.5), { comparisons: 1 });
      return interval !== null && (interval.low > 0 || interval.high < 0);
    });
    expect(wrong).toBeLessThanOrEqual(within(runs));
    expect(wrong).toBeGreaterThan(0.01);
  },
);

test('false differences stay rare where only half of the comparisons are autocorrelated', () => {
  const runs = draws(400, 150);
  const wrong = share(runs, (from) => {
    const series = Array.from({ length: 8 }, (_, at) => autoregressive(from, 12, at < 4 ? 0.5 : 0));
    const evidence = evidenceOf(series);
    return series.some((values) => {
      const interval = meanInterval(values, { comparisons: 8, evidence });
      return interval !== null && (interval.low > 0 || interval.high < 0);
    });
  });
  expect(wrong).toBeLessThanOrEqual(within(runs));
});

test.each([8, 12])(
  'two runs that are no pairs are told apart no more often than stated in AR(1) 0.5, %i repeats each',
  (repeats) => {
    const runs = draws(600, 150);
    const wrong = share(runs, (from) => {
      const [a, b] = [0, 1].map(() => autoregressive(from, repeats, 0.5).map((value) => 100 * Math.exp(0.03 * value)));
      const interval = ratioInterval(a as number[], b as number[]);
      return interval !== null && (interval.low > 1 || interval.high < 1);
    });
    expect(wrong).toBeLessThanOrEqual(within(runs));
  },
);

describe('an interval of eight values or more', () => {
  const values = autoregressive(synthetic(3), 12, 0.6);

  test('says how far it allows for their autocorrelation', () => {
    const interval = meanInterval(values);
    const student = meanInterval(values, { evidence: null });
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    const { lag1, varianceInflation } = interval?.dependence ?? { lag1: 0, varianceInflation: 0 };
    expect(lag1).toBeGreaterThan(0.2);
    expect(varianceInflation).toBeCloseTo((width(interval as never) / width(student as never)) ** 2, 8);
    expect(interval?.low).toBeLessThan(student?.low as number);
    expect(interval?.high).toBeGreaterThan(student?.high as number);
  });

  test('is never narrower than that of independent values', () => {
    const turns = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 1 : -1) * (1 + at / 100));
    expect(meanInterval(turns)).toMatchObject({ dependence: { varianceInflation: 1 } });
    expect(meanInterval(turns)?.dependence?.lag1).toBeLessThan(-0.5);
  });

  test('depends on their order, and is the same in another unit and from the other end', () => {
    const ascending = [...values].sort((a, b) => a - b);
    const turns = ascending.map((_, at) => ascending.at(at % 2 === 0 ? at / 2 : -(at + 1) / 2) as number);
    expect(meanInterval(turns)?.dependence?.varianceInflation).toBeLessThan(
      (meanInterval(values)?.dependence?.varianceInflation as number) / 2,
    );
    const scaled = meanInterval(values.map((value) => 7 + 1000 * value));
    expect(scaled?.low).toBeCloseTo(7 + 1000 * (meanInterval(values)?.low as number), 4);
    expect(meanInterval([...values].reverse())?.low).toBeCloseTo(meanInterval(values)?.low as number, 8);
  });

  test('takes seven, and equal ones, as they are', () => {
    expect(meanInterval(values.slice(0, 7))).toEqual(meanInterval(values.slice(0, 7), { evidence: null }));
    expect(meanInterval(values.slice(0, 7))).not.toHaveProperty('dependence');
    expect(meanInterval([3, 3, 3, 3, 3, 3, 3, 3, 3])).toMatchObject({ low: 3, high: 3, method: 't' });
  });
});

/**
 * Posterior of the mean and of the lag-1 autocorrelation of Gaussian noise, from flat priors, integrated numerically: of each pair of them the density is
 * √(1 − lag1²) × squares^(−n/2), with the squares of what is not foreseen from the value before.
 */
function posterior(values: readonly number[], sharper = 1) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const reach = 10 * (high - low);
  const means = Array.from({ length: 10_001 }, (_, at) => low - reach + ((high - low + 2 * reach) * at) / 10_000);
  const lags = Array.from({ length: 19 }, (_, at) => (at - 9) / 10);
  const density = (mean: number, lag1: number): number => {
    const away = values.map((value) => value - mean);
    const squares = away.reduce(
      (sum, each, at) => sum + (at === 0 ? (1 - lag1 ** 2) * each ** 2 : (each - lag1 * (away[at - 1] as number)) ** 2),
      0,
    );
    return Math.sqrt(1 - lag1 ** 2) * (squares / (high - low) ** 2) ** (-values.length / 2);
  };
  const table = lags.map((lag1) => means.map((mean) => density(mean, lag1)));
  const totals = table.map((row) => row.reduce((sum, each) => sum + each, 0));
  const weights = totals.map((total) => total ** sharper);
  const whole = weights.reduce((sum, each) => sum + each, 0);
  const expected = (of: (lag1: number) => number): number =>
    lags.reduce((sum, lag1, at) => sum + (of(lag1) * (weights[at] as number)) / whole, 0);
  const quantile = (share: number): number => {
    const all = totals.reduce((sum, each) => sum + each, 0);
    let sum = 0;
    return means.find((_, at) => {
      for (const row of table) sum += row[at] as number;
      return sum >= share * all;
    }) as number;
  };
  return { expected, quantile, step: (high - low + 2 * reach) / 10_000 };
}

test('an interval that allows for autocorrelation is that of the posterior, and so is the autocorrelation', () => {
  for (const values of [autoregressive(synthetic(3), 12, 0.6), autoregressive(synthetic(4), 8, 0)]) {
    const { expected, quantile, step } = posterior(values);
    const interval = averagedInterval(values, 0.9);
    expect(Math.abs((interval?.low as number) - quantile(0.05))).toBeLessThan(2 * step);
    expect(Math.abs((interval?.high as number) - quantile(0.95))).toBeLessThan(2 * step);
    const lag1 = expected((each) => each);
    expect(interval?.lag1).toBeCloseTo(lag1, 5);
    const found = autocorrelationOf([values, [1, 2, 4]]);
    expect(found?.lag1).toBeCloseTo(lag1, 5);
    expect(found?.uncertainty).toBeCloseTo(Math.sqrt(expected((each) => (each - lag1) ** 2)), 5);
    expect(found?.positive).toBeCloseTo(
      expected((each) => (each > 0 ? 1 : 0)),
      5,
    );
  }
});

test('each further series counts for four more values, as each does for an interval', () => {
  const values = autoregressive(synthetic(3), 12, 0.6);
  const lag1 = posterior(values, 1 + 4 / 12).expected((each) => each);
  expect(autocorrelationOf([values, values])?.lag1).toBeCloseTo(lag1, 5);
  expect(averagedInterval(values, 0.9, evidenceOf([values, values]))?.lag1).toBeCloseTo(lag1, 5);
});

describe('the autocorrelation of several series', () => {
  const seriesOf = (seed: number, lag1: number, pairs = 12) => {
    const from = synthetic(seed);
    return Array.from({ length: 8 }, () => autoregressive(from, pairs, lag1));
  };

  test('is found near its truth', () => {
    const of = (lag1: number): number =>
      [1, 2, 3, 4, 5].reduce((sum, seed) => sum + (autocorrelationOf(seriesOf(seed, lag1))?.lag1 ?? 0), 0) / 5;
    for (const truth of [-0.4, 0, 0.4, 0.7]) expect(Math.abs(of(truth) - truth)).toBeLessThan(0.15);
  });

  test('is not looked for in shorter ones', () => {
    expect(autocorrelationOf(seriesOf(1, 0.5, 7))).toBeNull();
    expect(autocorrelationOf([])).toBeNull();
  });
});
