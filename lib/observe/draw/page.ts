import { counted, duration, moment } from '../../common/format/units';
import { type Drawing, loadDrawing } from '../../common/page/drawing';
import { framed } from '../../common/page/frame';
import { html, type Markup } from '../../common/page/markup';
import type { Dashboard, Graph, Panel } from '../../dashboard/graph';
import type { CollectedAlarm, CollectedSeries } from '../../schema/metrics';
import { type ChartSubject, chart, type Look, looksOf, MOST_NAMES, shortNumber, unitOf } from './chart';
import style from './dashboard.css';
import { coloursOf, type DrawnGraph, type DrawnLine, drawnGraph, graphsOf } from './graph';
import { Collected } from './source';

/** Bold, code and emphasis within a line; everything else is text. */
const INLINE = /(\*\*[^*]+\*\*|`[^`]+`|\*[^*\s][^*]*\*)/;

function inline(text: string): Markup {
  return html`${text.split(INLINE).map((part, index) => {
    if (index % 2 === 0) return part;
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    const marked = part.slice(1, -1);
    return part.startsWith('`') ? html`<code>${marked}</code>` : html`<em>${marked}</em>`;
  })}`;
}

/** The Markdown subset of our text widgets: headings, lists, paragraphs, bold, emphasis and code. Anything else stays text. */
export function markdown(text: string): Markup {
  const blocks: { readonly kind: string; readonly lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, mark = '', words = line] = /^(#{1,6}|\s*[-*])\s+(.*)$/.exec(line) ?? [];
    const kind = line.trim() === '' ? 'blank' : mark.trim().replace('*', '-');
    const last = blocks.at(-1);
    if (last?.kind === kind && !kind.startsWith('#')) last.lines.push(words);
    else blocks.push({ kind, lines: [words] });
  }
  return html`${blocks.map(({ kind, lines }) => {
    const words = inline(lines.join(' '));
    if (kind === 'blank') return null;
    // The page has the first heading, and each widget is below it.
    if (kind === '#') return html`<h2>${words}</h2>`;
    if (kind.startsWith('#')) return html`<h3>${words}</h3>`;
    return kind === '-' ? html`<ul>${lines.map((line) => html`<li>${inline(line)}</li>`)}</ul>` : html`<p>${words}</p>`;
  })}`;
}

interface Named {
  readonly line: DrawnLine;
  readonly look: Look;
  readonly max: number;
}

/** The names of a chart's lines, with colour and maximum. A search with many lines has one name, with min, max and each line, for outliers. */
function legend(subject: ChartSubject): Markup {
  const { width, lines, colours } = subject;
  const looks = looksOf(lines, colours);
  const all = lines.map((line, index): Named => ({ line, look: looks[index] as Look, max: highestOf(line) }));
  const few = all.length <= (width < 8 ? MOST_NAMES / 2 : MOST_NAMES);
  const items = [...Map.groupBy(all, ({ line }) => line.group).values()].flatMap((group) =>
    few || group.length === 1
      ? group.map(({ line, look, max }) => item(look, line.label, shortNumber(max, max)))
      : [itemOfMany(group)],
  );
  return html`<ul class="names" title="${`each with the most that it reached, ${unitOf(subject)}`}">${items}</ul>`;
}

function itemOfMany(lines: readonly Named[]): Markup {
  const byMost = [...lines].sort((a, b) => b.max - a.max);
  const [{ look }, top, last] = [lines[0], byMost[0], byMost.at(-1)] as [Named, Named, Named];
  const { group, label } = top.line;
  const which = label.startsWith(group) ? label.slice(group.length).trim() : label;
  const [min, max] = [shortNumber(last.max, last.max), shortNumber(top.max, top.max)];
  const range = min === max ? max : `${min} to ${max} (${which})`;
  return item(look, `${group}: ${counted(lines.length, 'line')},`, range);
}

function item({ stroke, dash }: Look, label: string, max: string): Markup {
  const dashes = dash === null ? null : html` stroke-dasharray="${dash}"`;
  const mark = html`<svg viewBox="0 0 20 6" aria-hidden="true"><path d="M0 3h20" stroke="${stroke}" stroke-width="3"${dashes}/></svg>`;
  return html`<li>${mark}${label} <span class="most">max ${max}</span></li>`;
}

const highestOf = ({ series }: DrawnLine): number => Math.max(...series.points.values());

/** Additions to the report's style for dashboards: CloudWatch's 24 columns, and one column on a phone. */
export interface DashboardPicture {
  readonly title: string;
  readonly dashboard: Dashboard;
  readonly series: readonly CollectedSeries[];
  readonly alarms?: readonly CollectedAlarm[];
  /** Window of the run, in ISO 8601. */
  readonly window: { readonly from: string; readonly to: string };
  /** A notice for readers, such as that the values come from a lab. @default - none */
  readonly note?: string;
}

/** The dashboard as a self-contained HTML page, drawn from collected metrics. The same input gives the same bytes. */
export async function renderDashboard(picture: DashboardPicture): Promise<string> {
  const { title, dashboard, series, note } = picture;
  const [from, to] = [Date.parse(picture.window.from), Date.parse(picture.window.to)];
  if (!(from < to))
    throw new Error(`'window' must begin before it ends, got ${picture.window.from} to ${picture.window.to}`);
  const source = new Collected(series);
  const drawing = await loadDrawing();
  const graphs = new Map(graphsOf(dashboard).map((graph) => [graph, drawnGraph(graph, source)]));
  const isEmpty = (panel: Panel): boolean => panel.kind === 'graph' && isBlank(graphs.get(panel));
  const panels = placed(dashboard, isEmpty);
  const colours = coloursOf({ rows: [panels.map(({ panel }) => panel)] });
  const studio = { drawing, graphs, colours, start: from, end: to, alarms: picture.alarms };
  const content = html`<main class="dashboard">
