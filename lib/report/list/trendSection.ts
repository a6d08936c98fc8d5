import type { Trend, TrendPoint } from '../../analysis/trends';
import { NO_VALUE } from '../../kit/format/units';
import { groupBy } from '../../kit/groupBy';
import type { ArmLook } from '../../kit/page/arms';
import type { Drawing } from '../../kit/page/drawing';
import { type CellContent, code, details, facts, figure, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import { invalid } from './runTable';
import { trendChart } from './trendChart';
import { changeWords, placeWords, sentenceCase, settingWords, valueWords } from './words';

/** The charts of one benchmark and setting, where their lines are broken and why, and the figures behind them. */
export function trendSection(trends: readonly Trend[], look: ArmLook, drawing: Drawing, id: string): Markup {
  return html`<p>Each dot is the median of a run, its stroke the least to the most; the scale need not begin at zero. A line joins runs under the same conditions, and a dashed upright is where they changed.</p>
${changesOfConditions(trends)}
<div class="charts">
${trends.map((trend, index) => figure(trendChart(trend, look, drawing, `${id}-t${index}`), caption(trend, look)))}</div>
${trends.map((trend) => details(`Figures: ${placeWords(trend)}`, trendTable(trend, look)))}`;
}

/** Once for all trends whose conditions changed in the same way. */
function changesOfConditions(trends: readonly Trend[]): Markup | null {
  const changed = trends.filter(({ conditions }) => conditions.length > 1);
  const groups = [...groupBy(changed, ({ conditions }) => JSON.stringify(conditions)).values()];
  const blocks = groups.flatMap((group) => {
    const [first, ...others] = (group[0] as Trend).conditions;
    const where = group.length === trends.length ? '' : ` (${group.map(placeWords).join('; ')})`;
    return others.map(
      ({ id, differs }) =>
        [
          `Conditions ${id} against ${first?.id}${where}`,
          html`${differs.map((one, index) => html`${index > 0 && html`<br>`}${one}`)}`,
        ] as const,
    );
  });
  return blocks.length === 0 ? null : facts(blocks);
}

function caption(trend: Trend, look: ArmLook): Markup {
  const arms = [...new Set(trend.points.map(({ arm }) => arm))];
  const crosses = trend.points.some(({ value, validity }) => value === null || validity === 'INVALID');
  return html`<strong>${sentenceCase(placeWords(trend))}</strong>. ${arms.map((arm) => html`${look.label(arm)} `)}${crosses && 'A cross is an INVALID run, or one without a value.'}`;
}

/** A row a run, a column an arm. */
function trendTable(trend: Trend, look: ArmLook): Markup {
  const { benchmark, setting, conditions, points } = trend;
  const arms = [...new Set(points.map(({ arm }) => arm))];
  const several = conditions.length > 1;
  const runs = [...groupBy(points, ({ run }) => run)];
  const rows = runs.map(([run, own], index): CellContent[] => [
    code(run),
    ...(several ? [own[0]?.conditions ?? ''] : []),
    ...arms.map((arm) =>
      cell(
        own.find((point) => point.arm === arm),
        trend,
        runs[index - 1]?.[0],
      ),
    ),
  ]);
  return table({
    caption: `${benchmark}, ${settingWords(setting)}: ${placeWords(trend)}, run by run`,
    captionHidden: true,
    columns: [
      { label: 'Run' },
      ...(several ? [{ label: 'Conditions' }] : []),
      ...arms.map((arm) => ({ label: look.label(arm), numeric: true })),
    ],
    rows,
  });
}

/** A median with what changed; the run that it is held against is named where it is not the one in the row above. */
function cell(point: TrendPoint | undefined, trend: Trend, above: string | undefined): CellContent {
  if (point === undefined) return NO_VALUE;
  const { validity, value, change, changeReason } = point;
  const than = change === null || change.against === above ? '' : `, against ${change.against}`;
  const words = change === null ? changeReason : `${changeWords(change)}${than}`;
  return html`${invalid(validity)}${valueWords(point, trend)}${value !== null && html`<br><span class="soft">${words}</span>`}`;
}
