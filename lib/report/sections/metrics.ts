import { statistics } from '../../analysis/figures/statistics';
import { absentMetrics, bandsOf, type MetricView, MOST_LINES, metricViews } from '../../analysis/metricViews';
import { plain } from '../../common/format/units';
import { type Block, column, details, line, number, remark, type Text, tableOf, text } from '../blocks';
import { isThinned, metricChart, type Span, spanColour, spansOf } from '../metricChart';
import { describeOperation } from '../title';
import type { Section } from './section';

const SHOWN = 6;

const THINNED =
  'A series with too many points for a chart is drawn as the minimum and maximum of each interval; every point is in metrics/. ';

const BANDED = `For an arm with more than ${MOST_LINES} servers or targets, a band spans their minimum and maximum and the line is their median; the range of each is in the figures. `;

export const metrics: Section = {
  id: 'metrics',
  title: 'Metrics over time',
  blocks(run) {
    const { record, startedAt, arms } = run;
    const views = metricViews(record);
    const absent = absentMetrics(record);
    if (views.length === 0 && absent.length === 0) return [];
    const spans = spansOf(run);
    const first = Math.min(...views.flatMap(({ series }) => series.map(({ points }) => points[0]?.[0] ?? Infinity)));
    const started = Date.parse(startedAt ?? '');
    const start = Number.isFinite(started) ? started : first;
    const drawn = views.filter(({ series }) => series.some(({ points }) => points.length > 1));
    const dots = views.filter((view) => !drawn.includes(view));
    const charts = drawn.map((view, index) => metricChart(view, spans, start, `metric-${index}`));
    const more = charts.slice(SHOWN);
    const others = more.length === 0 ? [] : [details(`${more.length} more metrics`, { kind: 'charts', charts: more })];
    const banded = views.some(({ series }) => bandsOf(series).bands.length > 0);
    return [
      text(
        line`The service’s metrics, from ${{ code: 'metrics/' }}. Sums over a period are shown as rates, levels as they are. ${{ onPage: [banded && BANDED, views.some(isThinned) && THINNED, arms.map(({ name }) => [{ arm: name }, ' '])] }}`,
      ),
      drawn.length > 0 && legend(spans),
      views.length > 0 && {
        kind: 'charts',
        charts: charts.slice(0, SHOWN),
        figures: [...others, details('Figures: metrics', viewTable(views))],
      },
      dots.length > 0 &&
        remark(
          line`${{ strong: 'With a single point' }}, not drawn: ${[...new Set(dots.map(({ metric }) => metric))].join(', ')}; their values are in the figures.`,
        ),
      ...absent.map(({ reason, names }) =>
        remark(line`${{ strong: 'Without points' }} (${reason}): ${names.join(', ')}.`),
      ),
    ];
  },
};

function legend(spans: readonly Span[]): Block | null {
  const operations = [...new Set(spans.map(({ operation }) => operation))].filter((operation) => operation !== '');
  if (operations.length === 0) return null;
  const named = operations.map((one): Text => [{ swatch: describeOperation(one), fill: spanColour(one) }, ' ']);
  return remark({ onPage: line`Shaded: the measured phases. ${named}` });
}

const viewTable = (views: readonly MetricView[]): Block => {
  const all = views.flatMap(({ series, ...view }) =>
    series.map((one) => ({ ...view, ...one, ...statistics(one.points.map(([, value]) => value)) })),
  );
  return tableOf(all, { caption: 'Metrics: range of each series over the run', captionHidden: true }, [
    column('Metric', ({ metric }) => metric),
    column('Arm', ({ arm, part }) => line`${{ arm }} ${part}`),
    column('Statistic', ({ statistic }) => statistic),
    column('Unit', ({ unit }) => unit),
    number('Min', ({ min }) => min, plain),
    number('Median', ({ median }) => median, plain),
    number('Max', ({ max }) => max, plain),
    number('Points', ({ count }) => count, plain),
  ]);
};
