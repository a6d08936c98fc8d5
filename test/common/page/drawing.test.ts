import { logTicks, timeUnit, withGaps } from '../../../lib/common/page/drawing';

test.each([
  [2087, 2760],
  [5.1, 6.9],
  [0.031, 0.039],
  [700, 1100],
])('a logarithmic axis from %f to %f has numbers', (low, high) => {
  const ticks = logTicks([low, high], 5);
  expect(ticks.length).toBeGreaterThanOrEqual(2);
  expect(ticks.length).toBeLessThanOrEqual(6);
  for (const tick of ticks) expect(tick >= low && tick <= high).toBe(true);
});

test.each([
  [179_999, 'seconds', 1000],
  [180_000, 'minutes', 60_000],
  [10_799_999, 'minutes', 60_000],
  [10_800_000, 'hours', 3_600_000],
])('an axis of %i ms is in %s', (length, unit, milliseconds) => {
  expect(timeUnit(length)).toEqual([unit, milliseconds]);
});

test('a line breaks where a value is missing, not where one is late by half a period', () => {
  const withBreaks = (times: readonly number[]) =>
    withGaps(
      times,
      60,
      (time) => time,
      () => Number.NaN,
    ).map((time) => (Number.isNaN(time) ? 'break' : time));
  expect(withBreaks([0, 60_000, 150_000])).toEqual([0, 60_000, 150_000]);
  expect(withBreaks([0, 60_000, 150_001])).toEqual([0, 60_000, 'break', 150_001]);
});
