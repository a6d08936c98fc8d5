import type { Comparison } from '../analysis/compare/comparisons';
import { findingOf } from '../analysis/compare/pairs';
import type { RunSummary } from '../analysis/summary';
import { describeCompressibility } from '../common/format/text';
import { plain, ratio, ratioRange } from '../common/format/units';
import { logTicks, lowerAxis } from '../common/page/drawing';
import { smallestDifferenceIn } from '../schema/plan';
import { systematicErrorOf } from '../store/platform';
import { describeOperation } from '../workload/lookup';
import { type Chart, type ChartOptions, type ChartsBlock, line } from './blocks';
import { armDots } from './charts';
import { isMarked } from './overview';
import { FINDINGS } from './title';

type Drawn = Comparison & { readonly estimate: number };

type Row = ReturnType<typeof rowsOf>[number];

/** A row for each comparison, named by its work, and by its arm and data where those of `all` differ. */
function rowsOf(drawn: readonly Drawn[], all = drawn) {
  const several = new Set(all.map(({ arm }) => arm)).size > 1;
  const alike = new Set(all.map(({ compressibility }) => compressibility)).size === 1;
  return drawn.map((one, index) => {
    const { arm, operation, compressibility, estimate, interval } = one;
    const data = alike || compressibility === null ? [] : [describeCompressibility(compressibility)];
    const name = [...(several ? [arm] : []), describeOperation(operation), ...data].join(', ');
    const finding = findingOf(one);
    const range = interval === null ? '' : ` (${ratioRange(interval)})`;
    const words = `${ratio(estimate)} ×${range}, ${finding === null ? 'too few to rule out chance' : FINDINGS[finding]}`;
    const { low, high } = interval ?? { low: estimate, high: estimate };
    return { arm, name, words, low, high, index, x: estimate, title: `${name}: ${words}` };
  });
}

/** Sizes of the words in either form, and height of a line of them, in the units of the view box, which are pixels at the page's full width. */
const [SIZE, SMALL, LINE] = [12, 10.5, 15];
/** Widths of a bold and of a plain character of the larger size, estimated from above: names must not reach into the plot. */
const [BOLD, PLAIN] = [6.9, 6.5];
/** Width of the page, most of it that names take before they wrap, the gap next to the plot, and the width of the narrow form. */
const [WIDTH, MOST_OF_NAMES, GAP, ROOM] = [792, 280, 14, 345];
/** Plot breaks lines by the widths of regular characters, of which bold ones are wider. */
const NAME = { text: 'name', fontWeight: 600, lineWidth: (0.85 * (MOST_OF_NAMES - GAP)) / SIZE } as const;
const [TOP, BOTTOM] = [4, 42];

interface ForestSubject {
  readonly rows: readonly Row[];
  readonly baseline: string;
  readonly smallest: number | null;
}

/** Labels on the left, the plot in the middle, figures on the right: as wide as the page. */
const broad =
  ({ rows, baseline, smallest }: ForestSubject): ChartOptions =>
  ({ plot, look }) => {
    const longest = (of: (row: Row) => string): number => Math.max(...rows.map((row) => of(row).length));
    const names = Math.min(MOST_OF_NAMES, BOLD * longest(({ name }) => name) + GAP);
    const words = PLAIN * longest(({ words }) => words) + GAP;
    const axis = ratioAxis(rows, baseline);
    const middleOf = ({ index }: Row): number => index + 0.5;
    const text = { y: middleOf, fill: 'var(--ink)', fontSize: SIZE, textAnchor: 'start' } as const;
    return {
      width: WIDTH,
      height: TOP + BOTTOM + rows.length * (names < MOST_OF_NAMES ? LINE + 10 : 2 * LINE + 6),
      marginTop: TOP,
      marginLeft: names,
      marginRight: words,
      x: axis,
      y: { domain: [rows.length, 0], axis: null },
      marks: [
        band(plot, axis.domain, smallest, [{ top: 0, bottom: rows.length }]),
        plot.ruleX([1], { stroke: 'var(--axis)' }),
        plot.text(rows, { ...text, ...NAME, frameAnchor: 'left', dx: -names }),
        plot.text(rows, { ...text, text: 'words', frameAnchor: 'right', dx: GAP }),
        ...estimates({ plot, look }, axis.domain, rows, middleOf),
      ],
    };
  };

/** Words above each line, and only equality next to it, which then crosses no word. */
const narrow =
  ({ rows, baseline, smallest }: ForestSubject): ChartOptions =>
  ({ plot, look }) => {
    const most = (ROOM * SIZE) / SMALL;
    const isStacked = rows.some(({ name, words }) => BOLD * name.length + PLAIN * words.length > most);
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
          ...NAME,
          x: first,
          textAnchor: 'start',
          lineWidth: isStacked ? ROOM / SMALL : undefined,
          textOverflow: isStacked ? 'ellipsis' : undefined,
          dy: text.dy - (isStacked ? LINE : 0),
        }),
        plot.text(rows, {
          ...text,
          text: 'words',
          x: isStacked ? first : last,
          textAnchor: isStacked ? 'start' : 'end',
        }),
        ...estimates({ plot, look }, axis.domain, rows, lineOf),
      ],
    };
  };

