import type { Trend, TrendPoint } from '../../analysis/compare/trends';
import { sentenceCase } from '../../common/format/strings';
import { counted, plain } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import { gridLines, valueAxis } from '../../common/page/drawing';
import { medianOf } from '../../common/statistics';
import type { Chart, Text } from '../blocks';
import type { PlottedPoint } from '../charts';
import { armCrosses, armDots } from '../marks';
import { dayOf, placeWords, valueWords } from './labels';

interface Dot extends PlottedPoint {
  readonly low: number;
  readonly high: number;
  readonly line: string;
}

/**
 * A figure from run to run, evenly spaced: a dot at the median, a stroke from the least to the most. A line joins valid runs under the
 * same conditions only; where conditions change there is a dashed vertical line with their letter. A cross is an INVALID run, or one
 * without a value.
 *
 * @param most marks of an arm: of more runs, one stands for several of the same conditions that follow one another
 */
export function trendChart(trend: Trend, id: string, most: number): Chart {
  const runs = [...new Map(trend.points.map((point) => [point.run, point])).values()];
  const position = new Map(runs.map(({ run }, index) => [run, index]));
  const known = trend.points.filter(({ value }) => value !== null);
  const ends = known.flatMap(({ least, most, value }) => [least ?? value ?? 0, most ?? value ?? 0]);
  const [low, high] = ends.length === 0 ? [0, 1] : [Math.min(...ends), Math.max(...ends)];
  const room = Math.max((high - low) * 0.12, Math.abs(high) * 0.02);
  const bottom = Math.max(0, low - room);
  const arms = [...new Set(trend.points.map(({ arm }) => arm))];
  // Arms stand side by side within a run, so that their strokes do not hide each other.
  const slot = Math.min(0.16, 0.5 / Math.max(1, arms.length));
  const dotOf = (points: readonly TrendPoint[]): Dot => {
    const [first, last] = [points[0] as TrendPoint, points.at(-1) as TrendPoint];
    const { arm } = first;
    const value = medianOf(points.flatMap((point) => point.value ?? []));
    const at = ((position.get(first.run) ?? 0) + (position.get(last.run) ?? 0)) / 2;
    const run = first === last ? first.run : `${counted(points.length, 'run')} from ${first.run} to ${last.run}`;
    const words = value === null ? valueWords(first, trend) : valueWords({ ...first, value }, trend);
    return {
      x: at + (arms.indexOf(arm) - (arms.length - 1) / 2) * slot,
      y: value ?? bottom,
      low: Math.min(...points.map((point) => point.least ?? point.value ?? bottom)),
      high: Math.max(...points.map((point) => point.most ?? point.value ?? bottom)),
      arm,
      line: `${arm} ${first.conditions}`,
      title: `${run}, ${arm}: ${first.validity === 'INVALID' ? 'INVALID, ' : ''}${words}`,
    };
  };
  const isResult = ({ value, validity }: TrendPoint): boolean => value !== null && validity !== 'INVALID';
  const each = Math.max(1, Math.ceil(runs.length / most));
  const marksOf = (points: readonly TrendPoint[]): Dot[] => {
    const neighbours = Map.groupBy(points, ({ run, arm, conditions, validity }) =>
      keyOf(arm, conditions, validity === 'INVALID' ? validity : null, Math.floor((position.get(run) ?? 0) / each)),
    );
    return [...neighbours.values()].map(dotOf);
  };
  const results = marksOf(trend.points.filter(isResult));
  const crosses = marksOf(trend.points.filter((point) => !isResult(point)));
  const changed = runs.flatMap(({ conditions }, index) =>
    trend.conditions.length > 1 && conditions !== runs[index - 1]?.conditions
      ? [{ x: index - 0.5, letter: conditions }]
      : [],
  );
  const borders = [...new Map(changed.map((border) => [Math.floor(border.x / each), border])).values()];
  const place = placeWords(trend);
  return {
    id,
    title: `${place}, from run to run`,
    description: [...Map.groupBy(known, ({ arm }) => arm)].map(([arm, own]) => described(arm, own, trend)).join(' '),
    caption: [
      { strong: sentenceCase(place) },
      '. ',
      arms.map((arm): Text => [{ arm }, ' ']),
      crosses.length > 0 && 'A cross is an INVALID run, or one without a value.',
      each > 1 && ` A mark stands for up to ${counted(each, 'run')} that follow one another.`,
    ],
    options: ({ plot, look }) => {
      const colour = ({ arm }: { arm: string }): string => look.colour(arm);
      return {
        height: 206,
        x: {
          domain: [-0.5, Math.max(0.5, runs.length - 0.5)],
          ticks: ticksOf(runs.length),
          tickFormat: (index: number) => dayOf(runs[index]?.startedAt ?? null, runs),
          tickSize: 0,
          label: null,
        },
        y: {
          domain: [bottom, high + room],
          nice: true,
          ...valueAxis(trend.metric === 'compression_ratio' ? 'x:1' : trend.unit, 4),
        },
        marks: [
          gridLines({ plot }),
          plot.ruleX(
            borders.filter(({ x }) => x > 0),
            { x: 'x', stroke: 'var(--axis)', strokeDasharray: '4 3' },
          ),
          plot.text(borders, { x: 'x', text: 'letter', frameAnchor: 'top', textAnchor: 'start', dx: 4, dy: 2 }),
          plot.ruleX(results, { x: 'x', y1: 'low', y2: 'high', stroke: colour, strokeOpacity: 0.45, strokeWidth: 2 }),
          plot.line(results, { x: 'x', y: 'y', z: 'line', stroke: colour, strokeWidth: 1.4 }),
          armDots({ plot, look }, results, runs.length > 60 ? 1.8 : 3),
          armCrosses({ plot, look }, crosses),
        ],
      };
    },
  };
}

function described(arm: string, points: readonly TrendPoint[], trend: Trend): string {
  const results = points.filter(({ validity }) => validity !== 'INVALID');
  const values = results.flatMap(({ value }) => value ?? []);
  const last = results.at(-1);
  if (last === undefined) return `${arm}: no valid run.`;
  return `${arm}: ${results.length} ${results.length === 1 ? 'run' : 'runs'}, ${plain(Math.min(...values))} to ${plain(Math.max(...values))}, last ${valueWords(last, trend)}.`;
}

/** Picks at most five of them, evenly spread. */
function ticksOf(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / 5));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
