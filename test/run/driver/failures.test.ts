import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarise } from '../../../lib/analysis/summary';
import type { Clocks } from '../../../lib/run/driver/clock';
import { readRun } from '../../../lib/store/readRun';
import { type Behaviour, fakeExecute, healthy, memoryFolder, smallPlan } from '../bench';
import { driveWith, isRemoval, throughputs } from './driveWith';

describe('a failure', () => {
  const fullOnLz4: Behaviour = (invocation) => {
    if (
      invocation.argv[0] === 'fio' &&
      invocation.argv.includes('--rw=write') &&
      invocation.argv.some((word) => word.includes('/mnt/lz4/') && word.includes('r1-c2.6'))
    ) {
      return {
        output: 'fio: io_u error on file x: No space left on device: write offset=0, buflen=1048576\n',
        exitStatus: 1,
      };
    }
    return healthy(invocation);
  };
  let result: Awaited<ReturnType<typeof driveWith>>;
  beforeAll(async () => {
    result = await driveWith(fullOnLz4);
  });

  test('is a sample without value and with the reason', () => {
    const failed = throughputs(result.samples, 'write').filter((sample) => sample.value === null);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ arm: 'lz4', step: 'r1-c2.6-write-lz4' });
    expect(failed[0]?.reason).toContain('no_space');
  });

  test('skips what needed its data, on its arm only, and says why', () => {
    const reads = throughputs(result.samples, 'read').filter((sample) => sample.value === null);
    expect(reads.map((sample) => [sample.arm, sample.step, sample.reason])).toEqual([
      ['lz4', 'r1-c2.6-read-lz4', 'skipped, since r1-c2.6-write-lz4 failed on lz4'],
    ]);
  });

  test('does not keep the data that filled the disk', () => {
    expect(
      result.commands.filter(
        (argv) => isRemoval(argv) && argv[1] === '/mnt/lz4' && argv.some((word) => word.endsWith('/r1-c2.6')),
      ),
    ).toHaveLength(1);
  });

  test('makes the run failed, names the steps, and can be repaired by another session', async () => {
    expect(result.status.state).toBe('failed');
    expect(result.status.failedSteps).toContain('r1-c2.6-write-lz4');
    expect(result.status.message).toMatch(
      /^\d+ steps failed: r1-c2\.6-write-lz4, .*; the first: exit status 1 .*, see raw\/lz4\/measure\/1-c2\.6-write-lz4\.out$/,
    );
    const again = await driveWith(healthy, { folder: result.folder });
    expect(again.status.state).toBe('done');
    const mended = throughputs(again.samples, 'write').filter((sample) => sample.step === 'r1-c2.6-write-lz4');
    expect(mended.map((sample) => [sample.attempt, sample.value])).toEqual([
      [1, null],
      [2, 500],
    ]);
    expect(again.commands.filter((argv) => argv[0] === 'fio')).toHaveLength(2);
  });
});

test('one failed step is named with its reason, and none where nothing was tried', async () => {
  const { status } = await driveWith((invocation) => {
    const line = invocation.argv.join(' ');
    const fails = line.includes('--rw=read') && line.includes('/mnt/lz4/') && line.includes('r1-c2.6');
    return fails ? { output: '', exitStatus: 1 } : healthy(invocation);
  });
  expect(status.failedSteps).toEqual(['r1-c2.6-read-lz4']);
  expect(status.message).toMatch(/^1 step failed: r1-c2\.6-read-lz4; exit status 1/);
  const untried = await driveWith(healthy, { prepare: async () => 'no client answers' });
  expect(untried.status).toMatchObject({ state: 'failed', failedSteps: [], stepsDone: 0 });
  expect(untried.status.message).toBe(`no client answers; ${untried.plan.steps.length} steps to do`);
});

test.each(['', '.client0', '.round1', '.round1.client0'])(
  'raw output that is there, x%s.out, is left as it is',
  async (part) => {
    const folder = memoryFolder();
    const base = 'raw/lz4/measure/1-c2.6-write-lz4';
    mkdirSync(join(folder, 'raw/lz4/measure'), { recursive: true });
    writeFileSync(join(folder, `${base}${part}.out`), 'kept');
    const { samples } = await driveWith(healthy, { folder });
    const [write] = throughputs(samples, 'write').filter(({ step }) => step === 'r1-c2.6-write-lz4');
    expect(write?.raw).toBe(`${base}.attempt2`);
    expect(readFileSync(join(folder, `${base}${part}.out`), 'utf8')).toBe('kept');
  },
);

