import { deadlineIn } from '../../lib/run/started';
import type { Deployment } from '../../lib/schema/deployment';

const HOUR = 3_600_000;
const createdAt = Date.parse('2026-11-20T18:00:00Z');
const stack = (expiry: Deployment['expiry']) => ({ createdAt, deployment: { expiry } as Deployment });

test('a stack of an older release, or without an end, does not expire', () => {
  expect(deadlineIn('', stack(undefined))).toBeNull();
});

test.each([
  '24 h after the deployment',
  // By a hand: no time, a time of wherever the reader is, days that no calendar has.
  '2026-13-45',
  '2026-11-22T10:00:00',
  '2026-11-22T10:00:00+01:00',
  '2026-11-31T10:00:00Z',
  '2027-02-29T10:00:00Z',
])('with %j the time is that of the setting, from the next look of the state machine on', (value) => {
  const now = createdAt + 5 * HOUR;
  expect(deadlineIn(value, stack({ hours: 24, deadline: 'p' }), now)).toEqual({ at: now + 24 * HOUR });
  expect(deadlineIn(value, stack({ hours: 24, budgetHours: 20, deadline: 'p' }), now)?.at).toBe(createdAt + 20 * HOUR);
});

test('every day of the calendar is a deadline', () => {
  const from = Date.parse('2027-01-01T12:00:00Z');
  const days = Array.from({ length: 366 + 365 }, (_, day) => from + 24 * day * HOUR);
  const read = days.map((day) => deadlineIn(new Date(day).toISOString(), stack({ hours: 24, deadline: 'p' }))?.at);
  expect(read).toEqual(days);
});

test('what is set holds, up to what the budget pays for', () => {
  const set = new Date(createdAt + 40 * HOUR).toISOString();
  expect(deadlineIn(set, stack({ hours: 24, deadline: 'p' }))).toEqual({ at: createdAt + 40 * HOUR });
  expect(deadlineIn(set, stack({ hours: 24, budgetHours: 30, deadline: 'p' }))).toEqual({
    at: createdAt + 30 * HOUR,
    latest: createdAt + 30 * HOUR,
  });
});
