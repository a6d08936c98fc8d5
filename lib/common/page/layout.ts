import { html, type Markup } from './markup';

export type CellContent = Markup | string;

export interface Column {
  readonly label: CellContent;
  /** Right-aligned, with figures of equal width. */
  readonly numeric?: boolean;
}

export interface TableOptions {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly CellContent[])[];
  /** True if a heading above says the same: the caption is read out, but not shown. */
  readonly captionHidden?: boolean;
}

/** A table whose first column names the row; a row of one cell is a heading of the rows below it. A wide table scrolls, the page does not. */
export function table({ caption, columns, rows, captionHidden = false }: TableOptions): Markup {
  const kind = (index: number): Markup | null => (columns[index]?.numeric ? html` class="number"` : null);
  const head = columns.map(({ label }, index) => html`<th scope="col"${kind(index)}>${label}</th>`);
  const body = rows.map((cells) => {
    const [first = '', ...others] = cells;
    if (others.length === 0)
      return html`<tr class="group"><th scope="colgroup" colspan="${columns.length}">${first}</th></tr>\n`;
    const rest = others.map((cell, index) => html`<td${kind(index + 1)}>${cell}</td>`);
    return html`<tr><th scope="row"${kind(0)}>${first}</th>${rest}</tr>\n`;
  });
  return html`<div class="table" role="region" tabindex="0" aria-label="${caption}"><table>
<caption${captionHidden ? html` class="unseen"` : null}>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>
`;
}

/** Names and values under each other. */
export function facts(pairs: readonly (readonly [name: CellContent, value: CellContent | null])[]): Markup {
  const shown = pairs.filter(([, value]) => value !== null);
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>\n`;
}

/** Details that most readers can skip. `print` opens them on paper. */
export const details = (summary: CellContent, content: Markup, { print = false } = {}): Markup =>
  html`<details${print ? html` data-print` : null}><summary>${summary}</summary>\n${content}</details>\n`;

export const figure = (chart: Markup, caption: CellContent): Markup =>
  html`<figure>${chart}<figcaption>${caption}</figcaption></figure>\n`;

/** An identifier that is not to be broken over lines. */
export const identifier = (text: string): Markup => html`<code class="id">${text}</code>`;

export const code = (text: string): Markup => html`<code>${text}</code>`;

/** A block of commands or of raw text; wraps where it must. */
export const block = (text: string): Markup => html`<pre><code>${text}</code></pre>\n`;

/** JSON with its keys in the order that the file had. */
export const json = (value: unknown): Markup => block(JSON.stringify(value, null, 2) ?? 'null');
