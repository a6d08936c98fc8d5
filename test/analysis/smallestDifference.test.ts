import { compareRuns } from '../../lib/analysis/compare/compare';
import type { Comparison } from '../../lib/analysis/compare/comparisons';
import { findingOf } from '../../lib/analysis/compare/inference';
import { type RunSummary, summarise } from '../../lib/analysis/summary';
import { isNegligible } from '../../lib/common/statistics';
import { renderMarkdown } from '../../lib/report';
import { plainText } from '../../lib/report/render/shown';
import { lawSentences } from '../../lib/report/scaleModel';
import type { Side } from '../../lib/schema/baseline';
import type { RunRecord } from '../../lib/store/record';
import { modelledRun, withGains } from '../report/modelledRun';
import { BASELINE_MBPS, syntheticRun } from '../report/syntheticRun';

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
    'A difference is not meaningful where the whole interval excludes that either is 2 % slower than the other',
  );
  const modelled = judged(2, HALF_A_PERCENT, onModel());
  expect(plainText(lawSentences(modelled)[0] ?? [])).toMatch(
    /1:1 \(1.01 × and no meaningful difference, the law says 1.00 ×\)/,
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
  ['that scatters beyond what matters', 'unclear', [0.9, 1, 1.1]],
  ['of a slower arm, as near', 'negligible', [0.993, 0.994, 0.995]],
] as const)('a difference %s is %s', (_, finding, gains) => {
  expect(findingOf(written(judged(2, gains)))).toBe(finding);
});

test.each([
  ['within the systematic error', 'unclear', [1.034, 1.04, 1.046]],
  ['just beyond it', 'real', [1.06, 1.061, 1.062]],
  ['of a slower arm, within it', 'unclear', [0.954, 0.96, 0.966]],
  ['of a slower arm, beyond it', 'real', [0.94, 0.941, 0.942]],
  ['that is known to be less than matters', 'negligible', [1.02, 1.021, 1.022]],
] as const)('scale models are alike to within 5 %%: a difference %s is %s', (_, finding, gains) => {
  const run = judged(5, gains, onModel());
  expect(findingOf(written(run))).toBe(finding);
  expect(renderMarkdown(run)).toContain(
    'A difference is called real when its interval leaves out 1 by more than the 5 % to which scale models are alike.',
  );
  if (finding === 'unclear') expect(findingOf(written(judged(5, gains)))).toBe('real');
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
  if (findingOf(written(run)) === 'unclear') expect(written(run).minimumDetectable).toBeGreaterThan(0.1);
  expect(JSON.stringify(rule)).toContain('10 % beyond the 5 % to which scale models are alike');
});

test('neither side may be slower by as much: the bounds are each other’s inverse', () => {
  expect(isNegligible({ low: 0.98, high: 1 / 0.98 }, 0.02)).toBe(true);
  expect(isNegligible({ low: 0.979, high: 1 }, 0.02)).toBe(false);
  expect(isNegligible({ low: 1, high: 1.021 }, 0.02)).toBe(false);
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
