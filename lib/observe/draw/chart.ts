import type { Graph } from '../../dashboard/graph';
import { counted, plain } from '../../kit/format/units';
import { type Drawing, gridLines, lowerAxis, timeUnit, withGaps } from '../../kit/page/drawing';
import { html, type Markup } from '../../kit/page/markup';
import { ARM_COLOURS } from '../../kit/page/palette';
import type { DrawnLine } from './graph';

/** Source of a chart's lines. */
export interface ChartSubject {
  readonly graph: Graph;
  /** Width in columns. */
  readonly width: number;
  /** All lines of one axis. */
  readonly lines: readonly DrawnLine[];
  readonly side: 'left' | 'right';
  /** Start of the run, milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly id: string;
  /** Colours by name on the dashboard. */
  readonly colours: ReadonlyMap<string, string>;
}

/** The most lines of one search, alone on a graph, that have a colour each. */
const MOST_COLOURED = 6;

/** The most names beside a graph; above that there is one per search. */
const MOST_NAMES = 8;

/** The most lines of one search that are distinguished by dashes; more are drawn as a band, in which one may stand out. */
const DASHES = [null, '5 3', '1.5 2.5'] as const;

interface Look {
  readonly stroke: string;
  readonly dash: string | null;
  readonly width: number;
}

/**
 * Colour and dash of each line: the dashboard's own colour, or its colour for the same name elsewhere, else the palette's in turn.
 * Lines of one search share a colour, unless there is nothing else on the graph.
 */