<h1>${title}</h1>
<p class="meta">${moment(picture.window.from)} to ${moment(picture.window.to)}</p>
${coarse(series)}${note !== undefined && html`<p class="note">${note}</p>`}
<div class="grid">
${panels.map((panel, index) => box(panel, contentOf(studio, panel, `g${index}`)))}</div>
${absentees([...graphs].filter(([graph]) => isEmpty(graph)))}
</main>
<footer><p>Drawn by fsxbench from collected metrics; CloudWatch draws the same dashboard from what it has now.</p></footer>`;
  return framed({ title, body: content, style: `\n${style}` });
}

/** True for a graph that would be drawn without a line. Those that cannot be evaluated say so in their place. */
const isBlank = (graph: DrawnGraph | undefined): boolean => graph?.lines.length === 0 && graph.refused.length === 0;

/** One line that names the graphs without data, by the reason. */
function absentees(empty: readonly (readonly [Graph, DrawnGraph])[]): Markup | null {
  if (empty.length === 0) return null;
  const byReason = Map.groupBy(
    empty,
    ([, { missing }]) => [...new Set(missing.map(({ why }) => why))].join('; ') || 'it has no metric',
  );
  const words = [...byReason].map(([why, same]) => `${same.map(([{ title }]) => title).join(', ')} (${why})`);
  return html`<p class="meta">No data, so not drawn: ${words.join('; ')}.</p>`;
}

/** Note on values of more than a minute: CloudWatch keeps one-minute values for only 15 days. */
function coarse(series: readonly CollectedSeries[]): Markup | null {
  const longest = series.reduce((max, { periodSeconds, points }) => Math.max(max, points.length && periodSeconds), 0);
  if (longest <= 60) return null;
  return html`<p class="meta">CloudWatch keeps values of this age only every ${duration(longest)}: counts are drawn as the average per minute.</p>`;
}

function box({ panel: { kind, height }, x, y, width }: Placed, content: Markup): Markup {
  const style = kind === 'text' ? 'text' : 'other';
  return html`<section class="widget ${style}" style="--x:${x};--y:${y};--w:${width};--h:${height}">${content}</section>\n`;
}

/** Width of a graph whose labels can be read on a phone. Wider ones are drawn a second time for it. */
const PHONE_COLUMNS = 8;

interface Studio {
  readonly drawing: Drawing;
  readonly graphs: ReadonlyMap<Graph, DrawnGraph>;
  readonly colours: ReadonlyMap<string, string>;
  readonly start: number;
  readonly end: number;
  readonly alarms: DashboardPicture['alarms'];
}

function contentOf(studio: Studio, { panel, width }: Placed, id: string): Markup {
  if (panel.kind === 'text') return markdown(panel.markdown);
  if (panel.kind === 'alarms') return html`<h2>Alarms</h2>${alarmStates(panel.alarms, studio.alarms)}`;
  const { drawing, graphs, ...look } = studio;
  const { lines, missing, partial, refused } = graphs.get(panel) as DrawnGraph;
  const charts = (['left', 'right'] as const).map((side) => {
    const own = lines.filter(({ right }) => right === (side === 'right'));
    if (own.length === 0) return null;
    const subject = { ...look, graph: panel, width, lines: own, side, id: `${id}-${side}` };
    const onPhone = { ...subject, width: PHONE_COLUMNS, id: `${subject.id}-narrow` };
    const drawn =
      width > PHONE_COLUMNS
        ? html`<div class="wide">${chart(drawing, subject)}</div><div class="narrow">${chart(drawing, onPhone)}</div>`
        : chart(drawing, subject);
    return html`${drawn}${legend(subject)}`;
  });
  return html`<h2>${panel.title}</h2>${charts}${remarks('No data', missing, 'absent')}${remarks('Counted as 0 in', partial, 'absent')}${remarks('Not evaluated', refused, 'refused')}`;
}

/** One line per reason, with all lines that it applies to. */
function remarks(what: string, all: DrawnGraph['missing'], kind: string): Markup {
  const reasons = [...new Set(all.map(({ why }) => why))];
  return html`${reasons.map((why) => {
    const labels = all.filter((one) => one.why === why).map(({ label }) => label);
    return html`<p class="${kind}">${what}: ${labels.join(', ')} (${why})</p>`;
  })}`;
}

const WORDS: Readonly<Record<CollectedAlarm['state'], string>> = {
  ALARM: 'in alarm',
  INSUFFICIENT_DATA: 'without enough data',
  OK: 'OK',
};

/** The alarms of a widget: those in alarm with what to do about them, then the names of the others. */
function alarmStates(arns: readonly string[], states: readonly CollectedAlarm[] | undefined): Markup {
  const names = arns.map((arn) => arn.replace(/^arn:([^:]*:){5}/, ''));
  if (states === undefined)
    return html`<p class="absent">States were not collected; CloudWatch shows those of:</p>${listOf(names.map((name) => html`${shortened(name)}`))}`;
  const own = names.map((name) => ({ name, alarm: states.find((one) => one.name === name) }));
  const off = own.flatMap(({ alarm }) => (alarm?.state === 'ALARM' ? [alarm] : []));
  const counts = (['ALARM', 'INSUFFICIENT_DATA', 'OK'] as const).flatMap((state) => {
    const count = own.filter(({ alarm }) => alarm?.state === state).length;
    return count === 0 ? [] : [`${count} ${WORDS[state]}`];
  });
  const gone = own.filter(({ alarm }) => alarm === undefined).length;
  const rest = own.filter(({ alarm }) => alarm?.state !== 'ALARM');
  return html`<p>When this was collected: ${[...counts, ...(gone > 0 ? [`${gone} not there any more`] : [])].join(', ')}.</p>
