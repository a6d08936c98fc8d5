import { convergedTasks } from '../../lib/analysis/converged';
import type { ConvergedBy } from '../../lib/run/driver/interim';
import { type Behaviour, fioOutput, healthy, memoryFolder, smallPlan } from './bench';
import { driveWith } from './driver/driveWith';

const set = ['tool=fio', 'compressibilities=1,2.6', 'repeats=12', 'warmUpSeconds=0', 'precision=2%'];

/** Rates on data that compress vary by a tenth from one phase to the next, the others not at all. */
const unsteady = (): Behaviour => {
  let phase = 0;
  return (invocation) => {
    const { argv } = invocation;
    if (!argv.some((word) => /buffer_compress_percentage=[1-9]/.test(word))) return healthy(invocation);
    phase += 1;
    return { output: fioOutput(argv.includes('--rw=write') ? 'write' : 'read', 1e9, 1000 + 100 * ((phase * 7) % 5)) };
  };
};

const isPhase = (argv: readonly string[]): boolean => argv.some((word) => /^--rw=/.test(word));

const settled: ConvergedBy = (...measured) => convergedTasks(...measured, null);

async function driven(behaviour: Behaviour, { folder = memoryFolder(), most = Number.POSITIVE_INFINITY } = {}) {
  const abort = new AbortController();
  let phases = 0;
  return driveWith(
    (invocation) => {
      if (isPhase(invocation.argv) && ++phases > most) abort.abort();
      return behaviour(invocation);
    },
    { plan: smallPlan({ set }), folder, abort, converged: settled },
  );
}

type Samples = Awaited<ReturnType<typeof driven>>['samples'];

const repeatsOf = (samples: Samples, target: number) => [
  ...new Set(
    samples
      .filter((sample) => sample.metric === 'throughput' && sample.compressibility === target && sample.value !== null)
      .map(({ repeat }) => repeat),
  ),
];
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test('what is settled gets no more repeats, the rest goes on, and every step is accounted for', async () => {
  const { status, samples, plan } = await driven(unsteady());
  expect(status).toMatchObject({ state: 'done', stepsDone: plan.steps.length, failedSteps: [] });
  expect(repeatsOf(samples, 1)).toEqual(upTo(8));
  expect(repeatsOf(samples, 2.6)).toEqual(upTo(12));
  const leftOut = samples.filter(({ cautions }) => cautions.includes('settled'));
  expect(new Set(leftOut.map(({ repeat }) => repeat))).toEqual(new Set([9, 10, 11, 12]));
  expect(
    new Set(
      leftOut.map(({ operation, compressibility, value }) => `${operation} ${compressibility} ${value !== null}`),
    ),
  ).toEqual(new Set(['task 1 true']));
});

test('a resumed run keeps to what was settled', async () => {
  // Interrupted in the tenth repeat.
  const { folder, status } = await driven(unsteady(), { most: 2 * 8 * 4 + 6 });
  expect(status.state).toBe('interrupted');
  const { samples, status: ended } = await driven(unsteady(), { folder });
  expect(ended.state).toBe('done');
  expect(repeatsOf(samples, 1)).toEqual(upTo(8));
  expect(repeatsOf(samples, 2.6)).toEqual(upTo(12));
});

test('a plan of a single arm has no ratio that could be settled', () => {
  const one = { arms: [{ name: 'none', description: 'none' }], set: ['repeats=20', 'precision=2%'] };
  expect(() => smallPlan(one)).toThrow("'precision' applies to ratios of two arms");
});

test.each([
  [['precision=2'], /^'repeats' must be more than 8 with 'precision', got 5: .*; add --set repeats=20$/],
  [['precision=2', 'repeats=8'], /^'repeats' must be more than 8 with 'precision', got 8: /],
  [['precision=60%', 'repeats=20'], /'precision' must be from 0.1% to 50%, got '60%'/],
  [['precision=soon', 'repeats=20'], /'precision' must be from 0.1% to 50%, got 'soon'/],
])('a plan with %j is refused', (own, message) => {
  expect(() => smallPlan({ set: own })).toThrow(message);
});

test('the precision is the same with its sign and without, and absent by default', () => {
  const precision = (own: string[]) => smallPlan({ set: ['repeats=20', ...own] }).parameters.precision;
  expect([precision(['precision=2%']), precision(['precision=2']), precision([])]).toEqual([2, 2, undefined]);
});