/** A logarithmic axis that holds every interval within 0.01 to 100. */
function ratioAxis(rows: readonly Row[], baseline: string) {
  const ends = rows.flatMap(({ low, high }) => [low, high]);
  const [min, max] = [Math.min(0.9, ...ends), Math.max(1.1, ...ends)];
  const domain = [Math.max(0.01, min / 1.04), Math.min(100, max * 1.04)] as [number, number];
  return { type: 'log', domain, tickFormat: String, ...lowerAxis(`× ${baseline}`, logTicks(domain)) } as const;
}

/** Differences too small to matter, in grey, from the top to the bottom of some stretches. */
function band(
  plot: Parameters<ChartOptions>[0]['plot'],
  [first, last]: readonly [number, number],
  smallest: number | null,
  stretches: readonly { readonly top: number; readonly bottom: number }[],
) {
  const min = 1 - (smallest ?? 0);
  const ends = { x1: Math.max(first, min), x2: Math.min(last, 1 / min) };
  return plot.rect(smallest === null ? [] : stretches, { ...ends, y1: 'top', y2: 'bottom', fill: 'var(--grid)' });
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

/** Short enough to fit next to the figure. */
/** Comparisons that fit a first screen, below the verdict and its sentence: of a desktop, and of a phone. */
const [MOST, MOST_NARROW] = [14, 8];

/** A chart of all comparisons: the ratio with its interval, against equality and the smallest difference that matters. `null` without a ratio. */
export function forestPlot(run: RunSummary): ChartsBlock | null {
  const all = run.comparisons.filter((one): one is Drawn => one.estimate !== null && one.estimate > 0);
  if (all.length === 0) return null;
  return { kind: 'charts', charts: [chart(run, all.length, telling(all, MOST), telling(all, MOST_NARROW))] };
}

/** The comparisons with the narrowest intervals, in their order. @param max their number */
function telling(all: readonly Drawn[], max: number): readonly Drawn[] {
  const first = [...all].sort((a, b) => uncertaintyOf(a) - uncertaintyOf(b)).slice(0, max);
  return all.filter((one) => first.includes(one));
}

/** Rank of a comparison: real differences first, the largest of them first; then the most precise ones. */
function uncertaintyOf(one: Drawn): number {
  const far = Math.abs(Math.log(one.estimate));
  if (findingOf(one) === 'real') return -1 - far;
  const { low, high } = one.interval ?? { low: 0, high: Number.POSITIVE_INFINITY };
  return low > 0 ? Math.log(high / low) : Number.MAX_VALUE / (1 + far);
}

function chart(run: RunSummary, known: number, drawn: readonly Drawn[], onPhone: readonly Drawn[]): Chart {
  const smallest = smallestDifferenceIn(run.record.plan);
  const systematic = systematicErrorOf(run);
  const rows = rowsOf(drawn);
  const [data, ...others] = new Set(drawn.map(({ compressibility }) => compressibility));
  const shared = others.length > 0 || data == null ? '' : `: ${describeCompressibility(data)}`;
  const { baseline } = drawn[0] as Drawn;
  const left = known - drawn.length;
  const clear = systematic === 0 ? '1' : `1 ± ${plain(systematic * 100)} %`;
  const marks = drawn.some(({ interval }) => interval !== null)
    ? `The mark is the ratio; its line holds the true ratio in at least 95 of 100 such runs, and one that stays clear of ${clear} shows a real difference.`
    : 'The mark is the ratio; with fewer than two repeats nothing says how far it is off by chance.';
  const lower = drawn.some(({ better }) => better === 'lower') && ' For a time, lower is better.';
  const more = left === 0 && onPhone.length < drawn.length && ' A narrow screen shows the most informative ones.';
  const band =
    smallest !== null &&
    ` Within the grey band, differences are smaller than the ${plain(smallest * 100)} % that matter.`;
  const subject = { rows, baseline, smallest };
  return {
    id: 'forest',
    title: `Each arm as a multiple of ${baseline}${shared}`,
    description: rows.map(({ name, words }) => `${name}: ${words}.`).join(' '),
    caption: line`${isMarked(run) && { invalid: true }}${{ strong: 'Each arm as a multiple of ' }}${{ arm: baseline }}${shared}, on a logarithmic axis. ${marks}${band}${lower}${more}${left > 0 && ` Shown are the most informative of ${known} comparisons: real differences first, then the narrowest intervals.`}`,
    options: broad(subject),
    narrow: narrow({ ...subject, rows: rowsOf(onPhone, drawn) }),
  };
}
