import type { Subject } from '../../../lib/analysis/subject';
import type { MeasuredTask } from '../../../lib/analysis/task';
import { missingBytes } from '../../../lib/analysis/validity/phases';
import { soundRun } from '../runs';

const GIB = 2 ** 30;

/** Four processes on each of two clients, each to write one GiB within a minute. */
const COMMAND = ['fio', '--size=1g', '--runtime=60'];
const WHOLE = 8 * GIB;

/** A write that ended after ten seconds with all of its bytes. */
const written: MeasuredTask = {
  arm: 'lz4',
  step: 'write-1',
  operation: 'write',
  name: 'write',
  kind: { id: 'write' },
  phase: 'measure',
  repeat: 1,
  compressibility: 1,
  fileBytes: null,
  threads: null,
  plannedNodes: null,
  tool: 'fio',
  clients: 2,
  ranks: 8,
  nodes: 2,
  group: 'all',
  superseded: false,
  from: 0,
  to: 10_000,
  bytes: WHOLE,
  iterations: 1,
  operations: null,
  seconds: 10,
  rateMBps: null,
  ratedBytes: null,
  failed: false,
  load: [],
  targets: [],
};
const read: MeasuredTask = { ...written, step: 'read-1', operation: 'read', name: 'read', kind: { id: 'read' } };

function subjectOf(measured: readonly MeasuredTask[], command: readonly string[] = COMMAND): Subject {
  const record = soundRun({ repeats: 1, compressibilities: [1] });
  const [some] = record.plan?.steps.filter(({ tasks }) => tasks[0]?.action.kind === 'workload') ?? [];
  if (record.plan === null || some === undefined) throw new Error('the run has no plan');
  const steps = measured.map(({ step: id, arm, operation }) => ({
    ...some,
    id,
    tasks: [
      {
        arm,
        group: 'all' as const,
        action: { kind: 'workload' as const, tool: 'fio', operation, command, ranksPerClient: 4, pattern: 'zero' },
      },
    ],
  }));
  const plan = { ...record.plan, fleet: { ...record.plan.fleet, clients: 2 }, steps };
  return { ...record, plan, measured } as unknown as Subject;
}

const answerOf = (measured: readonly MeasuredTask[], command?: readonly string[]) =>
  missingBytes.check(subjectOf(measured, command));
/** Expected, actual and where of each error; of no judgement its state. */
const errorsOf = (...given: Parameters<typeof answerOf>) => {
  const answer = answerOf(...given);
  if (answer.state !== 'judged') return answer.state;
  return answer.findings.map(({ severity, expected, actual, where }) => [severity, expected, actual, where]);
};

test('a phase that moved all of its bytes passes, and so does one that is less off than rounding', () => {
  expect(errorsOf([written])).toEqual([]);
  expect(errorsOf([{ ...written, bytes: WHOLE * 0.96 }])).toEqual([]);
});

test('a phase that ended early without all of its bytes is an error, by clients, processes and iterations', () => {
  const lost = ['error', '8 GiB by the plan, within 5 %', '7.50 GiB', 'write-1'];
  expect(errorsOf([{ ...written, bytes: 7.5 * GIB }])).toEqual([lost]);
  // Of two iterations twice as much was to be moved, in twice the time.
  expect(errorsOf([{ ...written, iterations: 2, bytes: 2 * WHOLE }])).toEqual([]);
  expect(errorsOf([{ ...written, iterations: 2, bytes: WHOLE, seconds: 60 }])).toHaveLength(1);
});

test('a phase whose time was up may have moved less, but not less than its own rate and time', () => {
  const timed = { ...written, bytes: WHOLE / 2, seconds: 58 };
  expect(errorsOf([timed])).toEqual([]);
  expect(errorsOf([{ ...timed, seconds: 56 }])).toHaveLength(1);
  expect(errorsOf([{ ...timed, ratedBytes: WHOLE * 0.52 }])).toEqual([]);
  expect(errorsOf([{ ...timed, ratedBytes: WHOLE }])).toEqual([
    ['error', '8 GiB by its rate and its time, within 5 %', '4 GiB', 'write-1'],
  ]);
});

test('a read to the end of its files is to move what the same repeat wrote, or what the plan names, the less of them', () => {
  const TO_THE_END = ['fio', '--rw=read'];
  const half = { ...read, bytes: WHOLE / 2 };
  expect(errorsOf([written, half], TO_THE_END)).toEqual([
    ['error', '8 GiB by what was written, within 5 %', '4 GiB', 'read-1'],
  ]);
  // The write itself lost them: the read has all that there was.
  expect(errorsOf([{ ...written, bytes: WHOLE / 2 }, half])).toEqual([
    ['error', '8 GiB by the plan, within 5 %', '4 GiB', 'write-1'],
  ]);
  // Another repeat, compressibility, arm or size of files wrote for others.
  for (const other of [{ repeat: 2 }, { compressibility: 2 }, { arm: 'none' }, { fileBytes: 4096 }, { threads: 8 }])
    expect(errorsOf([{ ...written, ...other }, half], TO_THE_END)).toBe('cannot tell');
});

test('a read of what two iterations wrote is to move what one of them left behind', () => {
  const twice = { ...written, iterations: 2, bytes: 2 * WHOLE, seconds: 20 };
  expect(errorsOf([twice, read], ['fio', '--rw=read'])).not.toContainEqual(expect.arrayContaining(['read-1']));
  expect(errorsOf([twice, { ...read, bytes: WHOLE / 2 }], ['fio', '--rw=read'])).toEqual([
    ['error', '8 GiB by what was written, within 5 %', '4 GiB', 'read-1'],
  ]);
});

test('what printed no bytes, or was bounded by nothing, cannot be told, and what failed is no loss', () => {
  expect(errorsOf([{ ...written, bytes: null }])).toBe('cannot tell');
  expect(errorsOf([{ ...written, seconds: null }])).toBe('cannot tell');
  expect(answerOf([written, { ...read, bytes: null }])).toEqual({
    state: 'cannot tell',
    reason: '1 of 2 phases: fio printed no bytes or no time',
  });
  expect(errorsOf([written], ['fio', '--rw=write'])).toBe('cannot tell');
  expect(errorsOf([{ ...written, failed: true, bytes: 0 }])).toBe('does not apply');
  expect(errorsOf([{ ...written, operation: 'stat' }])).toBe('does not apply');
});

test('phases of an arm, an operation and a compressibility are one error, with the worst of them', () => {
  const second = { ...written, step: 'write-2', repeat: 2, bytes: WHOLE / 4 };
  expect(errorsOf([{ ...written, bytes: WHOLE / 2 }, second])).toEqual([
    ['error', '8 GiB by the plan, within 5 %', '2 GiB', 'write-1, write-2'],
  ]);
  expect(
    errorsOf([
      { ...written, bytes: WHOLE / 2 },
      { ...second, compressibility: 2 },
    ]),
  ).toHaveLength(2);
});

test('a pass says how many phases were held against what, and how many against their own time only', () => {
  const timed = { ...written, step: 'write-2', repeat: 2, bytes: WHOLE / 2, seconds: 60 };
  expect(answerOf([written, timed])).toMatchObject({
    couldFind: expect.stringMatching(/more than 5 % .* in any of 1 phase, .* in 1 that ended with their time$/),
  });
});
