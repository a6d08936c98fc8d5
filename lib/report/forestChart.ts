import type { Comparison, Finding } from '../analysis/compare/comparisons';
import { findingOf } from '../analysis/compare/comparisons';
import type { RunSummary } from '../analysis/summary';
import { targetWords } from '../kit/format/targets';
import { plain, ratio, ratioRange } from '../kit/format/units';
import { logTicks } from '../kit/page/drawing';
import { smallestDifferenceIn } from '../schema/plan';
import { type Chart, type ChartsBlock, line } from './blocks';
import { armDots } from './marks';
import { isMarked } from './overview';

/** Short enough to stand beside the figure. */
const VERDICTS: Readonly<Record<Finding, string>> = {
  real: 'a real difference',
  negligible: 'not meaningful',
  unclear: 'perhaps chance',
};

/** More comparisons than these are no picture: the ones furthest from equality tell most. */
const MOST = 16;

type Drawn = Comparison & { readonly estimate: number };

/** A picture of every comparison: the ratio with its interval, beside equality and the smallest difference that matters. `null` where none has a ratio. */
export function forestPlot(run: RunSummary): ChartsBlock | null {
  const all = run.comparisons.filter((one): one is Drawn => one.estimate !== null && one.estimate > 0);
  if (all.length === 0) return null;
  const far = [...all].sort((a, b) => Math.abs(Math.log(b.estimate)) - Math.abs(Math.log(a.estimate))).slice(0, MOST);
  return {
    kind: 'charts',
    charts: [chart(run, far.length < all.length ? all.filter((one) => far.includes(one)) : all)],
  };
}

function chart(run: RunSummary, drawn: readonly Drawn[]): Chart {
  const smallest = smallestDifferenceIn(run.record.plan);
  const { rows, shared } = rowsOf(drawn);
  const stacked = rows.some(({ name, words }) => BOLD * name.length + PLAIN * words.length > ROOM);
  const height = stacked ? ROW + LINE : ROW;
  const { baseline } = drawn[0] as Drawn;
  const left = run.comparisons.length - drawn.length;
  const marks = drawn.some(({ interval }) => interval !== null)
    ? 'The mark is the ratio; its line holds the true ratio in at least 95 of 100 such runs, and one that stays clear of 1 shows a real difference.'
    : 'The mark is the ratio; with fewer than two repeats nothing says how far it is off by chance.';
  const lower = drawn.some(({ better }) => better === 'lower') && ' Of a time, less is better.';
  const band =
    smallest !== null &&
    ` Within the grey band, differences are smaller than the ${plain(smallest * 100)} % that matter.`;
  return {
    id: 'forest',
    title: `Each arm as a multiple of ${baseline}${shared}`,
    description: rows.map(({ name, words }) => `${name}: ${words}.`).join(' '),
    caption: line`${isMarked(run) && { invalid: true }}${{ strong: 'Each arm as a multiple of ' }}${{ arm: baseline }}${shared}, on a logarithmic axis. ${marks}${band}${lower}${left > 0 && ` The ${drawn.length} furthest from 1 of ${run.comparisons.length}.`}`,
    options: ({ plot, look }) => {
      const ends = rows.flatMap(({ low, high }) => [low, high]);
      const [least, most] = [Math.min(0.9, ...ends), Math.max(1.1, ...ends)];
      const domain = [Math.max(0.01, least / 1.04), Math.min(100, most * 1.04)] as [number, number];
      const colour = ({ arm }: { arm: string }): string => look.colour(arm);
      // The halo keeps the line at 1 out of the words.
      const halo = { stroke: 'var(--paper)', strokeWidth: 4 } as const;
      const text = { ...halo, fill: 'var(--ink)', fontSize: 10.5, lineAnchor: 'bottom', dy: -7 } as const;
      const [first, last] = domain;
      return {
        height: TOP + BOTTOM + rows.length * height,
        marginTop: TOP,
        marginLeft: 4,
        marginRight: 4,
        x: {
          type: 'log',
          domain,
          ticks: logTicks(domain),
          tickFormat: String,
          tickSize: 0,
          label: `× ${baseline}`,
          labelAnchor: 'center',
          labelArrow: 'none',
        },
        y: { domain: [rows.length, 0], axis: null },
        symbol: { type: 'identity' },
        marks: [
          plot.rect(smallest === null ? [] : [1 - smallest], {
            ...{ x1: (least: number) => Math.max(first, least), x2: (least: number) => Math.min(last, 1 / least) },
            ...{ y1: 0, y2: rows.length, fill: 'var(--grid)' },
          }),
          plot.ruleX([1], { stroke: 'var(--axis)' }),
          plot.text(rows, {
            ...text,
            ...(stacked ? { dy: text.dy - LINE } : {}),
            ...{ x: first, y: 'y', text: 'name', textAnchor: 'start', fontWeight: 600 },
          }),
          plot.text(rows, { ...text, x: last, y: 'y', text: 'words', textAnchor: 'end' }),
          plot.link(
            rows.filter(({ low, high }) => low < high),
            {
              ...{ x1: ({ low }: Row) => Math.max(first, low), x2: ({ high }: Row) => Math.min(last, high) },
              ...{ y1: 'y', y2: 'y', stroke: colour, strokeWidth: 2.2, strokeLinecap: 'round' },
            },
          ),
          armDots({ plot, look }, rows, 4),
        ],
      };
    },
  };
}

/** Height of a comparison, with its words above its line. */
const ROW = 34;
/** Height of a second line of words, used if a name leaves no room beside it. */
const LINE = 13;
/** Widths of a character of these words, and of the picture, in its own units. */
const [BOLD, PLAIN, ROOM] = [6, 5.3, 345];
const [TOP, BOTTOM] = [4, 42];

interface Row {
  readonly arm: string;
  readonly name: string;
  readonly words: string;
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  readonly title: string;
}

/** A row for each comparison, and what all of them share, where only their arms tell them apart. */
function rowsOf(drawn: readonly Drawn[]): { readonly rows: Row[]; readonly shared: string } {
  const several = new Set(drawn.map(({ arm }) => arm)).size > 1;
  const works = drawn.map(({ operation, target }) =>
    [operation.replaceAll('_', ' '), ...(target === null ? [] : [targetWords(target)])].join(', '),
  );
  const alike = several && new Set(works).size === 1;
  const rows = drawn.map((one, index): Row => {
    const { arm, estimate, interval } = one;
    const name = alike ? arm : [...(several ? [arm] : []), works[index]].join(', ');
    const finding = findingOf(one);
    const range = interval === null ? '' : ` (${ratioRange(interval)})`;
    const words = `${ratio(estimate)} ×${range}, ${finding === null ? 'too few to tell' : VERDICTS[finding]}`;
    const { low, high } = interval ?? { low: estimate, high: estimate };
    return { ...{ arm, name, words, low, high }, x: estimate, y: index + 0.72, title: `${name}: ${words}` };
  });
  return { rows, shared: alike ? `: ${works[0]}` : '' };
}
