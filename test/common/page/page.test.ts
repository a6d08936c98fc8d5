import { storageBench } from '../../../lib/benchmark/storage';
import { ArmLook } from '../../../lib/common/page/arms';
import { ARM_COLOURS, DARK_ARM_COLOURS, logTicks, timeUnit, withGaps } from '../../../lib/common/page/drawing';

/** Red, green and blue as light, from 0 to 1 (sRGB). */
const lightOf = (colour: string): [number, number, number] =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];

const luminance = (colour: string): number => {
  const [red, green, blue] = lightOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast of two colours, by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** CIE 1976: 2.3 is just noticed. */
function distance(one: string, other: string): number {
  const labOf = (colour: string): number[] => {
    const [red, green, blue] = lightOf(colour);
    const cube = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
    const x = cube((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
    const y = cube(luminance(colour));
    const z = cube((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
  };
  const [from, to] = [labOf(one), labOf(other)];
  return Math.hypot(...from.map((value, at) => value - (to[at] as number)));
}

describe.each([
  ['white', '#ffffff', ARM_COLOURS],
  ['dark', '#15171a', DARK_ARM_COLOURS],
])('on %s paper', (_, paper, colours: readonly string[]) => {
  test('every colour can be read as text', () => {
    for (const colour of colours) expect(contrast(colour, paper)).toBeGreaterThanOrEqual(4.5);
  });

  test('no two colours look alike', () => {
    for (const [at, one] of colours.entries())
      for (const other of colours.slice(at + 1))
        expect([one, other, distance(one, other) > 20]).toEqual([one, other, true]);
  });
});

test('both have as many, and enough for the arms of a benchmark', () => {
  expect(DARK_ARM_COLOURS).toHaveLength(ARM_COLOURS.length);
  expect(storageBench.arms('published', {}).length).toBeGreaterThan(6);
  expect(storageBench.arms('published', {}).length).toBeLessThanOrEqual(ARM_COLOURS.length);
});

test('arms look different, however many there are', () => {
  const arms = Array.from({ length: 30 }, (_, at) => ({ name: `arm${at}` }));
  const look = new ArmLook({ arms });
  expect(new Set(arms.map(({ name }) => `${look.colour(name)} ${look.symbol(name)}`)).size).toBe(arms.length);
  expect(new Set(arms.slice(0, 12).map(({ name }) => look.colour(name))).size).toBe(12);
});

test('arms of a group share a colour and differ in shape; what is in no plan looks like no arm of it', () => {
  const look = new ArmLook({
    arms: [
      { name: 'a1', group: 'a' },
      { name: 'a2', group: 'a' },
      { name: 'b1', group: 'b' },
    ],
  });
  expect(['a1', 'a2', 'b1'].map((name) => look.colour(name))).toEqual(['var(--arm-0)', 'var(--arm-0)', 'var(--arm-1)']);
  expect(['a1', 'a2', 'b1'].map((name) => look.symbol(name))).toEqual(['circle', 'square', 'circle']);
  expect(look.index('other')).toBe(3);
});

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
