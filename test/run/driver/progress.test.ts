import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopwatch } from '../../../lib/run/driver/clock';
import { TimeLeftEstimate } from '../../../lib/run/driver/driver';
import { samplesOf } from '../../../lib/run/driver/record';
import { RunProgress, remaining, TASK_OPERATION } from '../../../lib/run/driver/resume';
import { spanOf, type TaskResult } from '../../../lib/run/task/outcome';
import type { Action, Plan, Step, Task } from '../../../lib/schema/plan';
import { type Sample, sampleSchema } from '../../../lib/schema/sample';
import { workload as workloadOf } from '../../support/records';
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

const workload = (tool: string, operation: 'write' | 'read' | 'create'): Action => workloadOf(tool, { operation });

/** A step of a unit, for both arms. */
function step(unit: string, name: string, action: Action, phase: Step['phase'] = 'measure'): Step {
  return {
    id: `${unit}-${name}`,
    unit,
    phase,
    repeat: 1,
    compressibility: null,
    expectedSeconds: 1,
    deadlineSeconds: 60,
    tasks: ['none', 'lz4'].map((arm) => ({ arm, group: 'A', action })),
  };
}
const unit = (name: string, tool = 'ior', first: 'write' | 'create' = 'write'): Step[] => [
  step(name, 'first', workload(tool, first)),
  step(name, 'drop', { kind: 'drop-caches' }, 'prepare'),
  step(name, 'read', workload(tool, 'read')),
  step(name, 'remove', { kind: 'remove-data' }, 'clean up'),
];
const planOf = (...steps: readonly Step[]) => ({ steps }) as unknown as Plan;

