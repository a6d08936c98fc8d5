import type { ArmLook } from '../common/page/arms';
import type { Drawing, PlotOptions } from '../common/page/drawing';
import type { Issue, Validity } from '../schema/issue';

/** Building blocks of a report. The renderers take nothing else, so the page, the Markdown and the JSON document cannot contradict each other. */

/** Text of one line, with marks. A list is read as one piece; `null` and `false` are nothing. */
export type Text = string | number | null | false | undefined | Inline | readonly Text[];

/** A marked piece of a line. */
export type Inline =
  /** The name of an arm, with its colour and shape, if any. */
  | { readonly arm: string }
  | { readonly strong: Text }
  /** Less important than the text next to it. */
  | { readonly soft: Text }
  /** Under what it belongs to, in the same cell. */
  | { readonly below: Text }
  /** Its own line, in a field that has several. */
  | { readonly line: Text }
  | { readonly validity: Validity }
  /** Warns before a figure of an INVALID run. */
  | { readonly invalid: true }
  | { readonly code: string }
  /** An identifier, which is not broken over lines. */
  | { readonly id: string }
  | { readonly link: string; readonly text: Text }
  /** On the page alone, such as what explains a chart. */
  | { readonly onPage: Text }
  /** A name with its colour in the charts; `fill` is a value of CSS that we wrote. */
  | { readonly swatch: string; readonly fill: string };

/** A line with marks in it: the template's values are pieces of text. */
export const line = (strings: TemplateStringsArray, ...values: readonly Text[]): Text =>
  strings.flatMap((text, index): Text[] => [text, values[index]]);

/** Pieces with something between them. */
export const joined = (pieces: readonly Text[], separator = ', '): Text =>
  pieces.map((piece, index): Text => (index === 0 ? piece : [separator, piece]));

/** A measured or derived number of a table: people read `text`, programs `value`. */
export interface Quantity {
  readonly value: number | null;
  readonly text: string;
  /** Why there is no value, unless the text next to the table explains it. */
  readonly reason?: string | null;
  /** Under the number, such as its interval. */
  readonly below?: Text;
}

export type TableField = Text | Quantity;

export const quantity = (
  value: number | null,
  words: (value: number | null) => string,
  more: Pick<Quantity, 'reason' | 'below'> = {},
): Quantity => ({ value, text: words(value), ...more });

export interface BlockColumn {
  readonly label: Text;
  /** Aligned to the right, with figures of equal width. */
  readonly numeric?: boolean;
}

export const columns = (...labels: readonly Text[]): BlockColumn[] => labels.map((label) => ({ label }));
export const numbers = (...labels: readonly Text[]): BlockColumn[] => labels.map((label) => ({ label, numeric: true }));

export interface TextBlock {
  readonly kind: 'text';
  readonly text: Text;
  /** A remark, set smaller. */
  readonly soft?: boolean;
  /** Explains how figures were computed: the page opens it on demand and on paper. */
  readonly isMethod?: boolean;
}

/** The first column names the row. A row of one cell is a heading of the rows below it. Forms without a page leave out columns in which no row says anything. */
export interface TableBlock {
  readonly kind: 'table';
  readonly caption: string;
  /** A heading above says the same: the caption is read out, and not shown. */
  readonly captionHidden?: boolean;
  readonly columns: readonly BlockColumn[];
  readonly rows: readonly (readonly TableField[])[];
  readonly style?: 'overview' | 'runs';
}

export type ChartOptions = (tools: { readonly plot: Drawing['plot']; readonly look: ArmLook }) => PlotOptions;

/** A figure that is drawn when a page is made, and not before: what draws costs a third of a second to load. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  /** Description of the chart for readers who cannot see it. */
  readonly description: string;
  readonly caption: Text;
  readonly options: ChartOptions;
  /** Form of the same chart that a phone shows in its place. @default - the chart itself */
  readonly narrow?: ChartOptions;
}

