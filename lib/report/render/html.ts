import type { ArmLook } from '../../common/page/arms';
import type { Drawing } from '../../common/page/drawing';
import * as layout from '../../common/page/layout';
import { html, type Markup, trusted } from '../../common/page/markup';
import { type Issue, titleOf } from '../../schema/issue';
import type {
  Block,
  Chart,
  ChartOptions,
  ChartsBlock,
  Inline,
  ListBlock,
  TableBlock,
  TableField,
  Text,
} from '../blocks';
import { isQuantity, isShown, quantityText } from './shown';

/** Makes a page of blocks: how arms look, and what draws the charts. */
export interface PageTools {
  readonly look: ArmLook;
  readonly drawing: Drawing;
}

export const blocksHtml = (blocks: readonly (Block | null | false)[], studio: PageTools): Markup =>
  html`${blocks.filter(isShown).map((block) => blockHtml(block, studio))}`;

export function textHtml(text: Text, look: ArmLook): Markup {
  if (text === null || text === undefined || text === false) return html``;
  // A ratio and its × stay on one line.
  if (typeof text === 'string') return html`${text.replace(/(\d) ×(?= \(| as | and )/g, '$1\u00a0×')}`;
  if (typeof text === 'number') return html`${text}`;
  if (isList(text)) return html`${text.map((piece) => textHtml(piece, look))}`;
  return inlineHtml(text, look);
}

const isList = (text: Inline | readonly Text[]): text is readonly Text[] => Array.isArray(text);

function inlineHtml(inline: Inline, look: ArmLook): Markup {
  if ('arm' in inline) return look.label(inline.arm);
  if ('strong' in inline) return html`<strong>${textHtml(inline.strong, look)}</strong>`;
  if ('soft' in inline) return html`<span class="soft">${textHtml(inline.soft, look)}</span>`;
  if ('below' in inline) return html`<br><span class="soft">${textHtml(inline.below, look)}</span>`;
  if ('line' in inline) return html`<p class="figure">${textHtml(inline.line, look)}</p>`;
  if ('validity' in inline) return html`<span class="state ${inline.validity.toLowerCase()}">${inline.validity}</span>`;
  if ('invalid' in inline) return html`<strong class="mark-invalid">INVALID</strong> `;
  if ('code' in inline) return layout.code(inline.code);
  if ('id' in inline) return layout.identifier(inline.id);
  if ('onPage' in inline) return textHtml(inline.onPage, look);
  if ('link' in inline) return html`<a href="${inline.link}">${textHtml(inline.text, look)}</a>`;
  return html`<span class="legend"><span class="swatch" style="background:${trusted(inline.fill)}"></span>${inline.swatch}</span>`;
}

function blockHtml(block: Block, studio: PageTools): Markup {
  const { look } = studio;
  const line = (text: Text): Markup => textHtml(text, look);
  switch (block.kind) {
    case 'text':
      return block.isMethod
        ? layout.details('How this was computed', html`<p>${line(block.text)}</p>\n`, { print: true })
        : html`<p${block.soft && html` class="soft"`}>${line(block.text)}</p>\n`;
    case 'heading':
      return html`<h3>${line(block.text)}</h3>\n`;
    case 'facts':
      return layout.facts(block.facts.map(([name, value]) => [line(name), isNothing(value) ? null : line(value)]));
    case 'table':
      return tableHtml(block, look);
    case 'charts':
      return chartsHtml(block, studio);
    case 'details':
      return layout.details(line(block.summary), blocksHtml(block.blocks, studio), { print: block.print ?? false });
    case 'list':
      return listHtml(block, look);
    case 'code':
      return layout.block(block.code);
    case 'callout':
      return html`<aside class="lab" id="${block.id}" aria-label="${block.title}">${block.lines.map((words, index) => html`<p>${index === 0 && html`<strong>${block.title}.</strong> `}${line(words)}</p>\n`)}</aside>\n`;
    case 'issues':
      return html`<ul class="issues">${block.issues.map(issueHtml)}</ul>\n`;
  }
}

const isNothing = (text: Text): boolean => text === null || text === undefined || text === false;

const issueHtml = ({ id, severity, message, expected, actual, suggestion, allowed = false }: Issue): Markup =>
  html`<li><strong>${severity}${allowed && ', allowed'}: ${titleOf(id)}.</strong> ${message} <span class="soft">Expected ${expected}; found ${actual}.${suggestion && ` Next: ${suggestion}.`}</span> <code>${id}</code></li>\n`;

const listHtml = ({ items, style }: ListBlock, look: ArmLook): Markup =>
  html`<ul${style && html` class="${style}"`}>${items.map((item) => html`<li>${textHtml(item, look)}</li>\n`)}</ul>\n`;

function tableHtml({ caption, captionHidden = false, columns, rows, style }: TableBlock, look: ArmLook): Markup {
  const made = layout.table({
    caption,
    captionHidden,
    columns: columns.map(({ label, numeric = false }) => ({ label: wordHtml(label, look), numeric })),
    rows: rows.map((row) => row.map((field) => fieldHtml(field, look))),
  });
  return style === undefined ? made : html`<div class="${style}">${made}</div>\n`;
}

const fieldHtml = (field: TableField, look: ArmLook): Markup =>
  wordHtml(isQuantity(field) ? quantityText(field) : field, look);

/** The name of a metric, `NetworkThroughputUtilization`, may be broken where its words meet. */
function wordHtml(text: Text, look: ArmLook): Markup {
  if (typeof text !== 'string' || !/^[A-Z][a-z]+([A-Z]+[a-z]*){2,}$/.test(text)) return textHtml(text, look);
  return html`${text.split(/(?<=[a-z])(?=[A-Z])/).map((word, index) => html`${index > 0 && html`<wbr>`}${word}`)}`;
}

function chartsHtml({ charts, beside, figures = [] }: ChartsBlock, studio: PageTools): Markup {
  const others = beside && beside.length > 0 && html`<div>${blocksHtml(beside, studio)}</div>`;
  return html`<div class="charts${beside && ' aside'}">
${charts.map((chart) => chartHtml(chart, studio))}${others}</div>
${blocksHtml(figures, studio)}`;
}

function chartHtml({ id, title, description, caption, options, narrow }: Chart, { drawing, look }: PageTools): Markup {
  const { plot } = drawing;
  const drawn = (form: ChartOptions, ownId: string): Markup =>
    drawing.draw(form({ plot, look }), { id: ownId, title, description });
  const forms =
    narrow === undefined
      ? drawn(options, id)
      : html`<div class="broad">${drawn(options, id)}</div><div class="narrow">${drawn(narrow, `${id}-narrow`)}</div>`;
  return layout.figure(forms, textHtml(caption, look));
}
