import {
  findChanges,
  firstAgainstLast,
  geometricMean,
  geometricRatio,
  meanOf,
  medianOf,
  valuesToFind,
} from '../../../lib/common/statistics';
import { autoregressive, burst, share, synthetic } from './synthetic';

// Single series, each with an answer that is known; what only many series show is in paired.test.ts.

test('the published run, twelve hours by the minute with the burst over after eight, is told in its figures', () => {
  const { changes, segments } = findChanges(burst(1, { count: 720, at: 480, noise: 100, memory: 0.5 }));
  expect(changes).toHaveLength(1);
  expect(changes[0]?.index).toBe(480);
  expect(changes[0]?.before).toBeCloseTo(12_460, -2);
  expect(changes[0]?.after).toBeCloseTo(11_428, -2);
  expect(changes[0]?.relative).toBeCloseTo(11_428 / 12_460 - 1, 2);
  expect(segments.map(({ from, to }) => [from, to])).toEqual([
    [0, 480],
    [480, 720],
  ]);
});

test.each([24, 60, 240])('a clean drift is seen in %i points, too', (count) => {
  const from = synthetic(5);
  const { changes, segments } = findChanges(
    Array.from({ length: count }, (_, at) => 100 - (10 * at) / (count - 1) + 0.2 * from.normal()),
  );
  expect(changes).toEqual([]);
  expect(segments).toHaveLength(1);
  expect(segments[0]?.line?.map(Math.round)).toEqual([100, 90]);
});

test('a few points that wander, each beside the one before, show neither a change nor a drift', () => {
  for (const seed of [2, 5, 12]) {
    const { changes, segments } = findChanges(autoregressive(synthetic(seed), 40, 0.99));
    expect([changes, segments.map(({ line }) => line)]).toEqual([[], [null]]);
  }
});

test('two changes are both found, in their order', () => {
  const from = synthetic(4);
  const levels = [300, 200, 100];
  const series = Array.from(
    { length: 300 },
    (_, index) => (levels[Math.floor(index / 100)] as number) + 10 * from.normal(),
  );
  const { changes, segments } = findChanges(series);
  expect(changes.map(({ index }) => index)).toEqual([100, 200]);
  expect(segments.map(({ mean }) => Math.round(mean / 10) * 10)).toEqual(levels);
});

test('one wild point is no change', () => {
  const series = burst(3, { before: 100, after: 100, noise: 1 });
  series[120] = 500;
  expect(findChanges(series).changes).toEqual([]);
});

test('short, constant and empty series have no change', () => {
  for (const series of [[], [1], [1, 2, 1, 9, 9, 9], Array.from({ length: 100 }, () => 5)]) {
    const { changes, segments } = findChanges(series);
    expect(changes).toEqual([]);
    expect(segments).toHaveLength(series.length > 0 ? 1 : 0);
  }
});

test('a clean step between constants is found at its place', () => {
  const { changes } = findChanges(Array.from({ length: 100 }, (_, index) => (index < 70 ? 2 : 1)));
  expect(changes).toMatchObject([{ index: 70, before: 2, after: 1, relative: -0.5, interval: { from: 70, to: 70 } }]);
});

test('the same series gives the same answer', () => {
  const series = burst(8, { noise: 900 });
  expect(findChanges(series)).toEqual(findChanges(series));
});

