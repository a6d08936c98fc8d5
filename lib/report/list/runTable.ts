import type { RunEntry } from '../../analysis/runEntries';
import type { Trend, TrendPoint } from '../../analysis/trends';
import { counted, duration, moment, NO_VALUE } from '../../kit/format/units';
import { groupBy, keyOf } from '../../kit/groupBy';
import type { ArmLook } from '../../kit/page/arms';
import { type CellContent, code, table } from '../../kit/page/layout';
import { html, type Markup } from '../../kit/page/markup';
import { changeWords, placeWords, sentenceCase, valueWords } from './words';

/** A run whose report is known. */
export type Reported = RunEntry & { readonly figures: NonNullable<RunEntry['figures']> };

/** The link from the page to a run's report; `null` where this machine has none. */
export type LinkTo = (entry: RunEntry) => string | null;

/** What a table of runs needs beside the runs. */
export interface TableScene {
  readonly look: ArmLook;
  readonly linkTo: LinkTo;
  /** Tells this table from the others of the page. */
  readonly caption: string;
}

/** The validity of a run, in its colour. */
export function badge(validity: string): Markup {
  return html`<span class="state ${validity.toLowerCase()}">${validity}</span>`;
}

/** No figure of an INVALID run stands without this. */
export function invalid(validity: string): Markup | null {
  return validity === 'INVALID' ? html`<strong class="mark-invalid">INVALID</strong> ` : null;
}

/** The name of a run, which leads to its report where there is one. */
export function runName(entry: RunEntry, link: string | null): Markup {
  return link === null ? code(entry.run) : html`<a href="${link}">${code(entry.run)}</a>`;
}

/** The figures that stand in the table of runs: of each operation the data that compress best, which tell most. */
export function keyTrends(trends: readonly Trend[]): Trend[] {
  const byOperation = [...groupBy(trends, ({ operation, metric }) => keyOf(operation, metric)).values()];
  const best = byOperation.flatMap((own) => own.filter(({ target }) => target !== null).at(-1) ?? own[0] ?? []);
  return best.slice(0, 3);
}

/** Runs as rows: state, validity, key figures by arm with what changed. */
export function runTable(
  entries: readonly Reported[],
  keys: readonly Trend[],
  { look, linkTo, caption }: TableScene,
): Markup {
  const points = keys.map((trend) => groupBy(trend.points, ({ run }) => run));
  const rows = entries.map((entry): CellContent[] => {
    const { run, startedAt, state, figures, next } = entry;
    const link = linkTo(entry);
    const said = [
      moment(startedAt),
      figures.seconds === null ? null : `ran ${duration(figures.seconds)}`,
      state === 'done' ? null : state,
    ].flatMap((line) => (line === null ? [] : [html`<span class="soft">${line}</span>`]));
    const command = link === null ? (next ?? `npx fsxbench report ${run}`) : null;
    return [
      html`${runName(entry, link)}${said}${command !== null && html`<span class="soft">Report: ${code(command)}</span>`}`,
      html`${badge(figures.validity)}<span class="soft">${faults(figures)}</span>`,
      ...keys.map((trend, index) => figuresOf(points[index]?.get(run) ?? [], trend, look)),
    ];
  });
  const columns = ['Run', 'Validity', ...keys.map((trend) => sentenceCase(placeWords(trend)))];
  return html`<div class="runs">${table({ caption, captionHidden: true, columns: columns.map((label) => ({ label })), rows })}</div>`;
}

function faults({ errors, warnings }: Reported['figures']): string {
  const number = (count: number, word: string): string[] => (count > 0 ? [counted(count, word)] : []);
  return [...number(errors, 'error'), ...number(warnings, 'warning')].join(', ');
}

function figuresOf(points: readonly TrendPoint[], trend: Trend, look: ArmLook): CellContent {
  if (points.length === 0) return NO_VALUE;
  const change = ({ change: found }: TrendPoint): Markup | null =>
    found === null ? null : html`<span class="soft">${changeWords(found)}</span>`;
  return html`${points.map((point) => html`<p class="figure">${look.label(point.arm)} ${invalid(point.validity)}${valueWords(point, trend)}${change(point)}</p>`)}`;
}

/** Runs of which no figures are known: why, and what to do. */
export function withoutTable(entries: readonly RunEntry[], benchmark: string): Markup {
  return table({
    caption: `${benchmark}: runs without a report`,
    captionHidden: true,
    columns: [{ label: 'Run' }, { label: 'Started' }, { label: 'State' }, { label: 'Where' }, { label: 'Next' }],
    rows: entries.map(({ run, startedAt, state, where, reason, next }): CellContent[] => [
      code(run),
      moment(startedAt),
      state,
      where,
      html`${reason}: ${next !== null && code(next)}`,
    ]),
  });
}
