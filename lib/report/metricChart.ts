import { statistics } from '../analysis/figures/statistics';
import { type Band, bandsOf, type MetricView } from '../analysis/metricViews';
import type { RunSummary } from '../analysis/summary';
import { chunks } from '../common/collections';
import { counted, plain } from '../common/format/units';
import { gridFromZero, lowerAxis, timeUnit, valueAxis, withGaps } from '../common/page/drawing';
import { type Chart, line } from './blocks';
import { armDots } from './charts';

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
export const spanColour = (operation: string): string =>
  operation === 'write' ? 'var(--phase-write)' : 'var(--phase-read)';

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
export const isThinned = ({ series }: MetricView): boolean => series.some(({ points }) => points.length > MOST_POINTS);

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
