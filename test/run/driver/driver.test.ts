import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Execute } from '../../../lib/run/clients/process';
import { drive } from '../../../lib/run/driver/driver';
import type { RunStatus } from '../../../lib/schema/run';
import { RunFolder } from '../../../lib/store/folder';
import { until } from '../../support/patience';
import { allAnswer, fakeExecute, healthy, localClients, memoryFolder, smallPlan } from '../bench';
import { driveWith, isRemoval, throughputs } from './driveWith';

describe('a whole run', () => {
  let result: Awaited<ReturnType<typeof driveWith>>;
  beforeAll(async () => {
    result = await driveWith(healthy);
  });

  test('ends done, with every step done', () => {
    expect(result.status).toMatchObject({
      state: 'done',
      stepsDone: result.plan.steps.length,
      failedSteps: [],
      etaSeconds: 0,
    });
  });

  test('measures each arm as often as the plan says, in MB/s', () => {
    const writes = throughputs(result.samples, 'write');
    expect(writes).toHaveLength(2 * 2 * 2);
    expect(new Set(writes.map((sample) => sample.value))).toEqual(new Set([500]));
    expect(
      writes.every((sample) => sample.unit === 'MB/s' && sample.tool === 'fio' && sample.toolVersion === '3.33'),
    ).toBe(true);
  });

  test('has the processes that the tool counted, and those of the plan beside them', () => {
    for (const sample of throughputs(result.samples, 'write'))
      expect([sample.ranks, sample.plannedRanks, sample.nodes]).toEqual([2, 2, null]);
  });

  test('reads the ratio back from what was written', () => {
    const ratios = result.samples.filter((sample) => sample.metric === 'compression_ratio');
    expect(ratios.map((sample) => [sample.value, sample.source])).toEqual(Array(8).fill([2, 'du']));
  });

  test('syncs each file before it asks for its blocks', () => {
    const order = result.commands
      .filter((argv) => argv[0] === 'find')
      .map((argv) => (argv.includes('sync') ? 'sync' : 'du'));
    expect(order.join(' ')).toBe(Array(8).fill('sync du du').join(' '));
  });

  test('takes the arms in an order that changes from repeat to repeat', () => {
    const firstWrites = [1, 2].map(
      (repeat) => result.samples.find((sample) => sample.repeat === repeat && sample.operation === 'write')?.arm,
    );
    expect(firstWrites[0]).not.toEqual(firstWrites[1]);
  });

  test('keeps each raw output with the command that made it', () => {
    for (const sample of throughputs(result.samples, 'read')) {
      const base = join(result.folder, sample.raw ?? 'missing');
      expect(readFileSync(`${base}.out`, 'utf8')).toContain('fio version');
      expect(readFileSync(`${base}.cmd`, 'utf8')).toMatch(/^command: fio --name=data .*\ntool: fio\nexit_status: 0\n/);
    }
  });

  test('removes its data in the end', () => {
    expect(result.commands.filter(isRemoval)).toHaveLength(8);
  });

  test('tells where it stands: steps never go back, the estimate ends at zero', () => {
    const done = result.statuses.map((status) => status.stepsDone);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(result.statuses.at(-1)?.etaSeconds).toBe(0);
  });
});

test('a heartbeat that cannot be written, as on a disk that is full for a moment, ends nothing that is being measured', async () => {
  const folder = new RunFolder(memoryFolder());
  const { execute } = fakeExecute(healthy);
  let [measuring, refused] = [false, 0];
  const write = folder.writeStatus.bind(folder);
  folder.writeStatus = (status) => {
    if (measuring) {
      refused += 1;
      throw new Error('ENOSPC: no space left on device');
    }
    write(status);
  };
  const status = await drive({
    run: 'test-run',
    plan: smallPlan(),
    clients: localClients('/mnt'),
    folder,
    abort: new AbortController().signal,
    answering: allAnswer,
    storing: allAnswer,
    dataPresent: () => false,
    onChange: () => {},
    beatSeconds: 0.001,
    execute: async (invocation, abort) => {
      if (invocation.argv[0] === 'fio' && refused === 0) {
        measuring = true;
        await until('a heartbeat that is refused', () => refused > 0);
        measuring = false;
      }
      return execute(invocation, abort);
    },
  });
  expect(status.state).toBe('done');
  expect(refused).toBeGreaterThan(0);
});

describe('an interruption', () => {
  async function interruptAt(nth: number, folder: string) {
    const abort = new AbortController();
    let workloads = 0;
    return driveWith(
      (invocation) => {
        if (invocation.argv[0] === 'fio' && ++workloads === nth) {
          abort.abort();
          return { output: '{"fio version" : "fio-3.33",\n', exitStatus: 143 };
        }
        return healthy(invocation);
      },
      { folder, abort },
    );
  }

  test('leaves what was measured and records nothing of the step it cut', async () => {
    const { status, samples } = await interruptAt(3, memoryFolder());
    expect([status.state, status.failedSteps]).toEqual(['interrupted', []]);
    expect(samples.filter((sample) => sample.metric === 'throughput')).toHaveLength(2);
    expect(samples.every((sample) => sample.value !== null)).toBe(true);
  });

  test('that comes as a step ends keeps what the step measured', async () => {
    const abort = new AbortController();
    const folder = memoryFolder();
    const { status, samples } = await driveWith(
      (invocation) => {
        if (invocation.argv[0] === 'fio') abort.abort();
        return healthy(invocation);
      },
      { folder, abort },
    );
    expect([status.state, status.failedSteps]).toEqual(['interrupted', []]);
    const [first, ...others] = samples.filter(({ metric }) => metric === 'throughput');
    expect([first?.value, others]).toEqual([expect.any(Number), []]);
  });

  test.each([1, 2, 3, 8, 16])('at workload %i can be resumed: every step has its value in the end', async (nth) => {
    const folder = memoryFolder();
    await interruptAt(nth, folder);
    const { status, samples, plan } = await driveWith(healthy, { folder });
    expect(status.message).toBe('every step is done');
    const measured = new Set(
      samples
        .filter((sample) => sample.metric === 'throughput' && sample.value !== null)
        .map((sample) => `${sample.step} ${sample.arm}`),
    );
    const wanted = plan.steps
      .filter((step) => step.tasks[0]?.action.kind === 'workload')
      .flatMap((step) => step.tasks.map((task) => `${step.id} ${task.arm}`));
    expect(measured).toEqual(new Set(wanted));
  });

  test('between write and read goes on with the read when the data are still there', async () => {
    const folder = memoryFolder();
    await interruptAt(2, folder);
    const { commands } = await driveWith(healthy, { folder, dataPresent: () => true });
    const first = commands.filter((argv) => argv[0] === 'fio' || argv[0]?.endsWith('drop-caches')).slice(0, 2);
    expect(first[0]?.[0]).toContain('drop-caches');
    expect(first[1]).toContain('--rw=read');
  });
});