${off.length > 0 && html`<ul class="off">${off.map(({ description }) => html`<li>${description}</li>`)}</ul>`}${listOf(
  rest.map(
    ({ name, alarm }) => html`<span class="state ${(alarm?.state ?? 'gone').toLowerCase()}"></span>${shortened(name)}`,
  ),
)}`;
}

const listOf = (items: readonly Markup[]): Markup | null =>
  items.length === 0 ? null : html`<ul class="states">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** An alarm's name without the stack's behind it. */
const shortened = (name: string): string => name.replace(/ \([^()]+\)$/, '');

/** Columns of a dashboard. Source: CloudWatch API reference, dashboard body. */
const COLUMNS = 24;

/** A panel with its place, in columns and rows of the CloudWatch grid. */
interface Placed {
  readonly panel: Panel;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Panels side by side: a row wider than the page continues below. */
function bandsOf({ rows }: Dashboard): Panel[][] {
  const bands: Panel[][] = [];
  for (const row of rows) {
    let used = COLUMNS;
    for (const panel of row) {
      if (used + panel.width > COLUMNS) {
        bands.push([]);
        used = 0;
      }
      bands.at(-1)?.push(panel);
      used += panel.width;
    }
  }
  return bands;
}

/** The panels of a dashboard in reading order. Empty panels use no space: the others in their row share it, and those below move up. */
export function placed(dashboard: Dashboard, isEmpty: (panel: Panel) => boolean): Placed[] {
  let y = 0;
  return bandsOf(dashboard).flatMap((band) => {
    const kept = band.filter((panel) => !isEmpty(panel));
    const top = y;
    if (kept.length > 0) y += Math.max(...band.map(({ height }) => height));
    let right = 0;
    return kept.map((panel, index) => {
      const x = kept.length === band.length ? right : Math.round((index * COLUMNS) / kept.length);
      right = kept.length === band.length ? x + panel.width : Math.round(((index + 1) * COLUMNS) / kept.length);
      return { panel, x, y: top, width: right - x };
    });
  });
}