describe('a level', () => {
  const step = (count: number, at: number) => Array.from({ length: count }, (_, index) => (index < at ? 2 : 1));
  const found = (values: readonly number[]) => findChanges(values).changes.map(({ index }) => index);

  test('is a twentieth of the series and five points at least', () => {
    expect(found(step(200, 10))).toEqual([10]);
    expect(found(step(200, 190))).toEqual([190]);
    expect(found(step(200, 9))).not.toContain(9);
    expect(found(step(60, 5))).toEqual([5]);
    expect(found(step(60, 56))).not.toContain(56);
  });

  test('begins with a probability of chance: the rarest is that of none among 499 shuffles', () => {
    expect(findChanges(step(100, 70)).changes[0]?.probability).toBe(0.002);
  });

  test('that follows 0 has no relative change', () => {
    const [change] = findChanges(step(100, 70).map((value) => value - 2)).changes;
    expect(change).toMatchObject({ before: 0, after: -1, relative: null });
  });

  test('of four in a staircase is a level each, and no drift', () => {
    const from = synthetic(2);
    const stairs = Array.from({ length: 240 }, (_, at) => 100 - 10 * Math.floor(at / 60) + 0.5 * from.normal());
    const { changes, segments } = findChanges(stairs);
    expect(changes.map(({ index }) => index)).toEqual([60, 120, 180]);
    expect(segments.map(({ from, to, line }) => [from, to, line])).toEqual([
      [0, 60, null],
      [60, 120, null],
      [120, 180, null],
      [180, 240, null],
    ]);
  });

  test('may drift between changes', () => {
    const from = synthetic(6);
    const series = Array.from(
      { length: 200 },
      (_, at) => (at < 100 ? 100 : 50 - (at - 100) / 20) + 0.3 * from.normal(),
    );
    const { segments } = findChanges(series);
    expect(segments.map(({ from, to, line }) => [from, to, line !== null])).toEqual([
      [0, 100, false],
      [100, 200, true],
    ]);
    expect(segments[1]?.line?.map(Math.round)).toEqual([50, 45]);
  });
});

test('a straight line is a drift from its first to its last point', () => {
  const { segments } = findChanges(Array.from({ length: 21 }, (_, at) => 7 + at / 4));
  expect(segments).toMatchObject([{ from: 0, to: 21, mean: 9.5 }]);
  expect(segments[0]?.line).toEqual([expect.closeTo(7, 9), expect.closeTo(12, 9)]);
});

// Results are pinned here; paired.test.ts shows over many series that they are right.
test.each([
  ['independent', 0, { index: 160, from: 159, to: 161, confidence: 0.95, probability: 0.002 }],
  ['memory', 0.5, { index: 160, from: 158, to: 163, confidence: 0.95, probability: 0.002 }],
  ['much memory', 0.8, { index: 160, from: 152, to: 166, confidence: 0.95, probability: 0.004 }],
])('the time of a change in noise (%s) is the same on every machine', (_, memory, expected) => {
  const [change] = findChanges(burst(11, { memory, noise: 350 })).changes;
  expect({ index: change?.index, ...change?.interval, probability: change?.probability }).toEqual(expected);
});

test('refuses a value that is none', () => {
  expect(() => findChanges([1, Number.NaN])).toThrow("'values' must be finite numbers, got NaN");
});

const oneKind = (values: readonly number[]) => values.map((value) => ({ value, kind: 'write' }));
const STEP = Math.log(1.1);

