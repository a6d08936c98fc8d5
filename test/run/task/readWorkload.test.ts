import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFile } from '../../../lib/parse';
import { failed, failedBy, finiteOnly, spanOf, withoutValues } from '../../../lib/run/task/outcome';
import { readWorkload } from '../../../lib/run/task/readWorkload';
import { roundsOf, runRounds } from '../../../lib/run/task/tool';
import type { Plan, Step, WorkloadAction } from '../../../lib/schema/plan';
import type { Sample } from '../../../lib/schema/sample';
import type { Measured } from '../../../lib/workload/common/measured';
import { WORKLOADS } from '../../../lib/workload/registry';
import { ENDED, workload } from '../../support/records';
import type { Behaviour } from '../bench';
import { smallPlan } from '../bench';
import { driveWith } from '../driver/driveWith';

const action: WorkloadAction = {
  kind: 'workload',
  tool: 'fio',
  operation: 'write',
  command: [],
  ranksPerClient: 1,
  pattern: 'any',
};
const START = Date.parse('2026-11-26T23:59:00.000Z');

/** Clients that each wrote 1 GB a second for so long, and ended so many seconds after the start by the driver's clock. */
function read(...clients: { readonly seconds: number; readonly end: number }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-read-'));
  const runs = clients.map(({ seconds, end }, index) => {
    const write = { io_bytes: seconds * 1e9, bw_bytes: 1e9, iops: 1, runtime: seconds * 1000, total_ios: seconds };
    const outputFile = join(folder, `${index}.out`);
    writeFileSync(
      outputFile,
      JSON.stringify({ 'fio version': 'fio-3.33', jobs: [{ jobname: 'data', error: 0, write }] }),
    );

    return { outputFile, outcome: { ...ENDED, startedAt: new Date(START), endedAt: new Date(START + end * 1000) } };
  });
  const { measured } = readWorkload(action, runs);
  const { value, cautions } = measured.find(({ metric }) => metric === 'throughput') ?? {};
  return { value, cautions };
}

describe('clients that each run a tool by themselves', () => {
  test('are in doubt where one worked for a time alone: together they are slower than their sum', () => {
    // The second waited for two minutes, past midnight.
    expect(read({ seconds: 300, end: 301 }, { seconds: 300, end: 421 })).toEqual({
      value: 2000,
      cautions: ['clients_apart'],
    });
    expect(read({ seconds: 100, end: 400 }, { seconds: 300, end: 303 }).cautions).toEqual(['clients_apart']);
    expect(read({ seconds: 10, end: 11 }, { seconds: 10, end: 16.1 }).cautions).toEqual(['clients_apart']);
  });

  test.each([
    ['that all begin late', { seconds: 300, end: 400 }, { seconds: 300, end: 401 }],
    ['of which one is slower', { seconds: 300, end: 301 }, { seconds: 450, end: 451 }],
    ['that begin a moment later', { seconds: 10, end: 11 }, { seconds: 10, end: 16 }],
    ['that begin a tenth later', { seconds: 300, end: 301 }, { seconds: 300, end: 331 }],
  ])('%s are not', (_, one, other) => {
    expect(read(one, other).cautions).toEqual([]);
  });

  test('one alone has nobody to wait for', () => {
    expect(read({ seconds: 300, end: 900 }).cautions).toEqual([]);
  });
});

const CREATE = { kind: 'workload', operation: 'create' } as const;
const plan = { steps: [{ id: 'r1-create', unit: 'r1', tasks: [{ arm: 'a', action: CREATE }] }] } as unknown as Plan;
const round = (arm: string, attempt: number, value: number | null = 1000): Sample =>
  ({ step: 'r1-create', arm, attempt, metric: 'rate', value }) as Sample;

test.each([
  ['three', 'of its own, not those that another arm made', [1, 1, 1], ['b', 'b']],
  ['one', 'of the last attempt, not those of the one before', [1, 1, 2], []],
  ['none', 'where nothing was made', [], ['b']],
] as const)('an arm has %s rounds of files: %s', (count, _, attempts, others) => {
  const samples = [...attempts.map((attempt) => round('a', attempt)), ...others.map((arm) => round(arm, 1))];
  expect(roundsOf(plan, { unit: 'r1', arm: 'a' }, samples)).toBe({ three: 3, one: 1, none: 0 }[count]);
});

test('a round that failed left no files', () => {
  expect(roundsOf(plan, { unit: 'r1', arm: 'a' }, [round('a', 1), round('a', 1, null)])).toBe(1);
});

