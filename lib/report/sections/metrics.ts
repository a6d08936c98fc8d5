import { statistics } from '../../analysis/figures/statistics';
import { plain } from '../../kit/format/units';
import { type CellContent, details, figure, table } from '../../kit/page/layout';
import { html, type Markup, trusted } from '../../kit/page/markup';
import { bandsOf, MOST_LINES } from '../metricBand';
import { metricChart, type Span, spanColour, spansOf } from '../metricChart';
import { absentMetrics, type MetricView, metricViews } from '../metricSeries';
import type { Context, PageSection } from './section';

/** Charts that are shown without asking. */
const SHOWN = 6;

export const metrics: PageSection = {
  id: 'metrics',
  title: 'Metrics over time',
  render(context) {
    const { record, summary, look } = context;
    const views = metricViews(record);
    const absent = absentMetrics(record);
    if (views.length === 0 && absent.length === 0) return null;
    const spans = spansOf({ summary, samples: record.samples });
    const first = Math.min(...views.flatMap(({ series }) => series.map(({ points }) => points[0]?.[0] ?? Infinity)));
    const started = Date.parse(summary.startedAt ?? '');
    const start = Number.isFinite(started) ? started : first;
    const chart = (view: MetricView, index: number): Markup =>
      figure(
        metricChart(context, view, spans, start, `metric-${index}`),
        html`<strong>${view.metric}</strong> <span class="soft">${view.statistic}${view.unit && `, ${view.unit}`}</span>`,
      );
    const charts = views.map(chart);
    const banded = views.some(({ series }) => bandsOf(series).bands.length > 0);
    return html`<p>What the service counted, from <code>metrics/</code>. Sums over a period are shown as rates, levels as they are. ${banded && `Of an arm with more than ${MOST_LINES} servers or targets, a band goes from the least to the most of them and the line along their median; each one’s range is in the figures. `}${summary.arms.map(({ name }) => html`${look.label(name)} `)}</p>
${
  views.length > 0 &&
  html`${legend(spans)}
<div class="charts">
${charts.slice(0, SHOWN)}</div>
${charts.length > SHOWN && details(`${charts.length - SHOWN} more metrics`, html`<div class="charts">\n${charts.slice(SHOWN)}</div>`)}
${details('Figures: metrics', viewTable(views, context))}`
}
${absent.map(
  ({ reason, names }) => html`<p class="soft"><strong>Without points</strong> (${reason}): ${names.join(', ')}.</p>\n`,
)}`;
  },
};

function legend(spans: readonly Span[]): Markup | null {
  const operations = [...new Set(spans.map(({ operation }) => operation))].filter((operation) => operation !== '');
  if (operations.length === 0) return null;
  const item = (operation: string): Markup =>
    html`<span class="legend"><span class="swatch" style="background:${trusted(spanColour(operation))}"></span>${operation}</span> `;
  return html`<p class="soft">Shaded: the measured phases. ${operations.map(item)}</p>`;
}

function viewTable(views: readonly MetricView[], { look }: Context): Markup {
  const rows = views.flatMap(({ metric, statistic, unit, series }) =>
    series.map(({ arm, part, points }): CellContent[] => {
      const { count, median, min, max } = statistics(points.map(([, value]) => value));
      return [
        `${metric}`,
        html`${look.label(arm)} ${part}`,
        statistic,
        unit,
        plain(min),
        plain(median),
        plain(max),
        plain(count),
      ];
    }),
  );
  return table({
    caption: 'Metrics: range of each series over the run',
    captionHidden: true,
    columns: [
      { label: 'Metric' },
      { label: 'Arm' },
      { label: 'Statistic' },
      { label: 'Unit' },
      { label: 'Least', numeric: true },
      { label: 'Median', numeric: true },
      { label: 'Most', numeric: true },
      { label: 'Points', numeric: true },
    ],
    rows,
  });
}