describe('the last third of a series against its first', () => {
  // Each third is 10 % apart twice: the residuals are −STEP, 0 and STEP, and with 4 degrees of freedom their deviation is STEP.
  const series = oneKind([100, 110, 121, 7, 7000, 7, 80, 88, 96.8]);

  test('is worked out from its logarithms, whatever lies between', () => {
    const ends = firstAgainstLast(series);
    expect(ends?.relative).toBeCloseTo(-0.2, 12);
    expect(ends?.spread).toBeCloseTo(STEP, 12);
  });

  test.each([
    // |ln 0.8| is 2.867 standard errors; Student's quantiles for 4 degrees of freedom are 2.776, 3.495 and 4.604.
    [{ confidence: 0.95 }, true],
    [{ confidence: 0.95, comparisons: 2 }, false],
    [{}, false],
  ])('differs by Student’s quantile: with %j %s', (options, changed) => {
    expect(firstAgainstLast(series, options)?.changed).toBe(changed);
  });

  test('has a level for each kind', () => {
    const values = [100, 1000, 110, 1100, 5, 5, 5, 5, 80, 800, 88, 880];
    const ends = firstAgainstLast(values.map((value, at) => ({ value, kind: at % 2 === 0 ? 'a' : 'b' })));
    expect(ends?.relative).toBeCloseTo(-0.2, 12);
    // Eight residuals of STEP ÷ 2, with 8 − 2 − 1 degrees of freedom.
    expect(ends?.spread).toBeCloseTo(STEP * Math.sqrt(0.4), 12);
  });

  test('tells nothing where its spread is not known, or no kind is in both', () => {
    expect(firstAgainstLast(oneKind([1, 2, 3]))).toBeNull();
    expect(firstAgainstLast(oneKind([1, 2, 3, 4, 5]))).toBeNull();
    expect(firstAgainstLast(oneKind([1, 2, 3, 4, 5, 6]))).not.toBeNull();
    const alternating = [1, 9, 2, 8, 3, 7].map((value, at) => ({ value, kind: at % 2 === 0 ? 'a' : 'b' }));
    expect(firstAgainstLast(alternating)).not.toBeNull();
    const apart = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((value, at) => ({ value, kind: at < 5 ? 'a' : 'b' }));
    expect(firstAgainstLast(apart)).toBeNull();
  });

  test('without any noise has changed exactly if it differs', () => {
    expect(firstAgainstLast(oneKind([2, 2, 2, 2, 2, 2]))).toMatchObject({ relative: 0, changed: false, detectable: 0 });
    expect(firstAgainstLast(oneKind([2, 2, 2, 2, 1, 1]))).toMatchObject({ relative: -0.5, changed: true });
  });

  test('refuses gaps', () => {
    expect(() => firstAgainstLast(oneKind([1, Number.NaN, 3]))).toThrow('must be finite numbers, got NaN');
  });
});

describe('values that resemble those before them', () => {
  /** Thirds of twelve, each in pairs that lie alike, above and below: lag-1 autocorrelation is 2 ÷ 24, without its bias 2 ÷ 9. */
  const paired = (fall: number, kinds = 1) =>
    Array.from({ length: 36 }, (_, at) => ({
      value: 100 * Math.exp((at % 4 < 2 ? 0.01 : -0.01) - (at >= 24 ? fall : 0)),
      kind: String(at % kinds),
    }));
  const INFLATION = (1 + 2 / 9) / (1 - 2 / 9);

  test('count for fewer', () => {
    expect(firstAgainstLast(paired(0))?.spread).toBeCloseTo(0.01 * Math.sqrt((24 / 22) * INFLATION), 12);
  });

  test('leave fewer degrees of freedom: 14 of 22, by which Student’s quantile is 2.977 and not 2.819', () => {
    const error = (firstAgainstLast(paired(0))?.spread ?? 0) / Math.sqrt(6);
    expect(firstAgainstLast(paired(2.9 * error))?.changed).toBe(false);
    expect(firstAgainstLast(paired(3.05 * error))?.changed).toBe(true);
  });

  test('are not looked for among several kinds, whose neighbours are apart', () => {
    const series = Array.from({ length: 72 }, (_, at) => ({
      value: 100 * Math.exp(at % 8 < 4 ? 0.01 : -0.01),
      kind: String(at % 2),
    }));
    expect(firstAgainstLast(series)?.spread).toBeCloseTo(0.01 * Math.sqrt(48 / 45), 12);
  });

  test('are looked for in thirds of ten values, and not of nine', () => {
    // Five alike above, five alike below; in the middle of nine there is one without a residual.
    const thirds = (each: number) =>
      oneKind(
        Array.from({ length: 3 * each }, (_, at) => 100 * Math.exp(0.01 * Math.sign((each - 1) / 2 - (at % each)))),
      );
    expect(firstAgainstLast(thirds(10))?.spread).toBeGreaterThan(0.02);
    expect(firstAgainstLast(thirds(9))?.spread).toBeCloseTo(0.01, 12);
  });

  test('are none in a series without noise', () => {
    expect(firstAgainstLast(oneKind(Array.from({ length: 30 }, () => 1)))).toMatchObject({ spread: 0, detectable: 0 });
  });
});

