import { summarise } from '../../../lib/analysis/summary';
import { renderMarkdown } from '../../../lib/report';
import type { RunRecord } from '../../../lib/store/record';
import { autoregressive, synthetic } from '../../common/statistics/synthetic';
import { isMeasured } from '../faultyRuns';
import { soundRun, withSamples } from '../runs';

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
    state: 'cannot tell',
    reason: expect.stringMatching(
      /^5 repeats of each comparison: .* independent of one another, which 8 or more would show$/,
    ),
  });
  expect(renderMarkdown(summarise(record))).toContain(
    'With fewer than 8 repeats the intervals hold if repeats do not depend on one another',
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

test.each([12, 20])(
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
  const found = Array.from({ length: 60 }, (_, seed) => ruleOf(slowRun(10, 0, seed + 1))?.state);
  expect(found.filter((state) => state === 'found').length).toBeLessThanOrEqual(8);
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
  const states = Array.from({ length: 40 }, (_, seed) => ruleOf(onlySecondDepends(16, 0.8, seed + 1))?.state);
  expect(states.filter((state) => state === 'found').length).toBeGreaterThanOrEqual(34);
});
