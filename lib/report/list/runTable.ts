import type { RunEntry } from '../../analysis/compare/runEntries';
import type { Trend, TrendPoint } from '../../analysis/compare/trends';
import { sentenceCase } from '../../common/format/strings';
import { counted, duration, moment, NO_VALUE } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import { columns, joined, type TableBlock, type TableField, type Text, table } from '../blocks';
import { changeWords, placeWords, valueWords } from './labels';

/** A run whose report is known. */
export type Reported = RunEntry & { readonly figures: NonNullable<RunEntry['figures']> };

/** The link from the page to a run's report; `null` if this machine has none. */
export type LinkTo = (entry: RunEntry) => string | null;

/** Mark of every figure of an INVALID run. */
export const invalid = (validity: string): Text => validity === 'INVALID' && { invalid: true };

/** The name of a run, which leads to its report if there is one. */
export function runName({ run }: RunEntry, link: string | null): Text {
  const name = { code: run };
  return link === null ? name : { link, text: name };
}

/** The figures that stand in the table of runs: of each operation the data that compress best, which tell most. */
export function keyTrends(trends: readonly Trend[]): Trend[] {
  const byOperation = [...Map.groupBy(trends, ({ operation, metric }) => keyOf(operation, metric)).values()];
  const best = byOperation.flatMap(
    (own) => own.filter(({ compressibility }) => compressibility !== null).at(-1) ?? own[0] ?? [],
  );
  return best.slice(0, 3);
}

/** Runs as rows: state, validity, key figures by arm with what changed. */
export function runTable(
  entries: readonly Reported[],
  keys: readonly Trend[],
  { linkTo, caption }: { readonly linkTo: LinkTo; readonly caption: string },
): TableBlock {
  const points = keys.map((trend) => Map.groupBy(trend.points, ({ run }) => run));
  const rows = entries.map((entry): TableField[] => {
    const { run, startedAt, state, figures, next } = entry;
    const link = linkTo(entry);
    const said = [
      moment(startedAt),
      figures.seconds !== null && `ran ${duration(figures.seconds)}`,
      state !== 'done' && state,
      link === null && ['Report: ', { code: next ?? `npx fsxbench report ${run}` }],
    ];
    return [
      [runName(entry, link), said.map((words): Text => words && { soft: words })],
      [{ validity: figures.validity }, { soft: faults(figures) }],
      ...keys.map((trend, index) => figuresOf(points[index]?.get(run) ?? [], trend)),
    ];
  });
  const heads = ['Run', 'Validity', ...keys.map((trend) => sentenceCase(placeWords(trend)))];
  return table({ caption, captionHidden: true, columns: columns(...heads), rows, style: 'runs' });
}

function faults({ errors, warnings }: Reported['figures']): Text {
  const number = (count: number, word: string): string[] => (count > 0 ? [counted(count, word)] : []);
  return joined([...number(errors, 'error'), ...number(warnings, 'warning')]);
}

function figuresOf(points: readonly TrendPoint[], trend: Trend): Text {
  if (points.length === 0) return NO_VALUE;
  return points.map((point) => ({
    line: [
      { arm: point.arm },
      ' ',
      invalid(point.validity),
      valueWords(point, trend),
      point.change && { soft: changeWords(point.change, trend) },
    ],
  }));
}

/** Runs of which no figures are known: why, and what to do. */
export function withoutTable(entries: readonly RunEntry[], benchmark: string): TableBlock {
  return table({
    caption: `${benchmark}: runs without a report`,
    captionHidden: true,
    columns: columns('Run', 'Started', 'State', 'Where', 'Next'),
    rows: entries.map(({ run, startedAt, state, where, reason, next }) => [
      { code: run },
      moment(startedAt),
      state,
      where,
      [reason, ': ', next !== null && { code: next }],
    ]),
  });
}
