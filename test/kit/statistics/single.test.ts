import {
  comparePairs,
  describe as describeValues,
  minimumDetectable,
  outliers,
  repeatsFor,
  spreadFromVariation,
} from '../../../lib/kit/statistics';
import { share } from './synthetic';

describe('a description', () => {
  test('has the figures of the textbook', () => {
    expect(describeValues([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({
      ...{ count: 8, min: 2, lowerQuartile: 4, median: 4.5, upperQuartile: 5.5, max: 9, mean: 5 },
      standardDeviation: Math.sqrt(32 / 7),
      medianAbsoluteDeviation: 0.5,
      coefficientOfVariation: Math.sqrt(32 / 7) / 5,
    });
  });

  test('has none where there are too few values', () => {
    expect(new Set(Object.values(describeValues([])))).toEqual(new Set([0, null]));
    expect(describeValues([3])).toMatchObject({ median: 3, standardDeviation: null, coefficientOfVariation: null });
    expect(describeValues([-1, 1]).coefficientOfVariation).toBeNull();
  });

  test('leaves the values as they are', () => {
    const values = Object.freeze([3, 1, 2]);
    expect(describeValues(values).median).toBe(2);
  });

  test('refuses what is no number', () => {
    expect(() => describeValues([1, Number.POSITIVE_INFINITY])).toThrow(
      "'values' must be finite numbers, got Infinity",
    );
  });
});

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

  test('are not looked for in four values or in equal ones', () => {
    expect(outliers([1, 1, 1, 100])).toEqual([]);
    expect(outliers([5, 5, 5, 5, 5, 5])).toEqual([]);
  });

  test('come with value, score and limit', () => {
    const [outlier] = outliers([10, 11, 10, 9, 10, 11, 9, 30]);
    expect(outlier).toMatchObject({ index: 7, value: 30 });
    expect(outlier?.score).toBeGreaterThan(outlier?.limit as number);
  });
});

describe('the minimum detectable difference', () => {
  test.each([3, 5, 10, 30])('of %i pairs is found four times in five', (pairs) => {
    const difference = minimumDetectable(pairs, 0.05) as number;
    const found = share(pairs < 15 ? 1500 : 300, (from) => {
      const run = Array.from({ length: pairs }, () => ({
        baseline: 100,
        value: 100 * (1 + difference) * Math.exp(0.05 * from.normal()),
      }));
      return comparePairs(run).different === true;
    });
    // Two standard errors of that many seeds.
    expect(Math.abs(found - 0.8)).toBeLessThan(pairs < 15 ? 0.021 : 0.046);
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

  test('falls with repeats, rises with spread, power, confidence and comparisons', () => {
    const of = (repeats: number, spread = 0.05, options = {}) => minimumDetectable(repeats, spread, options) as number;
    const falling = [2, 3, 5, 10, 100].map((repeats) => of(repeats));
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    for (const harder of [
      of(5, 0.06),
      of(5, 0.05, { power: 0.9 }),
      of(5, 0.05, { confidence: 0.99 }),
      of(5, 0.05, { comparisons: 8 }),
    ])
      expect(harder).toBeGreaterThan(of(5));
    expect(of(5, 0)).toBe(0);
    expect(minimumDetectable(1, 0.05)).toBeNull();
  });

  test('and the number of repeats for a difference belong together', () => {
    const repeats = repeatsFor(0.03, 0.05) as number;
    expect(minimumDetectable(repeats, 0.05)).toBeLessThanOrEqual(0.03);
    expect(minimumDetectable(repeats - 1, 0.05)).toBeGreaterThan(0.03);
    expect(repeatsFor(0.0001, 0.5)).toBeNull();
  });

  test('can start from the variation of one arm', () => {
    expect(spreadFromVariation(0)).toBe(0);
    expect(spreadFromVariation(0.05)).toBeCloseTo(0.05 * Math.SQRT2, 3);
  });

  test.each([
    [() => minimumDetectable(2.5, 0.1), "'repeats' must be a whole number, got 2.5"],
    [() => minimumDetectable(3, -1), "'spread' must be from 0, got -1"],
    [() => minimumDetectable(3, 1, { power: 1 }), "'power' must be between 0.05 and 1, got 1"],
    [() => repeatsFor(0, 1), "'difference' must be above 0, got 0"],
  ])('refuses wrong input %#', (call, message) => {
    expect(call).toThrow(message);
  });
});
