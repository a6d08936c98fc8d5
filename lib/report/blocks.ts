import type { ArmLook } from '../common/page/arms';
import type { Drawing, PlotOptions } from '../common/page/drawing';
import type { Issue, Validity } from '../schema/issue';

/**
 * Building blocks of a report. A section is written once, as blocks, and `lib/report/render` renders only blocks: the page, the Markdown and the
 * JSON document cannot contradict each other.
 */

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
  /** Validity of a run, in its colour. */
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
  /** `null` for a missing value. */
  readonly value: number | null;
  readonly text: string;
  /** Why there is no value, unless the text next to the table explains it. */
  readonly reason?: string | null;
  /** Under the number, such as its interval. */
  readonly below?: Text;
}

export type TableField = Text | Quantity;

/** A number with its words, such as `quantity(cell.median, plain)`. */
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

/** Columns of names and words. */
export const columns = (...labels: readonly Text[]): BlockColumn[] => labels.map((label) => ({ label }));
/** Columns of figures. */
export const numbers = (...labels: readonly Text[]): BlockColumn[] => labels.map((label) => ({ label, numeric: true }));

/** Words that stand by themselves. */
export interface TextBlock {
  readonly kind: 'text';
  readonly text: Text;
  /** A remark, set smaller. */
  readonly soft?: boolean;
  /** Explains how figures were computed: the page opens it on demand and on paper. */
  readonly isMethod?: boolean;
}

export interface HeadingBlock {
  readonly kind: 'heading';
  readonly text: Text;
}

/** Names and values under each other; those without a value are left out. */
export interface FactsBlock {
  readonly kind: 'facts';
  readonly facts: readonly (readonly [name: Text, value: Text])[];
}

/** The first column names the row. A row of one cell is a heading of the rows below it. Forms without a page leave out columns in which no row says anything. */
export interface TableBlock {
  readonly kind: 'table';
  readonly caption: string;
  /** A heading above says the same: the caption is read out, and not shown. */
  readonly captionHidden?: boolean;
  readonly columns: readonly BlockColumn[];
  readonly rows: readonly (readonly TableField[])[];
  /** For the page's style alone. */
  readonly style?: 'overview' | 'runs';
}

export type ChartOptions = (tools: { readonly plot: Drawing['plot']; readonly look: ArmLook }) => PlotOptions;

/** A figure that is drawn when a page is made, and not before: what draws costs a third of a second to load. */
export interface Chart {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Description of the chart for readers who cannot see it. */
  readonly description: string;
  readonly caption: Text;
  /** Options for Plot. */
  readonly options: ChartOptions;
  /** Form of the same chart that a phone shows in its place. @default - the chart itself */
  readonly narrow?: ChartOptions;
}

/** Charts in a row, with the figures that they are drawn from. */
export interface ChartsBlock {
  readonly kind: 'charts';
  readonly charts: readonly Chart[];
  /** Blocks in the same row. */
  readonly beside?: readonly Block[];
  /** Figures that Markdown and programs get in place of the charts, and that the page offers below them. */
  readonly figures?: readonly DetailsBlock[];
}

/** Details that most readers can skip. */
export interface DetailsBlock {
  readonly kind: 'details';
  readonly summary: Text;
  readonly blocks: readonly Block[];
  /** Opened on paper. */
  readonly print?: boolean;
  /** Also part of the Markdown and the JSON, which have nothing to open. */
  readonly everyFormat?: boolean;
}

export interface ListBlock {
  readonly kind: 'list';
  readonly items: readonly Text[];
  /** For the page's style alone. */
  readonly style?: 'arms' | 'plain' | 'reasons' | 'issues soft';
}

/** Commands, or what a service said, as it is. */
export interface CodeBlock {
  readonly kind: 'code';
  readonly code: string;
  readonly language?: 'sh' | 'json';
}

/** Notice that a reader needs before the figures. */
export interface CalloutBlock {
  readonly kind: 'callout';
  /** Anchor on the page. */
  readonly id: string;
  readonly title: string;
  readonly lines: readonly Text[];
}

export type Block =
  | TextBlock
  | HeadingBlock
  | FactsBlock
  | TableBlock
  | ChartsBlock
  | DetailsBlock
  | ListBlock
  | CodeBlock
  | CalloutBlock
  /** Validity findings of the run. */
  | { readonly kind: 'issues'; readonly issues: readonly Issue[] };

/** A paragraph. */
export const text = (words: Text): TextBlock => ({ kind: 'text', text: words });
/** A paragraph on how figures were computed. */
export const method = (words: Text): TextBlock => ({ kind: 'text', text: words, isMethod: true });
/** A remark, smaller than a paragraph. */
export const remark = (words: Text): TextBlock => ({ kind: 'text', text: words, soft: true });
/** A heading within a section. */
export const heading = (words: Text): HeadingBlock => ({ kind: 'heading', text: words });
/** Names and values. */
export const facts = (list: FactsBlock['facts']): FactsBlock => ({ kind: 'facts', facts: list });
export const table = (options: Omit<TableBlock, 'kind'>): TableBlock => ({ kind: 'table', ...options });
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
