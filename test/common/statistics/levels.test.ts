import { findChanges } from '../../../lib/common/statistics';
import { autoregressive, burst, synthetic } from './synthetic';

// Single series, each with an answer that is known; what only many series show is in change.test.ts.

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
    expect([changes, segments.map(({ drifts }) => drifts)]).toEqual([[], [false]]);
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
  const found = (...of: Parameters<typeof findChanges>) => findChanges(...of).changes.map(({ index }) => index);

  test('is a twentieth of the series and five points at least, unless told otherwise', () => {
    expect(found(step(200, 10))).toEqual([10]);
    expect(found(step(200, 190))).toEqual([190]);
    expect(found(step(200, 9))).not.toContain(9);
    expect(found(step(60, 5))).toEqual([5]);
    expect(found(step(60, 56))).not.toContain(56);
    expect(found(step(60, 56), { shortest: 4 })).toEqual([56]);
    expect(found(step(60, 30), { shortest: 30 })).toEqual([30]);
    expect(found(step(60, 30), { shortest: 31 })).toEqual([]);
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
    expect(segments.map(({ from, to, drifts, line }) => [from, to, drifts, line])).toEqual([
      [0, 60, false, null],
      [60, 120, false, null],
      [120, 180, false, null],
      [180, 240, false, null],
    ]);
  });

  test('may drift between changes', () => {
    const from = synthetic(6);
    const series = Array.from(
      { length: 200 },
      (_, at) => (at < 100 ? 100 : 50 - (at - 100) / 20) + 0.3 * from.normal(),
    );
    const { segments } = findChanges(series);
    expect(segments.map(({ from, to, drifts }) => [from, to, drifts])).toEqual([
      [0, 100, false],
      [100, 200, true],
    ]);
    expect(segments[1]?.line?.map(Math.round)).toEqual([50, 45]);
  });
});

test('a straight line is a drift from its first to its last point', () => {
  const { segments } = findChanges(Array.from({ length: 21 }, (_, at) => 7 + at / 4));
  expect(segments).toMatchObject([{ from: 0, to: 21, mean: 9.5, drifts: true }]);
  expect(segments[0]?.line).toEqual([expect.closeTo(7, 9), expect.closeTo(12, 9)]);
});

// Results are pinned here; change.test.ts shows over many series that they are right.
test.each([
  ['independent', 0, { index: 160, from: 159, to: 162, confidence: 0.95, probability: 0.002 }],
  ['memory', 0.5, { index: 160, from: 158, to: 162, confidence: 0.95, probability: 0.002 }],
  ['much memory', 0.8, { index: 160, from: 151, to: 167, confidence: 0.95, probability: 0.004 }],
])('the time of a change in noise (%s) is the same on every machine', (_, memory, expected) => {
  const [change] = findChanges(burst(11, { memory, noise: 350 })).changes;
  expect({ index: change?.index, ...change?.interval, probability: change?.probability }).toEqual(expected);
});

test.each([
  [[1, Number.NaN], {}, "'values' must be finite numbers, got NaN"],
  [[1], { confidence: 0 }, "'confidence' must be above 0 and at most 0.998, got 0"],
  [[1], { confidence: 0.999 }, "'confidence' must be above 0 and at most 0.998, got 0.999"],
  [[1], { shortest: 1 }, "'shortest' must be a whole number from 2, got 1"],
  [[1], { shortest: 2.5 }, "'shortest' must be a whole number from 2, got 2.5"],
])('refuses %j with %j', (values, options, message) => {
  expect(() => findChanges(values, options)).toThrow(message);
});
