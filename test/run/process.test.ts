import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, failureOf } from '../../lib/run/process';
import { temporaryFolder } from './bench';

const never = new AbortController().signal;
const run = (argv: readonly string[], timeoutSeconds = 20, abort: AbortSignal = never) => {
  const outputFile = join(temporaryFolder(), 'out');
  return execute({ argv, outputFile, timeoutSeconds }, abort).then((outcome) => ({
    outcome,
    output: readFileSync(outputFile, 'utf8'),
  }));
};
/** Still there, and not merely waiting to be reaped. */
const alive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('standard output and error are kept together', async () => {
  const { outcome, output } = await run(['sh', '-c', 'echo one; echo two >&2']);
  expect(failureOf(outcome)).toBeNull();
  expect(output).toBe('one\ntwo\n');
});

test.each([
  [['sh', '-c', 'exit 7'], 'exit status 7'],
  [['sh', '-c', 'kill -9 $$'], 'ended by SIGKILL'],
  [['no-such-program'], 'could not be started: spawn no-such-program ENOENT'],
])('%j fails as %s', async (argv, reason) => {
  expect(failureOf((await run(argv)).outcome)).toBe(reason);
});

test('a process that ends too late is ended, with all that it started', async () => {
  const { outcome, output } = await run(['sh', '-c', 'sleep 600 & echo $!; wait'], 0.5);
  expect(failureOf(outcome)).toBe('ran into its time limit');
  expect(alive(Number(output))).toBe(false);
});

test('an abort ends the process group', async () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 200);
  const { outcome, output } = await run(['sh', '-c', 'sleep 600 & echo $!; wait'], 60, abort.signal);
  expect(outcome.timedOut).toBe(false);
  expect(failureOf(outcome)).toBe('ended by SIGTERM');
  expect(alive(Number(output))).toBe(false);
});

test('what a launcher leaves behind in its group does not outlive it', async () => {
  const { output } = await run(['sh', '-c', 'sleep 600 & echo $!']);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(alive(Number(output))).toBe(false);
});

test('one that ignores SIGTERM is killed', async () => {
  const { outcome } = await run(['sh', '-c', 'trap "" TERM; sleep 600 & wait; sleep 600'], 0.3);
  expect(failureOf(outcome)).toBe('ran into its time limit');
  expect(outcome.signal).toBe('SIGKILL');
}, 20_000);