/** Charts in a row, with the figures that they are drawn from. */
export interface ChartsBlock {
  readonly kind: 'charts';
  readonly charts: readonly Chart[];
  /** Figures that Markdown and programs get in place of the charts, and that the page offers below them. */
  readonly figures?: readonly DetailsBlock[];
}

export interface DetailsBlock {
  readonly kind: 'details';
  readonly summary: Text;
  readonly blocks: readonly Block[];
  readonly print?: boolean;
  /** Also part of the Markdown and the JSON, which have nothing to open. */
  readonly everyFormat?: boolean;
}

export interface ListBlock {
  readonly kind: 'list';
  readonly items: readonly Text[];
  readonly style?: 'arms' | 'plain' | 'reasons' | 'issues soft';
}

export interface CalloutBlock {
  readonly kind: 'callout';
  readonly id: string;
  readonly title: string;
  readonly lines: readonly Text[];
}

type Facts = readonly (readonly [name: Text, value: Text])[];

export type Block =
  | TextBlock
  | { readonly kind: 'heading'; readonly text: Text }
  /** Names and values under each other; those without a value are left out. */
  | { readonly kind: 'facts'; readonly facts: Facts }
  | TableBlock
  | ChartsBlock
  | DetailsBlock
  | ListBlock
  /** Commands, or what a service said, as it is. */
  | { readonly kind: 'code'; readonly code: string; readonly language?: 'sh' | 'json' }
  | CalloutBlock
  | { readonly kind: 'issues'; readonly issues: readonly Issue[] };

export const text = (words: Text): TextBlock => ({ kind: 'text', text: words });
/** A paragraph on how figures were computed. */
export const method = (words: Text): TextBlock => ({ kind: 'text', text: words, isMethod: true });
/** A remark, smaller than a paragraph. */
export const remark = (words: Text): TextBlock => ({ kind: 'text', text: words, soft: true });
export const heading = (words: Text): Block => ({ kind: 'heading', text: words });
export const facts = (list: Facts): Block => ({ kind: 'facts', facts: list });
export const table = (options: Omit<TableBlock, 'kind'>): TableBlock => ({ kind: 'table', ...options });

/** A column of a table about things: its head, and what it says of each of them. */
interface Column<T> extends BlockColumn {
  readonly cell: (row: T, index: number) => TableField;
}

export const column = <T>(label: Text, cell: Column<T>['cell']): Column<T> => ({ label, cell });
/** A column of figures. @param words how a figure is written. @default - `cell` says it */
export const number = <T>(
  label: Text,
  cell: (row: T, index: number) => TableField,
  words?: (value: number | null) => string,
): Column<T> => ({
  label,
  numeric: true,
  cell: words === undefined ? cell : (row, index) => quantity(cell(row, index) as number | null, words),
});
/** The arm that a row is about. */
export const armColumn = <T extends { readonly arm: string }>(label = 'Arm'): Column<T> =>
  column(label, ({ arm }) => ({ arm }));

export const tableOf = <T>(
  things: readonly T[],
  options: Omit<TableBlock, 'kind' | 'columns' | 'rows'>,
  all: readonly (Column<T> | false)[],
): TableBlock => {
  const shown = all.filter((one) => one !== false);
  return table({
    ...options,
    columns: shown.map(({ cell: _, ...head }) => head),
    rows: things.map((thing, index) => shown.map(({ cell }) => cell(thing, index))),
  });
};
/** Details of the page alone, opened on demand. */
export const details = (summary: Text, ...blocks: readonly Block[]): DetailsBlock => ({
  kind: 'details',
  summary,
  blocks,
});
/** Details present in every format: the page opens them on demand and on paper. */
export const printed = (summary: Text, ...blocks: readonly Block[]): DetailsBlock => ({
  ...details(summary, ...blocks),
  print: true,
  everyFormat: true,
});
