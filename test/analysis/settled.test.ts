import { stopped, stoppedAlone } from '../../bench/shared/stopping';
import { settledIn, settledTasks } from '../../lib/analysis/settled';
import { summarise } from '../../lib/analysis/summary';
import { confidenceWithInterim, pocockBoundary } from '../../lib/common/statistics';
import type { Sample } from '../../lib/schema/sample';
import { modelledRun, withGains } from '../report/modelledRun';
import { BASELINE_MBPS } from '../report/syntheticRun';

// Jennison and Turnbull, Group Sequential Methods (2000), table 2.1: Pocock's constants for two-sided tests at 5 %.
test.each([
  [1, 1.96],
  [2, 2.178],
  [3, 2.289],
  [5, 2.413],
  [10, 2.555],
  [20, 2.672],
])('the boundary of %i analyses is the published one', (analyses, published) => {
  expect(pocockBoundary(1, analyses)).toBeCloseTo(published, 3);
});

test('more analyses ask for more confidence, and a single one for 95 %', () => {
  expect(confidenceWithInterim(8)).toBe(0.95);
  // With fewer there is no analysis before the last.
  expect(confidenceWithInterim(3)).toBe(confidenceWithInterim(8));
  expect(confidenceWithInterim(20)).toBeCloseTo(0.9884, 3);
  expect(confidenceWithInterim(40)).toBeGreaterThan(confidenceWithInterim(20));
  expect(() => pocockBoundary(5, 4)).toThrow('got 5 to 4');
});

// 0.1, 1.0 and 1.8 % in the 10,000 runs of `npm run bench stopping`.
test.each(['independent', 'AR(1) 0.5', 'drift of each arm'])(
  'frequent analyses do not raise the false alarms: %s',
  (noise) => {
    const { falseAlarms, pairs } = stoppedAlone(noise, 300);
    expect(falseAlarms).toBeLessThanOrEqual(0.05);
    expect(pairs).toBeLessThan(20);
  },
);

test('without a level that allows for the interim analyses, they would', () => {
  expect(stoppedAlone('drift of each arm', 300, { allowing: false }).falseAlarms).toBeGreaterThan(0.05);
});

test('the eight comparisons of a run hold the truth at their stop, and cost fewer pairs', () => {
  const { coverage, falseAlarms, pairs } = stopped('independent', 25, { deviation: 0.005 });
  expect([coverage >= 0.95, falseAlarms]).toEqual([true, 0]);
  expect(pairs).toBeLessThan(10);
});

test('a clear difference does not move the stop', () => {
  const options = { deviation: 0.01, seed: 3 };
  expect(stopped('independent', 10, { ...options, ratio: 2.6 }).pairs).toBeCloseTo(
    stopped('independent', 10, options).pairs,
    6,
  );
});

test('what was left out is told by work, with the repeats before it', () => {
  const sample = (repeat: number, compressibility: number, cautions: string[]) =>
    ({ arm: 'lz4', phase: 'measure', repeat, compressibility, cautions }) as unknown as Sample;
  expect(
    settledIn([sample(8, 2, []), sample(10, 2, ['settled']), sample(9, 2, ['settled']), sample(9, 1, [])]),
  ).toEqual([{ arm: 'lz4', compressibility: 2, repeats: 8 }]);
});

test('on scale models work is settled by the intervals that the report has, which allow for what models differ in', () => {
  const turns = [1, -1, -1, 1, 1, -1, 1, -1];
  // A gain of 3 % is not a difference between models, so the others get no larger share of the error.
  const gained = withGains(
    modelledRun(BASELINE_MBPS * 20, { repeats: 12, compressibilities: [1, 1.65, 2.6] }),
    1,
    turns.map((turn) => 1.03 + 0.001 * turn),
  );
  const { plan, manifest, samples, ...run } = withGains(
    gained,
    1.65,
    turns.map((turn) => 1 + 0.015 * turn),
  );
  if (plan === null) throw new Error('the run has no plan');
  const precise = { ...plan, parameters: { ...plan.parameters, precision: 2 } };
  const measured = samples.filter(({ repeat }) => repeat <= 8);
  const { comparisons } = summarise({ ...run, plan: precise, manifest, samples: measured });
  const isPrecise = (compressibility: number) =>
    comparisons
      .filter((one) => one.compressibility === compressibility)
      .every(({ interval }) => interval !== null && interval.high / interval.low <= 1.02 ** 2);
  const settled = new Set(settledTasks(precise, measured, 8, manifest).map(({ step }) => step.replace(/^r\d+-c/, '')));
  expect([1, 1.65, 2.6].filter(isPrecise)).toEqual([1, 2.6]);
  expect([1, 1.65, 2.6].filter((compressibility) => settled.has(`${compressibility}-write`))).toEqual([1, 2.6]);
});
