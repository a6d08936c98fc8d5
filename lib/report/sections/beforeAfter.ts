import type { Comparison } from '../../analysis/compare/comparisons';
import type { RunSummary } from '../../analysis/summary';
import { compressibilityLabel } from '../../common/format/compressibilities';
import { NO_VALUE, precise, ratio, ratioRange } from '../../common/format/units';
import { columns, numbers, quantity, table, text } from '../blocks';
import { callingWords, differenceWords, familyWords, independenceWords, PROMISE } from './pairs';
import type { Section } from './section';

/** Differences of a file system that was changed between the arms, in place of paired differences. */
export const beforeAfter: Section = {
  id: 'before-after',
  title: 'Before and after',
  isResult: true,
  blocks(run) {
    const comparisons = run.comparisons.filter(({ design }) => design === 'before-after');
    if (!comparisons.some(({ count }) => count > 0)) return [];
    return [text(ORDER), text(method(comparisons, run)), differences(comparisons)];
  },
};

/** Caveat that a reader needs before the figures. */
const ORDER =
  'Both arms are one file system, changed in between. All of the first was measured before all of the second, so nothing pairs their repeats, and what else changed in the meantime stands in the difference: it is no proof that the change caused it.';

/** Explains the method behind the intervals. */
function method(comparisons: readonly Comparison[], run: RunSummary): string {
  const intervals = comparisons.flatMap(({ interval }) => interval ?? []);
  if (intervals.length === 0) return 'With fewer than two repeats on a side there is no interval.';
  const methods = [...new Set(intervals.map((interval) => interval.method))].join('; ');
  const together = familyWords(intervals.length);
  return `${PROMISE} The ratio is that of the geometric means over the repeats; its interval treats both sides as independent (method: ${methods}).${together}${independenceWords(comparisons)} ${callingWords(run)}`;
}

function differences(comparisons: readonly Comparison[]) {
  const mean = ({ means, unit }: Comparison, side: 0 | 1) =>
    quantity(means[side], (value) => (value === null ? NO_VALUE : `${precise(value)} ${unit}`));
  const [first] = comparisons;
  return table({
    caption: 'Geometric means before and after, and their ratio',
    captionHidden: true,
    columns: [
      ...columns('Operation'),
      ...numbers({ arm: first?.baseline ?? '' }, { arm: first?.arm ?? '' }, 'Ratio', 'Interval'),
      ...columns('Difference', 'Repeats'),
    ],
    rows: comparisons.map((one) => [
      one.compressibility === null ? one.operation : `${one.operation}, ${compressibilityLabel(one.compressibility)}`,
      mean(one, 0),
      mean(one, 1),
      quantity(one.estimate, ratio),
      one.interval === null ? NO_VALUE : ratioRange(one.interval),
      one.estimate === null ? NO_VALUE : differenceWords(one, 'repeat'),
      `${one.repeats[0]}, ${one.repeats[1]}`,
    ]),
  });
}
