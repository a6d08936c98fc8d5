import { pairChart } from '../charts';
import type { Comparison } from '../comparisons';
import { type CellContent, details, figure, table } from '../layout';
import { html, type Markup } from '../markup';
import { groupBy, keyOf } from '../statistics';
import { targetLabel } from '../targets';
import { NO_VALUE, ratio } from '../units';
import type { Context, Section } from './section';

export const pairs: Section = {
  id: 'pairs',
  title: 'Paired differences',
  render(context) {
    const { comparisons } = context.summary;
    if (!comparisons.some(({ count }) => count > 0)) return null;
    const groups = [...groupBy(comparisons, ({ operation, metric }) => keyOf(operation, metric)).values()];
    const baseline = comparisons[0]?.baseline ?? '';
    return html`<p>Each mark divides an arm’s rate by that of ${context.look.label(baseline)} in the same repeat, on the same data; repeats run from left to right. What both arms share, such as a slow hour, falls out. The dashed line is equality. ${inTurns(context) && 'Here the arms took turns within a repeat.'}</p>
<div class="charts">
${groups.map((group, index) => figure(pairChart(context, group, `pairs-${index}`), html`<strong>${group[0]?.operation}</strong>, multiple of ${context.look.label(baseline)}`))}</div>
${groups.map((group) => details(`Figures: ${group[0]?.operation}, by repeat`, pairTable(group, context), { print: true }))}`;
  },
};

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
      { label: 'Median', numeric: true },
      { label: 'Least', numeric: true },
      { label: 'Most', numeric: true },
      { label: 'Repeats, in order' },
    ],
    rows: group.map(({ target, arm, median, min, max, pairs: list }): CellContent[] => [
      targetLabel(target),
      look.label(arm),
      ratio(median),
      ratio(min),
      ratio(max),
      html`${list.map(({ ratio: value, reason }, index) => html`${index > 0 && ' · '}${value === null ? `${NO_VALUE} (${reason})` : ratio(value)}`)}`,
    ]),
  });
}
