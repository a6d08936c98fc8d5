import {
  comparePairs,
  isNegligible,
  leavesOutEquality,
  meanInterval,
  minimumDetectable,
  outliers,
  type PairedValues,
  repeatsFor,
  spreadFromVariation,
  stepDown,
  studentQuantile,
  variationOf,
} from '../../../lib/common/statistics';
import { effectFor } from '../../../lib/common/statistics/detectable';
import { NOISES, synthetic } from './synthetic';

// Figures that can be worked out; what only many series show is in paired.test.ts.

describe('the coefficient of variation', () => {
  test('is that of the textbook', () => {
    expect(variationOf([2, 4, 4, 4, 5, 5, 7, 9])).toBe(Math.sqrt(32 / 7) / 5);
  });

  test('is missing for fewer than two values, and for a mean that is not positive', () => {
    expect([[], [3], [-1, 1]].map(variationOf)).toEqual([null, null, null]);
  });

  test('refuses what is no number', () => {
    expect(() => variationOf([1, Number.POSITIVE_INFINITY])).toThrow("'values' must be finite numbers, got Infinity");
  });
});

describe('the interval of a mean', () => {
  test('is the one of the textbook for few values', () => {
    // Student's factor for 4 degrees of freedom is 2.776; the standard error of 1…5 is 0.7071.
    const interval = meanInterval([1, 2, 3, 4, 5]);
    expect(interval?.low).toBeCloseTo(3 - 2.776445 * Math.SQRT1_2, 5);
    expect(interval).toMatchObject({ confidence: 0.95, method: 't' });
  });

  test('is missing for one value, and a point for equal ones', () => {
    expect(meanInterval([])).toBeNull();
    expect(meanInterval([7])).toBeNull();
    expect(meanInterval(Array.from({ length: 20 }, () => 7))).toMatchObject({ low: 7, high: 7 });
  });

  test('is the same for the same seed, and nearly so for another', () => {
    const from = synthetic(5);
    const values = Array.from({ length: 30 }, () => 100 + NOISES.exponential(from));
    expect(meanInterval(values, { seed: 3 })).toEqual(meanInterval(values, { seed: 3 }));
    expect(meanInterval(values)).toEqual(meanInterval(values));
    expect(meanInterval(values, { seed: 3 })?.high).toBeCloseTo(meanInterval(values, { seed: 4 })?.high as number, 0);
  });
});

test('many skewed values have an interval that leans their way, to the digit on every machine', () => {
  // Student's goes from 802 to 2808; by 100,000 resamples of another program the studentised bootstrap's goes from 953 to 3143.
  const values = Array.from({ length: 20 }, (_, at) => at ** 3);
  const independent = { evidence: null };
  const interval = meanInterval(values, independent);
  expect(interval).toMatchObject({ confidence: 0.95, method: 't and studentised bootstrap' });
  expect([interval?.low, interval?.high].map((end) => end?.toFixed(6))).toEqual(['801.822283', '3135.509445']);
  const mirrored = meanInterval(
    values.map((value) => -value),
    independent,
  );
  expect([mirrored?.high, mirrored?.low].map((end) => end?.toFixed(6))).toEqual(['-801.822283', '-3135.509445']);
  // More certainty than so many resamples can give is that of their most extreme.
  expect(meanInterval(values.slice(0, 15), independent)?.method).toBe('t and studentised bootstrap');
  const ofMany = meanInterval(values, { comparisons: 40, ...independent });
  expect(ofMany?.high).toBe(meanInterval(values, { comparisons: 26, ...independent })?.high);
});

test('Student’s distribution has the digits of the tables, in the middle and far out', () => {
  // By SciPy 1.17.
  const quantiles = [
    [0.95, 1, 12.706204736174694],
    [0.99375, 2.5, 8.696302329603204],
    [0.95, 9, 2.262157162798205],
    [0.99375, 5000, 2.735528175965384],
  ] as const;
  for (const [confidence, degrees, expected] of quantiles)
    expect(studentQuantile(confidence, degrees) / expected).toBeCloseTo(1, 11);
});

