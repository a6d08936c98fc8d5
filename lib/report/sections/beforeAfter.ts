import type { Comparison } from '../../analysis/comparisons';
import { targetLabel } from '../../kit/format/targets';
import { NO_VALUE, plain, ratio, ratioRange } from '../../kit/format/units';
import { type CellContent, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import { differenceWords, familyWords } from './pairs';
import type { Context, PageSection } from './section';

/** In place of paired differences where the file system was changed between the arms. */
export const beforeAfter: PageSection = {
  id: 'before-after',
  title: 'Before and after',
  isResult: true,
  render(context) {
    const comparisons = context.summary.comparisons.filter(({ design }) => design === 'before-after');
    if (!comparisons.some(({ count }) => count > 0)) return null;
    return html`<p>${ORDER}</p>
<p>${method(comparisons)}</p>
${differences(comparisons, context)}`;
  },
};

/** What a reader must know before the figures, in every form of the report. */
export const ORDER =
  'Both arms are one file system, changed in between. All of the first was measured before all of the second, so nothing pairs their repeats, and what else changed in the meantime stands in the difference: it is no proof that the change caused it.';

/** How the intervals were made. */
function method(comparisons: readonly Comparison[]): string {
  const intervals = comparisons.flatMap(({ interval }) => interval ?? []);
  if (intervals.length === 0) return 'With fewer than two repeats on a side there is no interval.';
  const methods = [...new Set(intervals.map((interval) => interval.method))].join('; ');
  const together = familyWords(intervals.length);
  return `The quotient is that of the geometric means over the repeats; its interval treats both sides as independent (method: ${methods}).${together} A difference is called real when its interval leaves out 1.`;
}

function differences(comparisons: readonly Comparison[], { summary, look }: Context): Markup {
  const median = (arm: string, { operation, metric, target }: Comparison): number | null =>
    summary.cells.find(
      (cell) => cell.arm === arm && cell.operation === operation && cell.metric === metric && cell.target === target,
    )?.median ?? null;
  const [first] = comparisons;
  return table({
    caption: 'Medians before and after, and their quotient',
    captionHidden: true,
    columns: [
      { label: 'Operation' },
      { label: html`${look.label(first?.baseline ?? '')}`, numeric: true },
      { label: html`${look.label(first?.arm ?? '')}`, numeric: true },
      { label: 'Quotient', numeric: true },
      { label: 'Interval', numeric: true },
      { label: 'Difference' },
      { label: 'Repeats' },
    ],
    rows: comparisons.map((one): CellContent[] => [
      one.target === null ? one.operation : `${one.operation}, ${targetLabel(one.target)}`,
      rateOf(median(one.baseline, one), one.unit),
      rateOf(median(one.arm, one), one.unit),
      one.estimate === null ? NO_VALUE : ratio(one.estimate),
      one.interval === null ? NO_VALUE : ratioRange(one.interval),
      one.estimate === null ? NO_VALUE : differenceWords(one.different, 'repeat'),
      `${one.repeats[0]}, ${one.repeats[1]}`,
    ]),
  });
}

function rateOf(value: number | null, unit: string): string {
  return value === null ? NO_VALUE : `${plain(value)} ${unit}`;
}
