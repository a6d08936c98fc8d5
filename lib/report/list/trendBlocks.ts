import type { Trend, TrendPoint } from '../../analysis/compare/trends';
import { grouped, NO_VALUE } from '../../common/format/units';
import {
  type Block,
  columns,
  details,
  facts,
  joined,
  line,
  numbers,
  remark,
  type TableField,
  type Text,
  table,
  text,
} from '../blocks';
import { changeWords, placeWords, settingWords, valueWords } from './labels';
import type { Room } from './room';
import { invalid } from './runTable';
import { trendChart } from './trendChart';

/** The charts of one benchmark and setting, where their lines are broken and why, and the figures behind them. */
export function trendBlocks(trends: readonly Trend[], id: string, room: Room): Block[] {
  return [
    text(
      'Each dot is the median of a run, and its stroke spans the minimum and the maximum; the scale need not begin at zero. A change is that of the geometric means over the repeats, which stand beside it. A line joins runs under the same conditions, and a dashed vertical line marks where they changed.',
    ),
    ...changesOfConditions(trends),
    {
      kind: 'charts',
      charts: trends.map((trend, index) => trendChart(trend, `${id}-t${index}`, room.marks)),
      figures: trends.map((trend) => details(`Figures: ${placeWords(trend)}`, ...trendTable(trend, room))),
    },
  ];
}

/** Once for all trends whose conditions changed in the same way. */
function changesOfConditions(trends: readonly Trend[]): Block[] {
  const changed = trends.filter(({ conditions }) => conditions.length > 1);
  const groups = [...Map.groupBy(changed, ({ conditions }) => JSON.stringify(conditions)).values()];
  const changes = groups.flatMap((group) => {
    const [first, ...others] = (group[0] as Trend).conditions;
    const where = group.length === trends.length ? '' : ` (${group.map(placeWords).join('; ')})`;
    return others.map(
      ({ id, differs }) => [`Conditions ${id} against ${first?.id}${where}`, joined(differs, '; ')] as const,
    );
  });
  return changes.length === 0 ? [] : [facts(changes)];
}

/** One row per run, one column per arm: of the latest runs where there is no room for all. */
function trendTable(trend: Trend, { rows: most, table: all }: Room): Block[] {
  const { benchmark, setting, conditions, points } = trend;
  const arms = [...new Set(points.map(({ arm }) => arm))];
  const several = conditions.length > 1;
  const runs = [...Map.groupBy(points, ({ run }) => run)];
  const first = Math.max(0, runs.length - most);
  const rows = runs.slice(first).map(([run, own], index): TableField[] => [
    { code: run },
    ...(several ? [own[0]?.conditions] : []),
    ...arms.map((arm) =>
      cell(
        own.find((point) => point.arm === arm),
        trend,
        runs[first + index - 1]?.[0],
      ),
    ),
  ]);
  const shown = table({
    caption: `${benchmark}, ${settingWords(setting)}: ${placeWords(trend)}, run by run`,
    captionHidden: true,
    columns: [...columns('Run', ...(several ? ['Conditions'] : [])), ...numbers(...arms.map((arm): Text => ({ arm })))],
    rows,
  });
  return [...latestOf(rows.length, runs.length, all), shown];
}

/** Says that a table has the latest runs alone, and leads to all; nothing where it has all. */
export function latestOf(shown: number, runs: number, all: string | null): Block[] {
  if (shown === runs || all === null) return [];
  return [remark(line`The latest ${grouped(shown)} of ${grouped(runs)} runs. ${{ link: all, text: all }} has all.`)];
}

/** A median with its change; the run that it is compared with is named unless it is in the row above. */
function cell(point: TrendPoint | undefined, trend: Trend, above: string | undefined): Text {
  if (point === undefined) return NO_VALUE;
  const { validity, value, change, changeReason } = point;
  const than = change === null || change.against === above ? '' : `, against ${change.against}`;
  const words = change === null ? changeReason : `${changeWords(change, trend)}${than}`;
  return [invalid(validity), valueWords(point, trend), value !== null && { below: words }];
}
