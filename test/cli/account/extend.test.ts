import { extendCommand } from '../../../lib/cli/account/extend';

const mock = {
  status: 'CREATE_COMPLETE',
  hourlyUsd: 2.5 as number | null,
  at: 0,
  latest: undefined as number | undefined,
};
const mockSet: number[] = [];
jest.mock('../../../lib/run/deployed', () => ({
  findDeployment: async (name: string) => ({ name, status: mock.status, deployment: { hourlyUsd: mock.hourlyUsd } }),
}));
jest.mock('../../../lib/run/started', () => ({
  deadlineOf: async () => (mock.at === 0 ? null : { at: mock.at, latest: mock.latest }),
  setDeadline: async (_: unknown, at: number) => void mockSet.push(at),
}));

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  Object.assign(mock, { status: 'CREATE_COMPLETE', hourlyUsd: 2.5, at: NOW + 2 * HOUR, latest: undefined });
  mockSet.length = 0;
});
afterEach(() => jest.useRealTimers());

async function extended(hours: string, json = false): Promise<string> {
  const said: string[] = [];
  const context = {
    root: '/',
    environment: {},
    interactive: false,
    err: () => {},
    out: (text: string) => void said.push(text),
  };
  await extendCommand(context, 'CompressionBench', { hours, json });
  return said.join('');
}

// It ends at 14:00; a deadline that is over counts from now.
test.each([
  [2, '1', '2026-11-21T15:00:00.000Z', 'in 3 h 00 min; 1 more hour costs 2.50 USD at list prices'],
  [2, '3', '2026-11-21T17:00:00.000Z', 'in 5 h 00 min; 3 more hours cost 7.50 USD at list prices'],
  [2, '1d', '2026-11-22T14:00:00.000Z', '; 24 more hours cost 60.00 USD at list prices'],
  [-5, '3', '2026-11-21T15:00:00.000Z', 'in 3 h 00 min; 3 more hours cost 7.50 USD at list prices'],
])('a stack that ends in %d h ends after %s more at %s, %s', async (left, hours, at, words) => {
  mock.at = NOW + left * HOUR;
  const text = await extended(hours);
  expect(text).toMatch(new RegExp(`^CompressionBench deletes itself at ${at}, in `));
  expect(text).toContain(words);
  expect(mockSet).toEqual([Date.parse(at)]);
});

test('costs nothing that is not known', async () => {
  mock.hourlyUsd = null;
  expect(await extended('3')).toBe('CompressionBench deletes itself at 2026-11-21T17:00:00.000Z, in 5 h 00 min\n');
});

test('is one document with --json', async () => {
  expect(JSON.parse(await extended('3', true))).toEqual({
    ...{ schema: 'fsxbench.extend/1', stack: 'CompressionBench', hourlyUsd: 2.5 },
    ...{ before: '2026-11-21T14:00:00.000Z', expiresAt: '2026-11-21T17:00:00.000Z' },
  });
});

test.each<[string, string, Partial<typeof mock>]>([
  // The budget is spent at 18:00, four hours after the deadline, or six from now once that is over.
  [
    '5',
    "'--hours' must be at most 4, since the budget of CompressionBench is spent at 2026-11-21T18:00:00.000Z, got 5",
    { latest: NOW + 6 * HOUR },
  ],
  ['7', "'--hours' must be at most 6, since", { at: NOW - HOUR, latest: NOW + 6 * HOUR }],
  ['1', "'--hours' must be at most 0, since", { latest: NOW }],
  ['1', 'CompressionBench does not expire', { at: 0 }],
  ['1', 'CompressionBench is being deleted', { status: 'DELETE_IN_PROGRESS' }],
  ['366d', "'--hours' must be hours or days from 0.25 to 365d", {}],
])('%s h are refused: %s', async (hours, words, change) => {
  Object.assign(mock, change);
  await expect(extended(hours)).rejects.toThrow(words);
  expect(mockSet).toEqual([]);
});

test('as many hours as the budget has are granted', async () => {
  mock.latest = NOW + 6 * HOUR;
  await extended('4');
  expect(mockSet).toEqual([NOW + 6 * HOUR]);
});
