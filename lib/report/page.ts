import { ArmLook } from '../kit/page/arms';
import { loadDrawing } from '../kit/page/drawing';
import { framed } from '../kit/page/frame';
import { html, type Markup, trusted } from '../kit/page/markup';
import { SCRIPT } from '../kit/page/script';
import type { RunRecord } from '../store/record';
import { blocksHtml } from './render/html';
import { isShown } from './render/shown';
import { beforeAfter } from './sections/beforeAfter';
import { checks } from './sections/checks';
import { claims } from './sections/claims';
import { deployment } from './sections/deployment';
import { limits } from './sections/limits';
import { metadata } from './sections/metadata';
import { metrics } from './sections/metrics';
import { heading, mark, overview } from './sections/overview';
import { pairs } from './sections/pairs';
import { plan } from './sections/plan';
import { predicted } from './sections/predicted';
import { provenance } from './sections/provenance';
import { rates } from './sections/rates';
import { raw } from './sections/raw';
import { rerun } from './sections/rerun';
import { samples } from './sections/samples';
import type { Context, PageSection, Section } from './sections/section';
import { space } from './sections/space';
import { stragglers } from './sections/stragglers';
import { type RunSummary, summarise } from './summary';

/** The sections in their order: results first, then what they rest on. */
const SECTIONS: readonly (Section | PageSection)[] = [
  rates,
  metadata,
  pairs,
  beforeAfter,
  limits,
  space,
  predicted,
  claims,
  stragglers,
  metrics,
  checks,
  deployment,
  plan,
  provenance,
  samples,
  raw,
  rerun,
];

/**
 * The report of one run: a single HTML file that asks nothing of a network. The same record gives the same bytes, on any machine and
 * at any time.
 */
export async function renderHtml(record: RunRecord, summary: RunSummary = summarise(record)): Promise<string> {
  const look = new ArmLook(summary);
  const context = { record, summary, look, drawing: await loadDrawing() };
  const rendered = SECTIONS.flatMap((section) => {
    const content = 'render' in section ? section.render(context) : fromBlocks(section, context);
    const title = typeof section.title === 'string' ? section.title : section.title(summary);
    return content === null ? [] : [{ id: section.id, title, content, marked: section.isResult === true }];
  });
  const title = `${summary.lab ? 'Lab: ' : ''}${heading(summary)} – ${summary.benchmark}`;
  const body = html`<a class="skip" href="#${rendered[0]?.id ?? 'validity'}">Skip to the figures</a>
<main>
${overview(context)}
${contents(rendered)}
${rendered.map(({ id, title: name, content, marked }) => html`<section aria-labelledby="${id}">\n<h2 id="${id}">${marked && mark(summary)}${name}</h2>\n${content}</section>\n`)}
</main>
<footer><p>Made by fsxbench from <code>plan.json</code>, <code>samples.jsonl</code>, <code>metrics/</code> and <code>raw/</code> of this run, and from nothing else.</p></footer>
<script>${trusted(SCRIPT)}</script>`;
  return framed({ title, body });
}

function fromBlocks(section: Section, { summary, look, drawing }: Context): Markup | null {
  const blocks = section.blocks(summary).filter(isShown);
  return blocks.length === 0 ? null : blocksHtml(blocks, { look, drawing });
}

function contents(sections: readonly { id: string; title: string }[]): Markup {
  return html`<nav aria-label="Contents"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul></nav>`;
}
