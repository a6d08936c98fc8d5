import { setImmediate as turn } from 'node:timers/promises';
import { stopLab } from '../../lib/cli/lab';
import { fsxbenchIn } from './support';

/** Any request outside this process takes half a minute, and then fails. */
function mockSlow(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('far enough')), 30_000));
}
/** The same, with a success after it. */
function mockLate(value?: unknown): () => Promise<unknown> {
  return () => new Promise((resolve) => setTimeout(() => resolve(value), 30_000));
}

jest.mock('../../lib/lab/lab', () => ({ labUp: mockSlow }));
jest.mock('../../lib/lab/down', () => ({
  labDown: mockLate([]),
  labStatus: mockLate({ state: 'down', endpoint: null, storages: [], problems: [] }),
}));
jest.mock('../../lib/run/deployed', () => ({
  ...jest.requireActual('../../lib/run/deployed'),
  findDeployment: mockSlow,
  findResultsBucket: mockSlow,
}));

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** Longest silence of some work, in seconds of this test's own clock. */
async function longestSilence(work: (say: (text: string) => void) => Promise<unknown>): Promise<number> {
  const times = [Date.now()];
  let ended = false;
  const settled = work(() => times.push(Date.now())).finally(() => (ended = true));
  settled.catch(() => {});
  while (!ended) {
    await turn();
    await jest.advanceTimersByTimeAsync(500);
  }
  times.push(Date.now());
  expect(times.at(-1) as number).toBeGreaterThanOrEqual((times[0] as number) + 30_000);
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] as number))) / 1000;
}

test.each([
  ['lab', 'up', '--model', 'none'],
  ['lab', 'down'],
  ['lab', 'status'],
  ['lab', 'env'],
  ['run', 'CompressionBench'],
  ['extend', 'CompressionBench', '--hours', '1'],
  ...[['collect'], ['report'], ['watch'], ['dashboard']].map(([command = '']) => [command, '20261121T090000Z-none']),
  ['list'],
])('no silence is longer than 9 s while %s %s waits', async (...argv) => {
  const silence = await longestSilence((say) => fsxbenchIn({ out: say, err: say }, argv));
  expect(silence).toBeLessThanOrEqual(9);
});

test('nor while the lab is stopped', async () => {
  const silence = await longestSilence((say) =>
    stopLab({ root: '/', environment: {}, interactive: false, out: say, err: say }, 'results'),
  );
  expect(silence).toBeLessThanOrEqual(9);
});