describe('the smallest fall that would have been found', () => {
  /** A series with exactly this spread of each kind, and without autocorrelation. */
  const ofSpread = (values: number, spread: number, kinds: number) => {
    const each = values / 3 / kinds;
    const even = each - (each % 2);
    const size = spread * Math.sqrt((2 * each * kinds - kinds - 1) / (2 * even * kinds));
    const residual = (at: number): number => (at >= even ? 0 : at % 2 === 0 ? size : -size);
    return Array.from({ length: values }, (_, at) => ({
      value: 100 * Math.exp(residual(Math.floor(at / kinds) % each)),
      kind: String(at % kinds),
    }));
  };
  const detectable = (values: number, spread: number, kinds = 1): number =>
    firstAgainstLast(ofSpread(values, spread, kinds))?.detectable ?? Number.NaN;

  test('is found 19 times in 20', () => {
    const fall = detectable(15, 0.05);
    const found = share(1000, (from) => {
      const values = Array.from({ length: 15 }, (_, at) => Math.exp(0.05 * from.normal()) * (at < 10 ? 1 : 1 - fall));
      return firstAgainstLast(oneKind(values))?.changed === true;
    });
    expect(Math.abs(found - 0.95)).toBeLessThan(3 * Math.sqrt((0.95 * 0.05) / 1000));
  });

  test.each([
    [0.1, 0.05, 1],
    [0.3, 0.2, 1],
    [0.05, 0.05, 1],
    [0.5, 0.05, 1],
    [0.3, 0.05, 1],
    [0.15, 0.05, 2],
    [0.12, 0.05, 3],
  ])(
    'and the number of values that find one of %f at a spread of %f, of %i kinds, belong together',
    (size, spread, kinds) => {
      const values = valuesToFind(size, spread, kinds) as number;
      expect(detectable(values, spread, kinds)).toBeLessThanOrEqual(size);
      expect(detectable(values - 3 * kinds, spread, kinds)).toBeGreaterThan(size);
    },
  );

  test('takes more values of several kinds only for their levels, more for more series, and has an end', () => {
    const [one, four] = [valuesToFind(0.1, 0.05, 1) as number, valuesToFind(0.1, 0.05, 4) as number];
    expect(four % 12).toBe(0);
    expect(four - one).toBeGreaterThanOrEqual(0);
    expect(four - one).toBeLessThanOrEqual(12);
    expect(valuesToFind(0.1, 0.05, 1, { comparisons: 8 })).toBeGreaterThan(one);
    expect(valuesToFind(0.1, 0.05, 1, { confidence: 0.999 })).toBeGreaterThan(one);
    expect(valuesToFind(0.001, 0.5, 1)).toBeNull();
    expect(valuesToFind(0.01, 0.05, 4)).toBeNull();
    expect(valuesToFind(0.02, 0.05, 4)).toBeLessThan(1000);
  });
});

test('geometric means and their ratio are those of the textbook', () => {
  expect(geometricMean([1, 100])).toBeCloseTo(10, 12);
  expect(geometricMean([])).toBeNull();
  expect(geometricRatio([1, 4], [8, 8])).toBeCloseTo(4, 12);
  expect([geometricRatio([], [1]), geometricRatio([1], [])]).toEqual([null, null]);
});

test('mean and median are of some values, in any order, or none', () => {
  expect([meanOf([9, 1, 2]), medianOf([9, 1, 2])]).toEqual([4, 2]);
  expect([meanOf([]), medianOf([])]).toEqual([null, null]);
});