function looksOf(lines: readonly DrawnLine[], colours: ReadonlyMap<string, string>): Look[] {
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

const unitOf = ({ graph, side }: ChartSubject): string => (side === 'left' ? graph.unit : (graph.rightUnit ?? ''));

/** A graph over the time of the run, with the dashboard's horizontal lines. */
export function chart({ plot, draw }: Drawing, subject: ChartSubject): Markup {
  const { graph, width, lines, side, start, end, id, colours } = subject;
  const unit = unitOf(subject);
  const [across, max] = side === 'left' ? [graph.ceilings, graph.max] : [[], undefined];
  const [duration, size] = timeUnit(end - start);
  const x = (at: number): number => (at - start) / size;
  const looks = looksOf(lines, colours);
  const highest = Math.max(
    ...lines.flatMap(({ series }) => [...series.points.values()]),
    ...across.map(({ value }) => value),
    max ?? 0,
  );
  const lowest = Math.min(0, ...lines.flatMap(({ series }) => [...series.points.values()]));
  // One unit for the whole axis, short enough for the margin.
  const tick = (value: number): string => short(value, highest);
  const height = Math.max(MINIMUM_HEIGHT, graph.height * 32);
  const ticks = height < 160 ? 2 : 4;
  return draw(
    {
      width: Math.max(200, width * 46),
      height,
      marginLeft: 56,
      x: {
        domain: [0, x(end)],
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
        tickFormat: tick,
      },
      marks: [
        gridLines({ plot }, ticks),
        plot.ruleY([lowest], { stroke: 'var(--axis)' }),
        ...across.map(({ value }) => plot.ruleY([value], { stroke: 'var(--bad)', strokeDasharray: '4 3' })),
        ...placed(across, (highest - lowest) / height).map(({ value, label, left }) =>
          plot.text([{ value }], {
            y: 'value',
            text: () => label,
            frameAnchor: left ? 'left' : 'right',
            textAnchor: left ? 'start' : 'end',
            dy: -6,
            fill: 'var(--bad)',
            // The text must stay readable over lines that are close together.
            stroke: 'var(--paper)',
            strokeWidth: 3,
          }),
        ),
        ...lines.flatMap(({ label, series }, index) => {
          const {
            stroke,
            dash,
            width: strokeWidth,
          } = looks[index] ?? { stroke: 'currentColor', dash: null, width: 1.6 };
          const known = withGaps(
            [...series.points],
            series.everySeconds,
            ([at]) => at,
            (at): [number, number] => [at, Number.NaN],
          );
          const points = known.map(([at, value]) => ({ x: x(at), y: value }));
          return [
            plot.line(points, {
              x: 'x',
              y: 'y',
              stroke,
              strokeWidth,
              strokeDasharray: dash ?? undefined,
            }),
            // A single point is not a line.
            ...(series.points.size < 2
              ? [plot.dot(points, { x: 'x', y: 'y', fill: stroke, r: 2.5, title: () => label })]
              : []),
          ];
        }),
      ],
    },
    { id, title: graph.title, description: describe(lines, unit) },
  );
}

/** Overlapping names are placed at alternating ends of their lines; names that still overlap are dropped. */
function placed<T extends { readonly value: number; readonly label: string }>(
  across: readonly T[],
  perUnit: number,
): (T & { readonly left: boolean })[] {
  const ends: Record<'left' | 'right', number> = { left: Number.NEGATIVE_INFINITY, right: Number.NEGATIVE_INFINITY };
  return [...across]
    .sort((a, b) => a.value - b.value)
    .flatMap((one) => {
      const end = (['right', 'left'] as const).find((it) => one.value - ends[it] > LABEL_HEIGHT * perUnit);
      if (end === undefined) return [];
      ends[end] = one.value;
      return [{ ...one, left: end === 'left' }];
    });
}

/** Size of a name in a chart, with padding, in the units of the chart. */
const LABEL_HEIGHT = 18;

/** Width in units of the chart, below which the labels of the two axes would collide. */
const MINIMUM_HEIGHT = 130;

/** A number in millions or billions, if the highest number on the axis is that large. */
function short(value: number, highest: number): string {
  const [scale, suffix] =
    highest >= 1e12 ? [1e12, ' T'] : highest >= 1e9 ? [1e9, ' G'] : highest >= 1e6 ? [1e6, ' M'] : [1, ''];
  const [whole = '', fraction = ''] = plain(value / scale).split('.');
  const rest = fraction.replace(/0+$/, '');
  return `${whole}${rest === '' ? '' : `.${rest}`}${value === 0 ? '' : suffix}`;
}

function describe(lines: readonly DrawnLine[], unit: string): string {
  const named = lines.slice(0, MOST_NAMES).map(({ label, series }) => {
    const values = [...series.points.values()];
    const least = values.reduce((a, b) => Math.min(a, b));
    const most = values.reduce((a, b) => Math.max(a, b));
    return `${label}: ${counted(values.length, 'point')}, ${plain(least)} to ${plain(most)} ${unit}.`;
  });
  const more = lines.length - named.length;
  return [...named, ...(more > 0 ? [`And ${counted(more, 'line')} more.`] : [])].join(' ');
}

/**
 * The names of a chart's lines, each with its colour and maximum. A search with many lines has one name,
 * with their minimum and maximum and the line of each, since outliers are what readers look for.
 */
export function legend(subject: ChartSubject): Markup {
  const { width, lines, colours } = subject;
  const looks = looksOf(lines, colours);
  const all = lines.map((line, index) => ({ line, look: looks[index] as Look, most: highestOf(line) }));
  const groups = [...new Set(lines.map(({ group }) => group))].map((group) =>
    all.filter(({ line }) => line.group === group),
  );
  const few = all.length <= (width < 8 ? MOST_NAMES / 2 : MOST_NAMES);
  const items = groups.flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    if (few || own.length === 1) return own.map(({ line, look, most }) => item(look, line.label, short(most, most)));
    const byMost = [...own].sort((a, b) => b.most - a.most);
    const [top, last] = [byMost[0] ?? first, byMost.at(-1) ?? first];
    const { group, label } = top.line;
    const which = label.startsWith(group) ? label.slice(group.length).trim() : label;
    const [least, most] = [short(last.most, last.most), short(top.most, top.most)];
    const range = least === most ? most : `${least} to ${most} (${which})`;
    return [item(first.look, `${group}: ${counted(own.length, 'line')},`, range)];
  });
  return html`<ul class="names" title="${`each with the most that it reached, ${unitOf(subject)}`}">${items}</ul>`;
}

function item({ stroke, dash }: Look, label: string, most: string): Markup {
  const dashes = dash === null ? null : html` stroke-dasharray="${dash}"`;
  const mark = html`<svg viewBox="0 0 20 6" aria-hidden="true"><path d="M0 3h20" stroke="${stroke}" stroke-width="3"${dashes}/></svg>`;
  return html`<li>${mark}${label} <span class="most">${most}</span></li>`;
}

const highestOf = ({ series }: DrawnLine): number => Math.max(...series.points.values());
