import type { Comparison } from '../../analysis/comparisons';
import { groupBy, keyOf } from '../../analysis/figures/statistics';
import { targetLabel } from '../../kit/format/targets';
import { detectable, NO_VALUE, ratio, ratioRange } from '../../kit/format/units';
import { type CellContent, details, figure, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import { pairChart } from '../charts';
import type { Context, PageSection } from './section';

export const pairs: PageSection = {
  id: 'pairs',
  title: 'Paired differences',
  isResult: true,
  render(context) {
    const { comparisons } = context.summary;
    if (!comparisons.some(({ count, design }) => count > 0 && design === 'pairs')) return null;
    const groups = [...groupBy(comparisons, ({ operation, metric }) => keyOf(operation, metric)).values()];
    const baseline = comparisons[0]?.baseline ?? '';
    return html`<p>Each mark divides an arm’s ${comparisons.some(({ better }) => better === 'lower') ? 'figure' : 'rate'} by that of ${context.look.label(baseline)} in the same repeat, on the same data; repeats run from left to right. What both arms share, such as a slow hour, falls out. The dashed line is equality. ${inTurns(context) && 'Here the arms took turns within a repeat.'}</p>
${method(comparisons)}
<div class="charts">
${groups.map((group, index) => figure(pairChart(context, group, `pairs-${index}`), html`<strong>${group[0]?.operation}</strong>, multiple of ${context.look.label(baseline)}${group[0]?.better === 'lower' && ' (lower is better)'}`))}</div>
${groups.map((group) => details(`Figures: ${group[0]?.operation}, by repeat`, pairTable(group, context), { print: true }))}`;
  },
};

/** What a comparison says, in words that every form of the report uses. */
export function differenceWords(different: boolean | null, one = 'pair'): string {
  if (different === null) return `one ${one} tells nothing`;
  return different ? 'real' : 'not distinguishable from no difference';
}

/** What several intervals of a run promise together. */
export function familyWords(intervals: number): string {
  return intervals > 1
    ? ` Each holds the truth in at least 95 % of runs; the ${intervals} of them are widened step by step (Holm), so that in 95 % of runs no difference is called real where there is none.`
    : '';
}

/** How the intervals were made: a number without its method cannot be checked. */
function method(comparisons: readonly Comparison[]): Markup | null {
  const intervals = comparisons.flatMap(({ interval }) => interval ?? []);
  if (intervals.length === 0) return null;
  const methods = [...new Set(intervals.map((interval) => interval.method))].join('; ');
  const together = familyWords(intervals.length);
  return html`<p>The quotient of a row is the geometric mean of its pairs; its interval is made from the logarithms of the pairs’ quotients (method: ${methods}).${together} A difference is called real when its interval leaves out 1. “Smallest that would show” is what as many pairs that vary as much find four times in five.</p>`;
}

/** True where no step holds two arms, so that the two values of a pair were measured one after the other. */
function inTurns({ record }: Context): boolean {
  const steps = groupBy(
    record.samples.filter(({ phase }) => phase === 'measure'),
    ({ step }) => step,
  );
  return [...steps.values()].every((samples) => new Set(samples.map(({ arm }) => arm)).size < 2);
}

function pairTable(group: readonly Comparison[], { look }: Context): Markup {
  return table({
    caption: `${group[0]?.operation}: quotients by repeat`,
    captionHidden: true,
    columns: [
      { label: 'Data' },
      { label: 'Arm' },
      { label: 'Quotient', numeric: true },
      { label: 'Interval', numeric: true },
      { label: 'Difference' },
      { label: 'Smallest that would show', numeric: true },
      { label: 'Repeats, in order' },
    ],
    rows: group.map(
      ({ target, arm, estimate, interval, different, minimumDetectable, outliers, pairs: list }): CellContent[] => [
        targetLabel(target),
        look.label(arm),
        ratio(estimate),
        interval === null ? NO_VALUE : ratioRange(interval),
        html`${differenceWords(different)}${outliers.map((one) => html`<br><span class="soft">repeat ${one.repeat} stands apart, and is counted</span>`)}`,
        detectable(minimumDetectable),
        html`${list.map(({ ratio: value, reason }, index) => html`${index > 0 && ' · '}${value === null ? `${NO_VALUE} (${reason})` : ratio(value)}`)}`,
      ],
    ),
  });
}
