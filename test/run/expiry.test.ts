import { deadlineIn } from '../../lib/run/expiry';
import type { Deployment } from '../../lib/schema/deployment';

const HOUR = 3_600_000;
const createdAt = Date.parse('2026-11-20T18:00:00Z');
const stack = (expiry: Deployment['expiry']) => ({ createdAt, deployment: { expiry } as Deployment });

test('a stack of an older release, or without an end, does not expire', () => {
  expect(deadlineIn('', stack(undefined))).toBeNull();
});

test('before the state machine has set the time it is that of the setting', () => {
  expect(deadlineIn('24 h after the deployment', stack({ hours: 24, deadline: 'p' }))).toEqual({
    at: createdAt + 24 * HOUR,
  });
});

test('what is set holds, up to what the budget pays for', () => {
  const set = new Date(createdAt + 40 * HOUR).toISOString();
  expect(deadlineIn(set, stack({ hours: 24, deadline: 'p' }))).toEqual({ at: createdAt + 40 * HOUR });
  expect(deadlineIn(set, stack({ hours: 24, budgetHours: 30, deadline: 'p' }))).toEqual({
    at: createdAt + 30 * HOUR,
    latest: createdAt + 30 * HOUR,
  });
});
