import type { Dashboard, Graph, Panel } from '../../dashboard/graph';
import { duration, moment } from '../../kit/format/units';
import { type Drawing, loadDrawing } from '../../kit/page/drawing';
import { framed } from '../../kit/page/frame';
import { html, type Markup } from '../../kit/page/markup';
import type { CollectedAlarm, CollectedSeries } from '../../schema/metrics';
import { alarmStates } from './alarms';
import { chart, legend } from './chart';
import { coloursOf, type DrawnGraph, drawnGraph, graphsOf } from './graph';
import { type Placed, placed } from './layout';
import { markdown } from './markdown';
import { Collected } from './source';
import { DASHBOARD_STYLE } from './style';

/** A dashboard and its data. */
export interface DashboardPicture {
  readonly title: string;
  readonly dashboard: Dashboard;
  readonly series: readonly CollectedSeries[];
  /** States of the dashboard's alarms. @default - not collected */
  readonly alarms?: readonly CollectedAlarm[];
  /** Window of the run, in ISO 8601. */
  readonly window: { readonly from: string; readonly to: string };
  /** A notice for readers, such as that the values come from a lab. @default - none */
  readonly note?: string;
}

/**
 * The dashboard as a self-contained HTML page, drawn from collected metrics. The same input gives the same bytes.
 */
export async function renderDashboard(picture: DashboardPicture): Promise<string> {
  const { title, dashboard, series, note } = picture;
  const [from, to] = [Date.parse(picture.window.from), Date.parse(picture.window.to)];
  if (!(from < to)) {
    throw new Error(`'window' must begin before it ends, got ${picture.window.from} to ${picture.window.to}`);
  }
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
  return framed({ title, body: content, style: DASHBOARD_STYLE });
}

/** True for a graph that would be drawn without a line. Those that cannot be evaluated say so in their place. */
const isBlank = (graph: DrawnGraph | undefined): boolean => graph?.lines.length === 0 && graph.refused.length === 0;

/** One line that names the graphs without data, by the reason. */
function absentees(empty: readonly (readonly [Graph, DrawnGraph])[]): Markup | null {
  if (empty.length === 0) return null;
  const byReason = new Map<string, string[]>();
  for (const [{ title }, { missing }] of empty) {
    const why = [...new Set(missing.map((one) => one.why))].join('; ') || 'it has no metric';
    byReason.set(why, [...(byReason.get(why) ?? []), title]);
  }
  const words = [...byReason].map(([why, titles]) => `${titles.join(', ')} (${why})`);
  return html`<p class="meta">No data, so not drawn: ${words.join('; ')}.</p>`;
}

/** CloudWatch keeps one-minute values for only 15 days, then longer periods. */
function coarse(series: readonly CollectedSeries[]): Markup | null {
  const longest = series.reduce((most, { periodSeconds, points }) => Math.max(most, points.length && periodSeconds), 0);
  if (longest <= 60) return null;
  return html`<p class="meta">So old values are kept every ${duration(longest)} only: counts are drawn as those of the mean minute.</p>`;
}

function box({ panel: { kind, height }, x, y, width }: Placed, content: Markup): Markup {
  const style = kind === 'text' ? 'text' : 'other';
  return html`<section class="widget ${style}" style="--x:${x};--y:${y};--w:${width};--h:${height}">${content}</section>\n`;
}

/** Context for drawing panels. */
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
    return html`${chart(drawing, subject)}${legend(subject)}`;
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
