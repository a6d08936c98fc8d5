import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile } from '../../lib/parse';
import { drive } from '../../lib/run/driver/driver';
import { finiteOnly } from '../../lib/run/task/measure';
import type { Plan, Step, WorkloadAction } from '../../lib/schema/plan';
import { RunFolder } from '../../lib/store/folder';
import type { Measured } from '../../lib/workload/common/measured';
import { WORKLOADS } from '../../lib/workload/registry';
import { allAnswer, fakeExecute, localClients, memoryFolder, smallPlan } from './bench';

const FIXTURES = join(__dirname, '..', 'fixtures', 'tools');
const outputs = readdirSync(FIXTURES).filter((name) => name.endsWith('.out'));

/** Each tool with each operation that a plan can ask of it. */
const workloads: Pick<WorkloadAction, 'tool' | 'operation' | 'items'>[] = WORKLOADS.flatMap(({ id: tool }) =>
  (['write', 'read', 'create', 'stat', 'remove', 'all'] as const).map((operation) => ({ tool, operation })),
);

/** A plan that reads one recorded output as every one of these workloads. */
function planOf(name: string): Plan {
  const steps = workloads.map((workload): Step => {
    const id = `${workload.tool}-${workload.operation}-${name}`;
    const action: WorkloadAction = {
      kind: 'workload',
      ...workload,
      command: [workload.tool, name],
      ranksPerClient: 2,
      pattern: 'none',
    };
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
  const folder = new RunFolder(memoryFolder());
  const { execute } = fakeExecute(({ argv }) => ({
    output: readFileSync(join(FIXTURES, argv.at(-1) as string), 'utf8'),
  }));
  await drive({
    run: 'test-run',
    plan: planOf(name),
    clients: localClients('/mnt'),
    folder,
    execute,
    abort: new AbortController().signal,
    onChange: () => {},
    dataPresent: () => false,
    answering: allAnswer,
  });
  return folder.samples();
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
