import { compareRuns } from '../../lib/analysis/compare/compare';
import { ratioInterval } from '../../lib/analysis/compare/comparedCell';
import { type RunSummary, summarise } from '../../lib/analysis/summary';
import type { Side } from '../../lib/schema/baseline';
import type { RunRecord } from '../../lib/store/record';
import { synthetic } from '../common/statistics/synthetic';
import { soundRun, withSamples } from './runs';

const base: RunSummary = summarise(soundRun({ compressibilities: [1] }));

/** A run of one cell: times of a user's program, for which less is better, or rates. */
function repeats(better: 'lower' | 'higher', values: readonly number[]): Side {
  const [operation, metric, unit] =
    better === 'lower' ? (['run', 'seconds', 's'] as const) : (['write', 'throughput', 'MB/s'] as const);
  return {
    ...base,
    cells: base.cells.slice(0, 1).map((cell) => ({
      ...cell,
      operation,
      kind: { id: operation },
      metric,
      unit,
      samples: values.map((value, index) => ({ repeat: index + 1, iteration: null, value, reason: null, raw: null })),
    })),
  };
}

/** Values around a middle, as many to either side, whose logarithms vary by a share. */
const around = (middle: number, share: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => middle * Math.exp((index % 2 === 0 ? 1 : -1) * share));

describe.each(['lower', 'higher'] as const)('where %s is better', (better) => {
  test('the repeats that are proposed for an inconclusive cell decide it, and a fifth of them do not', () => {
    const compared = (count: number) =>
      compareRuns(repeats(better, around(100, 0.08, count)), repeats(better, around(100, 0.08, count)), {
        tolerance: 0.1,
      });
    const { verdict, repeatsNeeded } = compared(3);
    expect(verdict).toBe('inconclusive');
    expect(compared(repeatsNeeded ?? 0).verdict).toBe('no-regression');
    expect(compared(Math.floor((repeatsNeeded ?? 0) / 5)).verdict).toBe('inconclusive');
  });

  test('the tolerance that is proposed reaches as far as the interval does on the worse side', () => {
    const document = compareRuns(repeats(better, around(100, 0.2, 3)), repeats(better, around(100, 0.2, 3)));
    const [{ ratio, interval } = {}] = document.cells;
    if (!ratio || !interval) throw new Error('no interval');
    const half = better === 'lower' ? interval.high / ratio - 1 : 1 - interval.low / ratio;
    expect(document.suggestedTolerance).toBeCloseTo(Math.min(0.99, Math.ceil(half * 200) / 200), 9);
  });
});

test('of twenty cells that are the same, all intervals hold together in 95 of 100 runs, and one alone does not widen', () => {
  const noise = synthetic(7);
  const some = (): number[] => Array.from({ length: 5 }, () => Math.exp(0.1 * noise.normal()));
  const runs = Array.from({ length: 300 }, () => Array.from({ length: 20 }, () => [some(), some()] as const));
  const holds = (comparisons: number): number =>
    runs.filter((cells) =>
      cells.every(([a, b]) => {
        const { low, high } = ratioInterval(a, b, { comparisons }) ?? { low: 1, high: 1 };
        return low <= 1 && high >= 1;
      }),
    ).length / runs.length;
  expect(holds(20)).toBeGreaterThan(0.93);
  expect(holds(1)).toBeLessThan(0.6);
});

describe('arms that take turns, one of which was measured again', () => {
  /** A second attempt of lz4's own step replaces the first. */
  function again(record: RunRecord, together: boolean): RunRecord {
    return withSamples(record, (sample) => {
      if (sample.phase !== 'measure') return sample;
      const step = together ? sample.step : `${sample.step}-${sample.arm}`;
      return { ...sample, step, attempt: sample.arm === 'lz4' ? 2 : 1 };
    });
  }
  const pairsOf = (together: boolean) =>
    summarise(again(soundRun({ compressibilities: [1] }), together)).comparisons.flatMap(({ pairs }) => pairs);

  test('keep their pairs: they never ran at the same time', () => {
    expect(pairsOf(false).every(({ ratio }) => ratio !== null)).toBe(true);
  });

  test('lose them where both run in one step, at the same time', () => {
    expect(pairsOf(true).every(({ reason }) => /did not run at the same time$/.test(reason ?? ''))).toBe(true);
  });
});

test('a baseline that names no kinds of operations is compared by their names', () => {
  const saved = repeats('lower', [1, 1.01, 0.99]);
  const older = { ...saved, cells: saved.cells.map(({ kind: _, ...cell }) => cell) };
  expect(compareRuns(older, repeats('lower', [2, 2.02, 1.98])).cells).toMatchObject([
    { better: 'lower', verdict: 'regression' },
  ]);
});
