import { counted, plain } from '../../common/format/units';
import { ARM_COLOURS, type Drawing, gridLines, lowerAxis, timeUnit, withGaps } from '../../common/page/drawing';
import type { Markup } from '../../common/page/markup';
import type { Graph } from '../../dashboard/graph';
import type { DrawnLine } from './graph';

export interface ChartSubject {
  readonly graph: Graph;
  readonly width: number;
  readonly lines: readonly DrawnLine[];
  readonly side: 'left' | 'right';
  /** Start of the run, milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly id: string;
  readonly colours: ReadonlyMap<string, string>;
}

export const MOST_NAMES = 8;

/** Height in units of the chart, below which the labels of the two axes would collide. */
const MINIMUM_HEIGHT = 130;

/** Height of a name in a chart, with padding, in the units of the chart. */
const LABEL_HEIGHT = 18;

export const unitOf = ({ graph, side }: ChartSubject): string =>
  side === 'left' ? graph.unit : (graph.rightUnit ?? '');

/** A graph over the time of the run, with the dashboard's horizontal lines. */
export function chart(drawing: Drawing, subject: ChartSubject): Markup {
  const { graph, width, lines, side, start, end, id } = subject;
  const unit = unitOf(subject);
  const [ceilings, max] = side === 'left' ? [graph.ceilings, graph.max] : [[], undefined];
  const [duration, size] = timeUnit(end - start);
  const timeOf = (at: number): number => (at - start) / size;
  const values = lines.flatMap(({ series }) => [...series.points.values()]);
  // Hundreds of targets over a day have more values than a call takes arguments.
  const highest = [...values, ...ceilings.map(({ value }) => value)].reduce((a, b) => Math.max(a, b), max ?? 0);
  const lowest = values.reduce((a, b) => Math.min(a, b), 0);
  const height = Math.max(MINIMUM_HEIGHT, graph.height * 32);
  const ticks = height < 160 ? 2 : 4;
  return drawing.draw(
    {
      width: Math.max(200, width * 46),
      height,
      marginLeft: 56,
      x: {
        domain: [0, timeOf(end)],
        // Labels of more than these would run into one another.
        ...lowerAxis(`${duration} from the start`, width < 8 ? 3 : 6),
      },
      y: {
        domain: [lowest, highest > lowest ? highest : lowest + 1],
        nice: max === undefined,
        label: unit,
        labelArrow: 'none',
        ticks,
        tickSize: 0,
        // One unit for the whole axis, short enough for the margin.
        tickFormat: (value: number) => shortNumber(value, highest),
      },
      marks: [
        gridLines(drawing, ticks),
        drawing.plot.ruleY([lowest], { stroke: 'var(--axis)' }),
        ...ceilingMarks(drawing, ceilings, LABEL_HEIGHT * ((highest - lowest) / height)),
        ...lineMarks(drawing, subject, timeOf),
      ],
    },
    { id, title: graph.title, description: describe(lines, unit) },
  );
}

/** The dashboard's horizontal lines with their names. @param labelHeight in the unit of the values */
function ceilingMarks({ plot }: Drawing, ceilings: Graph['ceilings'], labelHeight: number) {
  const rules = ceilings.map(({ value }) => plot.ruleY([value], { stroke: 'var(--bad)', strokeDasharray: '4 3' }));
  const names = placed(ceilings, labelHeight).map(({ value, label, end }) =>
    plot.text([{ value }], {
      y: 'value',
      text: () => label,
      frameAnchor: end,
      textAnchor: end === 'left' ? 'start' : 'end',
      dy: -6,
      fill: 'var(--bad)',
      // The text must stay readable over lines that are close together.
      stroke: 'var(--paper)',
      strokeWidth: 3,
    }),
  );
  return [...rules, ...names];
}

/** Overlapping names are placed at alternating ends of their lines; names that still overlap are dropped. */
function placed(ceilings: Graph['ceilings'], labelHeight: number) {
  const highest = { left: Number.NEGATIVE_INFINITY, right: Number.NEGATIVE_INFINITY };
  return [...ceilings]
    .sort((a, b) => a.value - b.value)
    .flatMap(({ value, label }) => {
      const end = (['right', 'left'] as const).find((it) => value - highest[it] > labelHeight);
      if (end === undefined) return [];
      highest[end] = value;
      return [{ value, label, end }];
    });
}

function lineMarks({ plot }: Drawing, { lines, colours }: ChartSubject, timeOf: (at: number) => number) {
  const looks = looksOf(lines, colours);
  return lines.flatMap(({ label, series }, index) => {
    const { stroke, dash, width } = looks[index] as Look;
    const known = withGaps(
      [...series.points],
      series.everySeconds,
      ([at]) => at,
      (at): [number, number] => [at, Number.NaN],
    );
    const points = known.map(([at, value]) => ({ x: timeOf(at), y: value }));
    const line = plot.line(points, { x: 'x', y: 'y', stroke, strokeWidth: width, strokeDasharray: dash ?? undefined });
    // A single point is not a line.
    if (series.points.size > 1) return [line];
    return [line, plot.dot(points, { x: 'x', y: 'y', fill: stroke, r: 2.5, title: () => label })];
  });
}

const SCALES = [
  [1e12, ' T'],
  [1e9, ' G'],
  [1e6, ' M'],
] as const;

/** A number in millions or billions, if the highest number on the axis is that large. */
export function shortNumber(value: number, highest: number): string {
  const [scale, suffix] = SCALES.find(([min]) => highest >= min) ?? [1, ''];
  const [whole = '', fraction = ''] = plain(value / scale).split('.');
  const rest = fraction.replace(/0+$/, '');
  return `${whole}${rest === '' ? '' : `.${rest}`}${value === 0 ? '' : suffix}`;
}

function describe(lines: readonly DrawnLine[], unit: string): string {
  const named = lines.slice(0, MOST_NAMES).map(({ label, series }) => {
    const values = [...series.points.values()];
    const min = values.reduce((a, b) => Math.min(a, b));
    const max = values.reduce((a, b) => Math.max(a, b));
    return `${label}: ${counted(values.length, 'point')}, ${plain(min)} to ${plain(max)} ${unit}.`;
  });
  const more = lines.length - named.length;
  return [...named, ...(more > 0 ? [`And ${counted(more, 'line')} more.`] : [])].join(' ');
}

/** The most lines of one search, alone on a graph, that have a colour each. */
const MOST_COLOURED = 6;

/** The most lines of one search that are distinguished by dashes; more are drawn as a band, in which one may stand out. */
const DASHES = [null, '5 3', '1.5 2.5'] as const;

export interface Look {
  readonly stroke: string;
  readonly dash: string | null;
  readonly width: number;
}

/** Colour and dash of each line: the dashboard's, or that of its name elsewhere, else the palette's. A search has one colour, unless alone. */
export function looksOf(lines: readonly DrawnLine[], colours: ReadonlyMap<string, string>): Look[] {
  const groups = [...new Set(lines.map(({ group }) => group))];
  const alone = groups.length === 1 && lines.length <= MOST_COLOURED;
  return lines.map((line, index) => {
    const own = lines.filter(({ group }) => group === line.group);
    const stroke =
      line.colour ??
      (own.length === 1 || !alone ? colours.get(line.group) : undefined) ??
      `var(--arm-${(alone ? index : groups.indexOf(line.group)) % ARM_COLOURS.length})`;
    const isDashed = !alone && own.length <= DASHES.length;
    return {
      stroke,
      dash: isDashed ? (DASHES[own.indexOf(line)] ?? null) : null,
      width: own.length > DASHES.length && !alone ? 1 : 1.6,
    };
  });
}
