import { statistics } from '../../analysis/figures/statistics';
import {
  absentMetrics,
  type Band,
  bandsOf,
  type MetricView,
  MOST_LINES,
  metricViews,
} from '../../analysis/metricViews';
import type { RunSummary } from '../../analysis/summary';
import { chunks } from '../../common/collections';
import { counted, plain } from '../../common/format/units';
import { gridFromZero, lowerAxis, timeUnit, valueAxis, withGaps } from '../../common/page/drawing';
import { describeOperation } from '../../workload/lookup';
import { type Block, type Chart, column, details, line, number, remark, type Text, tableOf, text } from '../blocks';
import { armDots } from '../charts';

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

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly operation: string;
}

/** The measured phases, merged over arms: one step is one span. */
export function spansOf({ record: { samples }, steps }: RunSummary): Span[] {
  // The driver's own samples say that a step was done, not what was done in it.
  const measured = samples.filter(({ source }) => source !== 'driver');
  const operations = new Map(measured.map(({ step, operation }) => [step, operation]));
  return steps.flatMap(({ id, phase, startedAt, endedAt }) => {
    if (phase !== 'measure' || startedAt === null || endedAt === null) return [];
    return [{ from: Date.parse(startedAt), to: Date.parse(endedAt), operation: operations.get(id) ?? '' }];
  });
}

/** The colour behind a phase: writes and reads differ, everything else is like a read. */
const spanColour = (operation: string): string => (operation === 'write' ? 'var(--phase-write)' : 'var(--phase-read)');

/** A label of the axis from here on, `1,000,000`, is wider than the usual margin. */
const LONG = 1e6;

/** One metric over the minutes of the run; shaded are the measured phases. Many servers of an arm are a band with their median. */
export function metricChart(view: MetricView, spans: readonly Span[], start: number, id: string): Chart {
  const { metric, statistic, unit } = view;
  const { lines, bands } = bandsOf(view.series);
  return {
    id,
    caption: line`${{ strong: metric }} ${{ soft: [statistic, unit && `, ${unit}`] }}`,
    title: `${view.metric} (${view.statistic}) over the run`,
    description: [
      ...lines.map(({ arm, part, points: own }) => {
        const values = own.map(([, value]) => value);
        return `${[arm, part].filter(Boolean).join(' ')}: ${counted(own.length, 'point')}, ${extent(values, view.unit)}.`;
      }),
      ...bands.map(({ arm, parts, points: own }) => {
        const ends = own.flatMap(({ low, high }) => [low, high]);
        return `${arm}: ${parts} servers or targets, ${counted(own.length, 'point')} each, ${extent(ends, view.unit)}.`;
      }),
    ].join(' '),
    options: ({ plot, look }) => {
      const ends = [...spans.map(({ to }) => to), ...view.series.map(({ points }) => points.at(-1)?.[0] ?? start)];
      const last = Math.max(start, ...ends);
      const [time, size] = timeUnit(last - start);
      const x = (at: number): number => (at - start) / size;
      const points = lines.flatMap(({ arm, part, periodSeconds, points: own }, series) =>
        thinned(own, periodSeconds).map(([at, value]) => ({
          // Later arms are thinner, so a line under another one stays visible.
          width: Math.max(1.2, 2.8 - 1.3 * look.index(arm)),
          x: x(at),
          y: value,
          arm,
          series,
          title: `${[arm, part].filter(Boolean).join(' ')}: ${plain(value)} ${view.unit}`,
        })),
      );
      const spread = bands.flatMap((band) =>
        thinnedBand(band).map(({ at, ...point }) => ({ ...point, x: x(at), arm: band.arm })),
      );
      const many = points.length / Math.max(1, lines.length) > 60;
      const dots = points.filter(({ y }) => !many && Number.isFinite(y));
      const colour = ({ arm }: { arm: string }): string => look.colour(arm);
      const percent =
        view.unit === '%' && points.every(({ y }) => !(y > 100)) && spread.every(({ high }) => !(high > 100));
      const isLong = points.some(({ y }) => y >= LONG) || spread.some(({ high }) => high >= LONG);
      return {
        height: 206,
        ...(isLong ? { marginLeft: 64 } : {}),
        x: lowerAxis(`${time} from the start`),
        y: { ...(percent ? { domain: [0, 100] } : { zero: true, nice: true }), ...valueAxis(view.unit, 4) },
        marks: [
          plot.rect(spans, {
            x1: ({ from }: Span) => x(from),
            x2: ({ to }: Span) => x(to),
            fill: ({ operation }: Span) => spanColour(operation),
          }),
          ...gridFromZero({ plot }),
          plot.areaY(spread, { x: 'x', y1: 'low', y2: 'high', z: 'arm', fill: colour, fillOpacity: 0.28 }),
          plot.line(spread, { x: 'x', y: 'mid', z: 'arm', stroke: colour, strokeWidth: 1.4 }),
          plot.line(points, { x: 'x', y: 'y', z: 'series', stroke: colour, strokeWidth: 'width' }),
          armDots({ plot, look }, dots, 1.8),
        ],
      };
    },
  };
}

function extent(values: readonly number[], unit: string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${plain(low)} to ${plain(high)} ${unit}`.trim();
}

/** Most points of a line; longer series are drawn by the extremes of each part. */
const MOST_POINTS = 800;

/** True if a chart of the view shows extremes in place of its points. */
const isThinned = ({ series }: MetricView): boolean => series.some(({ points }) => points.length > MOST_POINTS);

type Points = MetricView['series'][number]['points'];

/** The minimum and the maximum of each stretch, in their order. A short series keeps its points, and a gap in them is a gap in the line. */
function thinned(points: Points, everySeconds: number): Points {
  if (points.length <= MOST_POINTS)
    return withGaps(
      points,
      everySeconds,
      ([at]) => at,
      (at) => [at, Number.NaN],
    );
  return chunks(points, Math.ceil(points.length / (MOST_POINTS / 2))).flatMap((own) => {
    const extreme = (sign: 1 | -1) => own.reduce((best, point) => (sign * point[1] > sign * best[1] ? point : best));
    const [min, max] = [extreme(-1), extreme(1)];
    return min === max ? [min] : min[0] < max[0] ? [min, max] : [max, min];
  });
}

/** A band thinned out: the lowest, the middle and the highest value of each stretch. */
function thinnedBand({ points, periodSeconds }: Band): Band['points'] {
  if (points.length <= MOST_POINTS)
    return withGaps(
      points,
      periodSeconds,
      ({ at }) => at,
      (at) => ({ at, low: Number.NaN, mid: Number.NaN, high: Number.NaN }),
    );
  return chunks(points, Math.ceil(points.length / MOST_POINTS)).map((own) => ({
    at: own[0]?.at ?? 0,
    low: Math.min(...own.map(({ low }) => low)),
    mid: statistics(own.map(({ mid }) => mid)).median ?? 0,
    high: Math.max(...own.map(({ high }) => high)),
  }));
}