describe('an interval of a ratio', () => {
  test.each([
    [0.9, 1.1, false],
    [1, 1.1, false],
    [0.9, 1, false],
    [1.01, 1.1, true],
    [0.9, 0.99, true],
  ])('from %f to %f leaves out equality: %s', (low, high, different) => {
    expect(leavesOutEquality({ low, high })).toBe(different);
  });

  test.each([
    [1.01, 1.07, false],
    [1.053, 1.07, true],
    [0.96, 1, false],
    [0.9, 0.949, true],
    // Beyond 1, but not beyond what the error makes of it: on either side the same, whichever arm comes first.
    [0.9, 0.951, false],
    [1 / 0.951, 1.2, false],
    [1 / 0.949, 1.2, true],
  ])('from %f to %f leaves out equality and 5 %% of systematic error: %s', (low, high, different) => {
    expect(leavesOutEquality({ low, high }, 0.05)).toBe(different);
  });

  test.each([
    [0.98, 1 / 0.98, true],
    [0.979, 1, false],
    [1, 1.021, false],
    [0.99, 1.01, true],
  ])('from %f to %f is within 2 %% either way: %s', (low, high, negligible) => {
    expect(isNegligible({ low, high }, 0.02)).toBe(negligible);
  });
});

describe('a family of comparisons', () => {
  test('of none is nothing, and of one the comparison alone', () => {
    expect(stepDown(0, () => true, Boolean)).toEqual([]);
    const met = (members: number, which: number) => {
      const asked = (member: number, comparisons: number) => `${member} ${comparisons}`;
      return stepDown(members, asked, (one) => one.startsWith(`${which} `)).join();
    };
    expect([met(1, 0), met(3, 1)]).toEqual(['0 1', '0 2,1 3,2 2']);
  });
});