/** Rounds that each say of themselves how long they took, by the tool's clock. */
async function passesOf(operation: string, { seconds, most, made }: { seconds: number; most: number; made: number }) {
  const passes: number[] = [];
  const { failure, measured } = await runRounds({
    action: { operation } as WorkloadAction,
    rounds: { seconds, max: most },
    made: () => made,
    deadlineSeconds: 1000,
    abort: new AbortController().signal,
    dropCaches: async () => true,
    run: async (_, round) => {
      passes.push(round);
      return { measured: [{ metric: 'seconds', value: 20 } as Measured], failure: null };
    },
  });
  expect(failure).toBeNull();
  // Files that are read again are another iteration.
  expect(measured.map(({ iteration }) => iteration)).toEqual(passes.map((_, index) => index));
  return passes;
}

test.each([
  ['file_read', 'reads each file that was created once, though its time is over before', 30, 4, [1, 2, 3, 4]],
  ['file_read', 'begins anew until its time is over', 90, 3, [1, 2, 3, 1, 2]],
  ['create', 'ends with the round in which its time is over', 30, 0, [1, 2]],
  ['remove', 'removes every round, however long that takes', 30, 4, [1, 2, 3, 4]],
])('%s %s', async (operation, _, seconds, made, rounds) => {
  expect(await passesOf(operation, { seconds, most: 8, made })).toEqual(rounds);
});

const FIXTURES = join(__dirname, '../../fixtures/tools');

/** Values that the driver takes from recorded outputs: one for each process that it started. */
function counted(action: Pick<WorkloadAction, 'tool' | 'operation'>, ...names: readonly string[]) {
  const { measured } = readWorkload(
    workload(action.tool, { ranksPerClient: 999, ...action }),
    names.map((name) => ({ outcome: ENDED, outputFile: join(FIXTURES, `${name}.out`) })),
  );
  expect(measured.length).toBeGreaterThan(0);
  return [...new Set(measured.map(({ ranks, nodes, toolVersion }) => `${ranks} on ${nodes}, ${toolVersion}`))];
}

test.each([
  ['ior', 'write', ['ior330_blog_4n144r'], '144 on 4, 3.3.0'],
  ['ior', 'write', ['ior321_wr_fpp_4r'], '4 on null, 3.2.1'],
  ['mdtest', 'create', ['md400_aws_4r'], '4 on 1, 4.0.0'],
  // Two jobs on each of two clients.
  ['fio', 'write', ['fio_seqwrite_c0', 'fio_seqwrite_c0'], '4 on null, 3.33'],
] as const)('the processes and the version of %s %s in %j are what it printed', (tool, operation, names, expected) => {
  expect(counted({ tool, operation }, ...names)).toEqual([expected]);
});

describe('an MPI job that is not the one that was started fails, with values that count for nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-ranks-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const reading = (text: string, ranks: number) => {
    const outputFile = join(folder, 'job.out');
    writeFileSync(outputFile, text);
    return readWorkload(workload('ior', { ranksPerClient: ranks }), [{ outcome: ENDED, outputFile }], ranks);
  };
  const text = (name: string): string => readFileSync(join(FIXTURES, `${name}.out`), 'utf8');

  test('four singletons under mpirun -np 4, each complete and valid by itself', () => {
    const { failure, measured } = reading(text('ior330_np1').repeat(4), 4);
    expect(failure).toBe(
      'ior ran as 4 jobs of one process each, not as one of 4: mpirun is of another MPI than the one that ior was built with',
    );
    expect(measured).toMatchObject([{ value: null, ranks: 1, reason: failure }]);
  });

  test('half of the ranks', () => {
    expect(reading(text('ior330_wr_fpp_4r'), 8).failure).toBe('ior counted 4 of 8 processes');
    expect(reading(text('ior330_wr_fpp_4r'), 4).failure).toBeNull();
  });
});

const outputs = readdirSync(FIXTURES).filter((name) => name.endsWith('.out'));

/** Each tool with each operation that a plan can ask of it. */
const workloads: Pick<WorkloadAction, 'tool' | 'operation' | 'items'>[] = WORKLOADS.flatMap(({ id: tool }) =>
  (['write', 'read', 'create', 'stat', 'remove', 'all'] as const).map((operation) => ({ tool, operation })),
);

