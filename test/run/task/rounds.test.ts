import { roundsOf, runRounds } from '../../../lib/run/task/tool';
import type { Plan, WorkloadAction } from '../../../lib/schema/plan';
import type { Sample } from '../../../lib/schema/sample';

type Options = Parameters<typeof runRounds>[0];

/** Runs rounds each of which takes so many seconds; says the pass, the round and the shift of each, and when caches are dropped. */
async function ran(
  operation: string,
  { seconds = 100, max = 9, made = 3, each = 30, dropped = true, failing = 0 },
  more: Partial<Options> = {},
) {
  const said: (number[] | string)[] = [];
  const { measured, failure } = await runRounds({
    action: { operation } as WorkloadAction,
    rounds: { seconds, max } as Options['rounds'],
    made: () => made,
    deadlineSeconds: 1000,
    abort: new AbortController().signal,
    run: async (pass, round, shift) => {
      said.push([pass, round, shift]);
      return {
        measured: [{ operation, metric: 'seconds', value: each, unit: 's' }],
        failure: pass === failing ? 'exit status 2' : null,
      };
    },
    dropCaches: async () => {
      said.push('caches');
      return dropped;
    },
    ...more,
  });
  return { said, failure, measured, cautions: measured.map(({ cautions = [] }) => cautions.join(' ')) };
}

// The ranks of each pass but a creating one work on the files of others. 100 s are four rounds of 30 s.
test.each([
  ['create', {}, '110 220 330 440'],
  ['create', { seconds: 90 }, '110 220 330'],
  ['create', { seconds: 1 }, '110'],
  ['create', { max: 2 }, '110 220'],
  // Every round once at least; from the second time on, caches are dropped at the first of them.
  ['stat', {}, '111 222 333 caches 414'],
  ['stat', { seconds: 1 }, '111 222 333'],
  ['stat', { made: 1 }, '111 caches 212 caches 313 caches 414'],
  ['stat', { max: 2, seconds: 1 }, '111 222'],
  // All that was made is removed, however long it takes.
  ['remove', { seconds: 1 }, '111 222 333'],
  ['remove', { max: 1 }, '111 222 333'],
])('%s with %j runs the passes, rounds and shifts %s', async (operation, options, passes) => {
  const { said, measured, failure } = await ran(operation, options);
  expect([said.map((one) => (typeof one === 'string' ? one : one.join(''))).join(' '), failure]).toEqual([
    passes,
    null,
  ]);
  expect(measured.map(({ iteration }) => iteration)).toEqual(measured.map((_, index) => index));
});

// Less than 95 % of the time that was asked for, from a minute on: the service's metrics show no less.
test.each([
  [60, 57, ''],
  [60, 56.9, 'phase_too_short'],
  [59, 1, ''],
  [100, 95, ''],
  [100, 94, 'phase_too_short'],
])('of %d s that were asked for, %d s are: %j', async (seconds, each, caution) => {
  expect((await ran('create', { seconds, each, max: 1 })).cautions).toEqual([caution]);
});

test('what was read from caches that could not be dropped says so from then on', async () => {
  const { cautions } = await ran('stat', { made: 2, each: 30, dropped: false });
  const doubtful = ['', '', 'caches_not_dropped', 'caches_not_dropped'];
  expect(cautions).toEqual(doubtful);
  const answers = [true, false, true];
  const later = await ran('stat', { made: 1 }, { dropCaches: async () => answers.shift() === true });
  expect(later.cautions).toEqual(doubtful);
});

test('the first failure ends it, with what was measured; files that nobody made cannot be read', async () => {
  const { said, failure, measured } = await ran('create', { failing: 2 });
  expect([said.length, failure, measured.length]).toEqual([2, 'exit status 2', 2]);
  expect(await ran('stat', { made: 0 })).toMatchObject({ said: [], failure: 'no round of files was created' });
  expect(await ran('create', {}, { abort: AbortSignal.abort() })).toMatchObject({ failure: 'interrupted' });
});

test('each round has what is left of the time, and a second at least', async () => {
  const left: number[] = [];
  await ran(
    'remove',
    {},
    {
      deadlineSeconds: 0.5,
      run: async (_pass, _round, _shift, seconds) => {
        left.push(seconds);
        return { measured: [], failure: null };
      },
    },
  );
  expect(left).toEqual([1, 1, 1]);
});

test('rounds are counted of the latest attempt to create the files of the unit and the arm', () => {
  const step = (id: string, unit: string, operation: string) => ({
    ...{ id, unit },
    tasks: [{ arm: 'lz4', action: { kind: 'workload', operation } }],
  });
  const plan = {
    steps: [step('c1', 'u1', 'create'), step('s1', 'u1', 'stat'), step('c2', 'u2', 'create'), step('s3', 'u3', 'stat')],
  } as unknown as Plan;
  const sample = (step: string, arm: string, attempt: number, value: number | null = 5, metric = 'rate') =>
    ({ step, arm, attempt, value, metric }) as Sample;
  const samples = [
    ...[sample('c1', 'lz4', 1), sample('c1', 'lz4', 1), sample('c1', 'lz4', 1)],
    ...[
      sample('c1', 'lz4', 2),
      sample('c1', 'lz4', 2),
      sample('c1', 'lz4', 2, null),
      sample('c1', 'lz4', 2, 5, 'seconds'),
    ],
    ...[sample('c1', 'none', 3), sample('s1', 'lz4', 4), sample('c2', 'lz4', 1)],
  ];
  const count = (unit: string, arm: string) => roundsOf(plan, { unit, arm }, samples);
  expect([
    count('u1', 'lz4'),
    count('u1', 'none'),
    count('u2', 'lz4'),
    count('u2', 'none'),
    count('u3', 'lz4'),
  ]).toEqual([2, 1, 1, 0, 0]);
});