test('the status keeps every session, that of a driver which was killed up to its last word', async () => {
  const folder = memoryFolder();
  const whole = await driveWith(healthy, { folder });
  const { startedAt, endedAt } = whole.status;
  expect(whole.status.sessions).toEqual([{ startedAt, endedAt, seconds: expect.any(Number), end: 'done' }]);
  expect(whole.statuses[0]?.sessions).toEqual([{ startedAt, endedAt: null, seconds: expect.any(Number) }]);

  const said = { ...whole.status, startedAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T12:00:00.000Z' };
  const killed = { ...said, endedAt: null, sessions: [{ startedAt: said.startedAt, endedAt: null }] };
  writeFileSync(join(folder, 'status.json'), JSON.stringify(killed));
  const again = await driveWith(healthy, { folder });
  expect(again.status.startedAt).toBe(said.startedAt);
  expect(again.status.sessions).toEqual([
    { startedAt: said.startedAt, endedAt: said.updatedAt, end: 'killed' },
    { startedAt: expect.any(String), endedAt: again.status.endedAt, seconds: expect.any(Number), end: 'done' },
  ]);

  const later = await driveWith(healthy, { folder });
  expect([later.status.startedAt, later.status.sessions.length]).toEqual([said.startedAt, 3]);

  // A damaged status does not stop the driver: its samples have the start.
  writeFileSync(join(folder, 'status.json'), '{"schema":');
  const third = await driveWith(healthy, { folder });
  expect(third.status.startedAt).toBe(whole.samples[0]?.startedAt);
});

test('empty directories of a run that is done go, and data of others stay, which the status names', async () => {
  const mounts = memoryFolder();
  const of = (arm: string, ...rest: string[]) => join(mounts, arm, 'fsxbench', ...rest);
  for (const directory of [of('none', 'test-run'), of('lz4', 'test-run'), of('lz4', 'theirs')])
    mkdirSync(directory, { recursive: true });
  writeFileSync(of('lz4', 'theirs', 'data'), 'x'.repeat(100_000));
  const { status } = await driveWith(healthy, { mounts });
  expect([existsSync(of('none')), readdirSync(of('lz4'))]).toEqual([false, ['theirs']]);
  const events = status.sessions.flatMap((session) => session.events ?? []);
  expect(events.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    expect.stringMatching(/^other-data: lz4 holds data of theirs in \S+\/lz4\/fsxbench\/theirs$/),
  ]);
});

test('an arm whose data nobody may look for costs the other nothing', async () => {
  const first = await driveWith(healthy);
  const kept = first.samples.filter(({ step, arm }) => !step.includes('-read-') || arm !== 'none');
  const folder = memoryFolder();
  new RunFolder(folder).append(kept);
  const { status } = await driveWith(healthy, {
    folder,
    dataPresent: () => {
      throw new Error('EACCES: permission denied');
    },
  });
  expect(status.state).toBe('done');
});

test('the status is on the disk, whole, at every change', async () => {
  const { folder, status } = await driveWith(healthy);
  expect(JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8'))).toEqual(status);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('within a long step the driver says that it lives, and the estimate falls', async () => {
  const folder = memoryFolder();
  const statuses: RunStatus[] = [];
  const slow: Execute = async (invocation, abort) => {
    const times = new Set<string>();
    const before = statuses.length;
    if (invocation.argv[0] === 'fio')
      await until('five times', () => {
        for (const { updatedAt } of statuses.slice(before)) times.add(updatedAt);
        return times.size >= 5;
      });
    return fakeExecute(healthy).execute(invocation, abort);
  };
  await drive({
    run: 'test-run',
    plan: smallPlan({ set: ['tool=fio', 'compressibilities=1', 'repeats=1', 'warmUpSeconds=0', 'seconds=2'] }),
    clients: localClients('/mnt'),
    folder: new RunFolder(folder),
    execute: slow,
    abort: new AbortController().signal,
    onChange: (changed) => void statuses.push(changed),
    beatSeconds: 0.05,
    dataPresent: () => false,
  });
  const within = statuses.filter(({ step }) => step === 'r1-c1-write-lz4');
  expect(within.length).toBeGreaterThan(3);
  expect(new Set(within.map(({ updatedAt }) => updatedAt)).size).toBeGreaterThan(3);
  // From the first beat on: before it the time of the step has not begun.
  expect(within.at(-1)?.etaSeconds).toBeLessThanOrEqual(within[1]?.etaSeconds ?? 0);
  expect(statuses.at(-1)?.state).toBe('done');
});
