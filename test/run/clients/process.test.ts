import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, failureOf } from '../../../lib/run/clients/process';
import { HANG_MS, until } from '../../support/patience';
import { alive } from '../../support/processes';
import { temporaryFolder } from '../bench';

const never = new AbortController().signal;
const start = (argv: readonly string[], timeoutSeconds = HANG_MS / 1000, abort: AbortSignal = never) => {
  const outputFile = join(temporaryFolder(), 'out');
  return { outputFile, ended: execute({ argv, outputFile, timeoutSeconds }, abort) };
};
const run = async (...how: Parameters<typeof start>) => {
  const { outputFile, ended } = start(...how);
  return { outcome: await ended, output: readFileSync(outputFile, 'utf8') };
};
/** Waits for the end of the process that printed its number: a busy kernel ends it a moment after the signal. */
const expectEnded = async (output: string): Promise<void> => {
  expect(output).toMatch(/^\d+\n$/);
  await until(`the end of process ${output.trim()}`, () => !alive(Number(output)));
};

const place = '/proc/self/autogroup';
const niceIn = (text: string): string | undefined => /nice (-?\d+)/.exec(text)?.[1];
/**
 * Only root may put a session before others, and not every kernel schedules by sessions. A process of the kernel's default group reads a place but
 * gets EINVAL for any (kernel/sched/autogroup.c, proc_sched_autogroup_set_nice), including its present one.
 */
const placeable = (): boolean => {
  try {
    writeFileSync(place, niceIn(readFileSync(place, 'utf8')) ?? '0');
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
};
const testPlaced = placeable() ? test : test.skip;

test('a deadline of a month, longer than timers of Node.js run, ends nothing at once', async () => {
  const { outcome } = await run(['sleep', '0.3'], 30 * 86_400);
  expect(failureOf(outcome)).toBeNull();
});

testPlaced(
  'a process has the place among sessions that the driver was given, though its session is its own',
  async () => {
    const before = niceIn(readFileSync(place, 'utf8')) ?? '0';
    writeFileSync(place, '-1');
    try {
      // After a moment: it is given its place once it runs.
      const { output } = await run(['sh', '-c', `sleep 0.5; cat ${place}`]);
      expect(niceIn(output)).toBe('-1');
    } finally {
      writeFileSync(place, before);
    }
  },
);

test('standard output and error are kept together', async () => {
  const { outcome, output } = await run(['sh', '-c', 'echo one; echo two >&2']);
  expect(failureOf(outcome)).toBeNull();
  expect(output).toBe('one\ntwo\n');
});

test.each([
  [['sh', '-c', 'exit 7'], 'exit status 7'],
  [['sh', '-c', 'kill -9 $$'], 'killed by SIGKILL'],
  [['no-such-program'], 'could not be started: spawn no-such-program ENOENT'],
])('%j fails as %s', async (argv, reason) => {
  expect(failureOf((await run(argv)).outcome)).toBe(reason);
});

test('a process that ends too late is ended, with all that it started', async () => {
  // On a busy machine it may have said nothing yet by then: again, with more time.
  for (let limit = 0.25; ; limit *= 2) {
    const { outcome, output } = await run(['sh', '-c', 'sleep 600 & echo $!; wait'], limit);
    expect(failureOf(outcome)).toBe('timed out');
    if (output === '') continue;
    await expectEnded(output);
    return;
  }
});

test('an abort ends the process group', async () => {
  const abort = new AbortController();
  const { outputFile, ended } = start(['sh', '-c', 'sleep 600 & echo $!; wait'], undefined, abort.signal);
  const output = () => readFileSync(outputFile, 'utf8');
  await until('its number', () => output().endsWith('\n'));
  expect(alive(Number(output()))).toBe(true);
  abort.abort();
  const outcome = await ended;
  expect(outcome.timedOut).toBe(false);
  expect(failureOf(outcome)).toBe('killed by SIGTERM');
  await expectEnded(output());
});

test('what a launcher leaves behind in its group does not outlive it', async () => {
  const { output } = await run(['sh', '-c', 'sleep 600 & echo $!']);
  await expectEnded(output);
});

test('one that ignores SIGTERM is killed', async () => {
  const abort = new AbortController();
  const deaf = ['sh', '-c', 'trap "" TERM; echo deaf; sleep 600 & wait; sleep 600'];
  const { outputFile, ended } = start(deaf, undefined, abort.signal);
  await until('its word', () => readFileSync(outputFile, 'utf8') === 'deaf\n');
  abort.abort();
  expect((await ended).signal).toBe('SIGKILL');
});

test.each([
  ['a process', 'kill -STOP $$; true'],
  ['a child of it', 'bash -c "kill -STOP \\$\\$"; true'],
])('%s that is stopped for a while is known to have been', async (_, script) => {
  const { outputFile, ended } = start(['bash', '-c', `echo $$; ${script}`]);
  const leader = (): number => Number(readFileSync(outputFile, 'utf8'));
  await until('its number', () => leader() > 0);
  const wake = setInterval(() => process.kill(-leader(), 'SIGCONT'), 3000);
  const outcome = await ended;
  clearInterval(wake);
  expect([outcome.exitStatus, outcome.stopped]).toEqual([0, true]);
  expect((await run(['true'])).outcome.stopped).toBe(false);
});
