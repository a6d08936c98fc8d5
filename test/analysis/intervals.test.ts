import { stopped, stoppedAlone } from '../../bench/shared/stopping';
import { compareRuns } from '../../lib/analysis/compare/compare';
import type { Comparison } from '../../lib/analysis/compare/comparisons';
import { findingOf } from '../../lib/analysis/compare/pairs';
import { convergedIn, convergedTasks } from '../../lib/analysis/converged';
import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { confidenceWithInterim, pocockBoundary } from '../../lib/common/statistics';
import { renderMarkdown } from '../../lib/report';
import { scalingSentences } from '../../lib/report/scaleModel';
import { plainText } from '../../lib/report/shown';
import type { Plan } from '../../lib/schema/plan';
import type { Sample } from '../../lib/schema/sample';
import type { Side } from '../../lib/schema/summary';
import type { RunRecord } from '../../lib/store/record';
import { autoregressive, synthetic } from '../common/statistics/synthetic';
import { modelledRun, withGains } from '../report/modelledRun';
import { BASELINE_MBPS, syntheticRun } from '../report/syntheticRun';
import { drawn, draws } from '../support/drawn';
import { isMeasured } from './faultyRuns';
import { soundRun, withSamples } from './runs';

/** A run whose second arm has separate slow noise in each kind of work, in addition to the noise of both. */
function slowRun(repeats: number, lag1: number, seed = 1): RunRecord {
  const noise = new Map<string, number[]>();
  const from = synthetic(seed);
  return withSamples(soundRun({ repeats, withMetrics: false, variation: 0.01 }), (sample) => {
    if (!isMeasured(sample) || sample.arm !== 'lz4' || sample.metric !== 'throughput' || sample.value === null)
      return sample;
    const key = `${sample.operation} ${sample.compressibility}`;
    const own = noise.get(key) ?? autoregressive(from, repeats, lag1);
    noise.set(key, own);
    return { ...sample, value: sample.value * Math.exp(0.04 * (own[sample.repeat - 1] as number)) };
  });
}

const ruleOf = (record: RunRecord) => summarise(record).analysis.checks.find(({ id }) => id === 'dependent-repeats');

test('fewer than eight repeats cannot tell, and the report says what their intervals take for granted and what would test it', () => {
  const record = soundRun({ repeats: 5, withMetrics: false });
  expect(ruleOf(record)).toMatchObject({
    state: 'inconclusive',
    reason: expect.stringMatching(
      /^5 repeats of each comparison, and 8 are needed; the intervals assume independent repeats$/,
    ),
  });
  expect(renderMarkdown(summarise(record))).toContain(
    'With fewer than 8 repeats, the intervals assume independent repeats',
  );
  expect(summarise(record).comparisons.every(({ interval }) => interval?.dependence === undefined)).toBe(true);
});

test('slow noise of one arm is found, widens the intervals of its comparisons, and spoils nothing else', () => {
  const summary = summarise(slowRun(20, 0.8));
  expect(ruleOf(slowRun(20, 0.8))).toMatchObject({
    state: 'found',
    issues: [{ severity: 'note', actual: expect.stringMatching(/^a lag-1 autocorrelation of 0\.[5-9]/) }],
  });
  for (const { interval } of summary.comparisons)
    expect(interval).toMatchObject({ dependence: { varianceInflation: expect.any(Number) } });
  expect(renderMarkdown(summary)).toMatch(/variance inflation [\d.]+ to [\d.]+/);
});

test.each(drawn([12, 20]))(
  'independent repeats pass, %i of them, with an autocorrelation that would have been found',
  (repeats) => {
    const outcome = ruleOf(slowRun(repeats, 0));
    expect(outcome).toMatchObject({ state: 'passed' });
    const [, least] = /autocorrelation of ([\d.]+) or more$/.exec(outcome?.couldFind ?? '') ?? [];
    expect(Number(least)).toBeLessThan(0.9);
    // At that autocorrelation nearly every run is found out.
    const found = Array.from({ length: 20 }, (_, seed) => ruleOf(slowRun(repeats, Number(least), seed + 1))?.state);
    expect(found.filter((state) => state === 'found').length).toBeGreaterThanOrEqual(17);
  },
);

test('independent repeats are seldom said to depend on one another', () => {
  const runs = draws(60, 16);
  const found = Array.from({ length: runs }, (_, seed) => ruleOf(slowRun(10, 0, seed + 1))?.state);
  expect(found.filter((state) => state === 'found').length).toBeLessThanOrEqual((runs * 8) / 60);
});

