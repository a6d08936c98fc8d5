import { isListed, keptPeriod } from '../../lib/observe/period';

const NOW = new Date('2026-11-21T12:00:00Z');
const ago = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

// Retention as GetMetricData documents it: 3 hours, 15 days, 63 days, 455 days.
test.each([
  [0.1, 5, 5],
  [0.2, 5, 60],
  [1, 60, 60],
  [14.9, 60, 60],
  [15.1, 60, 300],
  [62, 60, 300],
  [64, 60, 3600],
  [454, 60, 3600],
])('of %d days ago, asked for %d s, CloudWatch still has points every %d s', (days, wanted, kept) => {
  expect(keptPeriod(ago(days), NOW, wanted)).toBe(kept);
});

test('of more than 455 days ago it has nothing', () => {
  expect(keptPeriod(ago(456), NOW, 60)).toBeNull();
});

test('what was published in the last two weeks is listed', () => {
  expect([1, 12, 15].map((days) => isListed(ago(days), NOW))).toEqual([true, true, false]);
});
