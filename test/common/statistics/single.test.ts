import { comparePairs, minimumDetectable, outliers } from '../../../lib/common/statistics';
import { share } from './synthetic';

describe('outliers', () => {
  test.each([5, 10, 20, 40])('are named in no more than about 5 %% of sets of %i normal values', (count) => {
    const rate = share(1000, (from) => outliers(Array.from({ length: count }, () => from.normal())).length > 0);
    expect(rate).toBeLessThan(0.075);
  });

  test('are found where they are, also two that hide each other', () => {
    const found = share(200, (from) => {
      const values = Array.from({ length: 20 }, () => from.normal());
      values[3] = 12;
      values[11] = 13;
      return (
        outliers(values)
          .map(({ index }) => index)
          .join() === '3,11'
      );
    });
    expect(found).toBeGreaterThan(0.9);
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