/** A run with noise of the same size in both arms: slow in the second, independent in the first. */
function onlySecondDepends(repeats: number, lag1: number, seed: number): RunRecord {
  const noise = new Map<string, number[]>();
  const from = synthetic(seed);
  return withSamples(soundRun({ repeats, withMetrics: false, variation: 0 }), (sample) => {
    if (!isMeasured(sample) || sample.metric !== 'throughput' || sample.value === null) return sample;
    const key = `${sample.arm} ${sample.operation} ${sample.compressibility}`;
    const own = noise.get(key) ?? autoregressive(from, repeats, sample.arm === 'lz4' ? lag1 : 0);
    noise.set(key, own);
    return { ...sample, value: sample.value * Math.exp(0.03 * (own[sample.repeat - 1] as number)) };
  });
}

test('slow noise of one arm is found behind independent noise of the other', () => {
  const runs = draws(40, 10);
  const found = Array.from({ length: runs }, (_, seed) => ruleOf(onlySecondDepends(16, 0.8, seed + 1)));
  expect(found.filter((rule) => rule?.state === 'found').length).toBeGreaterThanOrEqual(0.85 * runs);
  // Where the ratios do not show it, the arm is named whose repeats depend on one another.
  const named = found.flatMap((rule) => rule?.issues ?? []).filter(({ severity }) => severity === 'warning');
  expect(new Set(named.map(({ where }) => where))).toEqual(new Set(['lz4']));
});

const onAws = (): RunRecord => syntheticRun({ variation: 0, compressibilities: [1, 2.6] });
const onModel = (): RunRecord => modelledRun(BASELINE_MBPS * 20);

/** A run whose plan has a smallest difference that matters, or, of an older release, none. */
function judged(percent: number | null, gains: readonly number[], base: RunRecord = onAws()): RunSummary {
  const record: RunRecord = withGains(base, 1, gains);
  const { plan } = record;
  if (plan === null) throw new Error('the run has no plan');
  const more: typeof plan.parameters = percent === null ? {} : { smallestDifferencePercent: percent };
  return summarise({ ...record, plan: { ...plan, parameters: { ...plan.parameters, ...more } } });
}

function written({ comparisons }: RunSummary): Comparison {
  const found = comparisons.find(({ operation, compressibility }) => operation === 'write' && compressibility === 1);
  if (found === undefined) throw new Error('nothing was compared');
  return found;
}

/** Noise of a quick start: half a percent, in repeats that hardly vary. */
const HALF_A_PERCENT = [1.005, 1.006, 1.007];

test('a difference that is surely smaller than what matters is called none that does, though equality is left out', () => {
  const run = judged(2, HALF_A_PERCENT);
  expect(written(run)).toMatchObject({ different: true, negligible: true });
  expect(renderMarkdown(run)).toContain('no meaningful difference');
  expect(renderMarkdown(run)).toContain(
    'A difference is not meaningful if, by the whole interval, neither arm is 2 % slower than the other',
  );
  const modelled = judged(2, HALF_A_PERCENT, onModel());
  expect(plainText(scalingSentences(modelled)[0] ?? [])).toMatch(
    /1:1 \(1.01 × and no meaningful difference, expected 1.00 ×\)/,
  );
});

test('a run whose plan names no smallest difference reads as it did before', () => {
  const run = judged(null, HALF_A_PERCENT);
  expect(written(run)).not.toHaveProperty('negligible');
  expect(findingOf(written(run))).toBe('real');
  expect(renderMarkdown(run)).not.toContain('that matters');
});

test.each([
  ['larger than what matters', 'real', [1.029, 1.03, 1.031]],
  ['on either side of what matters', 'real', [1.019, 1.02, 1.021]],
  ['that scatters beyond what matters', 'inconclusive', [0.9, 1, 1.1]],
  ['of a slower arm, as near', 'negligible', [0.993, 0.994, 0.995]],
] as const)('a difference %s is %s', (_, finding, gains) => {
  expect(findingOf(written(judged(2, gains)))).toBe(finding);
});