describe('outliers', () => {
  test('are those of Rosner’s example, which hide one another: the first two are too near the third', () => {
    // https://www.itl.nist.gov/div898/handbook/eda/section3/eda35h3.htm gives values, scores and limits.
    const values = [
      ...[-0.25, 0.68, 0.94, 1.15, 1.2, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56, 1.58, 1.65, 1.69, 1.7],
      ...[1.76, 1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.1, 2.14, 2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.4],
      ...[2.47, 2.54, 2.62, 2.64, 2.9, 2.92, 2.92, 2.93, 3.21, 3.26, 3.3, 3.59, 3.68, 4.3, 6.01, 5.42, 4.64, 5.34],
    ];
    const found = outliers(values);
    expect(found.map(({ index, value }) => `${index} ${value}`).join()).toBe('50 6.01,51 5.42,53 5.34');
    const rounded = found.map(({ score, limit }) => `${score.toFixed(2)} ${limit.toFixed(2)}`);
    expect(rounded).toEqual(['3.12 3.16', '2.94 3.15', '3.18 3.14']);
  });

  test('are at most a fifth: two of ten are found, two of nine hide one another', () => {
    expect(outliers([10, 10.1, 9.9, 10, 99]).map(({ index }) => index)).toEqual([4]);
    const nine = [90, 10, 10.1, 9.9, 10, 10.1, 9.9, 10, 99];
    expect(outliers(nine)).toEqual([]);
    expect(outliers([...nine, 10]).map(({ index }) => index)).toEqual([0, 8]);
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
  test('falls with repeats, rises with spread, power, confidence and comparisons', () => {
    const of = (repeats: number, spread = 0.05, options = {}) => minimumDetectable(repeats, spread, options) as number;
    for (const more of [
      [2, 3, 5, 7],
      [8, 10, 20, 100],
    ]) {
      const falling = more.map((repeats) => of(repeats));
      expect(falling).toEqual([...falling].sort((a, b) => b - a));
    }
    for (const harder of [
      of(5, 0.06),
      of(5, 0.05, { power: 0.9 }),
      of(5, 0.05, { confidence: 0.99 }),
      of(5, 0.05, { comparisons: 8 }),
    ])
      expect(harder).toBeGreaterThan(of(5));
    expect(of(5, 0)).toBe(0);
    // A systematic error does not average out: however many repeats, no less than it is found.
    expect(of(5, 0, { systematic: 0.05 })).toBeCloseTo(1 / 0.95 - 1, 12);
    expect(of(5, 0.05, { systematic: 0.05 })).toBeCloseTo((1 + of(5)) / 0.95 - 1, 12);
    expect(repeatsFor(0.05, 0.01, { systematic: 0.05 })).toBeNull();
    expect(minimumDetectable(1, 0.05)).toBeNull();
  });

  test.each([
    // Student's power, integrated numerically.
    [2, {}, 11.5499],
    [3, {}, 3.264],
    [5, {}, 1.682],
    [5, { comparisons: 2, power: 0.9 }, 2.3763],
    [7, {}, 1.2726],
    [2, { comparisons: 8 }, 92.3099],
  ])('of %i repeats is that of Student’s test (%j)', (repeats, options, deviations) => {
    const spread = 1e-6;
    expect((minimumDetectable(repeats, spread, options) as number) / spread).toBeCloseTo(
      deviations,
      deviations > 50 ? 2 : 3,
    );
  });

  test('and the number of repeats for a difference belong together, where more repeats find less, too', () => {
    // Eight repeats allow for autocorrelation, which seven cannot show.
    const seven = minimumDetectable(7, 0.05) as number;
    expect(minimumDetectable(8, 0.05)).toBeGreaterThan(seven);
    expect(repeatsFor(seven, 0.05)).toBe(7);
    const beyond = repeatsFor(0.99 * seven, 0.05) as number;
    expect(minimumDetectable(beyond, 0.05)).toBeLessThanOrEqual(0.99 * seven);
    expect(minimumDetectable(beyond - 1, 0.05)).toBeGreaterThan(0.99 * seven);

    const repeats = repeatsFor(0.03, 0.05) as number;
    expect(minimumDetectable(repeats, 0.05)).toBeLessThanOrEqual(0.03);
    expect(minimumDetectable(repeats - 1, 0.05)).toBeGreaterThan(0.03);
    expect(repeatsFor(0.0001, 0.5)).toBeNull();
  });

  test('is two where they find it', () => {
    expect(repeatsFor((minimumDetectable(2, 0.05) as number) * 1.001, 0.05)).toBe(2);
  });

  test.each([
    // By simulation: lib/common/statistics/detectable.ts.
    [8, 1, 1.8],
    [8, 4, 1.8],
    [8, 8, 1.6],
    [10, 8, 1.4],
    [20, 8, 1.2],
    [40, 1, 1.1],
  ])('of %i repeats in a family of %i allows for autocorrelation by a factor of %f', (repeats, comparisons, factor) => {
    const independent = effectFor(repeats - 1, 1 - 0.05 / comparisons, 0.8) / Math.sqrt(repeats);
    const found = (minimumDetectable(repeats, 1e-6, { comparisons }) as number) / 1e-6 / independent / factor;
    expect([found > 0.97, found < 1.1]).toEqual([true, true]);
  });

  test('rests on the power that R prints', () => {
    // power.t.test(n = 20, delta = 1, sd = 1) and power.t.test(power = 0.9, delta = 1) of R's manual.
    expect(effectFor(38, 0.95, 0.8689528)).toBeCloseTo(Math.sqrt(20 / 2), 4);
    expect(effectFor(2 * (22.0211 - 1), 0.95, 0.9)).toBeCloseTo(Math.sqrt(22.0211 / 2), 4);
    // Above and below even odds, the approximation for many repeats continues the exact values.
    for (const power of [0.3, 0.8, 0.95])
      expect(effectFor(61, 0.95, power) / effectFor(60, 0.95, power)).toBeCloseTo(1, 1);
  });

  test('of pairs allows for their systematic error, and for their dependence on those before', () => {
    const pairs = [1.029, 1.03, 1.031, 1.03, 1.0295].map((value): PairedValues => ({ baseline: 1, value }));
    const exact = comparePairs(pairs);
    const held = comparePairs(pairs, { systematic: 0.05 });
    expect([exact.different, held.different]).toEqual([true, false]);
    expect(held.minimumDetectable).toBeCloseTo((1 + (exact.minimumDetectable ?? 0)) / 0.95 - 1, 12);

    const waves = Array.from(
      { length: 16 },
      (_, at): PairedValues => ({ baseline: 1, value: 1 + Math.sin(at / 2) / 50 }),
    );
    const independent = comparePairs(waves, { evidence: null }).minimumDetectable ?? 0;
    expect(comparePairs(waves).minimumDetectable).toBeGreaterThan(1.5 * independent);
  });

  test('can start from the variation of one arm', () => {
    expect(spreadFromVariation(0)).toBe(0);
    expect(spreadFromVariation(0.05)).toBeCloseTo(0.05 * Math.SQRT2, 3);
  });

  test.each([
    [() => minimumDetectable(2.5, 0.1), "'repeats' must be a whole number, got 2.5"],
    [() => minimumDetectable(-1, 0.1), "'repeats' must be a whole number, got -1"],
    [() => minimumDetectable(3, 1, { power: 0.05 }), "'power' must be between 0.05 and 1, got 0.05"],
    [() => minimumDetectable(3, -1), "'spread' must be from 0, got -1"],
    [() => minimumDetectable(3, 1, { power: 1 }), "'power' must be between 0.05 and 1, got 1"],
    [() => repeatsFor(0, 1), "'difference' must be above 0, got 0"],
  ])('refuses wrong input %#', (call, message) => {
    expect(call).toThrow(message);
  });
});

/** Pairs with noise of 4 % in each arm. */
function run(seed: number, pairs: number, truth: number): PairedValues[] {
  const from = synthetic(seed);
  return Array.from({ length: pairs }, () => ({
    baseline: 3560 * Math.exp(0.04 * from.normal()),
    value: 3560 * truth * Math.exp(0.04 * from.normal()),
  }));
}

test('a comparison tells the ratio with its interval', () => {
  const pairs = [1.9, 2, 2.1].map((ratio) => ({ baseline: 100, value: 100 * ratio }));
  const { ratio, ratioInterval, different, spread } = comparePairs(pairs);
  expect(ratio).toBeCloseTo((1.9 * 2 * 2.1) ** (1 / 3), 10);
  expect(different).toBe(true);
  expect(spread).toBeCloseTo(0.05, 2);
  expect((ratioInterval?.low ?? 0) * (ratioInterval?.high ?? 0)).toBeCloseTo((ratio ?? 0) ** 2, 10);
});

test('exchanging the arms turns the ratio round and changes nothing else', () => {
  const pairs = run(9, 5, 1.3);
  const [there, back] = [
    comparePairs(pairs),
    comparePairs(pairs.map(({ baseline, value }) => ({ baseline: value, value: baseline }))),
  ];
  expect(there.ratio).toBeCloseTo(1 / (back.ratio as number), 10);
  expect(there.ratioInterval?.low).toBeCloseTo(1 / (back.ratioInterval?.high as number), 10);
  expect(there.spread).toBeCloseTo(back.spread as number, 10);
});

test.each([
  [1.02, 1.06, true],
  [0.94, 0.98, true],
  [0.9, 1.2, false],
])('pairs whose ratios are %f and around it to %f differ: %s', (low, high, different) => {
  const pairs = [low, Math.sqrt(low * high), high, Math.sqrt(low * high)].map((value) => ({ baseline: 1, value }));
  expect(comparePairs(pairs).different).toBe(different);
});

test('two pairs have an interval, and the smallest difference that they detect', () => {
  const found = comparePairs([1.9, 2.1].map((value) => ({ baseline: 1, value })));
  expect(found.spread).toBeCloseTo(Math.log(2.1 / 1.9) / Math.SQRT2, 12);
  expect(found.minimumDetectable).toBe(minimumDetectable(2, found.spread as number));
  // Student's factor for one degree of freedom is 12.706.
  expect(Math.log(found.ratioInterval?.high as number)).toBeCloseTo(
    Math.log(1.9 * 2.1) / 2 + 12.7062 * (Math.log(2.1 / 1.9) / 2),
    4,
  );
});

test('without pairs there is nothing, with one there is a ratio and no interval', () => {
  expect(comparePairs([])).toMatchObject({ pairs: 0, ratio: null, ratioInterval: null, different: null, outliers: [] });
  expect(comparePairs([{ baseline: 2, value: 3 }])).toMatchObject({
    pairs: 1,
    ratio: 1.5,
    ratioInterval: null,
    different: null,
    minimumDetectable: null,
  });
});

test('one pair that went wrong is named, and counted', () => {
  const pairs = run(2, 10, 1).map((pair, index) => (index === 6 ? { ...pair, value: pair.value * 3 } : pair));
  const { outliers, pairs: counted } = comparePairs(pairs);
  expect(outliers.map(({ index }) => index)).toEqual([6]);
  expect(outliers[0]?.value).toBeCloseTo((pairs[6]?.value as number) / (pairs[6]?.baseline as number), 6);
  expect(counted).toBe(10);
});

test.each([
  [[{ baseline: 0, value: 1 }], "'pairs' must hold positive values, got 0 and 1 in pair 0"],
  [[{ baseline: 1, value: -1 }], "'pairs' must hold positive values, got 1 and -1 in pair 0"],
  [[{ baseline: 1, value: 0 }], "'pairs' must hold positive values, got 1 and 0 in pair 0"],
  [[{ baseline: Number.POSITIVE_INFINITY, value: 1 }], "'values' must be finite numbers, got Infinity"],
  [[{ baseline: 1, value: Number.NaN }], "'values' must be finite numbers, got NaN"],
])('refuses %j', (pairs, message) => {
  expect(() => comparePairs(pairs)).toThrow(message);
});

test.each([
  [{ confidence: 95 }, "'confidence' must be between 0 and 1, got 95"],
  [{ confidence: 0 }, "'confidence' must be between 0 and 1, got 0"],
  [{ confidence: 1 }, "'confidence' must be between 0 and 1, got 1"],
  [{ comparisons: 0 }, "'comparisons' must be a whole number from 1, got 0"],
])('refuses the options %j', (options, message) => {
  expect(() => meanInterval([1, 2, 3], options)).toThrow(message);
});
