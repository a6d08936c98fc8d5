import { logTicks, lowerAxis } from '../../common/page/drawing';
import type { ChartOptions } from '../blocks';
import { armDots } from '../marks';
import type { Row } from './rows';

/** Sizes of the words in either form, and height of a line of them, in the units of the view box, which are pixels at the page's full width. */
const [SIZE, SMALL, LINE] = [12, 10.5, 15];
/** Widths of a bold and of a plain character of the larger size, estimated from above: names must not reach into the plot. */
const [BOLD, PLAIN] = [6.9, 6.5];
/** Plot breaks lines by the widths of regular characters, of which bold ones are wider. */
const BOLDER = 0.85;
/** Between words and plot. */
const GAP = 14;
/** Width of the page, most of it that names take before they wrap, and the width of the narrow form. */
const [WIDTH, MOST_OF_NAMES, ROOM] = [792, 280, 345];
const [TOP, BOTTOM] = [4, 42];

/** Comparisons to draw, with what they are compared with. */
export interface ForestSubject {
  readonly rows: readonly Row[];
  readonly baseline: string;
  readonly smallest: number | null;
}

/** Labels on the left, the plot in the middle, figures on the right: as wide as the page. */
export const broad =
  ({ rows, baseline, smallest }: ForestSubject): ChartOptions =>
  ({ plot, look }) => {
    const longest = (of: (row: Row) => string): number => Math.max(...rows.map((row) => of(row).length));
    const names = Math.min(MOST_OF_NAMES, BOLD * longest(({ name }) => name) + GAP);
    const words = PLAIN * longest(({ words }) => words) + GAP;
    const isWrapped = rows.some(({ name }) => BOLD * name.length + GAP > MOST_OF_NAMES);
    const axis = ratioAxis(rows, baseline);
    const text = { y: middleOf, fill: 'var(--ink)', fontSize: SIZE, textAnchor: 'start' } as const;
    return {
      width: WIDTH,
      height: TOP + BOTTOM + rows.length * (isWrapped ? 2 * LINE + 6 : LINE + 10),
      marginTop: TOP,
      marginLeft: names,
      marginRight: words,
      x: axis,
      y: { domain: [rows.length, 0], axis: null },
      marks: [
        band(plot, axis.domain, smallest, [{ top: 0, bottom: rows.length }]),
        plot.ruleX([1], { stroke: 'var(--axis)' }),
        plot.text(rows, {
          ...text,
          text: 'name',
          fontWeight: 600,
          frameAnchor: 'left',
          dx: -names,
          lineWidth: (BOLDER * (MOST_OF_NAMES - GAP)) / SIZE,
        }),
        plot.text(rows, { ...text, text: 'words', frameAnchor: 'right', dx: GAP }),
        ...estimates({ plot, look }, axis.domain, rows, middleOf),
      ],
    };
  };

/** Words above each line, and equality next to it alone, so that it crosses no word. */
export const narrow =
  ({ rows, baseline, smallest }: ForestSubject): ChartOptions =>
  ({ plot, look }) => {
    const isStacked = rows.some(
      ({ name, words }) => (BOLD * name.length + PLAIN * words.length) * (SMALL / SIZE) > ROOM,
    );
    const axis = ratioAxis(rows, baseline);
    const [first, last] = axis.domain;
    const height = (isStacked ? 2 : 1) * LINE + 20;
    // The line of a comparison, as a share of the row's height from the top.
    const share = 1 - 10 / height;
    const [above, below] = [share - 5 / height, share + 5 / height];
    const lines = rows.map(({ index }) => ({ top: index + above, bottom: index + below }));
    const lineOf = ({ index }: Row): number => index + share;
    const text = { y: lineOf, fill: 'var(--ink)', fontSize: SMALL, lineAnchor: 'bottom', dy: -9 } as const;
    return {
      height: TOP + BOTTOM + rows.length * height,
      marginTop: TOP,
      marginLeft: 4,
      marginRight: 4,
      x: axis,
      y: { domain: [rows.length, 0], axis: null },
      marks: [
        band(plot, axis.domain, smallest, lines),
        plot.link(lines, { x1: 1, x2: 1, y1: 'top', y2: 'bottom', stroke: 'var(--axis)' }),
        plot.text(rows, {
          ...text,
          x: first,
          text: 'name',
          textAnchor: 'start',
          fontWeight: 600,
          lineWidth: isStacked ? ROOM / SMALL : undefined,
          textOverflow: isStacked ? 'ellipsis' : undefined,
          dy: text.dy - (isStacked ? LINE : 0),
        }),
        plot.text(rows, {
          ...text,
          x: isStacked ? first : last,
          textAnchor: isStacked ? 'start' : 'end',
          text: 'words',
        }),
        ...estimates({ plot, look }, axis.domain, rows, lineOf),
      ],
    };
  };

/** A logarithmic axis that holds every interval within 0.01 to 100. */
function ratioAxis(rows: readonly Row[], baseline: string) {
  const ends = rows.flatMap(({ low, high }) => [low, high]);
  const [least, most] = [Math.min(0.9, ...ends), Math.max(1.1, ...ends)];
  const domain = [Math.max(0.01, least / 1.04), Math.min(100, most * 1.04)] as [number, number];
  return { type: 'log', domain, tickFormat: String, ...lowerAxis(`× ${baseline}`, logTicks(domain)) } as const;
}

/** Middle of a row, which is 1 high. */
const middleOf = ({ index }: Row): number => index + 0.5;

/** Differences too small to matter, in grey, from the top to the bottom of some stretches. */
function band(
  plot: Parameters<ChartOptions>[0]['plot'],
  [first, last]: readonly [number, number],
  smallest: number | null,
  stretches: readonly { readonly top: number; readonly bottom: number }[],
) {
  const least = 1 - (smallest ?? 0);
  return plot.rect(smallest === null ? [] : stretches, {
    x1: Math.max(first, least),
    x2: Math.min(last, 1 / least),
    y1: 'top',
    y2: 'bottom',
    fill: 'var(--grid)',
  });
}

/** Ratios with their intervals; what lies beyond the axis ends at it. */
function estimates(
  { plot, look }: Parameters<ChartOptions>[0],
  [first, last]: readonly [number, number],
  rows: readonly Row[],
  y: (row: Row) => number,
) {
  const points = rows.map((row) => ({ ...row, y: y(row) }));
  return [
    plot.link(
      points.filter(({ low, high }) => low < high),
      {
        x1: ({ low }: Row) => Math.max(first, low),
        x2: ({ high }: Row) => Math.min(last, high),
        y1: 'y',
        y2: 'y',
        stroke: ({ arm }: Row) => look.colour(arm),
        strokeWidth: 2.2,
        strokeLinecap: 'round',
      },
    ),
    armDots({ plot, look }, points, 4),
  ];
}
