import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TimeLeftEstimate } from '../../../lib/run/driver/driver';
import type { Plan, Step } from '../../../lib/schema/plan';
import type { Sample } from '../../../lib/schema/sample';

const FIXTURES = join(__dirname, '../../fixtures/runs');

interface Took {
  readonly step: Step;
  readonly seconds: number;
}

/** Steps of a recorded run with what each took, up to the beginning of the next. */
function recorded(name: string): Took[] {
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
  const run = recorded(name);
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
  const steps = recorded('lab-compression').map(({ step }) => step);
  const { low, high } = new TimeLeftEstimate(100).of(steps);
  expect(high / low).toBeCloseTo(3, 5);
});

test('first steps that take long for their size do not turn minutes into an hour', () => {
  const run = recorded('lab-compression');
  const planned = run.reduce((sum, { step }) => sum + step.expectedSeconds, 0);
  const estimate = new TimeLeftEstimate(planned);
  const highest = run.slice(0, 4).map(({ step }, index) => {
    estimate.spent(step, step.expectedSeconds < 1 ? 15 * step.expectedSeconds : step.expectedSeconds);
    return estimate.of(run.slice(index + 1).map((each) => each.step)).high;
  });
  expect(Math.max(...highest)).toBeLessThan(8 * planned);
});

test('the time spent in a step is taken off what is left of it, and of nothing else', () => {
  const [first, second] = recorded('lab-compression').filter(({ step }) => step.expectedSeconds > 1);
  const steps = [first, second].map((each) => (each as Took).step);
  const estimate = new TimeLeftEstimate(4);
  expect(estimate.of(steps, 1000)).toEqual(estimate.of(steps.slice(1)));
  expect(estimate.of(steps, 1).high).toBe(estimate.of(steps).high - 1);
});