/** A plan that reads one recorded output as every one of these workloads. */
function planOf(name: string): Plan {
  const steps = workloads.map((asked): Step => {
    const id = `${asked.tool}-${asked.operation}-${name}`;
    const action = workload(asked.tool, { ...asked, command: [asked.tool, name], ranksPerClient: 2 });
    return {
      id,
      unit: id,
      phase: 'measure',
      repeat: 1,
      compressibility: null,
      expectedSeconds: 1,
      deadlineSeconds: 60,
      tasks: [{ arm: 'none', group: 'A', action }],
    };
  });
  return { ...smallPlan(), steps };
}

async function samplesOf(name: string) {
  const behaviour: Behaviour = ({ argv }) => ({ output: readFileSync(join(FIXTURES, argv.at(-1) as string), 'utf8') });
  return (await driveWith(behaviour, { plan: planOf(name) })).samples;
}

describe('whatever a tool printed, and whichever parser reads it', () => {
  // One of each tool and each way of printing: all of them, with every operation, take minutes.
  const kinds = new Map(
    outputs.map((name) => {
      const { tool, version, complete } = parseFile(join(FIXTURES, name));
      return [`${tool} ${version} ${complete}`, name];
    }),
  );
  let samples: Awaited<ReturnType<typeof samplesOf>>;
  beforeAll(async () => {
    // A run for each: what a driver looks up in its samples grows with them.
    samples = (await Promise.all([...kinds.values()].map(samplesOf))).flat();
  });

  test('a sample has a finite value, or none and the reason', () => {
    expect(samples.length).toBeGreaterThan(kinds.size * workloads.length);
    const wrong = samples.filter(({ value, reason }) => (value === null ? !reason : !Number.isFinite(value)));
    expect(wrong).toEqual([]);
  });

  test('a task that went through has a value of what it is for', () => {
    const through = samples.filter(({ operation, value }) => operation === 'task' && value !== null);
    expect(through.length).toBeGreaterThan(0);
    for (const { step } of through) {
      expect(
        samples.some((sample) => sample.step === step && sample.operation !== 'task' && sample.value !== null),
      ).toBe(true);
    }
  });
});

test('an output of another tool fails the task: it is no rate of −Infinity', async () => {
  const samples = (await samplesOf('md330_both_i5_v.out')).filter(({ step }) => step.startsWith('fio-write-'));
  expect(samples.map(({ operation, metric, value }) => [operation, metric, value])).toEqual([
    ['write', 'throughput', null],
    ['task', 'seconds', null],
  ]);
  expect(samples[0]?.reason).toContain('is incomplete: no_run_header');
});

test('an output without the operation that was asked for fails the task with the metric that is missing', async () => {
  const samples = (await samplesOf('fio_seqwrite_c0.out')).filter(({ step }) => step.startsWith('fio-read-'));
  expect(samples[0]).toMatchObject({ value: null, reason: 'fio printed no throughput of read' });
});

test('an operation that its tool does not have fails the task, and says which it has', async () => {
  const samples = (await samplesOf('fio_seqwrite_c0.out')).filter(({ step }) => step.startsWith('ior-create-'));
  expect(samples[0]).toMatchObject({
    value: null,
    reason: "'operation' of ior must be one of write, read, got 'create'",
  });
});

describe('a value that is not finite', () => {
  const measured = (metric: string, value: number, iteration: number): Measured => ({
    operation: 'write',
    metric,
    value,
    unit: 'MB/s',
    iteration,
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    '%d is none, and fails its task',
    (value) => {
      const { measured: after, failure } = finiteOnly({
        measured: [measured('throughput', value, 0), measured('bytes', 1, 0), measured('throughput', 2, 1)],
        failure: null,
      });
      const reason = `write throughput must be a finite number, got ${value}`;
      expect(failure).toBe(reason);
      expect(after.map((each) => [each.value, each.reason])).toEqual([
        [null, reason],
        [null, reason],
        [2, undefined],
      ]);
    },
  );
});

test('a failure that the tool could not know is the reason of each missing value, and of no other', () => {
  const measured = [
    { metric: 'a', value: 1, reason: null },
    { metric: 'b', value: null, reason: 'tool' },
  ] as Measured[];
  const result = { ...failed('tool'), measured, raw: 'raw/1' };
  expect(failedBy(result, 'full')).toMatchObject({
    failure: 'full',
    raw: 'raw/1',
    measured: [measured[0], { reason: 'full' }],
  });
  expect(withoutValues(result).measured).toEqual([{ ...measured[0], value: null }, measured[1]]);
  const at = (from: number, to: number) => ({ startedAt: new Date(from), endedAt: new Date(to) });
  expect(spanOf([at(5, 20), at(3, 10), at(4, 15)])).toEqual(at(3, 20));
});
