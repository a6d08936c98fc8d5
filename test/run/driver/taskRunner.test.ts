import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeExecute, healthy } from '../bench';
import { driveWith, throughputs } from './driveWith';

test('an arm whose file system hangs is left alone, and the other loses nothing', async () => {
  const { status, samples, commands } = await driveWith(healthy, {
    problem: async (mountPoint) => (mountPoint === '/mnt/lz4' ? '/mnt/lz4 did not answer within 60 s' : null),
  });
  expect(commands.filter((argv) => argv.join(' ').includes('/mnt/lz4'))).toEqual([]);
  expect(status.state).toBe('failed');
  const writes = throughputs(samples, 'write');
  expect(writes.filter(({ arm }) => arm === 'none').map(({ value }) => value)).toEqual([500, 500, 500, 500]);
  const lost = writes.filter(({ arm }) => arm === 'lz4');
  expect(lost.map(({ value }) => value)).toEqual([null, null, null, null]);
  for (const { reason } of lost) expect(reason).toContain('skipped, since /mnt/lz4 did not answer within 60 s');
});

test('a late task whose file system stores nothing is ended, and its arm is left alone until it does', async () => {
  const stuck = '/mnt/lz4/fsxbench/test-run';
  let writes = 0;
  const { execute, commands } = fakeExecute(healthy);
  const { status, samples } = await driveWith(healthy, {
    storing: async (directory) => (directory.startsWith(stuck) ? `${directory} did not answer within 120 s` : null),
    execute: (invocation, abort) => {
      const line = invocation.argv.join(' ');
      if (!line.includes('/mnt/lz4') || !line.includes('--rw=write')) return execute(invocation, abort);
      writes += 1;
      return new Promise((resolve) =>
        abort.addEventListener('abort', () => {
          const at = new Date();
          const outcome = { exitStatus: null, timedOut: false, abandoned: false, startError: null };
          resolve({ ...outcome, signal: 'SIGTERM', startedAt: at, endedAt: at });
        }),
      );
    },
  });
  expect(status.state).toBe('failed');
  expect(writes).toBe(1);
  const lost = throughputs(samples, 'write').filter(({ arm }) => arm === 'lz4');
  expect(lost.map(({ value }) => value)).toEqual([null, null, null, null]);
  expect(lost[0]?.reason).toMatch(/^ended, since \/mnt\/lz4\/fsxbench\/test-run\/.* did not answer within 120 s$/);
  expect(lost[3]?.reason).toMatch(/^skipped, since \/mnt\/lz4\/fsxbench/);
  const kept = throughputs(samples, 'write').filter(({ arm }) => arm === 'none');
  expect(kept.map(({ value }) => value)).toEqual([500, 500, 500, 500]);
  expect(commands.length).toBeGreaterThan(0);
});

test('figures of a command that failed do not count', async () => {
  const { samples } = await driveWith((invocation) =>
    invocation.argv[0] === 'df' ? { ...healthy(invocation), exitStatus: 1 } : healthy(invocation),
  );
  const capacity = samples.filter((sample) => sample.operation === 'capacity');
  expect(capacity.length).toBeGreaterThan(0);
  expect(capacity.every((sample) => sample.value === null && sample.reason === 'exit status 1')).toBe(true);
});

test('a program that a signal ended is recorded with the number of that signal', async () => {
  const { samples, folder } = await driveWith((invocation) =>
    invocation.argv.includes('--rw=write') ? { ...healthy(invocation), signal: 'SIGBUS' } : healthy(invocation),
  );
  const [first] = throughputs(samples, 'write');
  expect(first).toMatchObject({ value: null, reason: expect.stringContaining('killed by SIGBUS') });
  expect(readFileSync(join(folder, `${first?.raw}.cmd`), 'utf8')).toMatch(/^exit_status: -7$/m);
});
