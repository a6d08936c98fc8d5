import { attemptsOf, inferPairs, pairsOf, repeatsOf, usable } from '../../../lib/analysis/compare/pairs';
import type { Cell } from '../../../lib/analysis/figures/cells';
import { evidenceOf } from '../../../lib/common/statistics/dependence';
import { sampleOf } from '../../support/records';

type Value = readonly [repeat: number, value: number | null, reason?: string];
const cell = (...values: readonly Value[]): Cell =>
  ({ samples: values.map(([repeat, value, reason = null]) => ({ repeat, value, reason })) }) as unknown as Cell;
const apart = () => undefined;
const pairs = (a: Cell | undefined, b: Cell | undefined, attempts: Parameters<typeof pairsOf>[2] = apart) =>
  pairsOf(['none', a], ['lz4', b], attempts);

test('repeats are paired by their number, in its order, by the medians of what the tool gave in each', () => {
  const a = cell([10, 100], [9, 50], [2, 1], [2, 7], [2, 3], [1, 10], [1, 20]);
  const b = cell([1, 30], [2, 12], [10, 50], [9, 200]);
  expect(pairs(a, b)).toEqual([
    { repeat: 1, baseline: 15, value: 30, ratio: 2 },
    { repeat: 2, baseline: 3, value: 12, ratio: 4 },
    { repeat: 9, baseline: 50, value: 200, ratio: 4 },
    { repeat: 10, baseline: 100, value: 50, ratio: 0.5 },
  ]);
});

test.each<[string, Cell | undefined, Cell | undefined, object]>([
  [
    'a side that failed',
    cell([3, null, 'disk full']),
    cell([3, 5]),
    { baseline: null, value: 5, reason: 'none: disk full' },
  ],
  [
    'the other side',
    cell([3, 5]),
    cell([3, null, 'disk full']),
    { baseline: 5, value: null, reason: 'lz4: disk full' },
  ],
  ['both', cell([3, null, 'a']), cell([3, null, 'b']), { reason: 'none: a; lz4: b' }],
  ['a repeat of one side', cell([3, 5]), cell(), { baseline: 5, value: null, reason: 'lz4: no sample' }],
  ['of the other', cell(), cell([3, 5]), { baseline: null, value: 5, reason: 'none: no sample' }],
  ['an arm without the operation', undefined, cell([3, 5]), { reason: 'none: no sample' }],
  ['nothing moved', cell([3, 0]), cell([3, 5]), { baseline: 0, value: 5, reason: 'none: nothing moved' }],
  ['nothing moved on the other', cell([3, 5]), cell([3, 0]), { reason: 'lz4: nothing moved' }],
  ['nothing moved on either', cell([3, 0]), cell([3, 0]), { reason: 'none: nothing moved; lz4: nothing moved' }],
])('a pair has no ratio, and says why: %s', (_, a, b, expected) => {
  expect(pairs(a, b)).toEqual([expect.objectContaining({ repeat: 3, ratio: null, ...expected })]);
  expect(usable(pairs(a, b))).toEqual([]);
});

test('what one of several tries lacks is no gap if another has it', () => {
  expect(pairs(cell([1, null, 'killed'], [1, 4]), cell([1, 8]))).toMatchObject([{ baseline: 4, value: 8, ratio: 2 }]);
});

test('attempts of one step pair only with the same attempt; of two steps with any', () => {
  const at =
    (...of: readonly (readonly [arm: string, step: string, attempt: number])[]) =>
    (arm: string) => {
      const found = of.find(([name]) => name === arm);
      return found && { step: found[1], attempt: found[2] };
    };
  const ratio = (attempts: Parameters<typeof pairsOf>[2]) => pairs(cell([1, 5]), cell([1, 10]), attempts)[0];
  expect(ratio(at(['none', 's', 2], ['lz4', 's', 2]))?.ratio).toBe(2);
  expect(ratio(at(['none', 's', 1], ['lz4', 't', 2]))?.ratio).toBe(2);
  expect(ratio(at(['none', 's', 1]))?.ratio).toBe(2);
  expect(ratio(at(['none', 's', 1], ['lz4', 's', 3]))).toEqual({
    ...{ repeat: 1, baseline: 5, value: 10, ratio: null },
    reason: 'attempt 3 of lz4 and attempt 1 of none did not run at the same time',
  });
});

test('the attempt of a pair is the last of its arm, repeat, operation, size and data that was measured', () => {
  const sample = (attempt: number, given: object = {}) => sampleOf({ step: `s${attempt}`, attempt, ...given });
  const attempts = attemptsOf(
    [
      ...[sample(1), sample(2), sample(3, { arm: 'lz4' }), sample(4, { repeat: 2 })],
      ...[sample(5, { operation: 'read' }), sample(6, { compressibility: 2 }), sample(7, { phase: 'warm-up' })],
      ...[sample(8, { fileBytes: 4096 }), sample(9, { threads: 4 })],
    ],
    { id: 'write' },
    null,
  );
  expect([attempts('none', 1), attempts('lz4', 1), attempts('none', 2), attempts('lz4', 2)]).toEqual([
    { step: 's2', attempt: 2 },
    { step: 's3', attempt: 3 },
    { step: 's4', attempt: 4 },
    undefined,
  ]);
});

test('the repeats that count have a value above 0, the median of what the tool gave', () => {
  expect(repeatsOf(cell([2, 8], [1, 1], [1, 3], [3, 0], [4, null]))).toEqual([8, 2]);
  expect(repeatsOf(undefined)).toEqual([]);
});

test('an outlier is told by its repeat, also where an earlier repeat has no pair', () => {
  const values = [2, 2.02, 1.98, 2, 9, 2.01, 1.99, 2.02];
  const used = values.map((value, at) => ({ repeat: at + 3, baseline: 1, value, ratio: value }));
  expect(inferPairs(used, { evidence: evidenceOf([]) }).outliers).toEqual([{ repeat: 7, ratio: expect.closeTo(9) }]);
});
