import type { RunSummary } from '../analysis/summary';
import { counted } from '../common/format/units';
import { ArmLook } from '../common/page/arms';
import { type Drawing, loadDrawing } from '../common/page/drawing';
import { framed, SCRIPT } from '../common/page/frame';
import * as layout from '../common/page/layout';
import { html, type Markup, trusted } from '../common/page/markup';
import { type Issue, titleOf as titleOfIssue } from '../schema/issue';
import { answers, validitySentence } from './answers';
import type { Block, Chart, ChartsBlock, Inline, ListBlock, TableBlock, TableField, Text } from './blocks';
import { findings } from './findings';
import { forestPlot } from './forest';
import { isMarked, notice, runSummaryLine, sideBySide } from './overview';
import { sectionsOf } from './sections';
import { isQuantity, isShown, quantityText } from './shown';
import { titleOf } from './title';

/** The report of one run: a single self-contained HTML file. The same record gives the same bytes on any machine at any time. */
export async function renderHtml(run: RunSummary): Promise<string> {
  const tools = { look: new ArmLook(run), drawing: await loadDrawing() };
  const sections = sectionsOf(run);
  const body = html`<a class="skip" href="#${sections[0]?.id ?? 'validity'}">Skip to the figures</a>
<main>
${firstScreen(run, sections, tools)}
<nav aria-label="Contents"><ul><li><a href="#validity">Validity</a></li>\n${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul></nav>
${sections.map(({ id, title, isResult, blocks }) => html`<section aria-labelledby="${id}">\n<h2 id="${id}">${isResult && textHtml(mark(run), tools.look)}${title}</h2>\n${blocksHtml(blocks, tools)}</section>\n`)}
</main>
<footer><p>Made by fsxbench from <code>plan.json</code>, <code>samples.jsonl</code>, <code>metrics/</code> and <code>raw/</code> of this run, and from nothing else.</p></footer>
<script>${trusted(SCRIPT)}</script>`;
  return framed({ title: `${run.lab ? 'Lab: ' : ''}${titleOf(run)} – ${run.benchmark}`, body });
}

/** No figure of an INVALID run is shown as a result without this next to it. */
const mark = (run: RunSummary): Text => isMarked(run) && { invalid: true };

/** The first screen: title, verdict, first finding and picture. Below: other findings, answers, arms side by side and, outside AWS, the linked substitutes. */
function firstScreen(run: RunSummary, sections: ReturnType<typeof sectionsOf>, tools: PageTools): Markup {
  const words = (text: Text): Markup => textHtml(text, tools.look);
  const paragraphs = findings(run).map((sentence) => html`<p>${words([mark(run), sentence])}</p>\n`);
  const findingsHtml = (some: readonly Markup[]): Markup | null =>
    some.length === 0 ? null : html`<div class="findings">\n${some}</div>\n`;
  const place = notice(run);
  return html`<header>
<p class="kicker">${run.benchmark}</p>
<h1>${titleOf(run)}</h1>
<p class="meta">${runSummaryLine(run).join(' · ')} · run <code>${run.run}</code></p>
${place && html`<p class="place">${place.isWhole ? html`<span class="badge">${place.title}</span>` : html`<a class="badge" href="#${place.id}">${place.title}</a>`} ${words(place.brief)}</p>\n`}</header>
<p class="verdict ${run.validity.toLowerCase()}"><a class="badge" href="#validity">${run.validity}</a> ${validitySentence(run)}</p>
${findingsHtml(paragraphs.slice(0, 1))}
${blocksHtml([leadPicture(run, sections)], tools)}
${findingsHtml(paragraphs.slice(1))}
${blocksHtml([{ kind: 'list', style: 'arms', items: run.arms.map(({ name, description }) => [{ arm: name }, ` ${description}`]) }], tools)}
<dl class="answers">
${answers(run).map(({ question, isResult, sentences }) => html`<div><dt>${question}</dt>${sentences.map((sentence) => html`<dd>${words([isResult && mark(run), sentence])}</dd>`)}</div>\n`)}</dl>
${blocksHtml([place?.isWhole ? null : place], tools)}
${validityBox(run, tools)}
${blocksHtml([sideBySide(run)], tools)}`;
}

/** All comparisons; in a run without any, the first picture of its results, such as the speed-up by nodes, which its section also has; `null` without one. */
function leadPicture(run: RunSummary, sections: ReturnType<typeof sectionsOf>): ChartsBlock | null {
  const forest = forestPlot(run);
  if (forest !== null) return forest;
  const blocks = sections.filter(({ isResult }) => isResult).flatMap((section) => section.blocks);
  const first = blocks.find((block): block is ChartsBlock => typeof block === 'object' && block.kind === 'charts');
  const [chart] = first?.charts ?? [];
  return chart === undefined ? null : { kind: 'charts', charts: [{ ...chart, id: `first-${chart.id}` }] };
}

function validityBox(run: RunSummary, tools: PageTools): Markup {
  const { validity, issues } = run;
  const of = (...wanted: readonly Issue['severity'][]): Issue[] =>
    wanted.flatMap((severity) => issues.filter((issue) => issue.severity === severity));
  const list = (some: readonly Issue[]): Markup => blocksHtml([{ kind: 'issues', issues: some }], tools);
  const [serious, notes] = [of('error', 'warning'), of('note')];
  return html`<section class="validity ${validity.toLowerCase()}" aria-labelledby="validity">
<h2 id="validity"><span class="badge">${validity}</span> Validity</h2>
<p>${validitySentence(run)}</p>
${serious.length > 0 && list(serious)}
${notes.length > 0 && html`<details><summary>${counted(notes.length, 'note')}</summary>${list(notes)}</details>`}
</section>`;
}

/** Makes a page of blocks: how arms look, and what draws the charts. */
interface PageTools {
  readonly look: ArmLook;
  readonly drawing: Drawing;
}

export const blocksHtml = (blocks: readonly (Block | null | false)[], studio: PageTools): Markup =>
  html`${blocks.filter(isShown).map((block) => blockHtml(block, studio))}`;

function textHtml(text: Text, look: ArmLook): Markup {
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
  html`<li><strong>${severity}${allowed && ', allowed'}: ${titleOfIssue(id)}.</strong> ${message} <span class="soft">Expected ${expected}; found ${actual}.${suggestion && ` Next: ${suggestion}.`}</span> <code>${id}</code></li>\n`;

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

function chartsHtml({ charts, figures = [] }: ChartsBlock, studio: PageTools): Markup {
  return html`<div class="charts">
${charts.map((chart) => chartHtml(chart, studio))}</div>
${blocksHtml(figures, studio)}`;
}

function chartHtml(chart: Chart, { drawing, look }: PageTools): Markup {
  const drawn = (form: Chart['options'], id = chart.id): Markup =>
    drawing.draw(form({ plot: drawing.plot, look }), { ...chart, id });
  const forms =
    chart.narrow === undefined
      ? drawn(chart.options)
      : html`<div class="broad">${drawn(chart.options)}</div><div class="narrow">${drawn(chart.narrow, `${chart.id}-narrow`)}</div>`;
  return layout.figure(forms, textHtml(chart.caption, look));
}
