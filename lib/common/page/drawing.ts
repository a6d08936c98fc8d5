import { plain } from '../format/units';
import { html, type Markup, trusted } from './markup';

/** Colours of arms, in order: Okabe–Ito and six more, darkened or lightened until text stands out. Twelve, since a dashboard has no shapes. */
export const ARM_COLOURS = [
  ...['#0068a8', '#c04f00', '#00785a', '#a3447c', '#7a6500', '#44484d'],
  ...['#5f3dc4', '#0a7f94', '#7d3c14', '#4f7d00', '#c2168f', '#1d2a78'],
] as const;

export const DARK_ARM_COLOURS = [
  ...['#62b5ec', '#f59a4c', '#45c9a3', '#e69bc6', '#dcc74f', '#b9bec4'],
  ...['#a48cff', '#4fdcf0', '#c98a5e', '#a6d63f', '#ff7ad9', '#8f8f3c'],
] as const;

const importPlot = () => import('@observablehq/plot');
type PlotModule = Awaited<ReturnType<typeof importPlot>>;
export type PlotOptions = NonNullable<Parameters<PlotModule['plot']>[0]>;

/** Width of every chart, in the units of its view box: one column on a phone, half the page elsewhere. */
const CHART_WIDTH = 360;

/** A number of an axis, which needs no zeros at its end: `0.5`, `1`, `1.5`. */
const tickFormat = (value: number): string =>
  plain(value)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

export const valueAxis = (label: string, ticks: number) =>
  ({ label, labelArrow: 'none', ticks, tickSize: 0, tickFormat }) as const;

/** Settings of the axis below a chart: a label in the middle, and numbers as Plot formats them. */
export const lowerAxis = (label: string | null, ticks: number | readonly number[] = 6) =>
  ({ label, labelAnchor: 'center', labelArrow: 'none', ticks, tickSize: 0 }) as const;

/** Horizontal lines of a chart's grid. */
export const gridLines = ({ plot }: Pick<Drawing, 'plot'>, ticks?: number) =>
  plot.gridY({ stroke: 'var(--grid)', strokeOpacity: 1, ticks });

export const gridFromZero = (tools: Pick<Drawing, 'plot'>) => [
  gridLines(tools),
  tools.plot.ruleY([0], { stroke: 'var(--axis)' }),
];

/** The unit of a time axis that is so many milliseconds long, and its milliseconds. */
export const timeUnit = (length: number): readonly [unit: string, milliseconds: number] =>
  length < 180_000 ? ['seconds', 1000] : length < 10_800_000 ? ['minutes', 60_000] : ['hours', 3_600_000];

/** Points in time, milliseconds since 1970, with one that is nowhere wherever more than a period and a half has none: there a line breaks. */
export const withGaps = <P>(
  points: readonly P[],
  everySeconds: number,
  timeOf: (point: P) => number,
  nowhere: (at: number) => P,
): P[] =>
  points.flatMap((point, index) => {
    const [at, next] = [timeOf(point), points[index + 1]];
    return next !== undefined && timeOf(next) - at > everySeconds * 1500 ? [point, nowhere(at + 1)] : [point];
  });

/** Round numbers of a logarithmic axis, as many as there is room for, 1 before all others. */
export function logTicks([low, high]: readonly [number, number], max = 7): number[] {
  const min = Math.log(high / low) / max;
  const exponents = Array.from({ length: 13 }, (_, index) => index - 6);
  const chosen: number[] = [];
  const choose = (mantissas: readonly number[]): void => {
    for (const exponent of exponents)
      for (const mantissa of mantissas) {
        const value = Number((mantissa * 10 ** exponent).toPrecision(3));
        if (value >= low && value <= high && chosen.every((other) => Math.abs(Math.log(value / other)) >= min))
          chosen.push(value);
      }
  };
  // The rounder a number is, the earlier it comes.
  for (const mantissas of [[1], [2, 5], [3], [1.5, 4, 7], [8, 9, 1.2, 1.1, 1.05, 9.5]]) choose(mantissas);
  // Between 2.1 and 2.9 there is none of these.
  if (chosen.length < 2) choose(Array.from({ length: 90 }, (_, tenth) => 1 + tenth / 10));
  return chosen.sort((a, b) => a - b);
}

/** Draws charts as SVG text, without a browser. */
export interface Drawing {
  readonly plot: PlotModule;
  /** A chart with a name and a description for those who do not see it. `id` must be unique on the page. */
  draw(options: PlotOptions, words: { id: string; title: string; description: string }): Markup;
}

/** Loads the chart libraries when a report needs them: that takes a third of a second. CommonJS on Node 20 can import Plot only dynamically. */
export async function loadDrawing(): Promise<Drawing> {
  const [plot, { JSDOM }] = await Promise.all([importPlot(), import('jsdom')]);
  return drawingWith(plot, new JSDOM('').window.document);
}

/** Draws with a document that is there, such as a browser's. */
export function drawingWith(plot: PlotModule, document: Document): Drawing {
  return {
    plot,
    draw(options, { id, title, description }) {
      const svg = plot.plot({
        width: CHART_WIDTH,
        height: 236,
        marginLeft: 50,
        marginRight: 10,
        marginTop: 24,
        marginBottom: 42,
        symbol: { type: 'identity' },
        ...options,
        document,
      });
      // The page has one style for all charts; Plot's own, repeated in each, would also set a background.
      svg.querySelector('style')?.remove();
      for (const name of ['class', 'font-family', 'font-size', 'width', 'height']) svg.removeAttribute(name);
      for (const element of svg.querySelectorAll('*')) tidy(element);
      const words = html`<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>`;
      return html`<svg class="chart" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-desc" viewBox="${svg.getAttribute('viewBox')}" fill="currentColor" text-anchor="middle">${words}${trusted(svg.innerHTML)}</svg>`;
    },
  };
}

const GEOMETRY = ['d', 'transform', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'cx', 'cy'];

/** Hundredths of a pixel are enough; the title of the chart speaks for its parts. */
function tidy(element: Element): void {
  element.removeAttribute('aria-label');
  for (const name of GEOMETRY) {
    const value = element.getAttribute(name);
    if (value?.includes('.'))
      element.setAttribute(
        name,
        value.replace(/\d+\.\d+/g, (number) => String(Math.round(Number(number) * 100) / 100)),
      );
  }
}
