import { duration, moment } from '../../kit/format/units';
import { type Drawing, loadDrawing } from '../../kit/page/drawing';
import { framed } from '../../kit/page/frame';
import { html, type Markup } from '../../kit/page/markup';
import type { CollectedAlarm, CollectedSeries } from '../../schema/metrics';
import { alarmStates } from './alarms';
import type { DashboardBody, Widget } from './body';
import { chart, legend } from './chart';
import { coloursOf, type Graph, graphOf } from './graph';
import { withoutThese } from './layout';
import { markdown } from './markdown';
import { Collected, type Source } from './source';
import { DASHBOARD_STYLE } from './style';

/** A dashboard and its data. */
export interface DashboardPicture {
  readonly title: string;
  readonly body: DashboardBody;
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
  const { title, body, series, note } = picture;
  const [from, to] = [Date.parse(picture.window.from), Date.parse(picture.window.to)];
  if (!(from < to)) {
    throw new Error(`'window' must begin before it ends, got ${picture.window.from} to ${picture.window.to}`);
  }
  const source = new Collected(series, { from, to });
  const drawing = await loadDrawing();
  const graphs = new Map(body.widgets.map((widget) => [widget, graphOf(widget, source)]));
  const empty = new Set(body.widgets.filter((widget) => isEmpty(widget, graphs.get(widget))));
  const widgets = withoutThese(body.widgets, empty);
  const colours = coloursOf(widgets);
  const content = html`<main class="dashboard">
<h1>${title}</h1>
<p class="meta">${moment(picture.window.from)} to ${moment(picture.window.to)}</p>
${coarse(series)}${note !== undefined && html`<p class="note">${note}</p>`}
<div class="grid">
${widgets.map((widget, index) => box(widget, contentOf({ drawing, source, colours, alarms: picture.alarms }, widget, `g${index}`)))}</div>
${absentees([...empty], graphs)}
</main>
<footer><p>Drawn by fsxbench from the dashboard's body and the run's <code>metrics/</code>; CloudWatch draws the same from what it has now.</p></footer>`;
  return framed({ title, body: content, style: DASHBOARD_STYLE });
}

/** True for a graph that would be drawn without a line. Those that cannot be evaluated say so in their place. */
const isEmpty = ({ type }: Widget, graph: Graph | undefined): boolean =>
  type === 'metric' && graph !== undefined && graph.lines.length === 0 && graph.refused.length === 0;

/** One line that names the graphs without data, by the reason. */
function absentees(empty: readonly Widget[], graphs: ReadonlyMap<Widget, Graph>): Markup | null {
  if (empty.length === 0) return null;
  const byReason = new Map<string, string[]>();
  for (const widget of empty) {
    const why = [...new Set(graphs.get(widget)?.missing.map((one) => one.why))].join('; ') || 'it has no metric';
    byReason.set(why, [...(byReason.get(why) ?? []), widget.properties.title ?? 'a graph']);
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

function box({ x, y, width, height, type }: Widget, content: Markup): Markup {
  const kind = type === 'text' ? 'text' : 'other';
  return html`<section class="widget ${kind}" style="--x:${x};--y:${y};--w:${width};--h:${height}">${content}</section>\n`;
}

/** Context for drawing widgets. */
interface Studio {
  readonly drawing: Drawing;
  readonly source: Source;
  readonly colours: ReadonlyMap<string, string>;
  readonly alarms: DashboardPicture['alarms'];
}

function contentOf(studio: Studio, widget: Widget, id: string): Markup {
  const { title, markdown: text = '', alarms = [] } = widget.properties;
  switch (widget.type) {
    case 'text':
      return markdown(text);
    case 'metric':
      return graphContent(studio, widget, id);
    case 'alarm':
      return html`<h2>${title ?? 'Alarms'}</h2>${alarmStates(alarms, studio.alarms)}`;
    default:
      return html`<h2>${title ?? widget.type}</h2><p class="refused">not drawn: a widget of the type ${widget.type}</p>`;
  }
}

function graphContent({ drawing, source, colours }: Studio, widget: Widget, id: string): Markup {
  const { lines, missing, partial, refused } = graphOf(widget, source);
  const { from: start, to: end } = source.window;
  const charts = (['left', 'right'] as const).map((side) => {
    const own = lines.filter(({ right }) => right === (side === 'right'));
    if (own.length === 0) return null;
    return html`${chart(drawing, { widget, lines: own, side, start, end, id: `${id}-${side}`, colours })}${legend(widget, own, side, colours)}`;
  });
  return html`<h2>${widget.properties.title}</h2>${charts}${remarks('No data', missing, 'absent')}${remarks('Counted as 0 in', partial, 'absent')}${remarks('Not evaluated', refused, 'refused')}`;
}

/** One line per reason, with all lines that it applies to. */
function remarks(what: string, all: Graph['missing'], kind: string): Markup {
  const reasons = [...new Set(all.map(({ why }) => why))];
  return html`${reasons.map((why) => {
    const labels = all.filter((one) => one.why === why).map(({ label }) => label);
    return html`<p class="${kind}">${what}: ${labels.join(', ')} (${why})</p>`;
  })}`;
}