/** `STEP ARM` that succeeded, and with a `!` in front that failed; with `#2` the attempt. */
function progressOf(...ended: readonly string[]): RunProgress {
  return new RunProgress(
    ended.map((words) => {
      const [, failed, id, arm, attempt = '1'] = /^(!?)(\S+) (\w+)(?:#(\d+))?$/.exec(words) ?? [];
      const value = failed === '!' ? null : 1;
      return { step: id, arm, attempt: Number(attempt), operation: TASK_OPERATION, value } as unknown as Sample;
    }),
  );
}

/** Steps that are left to do, as `STEP: ARMS`. */
const left = (plan: Plan, progress: RunProgress, present = true): string[] =>
  [...remaining(plan, progress, () => present)].map(([id, arms]) => `${id}: ${[...arms].join(' ')}`);

const U = planOf(...unit('u'));
const both = (...names: readonly string[]) => names.flatMap((name) => [`u-${name} none`, `u-${name} lz4`]);

test('a run that has not begun has everything left, and one that is through nothing', () => {
  expect(left(U, progressOf())).toEqual(['u-first', 'u-drop', 'u-read', 'u-remove'].map((id) => `${id}: none lz4`));
  expect(left(U, progressOf(...both('first', 'drop', 'read', 'remove')))).toEqual([]);
});

test('each arm goes on after its own last success, and drops its caches again before it reads', () => {
  const progress = progressOf(...both('first', 'drop'), 'u-read lz4', 'u-remove lz4');
  expect(left(U, progress)).toEqual(['u-drop: none', 'u-read: none', 'u-remove: none']);
  expect(left(U, progressOf(...both('first', 'drop', 'read', 'remove').slice(0, 7)))).toEqual(['u-remove: lz4']);
});

test('a unit whose data are gone starts over, unless only its removal is left', () => {
  expect(left(U, progressOf('u-first none', 'u-drop none'), false)).toContain('u-first: none lz4');
  const measured = progressOf(...both('first', 'drop', 'read'));
  expect(left(U, measured, false)).toEqual(['u-remove: none lz4']);
});

test('data of one unit are asked for by the unit and the arm', () => {
  const asked: string[] = [];
  remaining(planOf(...unit('u'), ...unit('v')), progressOf(...both('first'), 'v-first none'), (arm, of) => {
    asked.push(`${of} ${arm}`);
    return true;
  });
  expect(asked).toEqual(['u none', 'u lz4', 'v none']);
});

test('files that may be created in part are created anew; a file written in part is written again', () => {
  const directory = step('u', 'directory', { kind: 'make-directory' } as unknown as Action, 'prepare');
  const made = progressOf('u-directory none', 'u-directory lz4', '!u-second none');
  expect(left(planOf(directory, step('u', 'second', workload('ior', 'write'))), made)).toEqual(['u-second: none lz4']);
  expect(left(planOf(directory, step('u', 'second', workload('mdtest', 'create'))), made)).toEqual([
    'u-directory: none lz4',
    'u-second: none lz4',
  ]);
});

describe('the next command of an arm decides whether its unit may go on', () => {
  const READY = step('u', 'ready', { kind: 'make-directory' } as unknown as Action, 'prepare');
  const DROP = step('u', 'drop', { kind: 'drop-caches' }, 'prepare');
  const made = progressOf('u-ready none', 'u-ready lz4');
  const then = (...steps: readonly Step[]) => left(planOf(READY, ...steps), made);

  test('whatever is done before it', () => {
    expect(then(DROP, step('u', 'next', workload('mdtest', 'create')))).toContain('u-ready: none lz4');
    expect(then(DROP, step('u', 'next', workload('ior', 'read')))).not.toContain('u-ready: none lz4');
  });

  test('and not what another arm does', () => {
    const { tasks, ...next } = step('u', 'next', workload('ior', 'write'));
    const [none, lz4] = tasks as [Step['tasks'][number], Step['tasks'][number]];
    const apart = { ...next, tasks: [none, { ...lz4, action: workload('mdtest', 'create') }] };
    expect(then(apart)).toEqual(['u-next: none lz4', 'u-ready: lz4']);
    const drops = { ...next, id: 'u-drops', tasks: [none, { ...lz4, action: { kind: 'drop-caches' } as const }] };
    const both = progressOf('u-drops none', 'u-drops lz4');
    expect(left(planOf(drops, step('u', 'next', workload('ior', 'read'))), both)).toEqual([
      'u-next: none lz4',
      'u-drops: lz4',
    ]);
  });

  test('if there is one: a ratio that is still to be measured needs nothing again', () => {
    expect(then(step('u', 'ratio', { kind: 'measure-ratio' } as unknown as Action, 'conclude'))).toEqual([
      'u-ratio: none lz4',
    ]);
  });

  test('and one that this release does not know starts over', () => {
    expect(then(step('u', 'next', workload('a-tool-of-tomorrow', 'write')))).toContain('u-ready: none lz4');
  });
});

describe('of several attempts', () => {
  test('the latest counts, in whatever order they stand in the file', () => {
    const failedLater = progressOf('u-read none#1', '!u-read none#2');
    const failedFirst = progressOf('u-read none#2', '!u-read none#1');
    expect([failedLater, failedFirst].map((one) => one.succeeded('u-read', 'none'))).toEqual([false, true]);
    expect([failedLater, failedFirst].map((one) => one.nextAttempt('u-read', 'none'))).toEqual([3, 3]);
    expect(failedLater.nextAttempt('u-read', 'lz4')).toBe(1);
    expect(progressOf('u-read none', '!u-read none').succeeded('u-read', 'none')).toBe(false);
  });

  test('a step has been attempted on any arm, whatever came of it, and not because another has a longer name', () => {
    const progress = progressOf('!u-read-again lz4', '!u-drop lz4');
    expect(['u-read', 'u-drop'].map((id) => progress.attempted(id))).toEqual([false, true]);
  });

  test('only the sample of the task itself tells its end', () => {
    const sample = { step: 'u-read', arm: 'none', attempt: 1, operation: 'read', value: 5 } as unknown as Sample;
    expect(new RunProgress([sample]).succeeded('u-read', 'none')).toBe(false);
  });

  test('a step is open while an arm of it has not succeeded', () => {
    const progress = progressOf(...both('first', 'drop'), 'u-read none');
    expect(progress.openSteps(U).map(({ id }) => id)).toEqual(['u-read', 'u-remove']);
  });
});

const FIXTURES = join(__dirname, '../../fixtures/runs');

interface Took {
  readonly step: Step;
  readonly seconds: number;
}

/** Steps of a recorded run with what each took, up to the beginning of the next. */
function stepsOf(name: string): Took[] {
  const { steps } = JSON.parse(readFileSync(join(FIXTURES, name, 'plan.json'), 'utf8')) as Plan;
  const tasks = readFileSync(join(FIXTURES, name, 'samples.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample)
    .filter(({ operation }) => operation === 'task');
  const began = (step: Step): number =>
    Math.min(...tasks.filter((task) => task.step === step.id).map(({ startedAt }) => Date.parse(startedAt)));
  const end = Math.max(...tasks.map(({ endedAt }) => Date.parse(endedAt)));
  return steps.map((step, index) => {
    const next = steps[index + 1];
    return { step, seconds: ((next === undefined ? end : began(next)) - began(step)) / 1000 };
  });
}

/** Estimates before each step, next to the time that remained. */
function replay(run: readonly Took[]) {
  const estimate = new TimeLeftEstimate(run.reduce((sum, { step }) => sum + step.expectedSeconds, 0));
  return run.map(({ step, seconds }, index) => {
    const rest = run.slice(index);
    const { low, high } = estimate.of(rest.map((each) => each.step));
    estimate.spent(step, seconds);
    return { low, high, real: rest.reduce((sum, each) => sum + each.seconds, 0) };
  });
}

const RUNS = ['lab-compression', 'lab-metadata', 'local-command'].flatMap((name) => {
  const run = stepsOf(name);
  return [
    [name, run],
    // A busy machine: each process takes longer to start, or everything takes longer.
    [`${name}, each step 3 s longer`, run.map(({ step, seconds }) => ({ step, seconds: seconds + 3 }))],
    [`${name}, four times as long`, run.map(({ step, seconds }) => ({ step, seconds: 4 * seconds }))],
  ] as [string, Took[]][];
});

const long = (run: readonly Took[]) => replay(run).filter(({ real }) => real > 10);

test.each(RUNS)('%s: an estimate that is one number is right', (_, run) => {
  const steady = long(run).filter(({ low, high }) => high <= 1.25 * low);
  const wrong = steady.filter(({ low, high, real }) => Math.abs((low + high) / 2 / real - 1) > 0.4);
  expect(wrong.length).toBeLessThanOrEqual(0.15 * steady.length);
});

test.each(RUNS)('%s: what is left lies in the range, but for a few steps', (_, run) => {
  const all = long(run);
  const outside = all.filter(({ low, high, real }) => real < 0.75 * low || real > 1.3 * high);
  expect(outside.length).toBeLessThanOrEqual(0.25 * all.length);
});

test.each(RUNS.filter(([name]) => name.startsWith('lab-compression')))(
  '%s: the range narrows to one number',
  (_, run) => {
    const second = replay(run).slice(run.length / 2, -run.length / 10);
    expect(second.filter(({ low, high }) => high > 1.4 * low)).toEqual([]);
  },
);

test('before anything is done the plan is no more than a range', () => {
  const steps = stepsOf('lab-compression').map(({ step }) => step);
  const { low, high } = new TimeLeftEstimate(100).of(steps);
  expect(high / low).toBeCloseTo(3, 5);
});

test('first steps that take long for their size do not turn minutes into an hour', () => {
  const run = stepsOf('lab-compression');
  const planned = run.reduce((sum, { step }) => sum + step.expectedSeconds, 0);
  const estimate = new TimeLeftEstimate(planned);
  const highest = run.slice(0, 4).map(({ step }, index) => {
    estimate.spent(step, step.expectedSeconds < 1 ? 15 * step.expectedSeconds : step.expectedSeconds);
    return estimate.of(run.slice(index + 1).map((each) => each.step)).high;
  });
  expect(Math.max(...highest)).toBeLessThan(8 * planned);
});

test('the time spent in a step is taken off what is left of it, and of nothing else', () => {
  const [first, second] = stepsOf('lab-compression').filter(({ step }) => step.expectedSeconds > 1);
  const steps = [first, second].map((each) => (each as Took).step);
  const estimate = new TimeLeftEstimate(4);
  expect(estimate.of(steps, 1000)).toEqual(estimate.of(steps.slice(1)));
  expect(estimate.of(steps, 1).high).toBe(estimate.of(steps).high - 1);
});
