import { findChanges } from '../../../lib/kit/statistics';
import { remembering, share, synthetic } from './synthetic';

/** A burst that ends: two levels, and noise in which a point remembers the one before it. */
function burst(
  seed: number,
  { count = 240, at = 160, before = 12_460, after = 11_428, noise = 400, memory = 0 } = {},
): number[] {
  return remembering(synthetic(seed), count, memory).map(
    (value, index) => (index < at ? before : after) + noise * value,
  );
}

test.each([0, 0.5])('the end of a burst is found, once, where it is (memory %f)', (memory) => {
  const found = share(40, (_, seed) => {
    const { changes } = findChanges(burst(seed, { memory }), { seed });
    return changes.length === 1 && Math.abs((changes[0]?.index as number) - 160) <= 10;
  });
  expect(found).toBeGreaterThan(0.9);
});

test.each([0, 0.5])('the interval of its time covers the truth (memory %f)', (memory) => {
  const covered = share(40, (_, seed) => {
    const [change] = findChanges(burst(seed, { memory, noise: 350 }), { seed }).changes;
    return change !== undefined && change.interval.from <= 160 && 160 <= change.interval.to;
  });
  expect(covered).toBeGreaterThan(0.87);
});

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

test.each([0, 0.5, 0.8])('a series without a change has one no more often than stated (memory %f)', (memory) => {
  const wrong = share(
    150,
    (from, seed) => findChanges(remembering(from, 240, memory), { confidence: 0.95, seed }).changes.length > 0,
  );
  expect(wrong).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 100));
});

test('a drift is no change of level', () => {
  const results = Array.from({ length: 10 }, (_, seed) =>
    findChanges(burst(seed + 1, { before: 100, after: 100, noise: 1 }).map((value, index) => value + index / 40)),
  );
  expect(results.filter(({ changes }) => changes.length > 0)).toEqual([]);
  expect(results.filter(({ segments }) => segments[0]?.drifts).length).toBeGreaterThan(8);
  for (const { segments } of results) {
    const [first, last] = segments[0]?.line ?? [100, 106];
    expect([Math.round(first), Math.round(last)]).toEqual([100, 106]);
  }
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

test.each([
  [24, 0],
  [240, 0],
  [240, 0.5],
  [240, 0.8],
])('%i points without a drift (memory %f) have one in no more than one of fifty', (count, memory) => {
  const wrong = share(150, (from, seed) =>
    findChanges(remembering(from, count, memory), { seed }).segments.some(({ drifts }) => drifts),
  );
  expect(wrong).toBeLessThanOrEqual(0.02);
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

test.each([
  [{ confidence: 1 }, "'confidence' must be above 0 and at most 0.998, got 1"],
  [{ shortest: 0 }, "'shortest' must be a whole number from 2, got 0"],
])('refuses the options %j', (options, message) => {
  expect(() => findChanges([1, 2, 3], options)).toThrow(message);
});

test('refuses gaps', () => {
  expect(() => findChanges([1, Number.NaN, 3])).toThrow("'values' must be finite numbers, got NaN");
});