test.each([
  ['within the systematic error', 'inconclusive', [1.034, 1.04, 1.046]],
  ['just beyond it', 'real', [1.06, 1.061, 1.062]],
  ['of a slower arm, within it', 'inconclusive', [0.954, 0.96, 0.966]],
  ['of a slower arm, beyond it', 'real', [0.94, 0.941, 0.942]],
  ['that is known to be less than matters', 'negligible', [1.02, 1.021, 1.022]],
] as const)('scale models are alike to within 5 %%: a difference %s is %s', (_, finding, gains) => {
  const run = judged(5, gains, onModel());
  expect(findingOf(written(run))).toBe(finding);
  expect(renderMarkdown(run)).toContain(
    'A difference is real if its interval excludes 1 by more than 5 %, by which two scale models may differ.',
  );
  if (finding === 'inconclusive') expect(findingOf(written(judged(5, gains)))).toBe('real');
});

test('on scale models no smaller difference is detectable than that to which they are alike', () => {
  const hardlyVaries = [1.029, 1.03, 1.031];
  expect(written(judged(5, hardlyVaries)).minimumDetectable).toBeLessThan(0.05);
  const found = written(judged(5, hardlyVaries, onModel()));
  expect(findingOf(found)).not.toBe('real');
  expect(found.minimumDetectable).toBeGreaterThan(1 / 0.95 - 1);
});

test.each([
  ['what the repeats of a quick start leave open is not their fault', [1.012, 1.025, 1.038], 'passed'],
  ['repeats that hide a tenth beyond what models are alike to are named', [0.9, 1.02, 1.15], 'found'],
  ['nothing is hidden where a difference that matters is ruled out', [1.009, 1.01, 1.011], 'passed'],
] as const)('%s', (_, gains, state) => {
  const run = judged(5, gains, onModel());
  expect(written(run).different).toBe(false);
  const { analysis } = run;
  const rule = analysis.checks.find(({ id }) => id === 'spread-hides-difference');
  expect(rule?.state).toBe(state);
  if (findingOf(written(run)) === 'inconclusive') expect(written(run).minimumDetectable).toBeGreaterThan(0.1);
  expect(JSON.stringify(rule)).toContain('10 % beyond the 5 % by which scale models may differ');
});

test('compare says of each cell whether its interval lies within the tolerance', () => {
  const [a, b] = [judged(2, [1, 1.01, 1.02]), judged(2, [1.01, 1.02, 1.03])];
  const cell = (tolerance: number) =>
    compareRuns(a, b, { tolerance }).cells.find(
      (one) => one.arm === 'lz4' && one.compressibility === 1 && one.operation === 'write',
    );
  expect(cell(0.2)).toMatchObject({ negligible: true, verdict: 'same' });
  expect(cell(0.001)).toMatchObject({ negligible: false });
});

test.each([
  ['an improvement of a rate', 'improvement', { operation: 'write', metric: 'throughput', unit: 'MB/s' }],
  ['a regression of a time', 'regression', { operation: 'run', metric: 'seconds', unit: 's' }],
] as const)('compare does not call %s no meaningful difference', (_, verdict, work) => {
  const side = (gains: readonly number[]): Side => {
    const run = judged(2, gains);
    const cells = run.cells.filter(
      ({ arm, operation, metric, compressibility }) =>
        arm === 'lz4' && operation === 'write' && metric === 'throughput' && compressibility === 1,
    );
    return { ...run, cells: cells.map((cell) => ({ ...cell, ...work, kind: { id: work.operation } })) };
  };
  // More than 1 + 20 %, and less than 1 ÷ (1 − 20 %).
  const { cells } = compareRuns(side([1, 1.001, 1.002]), side([1.22, 1.221, 1.222]), { tolerance: 0.2 });
  expect(cells).toMatchObject([{ verdict, negligible: false }]);
});

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
test.each(drawn(['independent', 'AR(1) 0.5', 'drift of each arm']))(
  'frequent analyses do not raise the false alarms: %s',
  (noise) => {
    const { falseAlarms, pairs } = stoppedAlone(noise, draws(300, 120));
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
  const [runs, options] = [draws(10, 4), { deviation: 0.01, seed: 3 }];
  expect(stopped('independent', runs, { ...options, ratio: 2.6 }).pairs).toBeCloseTo(
    stopped('independent', runs, options).pairs,
    6,
  );
});

