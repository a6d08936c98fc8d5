import { findChanges } from '../../../lib/common/statistics';
import { autoregressive, burst, share } from './synthetic';

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

test.each([0, 0.5, 0.8])('a series without a change has one no more often than stated (memory %f)', (memory) => {
  const wrong = share(
    150,
    (from, seed) => findChanges(autoregressive(from, 240, memory), { confidence: 0.95, seed }).changes.length > 0,
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

test.each([
  [24, 0],
  [240, 0],
  [240, 0.5],
  [240, 0.8],
])('%i points without a drift (memory %f) have one in no more than one of fifty', (count, memory) => {
  const wrong = share(150, (from, seed) =>
    findChanges(autoregressive(from, count, memory), { seed }).segments.some(({ drifts }) => drifts),
  );
  expect(wrong).toBeLessThanOrEqual(0.02);
});

test.each([
  [{ confidence: 1 }, "'confidence' must be above 0 and at most 0.998, got 1"],
  [{ shortest: 0 }, "'shortest' must be a whole number from 2, got 0"],
])('refuses the options %j', (options, message) => {
  expect(() => findChanges([1, 2, 3], options)).toThrow(message);
});

test.each([60, 100])('a step without any noise is found in %i values, wherever it is', (count) => {
  const missed = Array.from({ length: count - 36 }, (_, at) => at + 18).filter((first) => {
    const series = Array.from({ length: count }, (_, at) => (at < first ? 1.3 : 1.1));
    return findChanges(series).changes[0]?.index !== first;
  });
  expect(missed).toEqual([]);
});

test('refuses gaps', () => {
  expect(() => findChanges([1, Number.NaN, 3])).toThrow("'values' must be finite numbers, got NaN");
});
