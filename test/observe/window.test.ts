import {
  isListed,
  isoOf,
  keptPeriod,
  metricsPeriodOf,
  runWindow,
  secondsUntilPublished,
  wholeMinutes,
} from '../../lib/observe/window';
import type { Sample } from '../../lib/schema/sample';

const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const sample = (from: string, to: string) =>
  ({ startedAt: at(from).toISOString(), endedAt: at(to).toISOString() }) as Sample;
const times = ({ from, to }: { from: Date; to: Date }) => [from, to].map((date) => date.toISOString().slice(11, 19));

// Whole periods, with one more at the end, in which CloudWatch has the last values.
test.each([
  [[['12:00:30', '12:10:10']], 60, ['12:00:00', '12:12:00']],
  [[['12:00:00', '12:10:00']], 60, ['12:00:00', '12:11:00']],
  [[['12:00:04', '12:00:07']], 3, ['12:00:03', '12:00:12']],
  // Samples of several clients come in any order.
  [
    [
      ['12:20:30', '12:21:00'],
      ['12:00:30', '12:50:10'],
      ['12:10:00', '12:12:00'],
    ],
    60,
    ['12:00:00', '12:52:00'],
  ],
] as const)('samples %j by periods of %d s have the window %j', (samples, period, window) => {
  const found = runWindow(
    samples.map(([from, to]) => sample(from, to)),
    period,
  );
  expect(found && times(found)).toEqual(window);
});

test('nothing was measured in no window, and a document has times as text', () => {
  expect(runWindow([], 60)).toBeNull();
  expect(isoOf({ from: at('12:00:00'), to: at('12:05:00') })).toEqual({
    from: '2026-11-21T12:00:00.000Z',
    to: '2026-11-21T12:05:00.000Z',
  });
});

test.each([
  ['12:00:00', '12:01:00', ['12:00:00', '12:01:00']],
  ['12:00:59', '12:01:01', ['12:00:00', '12:02:00']],
])('from %s to %s the whole minutes are %j', (from, to, window) => {
  expect(times(wholeMinutes({ from: at(from), to: at(to) }))).toEqual(window);
});

// FSx's values come up to 5 minutes late, those of a lab 3 s.
test.each([
  ['12:00:00', false, 300],
  ['12:04:00', false, 60],
  ['12:05:00', false, 0],
  ['13:00:00', false, 0],
  ['11:59:00', false, 360],
  ['12:00:00', true, 3],
  ['12:00:02', true, 1],
])('at %s values of 12:00, of a lab %p, are there in %d s', (now, lab, seconds) => {
  expect(secondsUntilPublished(at('12:00:00'), at(now), lab)).toBe(seconds);
});

const HOUR = 3_600_000;
const NOW = at('12:00:00');
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR);

// CloudWatch keeps seconds for 3 hours, minutes for 15 days, 5 minutes for 63 days and hours for 455 days.
test.each([
  [3, 1, 1],
  [3.01, 1, 60],
  [15 * 24, 1, 60],
  [15 * 24 + 1, 60, 300],
  [63 * 24, 60, 300],
  [63 * 24 + 1, 60, 3600],
  [455 * 24, 60, 3600],
  [455 * 24 + 1, 60, null],
  [2, 60, 60],
  [20 * 24, 3600, 3600],
])('%d h ago, periods of %d s are kept as %p s', (hours, wanted, period) => {
  expect(keptPeriod(ago(hours), NOW, wanted)).toBe(period);
});

test('metrics are listed for two weeks, less one day to be safe', () => {
  expect([1, 24 * 12.9, 24 * 13.1, 24 * 30].map((hours) => isListed(ago(hours), NOW))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each([
  [{ lab: false }, 60],
  [{ lab: true }, 3],
  // As an earlier release recorded it.
  [{ lab: true, metricsPeriodSeconds: 5 }, 5],
])('metrics of %j have a value every %d s', (manifest, period) => {
  expect(metricsPeriodOf(manifest as never)).toBe(period);
});