test('what was left out is told by work, with the repeats before it', () => {
  const sample = (repeat: number, compressibility: number, cautions: string[]) =>
    ({ arm: 'lz4', phase: 'measure', repeat, compressibility, cautions }) as unknown as Sample;
  expect(
    convergedIn([sample(8, 2, []), sample(10, 2, ['settled']), sample(9, 2, ['settled']), sample(9, 1, [])]),
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
    turns.map((turn) => 1 + 0.0132 * turn),
  );
  if (plan === null) throw new Error('the run has no plan');
  const precise = { ...plan, parameters: { ...plan.parameters, precision: 2 } };
  const measured = samples.filter(({ repeat }) => repeat <= 8);
  const { comparisons } = summarise({ ...run, plan: precise, manifest, samples: measured });
  const isPrecise = (compressibility: number) =>
    comparisons
      .filter((one) => one.compressibility === compressibility)
      .every(({ interval }) => interval !== null && interval.high / interval.low <= 1.02 ** 2);
  const settled = new Set(
    convergedTasks(precise, measured, 8, manifest).map(({ step }) => step.replace(/^r\d+-c/, '')),
  );
  expect([1, 1.65, 2.6].filter(isPrecise)).toEqual([1, 2.6]);
  expect([1, 1.65, 2.6].filter((compressibility) => settled.has(`${compressibility}-write`))).toEqual([1, 2.6]);
});

describe('work is settled', () => {
  const { plan, samples } = syntheticRun({
    repeats: 10,
    compressibilities: [1, 2.6],
    variation: 0,
    withMetrics: false,
  });
  const precise = plan && { ...plan, parameters: { ...plan.parameters, precision: 2 } };
  /** Steps and arms that are left out from then on; `*` for both arms of all steps of a compressibility. */
  function settled(repeat: number, change: (sample: Sample) => Sample = (one) => one, made = precise): string[] {
    if (made === null) throw new Error('the run has no plan');
    const measured = samples.filter((one) => one.repeat <= repeat).map(change);
    const found = convergedTasks(made, measured, repeat, null).map(({ step, arm }) => `${step} ${arm}`);
    const whole = made.steps.flatMap(({ id, tasks }) => tasks.map(({ arm }) => `${id} ${arm}`));
    return ['r8-c1-', 'r9-c1-', 'r9-c2.6-', 'r10-c1-', 'r10-c2.6-'].flatMap((unit) => {
      const of = (all: string[]) => all.filter((one) => one.startsWith(unit) && !one.includes('drop'));
      return of(found).length === of(whole).length ? `${unit}*` : of(found);
    });
  }
  const all = ['r9-c1-*', 'r9-c2.6-*', 'r10-c1-*', 'r10-c2.6-*'];
  const lost = (one: Sample): Sample =>
    one.step === 'r3-c2.6-write' && one.arm === 'lz4' ? { ...one, value: null } : one;
  const noisy = (one: Sample): Sample =>
    one.arm === 'lz4' && one.compressibility === 2.6 && one.value !== null
      ? { ...one, value: one.value * (1 + 0.1 * (-1) ** one.repeat) }
      : one;

  test('after eight pairs of it, and only later steps are left out', () => {
    expect([settled(7), settled(8)]).toEqual([[], all]);
    expect(settled(8, lost)).toEqual(['r9-c1-*', 'r10-c1-*']);
    expect(settled(9, lost)).toEqual(['r10-c1-*', 'r10-c2.6-*']);
    expect(settled(8, noisy)).toEqual(['r9-c1-*', 'r10-c1-*']);
  });

  test.each(['fileBytes', 'threads', 'plannedNodes'] as const)('by %s as well', (axis) => {
    const moved = <T extends { compressibility: number | null }>(one: T): T =>
      ({ ...one, compressibility: null, [axis]: (one.compressibility ?? 0) * 10 }) as T;
    const made = precise && { ...precise, steps: precise.steps.map(moved) };
    expect(settled(8, moved, made)).toEqual(all);
    expect(settled(8, (one) => moved(noisy(one)), made)).toEqual(['r9-c1-*', 'r10-c1-*']);
  });

  test('on one arm of three alone, with the baseline still measured for the other', () => {
    const made = precise && {
      ...precise,
      arms: [...precise.arms, { name: 'zstd', description: '' }],
      steps: precise.steps.map(({ tasks, ...step }) => ({ ...step, tasks: [...tasks, { ...tasks[1], arm: 'zstd' }] })),
    };
    const others = samples.map((one) => ({
      ...noisy({ ...one, arm: 'lz4', compressibility: 2.6 }),
      ...{ arm: 'zstd', compressibility: one.compressibility },
    }));
    const measured = [...samples, ...others.filter((_, index) => samples[index]?.arm === 'lz4')];
    const found = convergedTasks(
      made as Plan,
      measured.filter(({ repeat }) => repeat <= 8),
      8,
      null,
    );
    expect(new Set(found.map(({ arm }) => arm))).toEqual(new Set(['lz4']));
  });
});
