import type { Drawing } from '../report/drawing';
import { html, type Markup, trusted } from '../report/markup';
import { counted, plain } from '../report/units';
import type { Widget } from './body';
import type { Line } from './graph';

/** Where the lines of a chart come from. */
export interface ChartSubject {
  readonly widget: Widget;
  /** All of one axis. */
  readonly lines: readonly Line[];
  readonly side: 'left' | 'right';
  /** Start of the run, milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly id: string;
}

const PALETTE = 6;

/** More names than fit beside a graph are a number. */
const MOST_NAMES = 8;

const DASHES = [null, '5 3', '1.5 2.5'] as const;

/** Colour and dash of a line: the dashboard's own colour, else the palette's in turn, and then again with dashes. */
function lookOf({ colour }: Line, index: number): { readonly stroke: string; readonly dash: string | null } {
  if (colour !== null) return { stroke: colour, dash: null };
  return {
    stroke: `var(--arm-${index % PALETTE})`,
    dash: DASHES[Math.floor(index / PALETTE) % DASHES.length] ?? null,
  };
}

/** A graph over the time of the run, with the lines that the dashboard draws across it. */
export function chart({ plot, draw }: Drawing, { widget, lines, side, start, end, id }: ChartSubject): Markup {
  const { title = 'Graph', yAxis, annotations } = widget.properties;
  const axis = yAxis?.[side];
  const across = (annotations?.horizontal ?? []).filter((one) => (one.yAxis ?? 'left') === side);
  const [unit, size] = timeUnit(end - start);
  const x = (at: number): number => (at - start) / size;
  const looks = lines.map(lookOf);
  const highest = Math.max(
    ...lines.flatMap(({ series }) => [...series.points.values()]),
    ...across.map(({ value }) => value),
    axis?.max ?? 0,
  );
  const lowest = Math.min(axis?.min ?? 0, ...lines.flatMap(({ series }) => [...series.points.values()]));
  // One unit for the whole axis, short enough for the margin.
  const [scale, suffix] = highest >= 1e9 ? [1e9, ' G'] : highest >= 1e6 ? [1e6, ' M'] : [1, ''];
  const tick = (value: number): string => {
    const [whole = '', fraction = ''] = plain(value / scale).split('.');
    const rest = fraction.replace(/0+$/, '');
    return `${whole}${rest === '' ? '' : `.${rest}`}${value === 0 ? '' : suffix}`;
  };
  return draw(
    {
      width: Math.max(200, widget.width * 46),
      height: Math.max(110, widget.height * 32),
      marginLeft: 56,
      x: {
        domain: [0, x(end)],
        label: `${unit} from the start`,
        labelAnchor: 'center',
        labelArrow: 'none',
        ticks: 6,
        tickSize: 0,
      },
      y: {
        domain: [lowest, highest > lowest ? highest : lowest + 1],
        nice: axis?.max === undefined,
        label: axis?.label ?? null,
        labelArrow: 'none',
        ticks: 4,
        tickSize: 0,
        tickFormat: tick,
      },
      marks: [
        plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks: 4 }),
        plot.ruleY([lowest], { stroke: 'var(--axis)' }),
        ...across.map(({ value }) => plot.ruleY([value], { stroke: 'var(--bad)', strokeDasharray: '4 3' })),
        ...across.map(({ value, label = '' }) =>
          plot.text([{ value }], {
            y: 'value',
            text: () => label,
            frameAnchor: 'right',
            textAnchor: 'end',
            dy: -6,
            fill: 'var(--bad)',
            // Lines lie close to one another at times: the text stays readable over them.
            stroke: 'var(--paper)',
            strokeWidth: 3,
          }),
        ),
        ...lines.flatMap(({ label, series }, index) => {
          const { stroke, dash } = looks[index] ?? { stroke: 'currentColor', dash: null };
          const points = pointsOf(series.points, series.everySeconds).map(([at, value]) => ({ x: x(at), y: value }));
          return [
            plot.line(points, {
              x: 'x',
              y: 'y',
              stroke,
              strokeWidth: 1.6,
              ...(dash !== null && { strokeDasharray: dash }),
            }),
            // A single point makes no line.
            ...(series.points.size < 2
              ? [plot.dot(points, { x: 'x', y: 'y', fill: stroke, r: 2.5, title: () => label })]
              : []),
          ];
        }),
      ],
    },
    { id, title, description: describe(lines, axis?.label ?? '') },
  );
}

/** A gap in the points is a gap in the line. */
function pointsOf(points: ReadonlyMap<number, number>, everySeconds: number): [number, number][] {
  const all = [...points];
  return all.flatMap(([at, value], index): [number, number][] => {
    const next = all[index + 1]?.[0];
    const gap = next !== undefined && next - at > everySeconds * 1500;
    return gap
      ? [
          [at, value],
          [at + 1, Number.NaN],
        ]
      : [[at, value]];
  });
}

function timeUnit(length: number): readonly [string, number] {
  const seconds = length / 1000;
  return seconds < 180 ? ['seconds', 1000] : seconds < 3 * 3600 ? ['minutes', 60_000] : ['hours', 3_600_000];
}

function describe(lines: readonly Line[], unit: string): string {
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
 * The names of a chart's lines, each beside its colour and with the most that it reached. Of many lines those that reached most, since
 * what stands out is what is looked for.
 */
export function legend({ width, properties }: Widget, lines: readonly Line[], side: 'left' | 'right'): Markup {
  const unit = properties.yAxis?.[side]?.label ?? '';
  const all = lines.map((line, index) => ({ line, look: lookOf(line, index), most: highestOf(line) }));
  const room = width < 8 ? MOST_NAMES / 2 : MOST_NAMES;
  const byMost = [...all].sort((a, b) => b.most - a.most);
  const shown = all.length <= room ? all : byMost.slice(0, room);
  const items = shown.map(({ line, look: { stroke, dash }, most }) => {
    const dashes = dash === null ? null : html` stroke-dasharray="${dash}"`;
    const mark = html`<svg viewBox="0 0 20 6" aria-hidden="true"><path d="M0 3h20" stroke="${trusted(stroke)}" stroke-width="3"${dashes}/></svg>`;
    return html`<li>${mark}${line.label} <span class="most">${plain(most)}</span></li>`;
  });
  const rest = byMost.slice(shown.length);
  const [first, last] = [rest[0], rest.at(-1)];
  const more =
    first &&
    last &&
    html`<li>and ${counted(rest.length, 'line')} more, ${plain(last.most)} to ${plain(first.most)}</li>`;
  return html`<ul class="names" title="${`each with the most that it reached, ${unit}`}">${items}${more}</ul>`;
}

const highestOf = ({ series }: Line): number => Math.max(...series.points.values());
