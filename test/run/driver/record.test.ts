import { stopwatch } from '../../../lib/run/driver/clock';
import { samplesOf } from '../../../lib/run/driver/record';
import { spanOf, type TaskResult } from '../../../lib/run/task/outcome';
import type { Step, Task } from '../../../lib/schema/plan';
import { type Sample, sampleSchema } from '../../../lib/schema/sample';
import { localClients, smallPlan } from '../bench';

const steps = smallPlan().steps;
/** The first task of a kind, with its step. */
function taskOf(kind: Task['action']['kind']): { step: Step; task: Task } {
  for (const step of steps) for (const task of step.tasks) if (task.action.kind === kind) return { step, task };
  throw new Error(`the plan has no ${kind}`);
}
const write = taskOf('workload');

/** A clock on which the task took 90 seconds. */
function ninetySeconds() {
  let steady = 5_000;
  const time = stopwatch({ wall: () => Date.parse('2026-11-22T10:00:00Z'), steady: () => steady });
  steady += 90_000;
  return time;
}

const RATE = { operation: 'write', metric: 'throughput', unit: 'MB/s', value: 500 };
const LOAD = { client: 'i-1' } as NonNullable<TaskResult['load']>[number];

function recorded({
  result = {},
  doubts = [],
  filesystem = 'other',
  ...of
}: Partial<{
  result: Partial<TaskResult>;
  doubts: string[];
  filesystem: string;
  step: Step;
  task: Task;
}> = {}): Sample[] {
  const { config, ...others } = localClients('/mnt');
  const arms = Object.entries(config.arms).map(([name, arm]) => [name, { ...arm, filesystem }]);
  const clients = { ...others, config: { ...config, arms: Object.fromEntries(arms) } };
  const whole = { measured: [RATE], failure: null, raw: 'raw/a', plannedRanks: 2, clients: 1, ...result };
  return samplesOf({ run: 'r-1', clients, attempt: 2, time: ninetySeconds(), doubts, ...write, ...of, result: whole });
}

test('a task leaves its values and, last, the seconds that it took by the steady clock', () => {
  const [rate, seconds, ...more] = recorded();
  expect(more).toEqual([]);
  expect(rate).toMatchObject({ metric: 'throughput', value: 500, source: 'client', tool: 'fio', toolVersion: '3.33' });
  expect(seconds).toMatchObject({ operation: 'task', metric: 'seconds', value: 90, unit: 's', source: 'driver' });
  for (const sample of recorded()) {
    expect(sampleSchema.safeParse(sample).error).toBeUndefined();
    expect('reason' in sample).toBe(false);
    expect(sample).toMatchObject({
      run: 'r-1',
      arm: write.task.arm,
      step: write.step.id,
      attempt: 2,
      group: write.task.group,
      raw: 'raw/a',
      startedAt: '2026-11-22T10:00:00.000Z',
      endedAt: '2026-11-22T10:01:30.000Z',
      iteration: null,
      ranks: null,
      plannedRanks: 2,
      nodes: null,
      clients: 1,
      problems: [],
      cautions: [],
    });
  }
});

test('a task that failed has no value, not even its seconds, and says why', () => {
  const failed = recorded({ result: { measured: [], failure: 'exit status 1' } });
  expect(failed.map(({ operation, value, reason }) => [operation, value, reason])).toEqual([
    [(write.task.action as { operation: string }).operation, null, 'exit status 1'],
    ['task', null, 'exit status 1'],
  ]);
});

test('a value that is missing gives its own reason rather than that of its task', () => {
  const measured = [
    { ...RATE, value: null, reason: 'not finite' },
    { ...RATE, value: null },
  ];
  expect(recorded({ result: { measured, failure: 'late' } }).map(({ reason }) => reason)).toEqual([
    ...['not finite', 'late', 'late'],
  ]);
  expect(recorded({ result: { measured } }).map(({ reason }) => reason)).toEqual(['not finite', 'unknown', undefined]);
});

test('the sizes of files, the threads and the nodes of a step are axes of each of its samples, where it has them', () => {
  for (const sample of recorded())
    for (const axis of ['fileBytes', 'threads', 'plannedNodes']) expect(axis in sample).toBe(false);
  const step = { ...write.step, fileBytes: 4096, threads: 8, plannedNodes: 3 };
  for (const sample of recorded({ step }))
    expect(sample).toMatchObject({ fileBytes: 4096, threads: 8, plannedNodes: 3 });
});

test('what the tool printed of itself goes before what the set-up recorded', () => {
  const own = { ...RATE, toolVersion: '3.41', ranks: 36, nodes: 4, iteration: 7, problems: ['p'], cautions: ['c'] };
  const [rate] = recorded({ result: { measured: [own] }, doubts: ['cache'] });
  expect(rate).toMatchObject({ toolVersion: '3.41', ranks: 36, nodes: 4, iteration: 7, problems: ['p'] });
  expect(rate?.cautions).toEqual(['c', 'cache']);
});

test('a phase lasts as long as its tool, not as what is written before and after it', () => {
  const at = (second: number) => new Date(`2026-11-22T10:00:${second}.000Z`);
  const span = spanOf([
    { startedAt: at(12), endedAt: at(40) },
    { startedAt: at(11), endedAt: at(31) },
  ]);
  const samples = recorded({ result: { span } });
  expect(samples.at(-1)).toMatchObject({ operation: 'task', value: 29 });
  for (const sample of samples)
    expect(sample).toMatchObject({ startedAt: at(11).toISOString(), endedAt: at(40).toISOString() });
});

test('the load of the clients stands once, with the seconds', () => {
  expect(recorded({ result: { load: [LOAD] } }).map(({ load }) => load)).toEqual([undefined, [LOAD]]);
  expect(recorded().some((sample) => 'load' in sample)).toBe(false);
});

test.each([
  ['measure-ratio', 'other', 'du'],
  ['measure-capacity', 'other', 'statfs'],
  ['measure-capacity', 'lustre', 'lfs df'],
  ['remove-data', 'lustre', 'driver'],
  ['drop-caches', 'other', 'driver'],
] as const)('a value of %s on %s is by %s, and no tool’s', (kind, filesystem, source) => {
  const action = { kind } as Task['action'];
  const [value] = recorded({ filesystem, task: { ...write.task, action } });
  expect(value).toMatchObject({ source, tool: null, toolVersion: null, pattern: null });
});

test('a task of the driver’s own that measured nothing leaves its seconds only', () => {
  const task = { ...write.task, action: { kind: 'remove-data' } as const };
  expect(recorded({ task, result: { measured: [] } }).map(({ operation }) => operation)).toEqual(['task']);
});
