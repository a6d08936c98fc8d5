import type { RunSummary } from '../analysis/summary';
import { counted } from '../common/format/units';
import { ArmLook } from '../common/page/arms';
import { loadDrawing } from '../common/page/drawing';
import { framed, SCRIPT } from '../common/page/frame';
import { html, type Markup, trusted } from '../common/page/markup';
import type { Issue } from '../schema/issue';
import { answers, validitySentence } from './answers';
import type { ChartsBlock, Text } from './blocks';
import { findings } from './findings';
import { forestPlot } from './forest/chart';
import { isMarked, notice, runSummaryLine, sideBySide } from './overview';
import { blocksHtml, type PageTools, textHtml } from './render/html';
import { sectionsOf } from './sections';
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

/**
 * The first screen: title, verdict, the first finding and the picture. Below: the other findings, the answers, the arms side by side and, for a run
 * outside AWS, its substitutes, to which the line next to the verdict links.
 */
function firstScreen(run: RunSummary, sections: ReturnType<typeof sectionsOf>, tools: PageTools): Markup {
  const words = (text: Text): Markup => textHtml(text, tools.look);
  const paragraphs = findings(run)
    .filter((sentence) => sentence.length > 0)
    .map((sentence) => html`<p>${words([mark(run), sentence])}</p>\n`);
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

/**
 * The picture of the first screen: all comparisons. In a run that compares no arms, the first picture of its results, such as the speed-up by nodes,
 * which its section also has; or `null`.
 */
function leadPicture(run: RunSummary, sections: ReturnType<typeof sectionsOf>): ChartsBlock | null {
  const forest = forestPlot(run);
  if (forest !== null) return forest;
  const blocks = sections.filter(({ isResult }) => isResult).flatMap((section) => section.blocks);
  const first = blocks.find((block): block is ChartsBlock => typeof block === 'object' && block.kind === 'charts');
  const [chart] = first?.charts ?? [];
  return chart === undefined ? null : { kind: 'charts', charts: [{ ...chart, id: `first-${chart.id}` }] };
}

const VALIDITY_WORDS = {
  VALID: 'No error and no warning.',
  WARN: 'Use the figures with caution: see the warnings.',
  INVALID: 'Do not use the figures until the errors are fixed.',
} as const;

function validityBox({ validity, issues }: RunSummary, tools: PageTools): Markup {
  const of = (...wanted: readonly Issue['severity'][]): Issue[] =>
    wanted.flatMap((severity) => issues.filter((issue) => issue.severity === severity));
  const list = (some: readonly Issue[]): Markup => blocksHtml([{ kind: 'issues', issues: some }], tools);
  const [serious, notes] = [of('error', 'warning'), of('note')];
  return html`<section class="validity ${validity.toLowerCase()}" aria-labelledby="validity">
<h2 id="validity"><span class="badge">${validity}</span> Validity</h2>
<p>${VALIDITY_WORDS[validity]}</p>
${serious.length > 0 && list(serious)}
${notes.length > 0 && html`<details><summary>${counted(notes.length, 'note')}</summary>${list(notes)}</details>`}
</section>`;
}