test('only the last of several sessions was killed, and the first has the start', async () => {
  const { folder, status } = await driveWith(healthy);
  const at = (minute: number) => new Date(Date.parse(status.startedAt) + minute * 60_000).toISOString();
  const sessions = [
    { startedAt: at(-90), endedAt: at(-80), seconds: 600, end: 'interrupted' },
    { startedAt: at(-60), endedAt: null, seconds: 60 },
  ];
  writeFileSync(
    join(folder, 'status.json'),
    JSON.stringify({ ...status, startedAt: at(-60), endedAt: null, sessions }),
  );
  const again = await driveWith(healthy, { folder });
  expect(again.status.sessions.map(({ end }) => end)).toEqual(['interrupted', 'killed', 'done']);
  expect(again.status.startedAt).toBe(at(-90));
});

test('caches that may not be dropped make the read doubtful, not the run failed', async () => {
  const { status, samples } = await driveWith((invocation) =>
    invocation.argv[0]?.endsWith('drop-caches') ? { exitStatus: 3 } : healthy(invocation),
  );
  expect(status.state).toBe('done');
  expect(throughputs(samples, 'read').every((sample) => sample.cautions.includes('caches_not_dropped'))).toBe(true);
  expect(throughputs(samples, 'write').some((sample) => sample.cautions.includes('caches_not_dropped'))).toBe(false);
});

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

/** Drives while no directory of lz4 stores anything; its writes last until they are ended, and then have the outcome. */
async function driveStuck(outcome: Behaviour) {
  const stuck = '/mnt/lz4/fsxbench/test-run';
  const { execute, commands } = fakeExecute(healthy);
  const { execute: ended, commands: writes } = fakeExecute(outcome);
  const { status, samples } = await driveWith(healthy, {
    storing: async (directory) => (directory.startsWith(stuck) ? `${directory} did not answer within 120 s` : null),
    execute: (invocation, abort) => {
      const line = invocation.argv.join(' ');
      if (!line.includes('/mnt/lz4') || !line.includes('--rw=write')) return execute(invocation, abort);
      return new Promise((resolve) => abort.addEventListener('abort', () => resolve(ended(invocation, abort))));
    },
  });
  const lost = throughputs(samples, 'write').filter(({ arm }) => arm === 'lz4');
  const kept = throughputs(samples, 'write').filter(({ arm }) => arm === 'none');
  expect(kept.map(({ value }) => value)).toEqual([500, 500, 500, 500]);
  expect(commands.length).toBeGreaterThan(0);
  expect(status.state).toBe('failed');
  expect(writes).toHaveLength(1);
  expect(lost[3]?.reason).toMatch(/^skipped, since \/mnt\/lz4\/fsxbench/);
  return lost;
}

test('a late task whose file system stores nothing is ended, and its arm is left alone until it does', async () => {
  const lost = await driveStuck(() => ({ signal: 'SIGTERM' }));
  expect(lost.map(({ value }) => value)).toEqual([null, null, null, null]);
  expect(lost[0]?.reason).toMatch(/^ended, since \/mnt\/lz4\/fsxbench\/test-run\/.* did not answer within 120 s$/);
});

test('a late task that ends well all the same keeps its values', async () =>
  expect((await driveStuck(healthy)).map(({ value }) => value)).toEqual([500, null, null, null]));

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

const HOUR = 3600;
const START = Date.parse('2026-11-22T12:00:00Z');

/** A run in which each command takes a second, and after the tenth something happens to the clocks. */
async function runWith(happens: (clocks: { wall: number; steady: number }) => void) {
  const now = { wall: START, steady: 0 };
  const clocks: Clocks = { wall: () => now.wall, steady: () => now.steady };
  let commands = 0;
  const plan = smallPlan({ set: ['tool=fio', 'compressibilities=1', 'repeats=1', 'warmUpSeconds=0'] });
  const { status, samples, folder } = await driveWith(
    (invocation) => {
      now.wall += 1000;
      now.steady += 1000;
      commands += 1;
      if (commands === 10) happens(now);
      return healthy(invocation);
    },
    { plan, clocks, pause: async () => {} },
  );
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const summary = summarise(await readRun(folder));
  const tasks = samples.filter(({ operation }) => operation === 'task');
  return { status, summary, tasks, seconds: now.steady / 1000 };
}

test.each([
  ['set back by an hour', -HOUR, 'the clock was set back by 1 h'],
  ['set forward by an hour', HOUR, 'the clock went forward by 1 h, because it was set or the computer was suspended'],
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
        /^the driver was stalled for 1 min 3\d s, because it was stopped or the computer was overloaded$/,
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
