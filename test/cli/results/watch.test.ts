import { follow } from '../../../lib/cli/results/watch';
import type { Runner } from '../../../lib/run/runner';
import type { RunStatus } from '../../../lib/schema/run';

const REFERENCE = { benchmark: 'CompressionBench', run: 'r-1' };
const CONTEXT = { root: '/', out: () => {}, err: () => {}, environment: {}, interactive: false };

const status = (second: number, change: Partial<RunStatus> = {}): RunStatus => ({
  schema: 'fsxbench.status/1',
  run: 'r-1',
  benchmark: 'CompressionBench',
  state: 'running',
  step: 'r1-c1-write',
  phase: 'measure',
  stepsDone: 1,
  stepsTotal: 9,
  failedSteps: [],
  startedAt: '2026-11-21T09:00:00.000Z',
  updatedAt: new Date(Date.UTC(2026, 10, 21, 9, 0, second)).toISOString(),
  endedAt: null,
  sessions: [],
  etaSeconds: 43_200,
  message: 'IOR write',
  driver: { host: 'leader', pid: 1 },
  ...change,
});

/** A runner that says one thing after the other, and the last one for ever. */
const saying = (...words: RunStatus[]): Runner => ({
  start: () => Promise.resolve(),
  status: async () => (words.length > 1 ? words.shift() : words[0]) ?? null,
});

test('a driver that fell silent in the first of twelve hours is told at once, not after them: its fleet bills', async () => {
  await expect(follow(CONTEXT, saying(status(0)), REFERENCE, { silenceSeconds: 1 })).rejects.toThrow(
    /the driver of r-1 has been silent for 1 s: see driver\.log on leader, and resume with npx fsxbench run CompressionBench --resume r-1/,
  );
});

test('a driver that speaks is followed to its end', async () => {
  const ended = status(3, { state: 'done', endedAt: '2026-11-21T09:00:03.000Z' });
  const words = saying(status(0), status(1), status(2), ended);
  // Silent for longer than this nowhere, in all for longer.
  expect(await follow(CONTEXT, words, REFERENCE, { silenceSeconds: 2 })).toEqual(ended);
});
