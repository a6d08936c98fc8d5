import { RunProgress, remaining, TASK_OPERATION } from '../../../lib/run/driver/resume';
import type { Action, Plan, Step } from '../../../lib/schema/plan';
import type { Sample } from '../../../lib/schema/sample';

const workload = (tool: string, operation: 'write' | 'read' | 'create'): Action => ({
  kind: 'workload',
  tool,
  operation,
  command: [tool],
  ranksPerClient: 1,
  pattern: 'any',
});

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
