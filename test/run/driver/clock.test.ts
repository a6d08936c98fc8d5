import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise } from '../../../lib/analysis/summary';
import type { Clocks } from '../../../lib/run/driver/clock';
import { drive } from '../../../lib/run/driver/driver';
import { RunFolder } from '../../../lib/store/folder';
import { readRun } from '../../../lib/store/readRun';
import { allAnswer, fakeExecute, healthy, localClients, memoryFolder, smallPlan } from '../bench';

const HOUR = 3600;
const START = Date.parse('2026-11-22T12:00:00Z');

/** A run in which each command takes a second, and after the tenth something happens to the clocks. */
async function runWith(happens: (clocks: { wall: number; steady: number }) => void) {
  const folder = new RunFolder(memoryFolder());
  const now = { wall: START, steady: 0 };
  const clocks: Clocks = { wall: () => now.wall, steady: () => now.steady };
  let commands = 0;
  const { execute } = fakeExecute((invocation) => {
    now.wall += 1000;
    now.steady += 1000;
    commands += 1;
    if (commands === 10) happens(now);
    return healthy(invocation);
  });
  const plan = smallPlan({ set: ['tool=fio', 'compressibilities=1', 'repeats=1', 'warmUpSeconds=0'] });
  const status = await drive({
    run: 'test-run',
    plan,
    clients: localClients('/mnt'),
    folder,
    execute,
    clocks,
    abort: new AbortController().signal,
    onChange: () => {},
    dataPresent: () => false,
    answering: allAnswer,
    pause: async () => {},
  });
  writeFileSync(join(folder.path, 'plan.json'), JSON.stringify(plan));
  const summary = summarise(await readRun(folder.path));
  const tasks = folder.samples().filter(({ operation }) => operation === 'task');
  return { status, summary, tasks, seconds: now.steady / 1000 };
}

test.each([
  ['set back by an hour', -HOUR, 'the clock was set back by 1 h'],
  ['set forward by an hour', HOUR, 'the clock went forward by 1 h, because it was set or the machine was suspended'],
])('a clock that is %s changes no duration, and the report says so', async (_, jump, message) => {
  const { status, summary, tasks, seconds } = await runWith((now) => {
    now.wall += jump * 1000;
  });
  expect(status.state).toBe('done');
  for (const { value, startedAt, endedAt } of tasks) {
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThan(60);
    expect((Date.parse(endedAt) - Date.parse(startedAt)) / 1000).toBeCloseTo(value as number, 2);
  }
  expect(status.sessions?.[0]).toMatchObject({ seconds, end: 'done' });
  expect(summary.seconds).toBe(seconds);
  const [issue] = summary.issues.filter(({ id }) => id.startsWith('run-disturbed'));
  expect(issue).toMatchObject({ id: 'run-disturbed-clock', severity: 'warning' });
  expect(issue?.actual).toContain(message);
});

test('a driver that was stopped says for how long, and its report as well', async () => {
  const { status, summary } = await runWith((now) => {
    now.wall += 90_000;
    now.steady += 90_000;
  });
  expect(status.sessions?.[0]?.events).toEqual([
    {
      at: expect.any(String),
      kind: 'stopped',
      message: expect.stringMatching(
        /^the driver was stalled for 1 min 3\d s, because it was stopped or the machine was overloaded$/,
      ),
    },
  ]);
  expect(summary.issues.find(({ id }) => id === 'run-disturbed-stopped')).toMatchObject({ severity: 'note' });
});

test('nothing is said where nothing happened, nor of corrections of a second', async () => {
  const { status, summary } = await runWith((now) => {
    now.wall += 1000;
  });
  expect(status.sessions?.[0]?.events).toBeUndefined();
  expect(summary.issues.filter(({ id }) => id.startsWith('run-disturbed'))).toEqual([]);
});
