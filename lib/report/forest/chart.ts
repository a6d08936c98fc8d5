import { type Finding, findingOf } from '../../analysis/compare/inference';
import type { RunSummary } from '../../analysis/summary';
import { plain } from '../../common/format/units';
import { smallestDifferenceIn } from '../../schema/plan';
import { systematicErrorOf } from '../../store/place';
import { type Chart, type ChartsBlock, line } from '../blocks';
import { isMarked } from '../overview';
import { broad, narrow } from './plot';
import { type Drawn, rowsOf } from './rows';

/** Short enough to stand next to the figure. */
const VERDICTS: Readonly<Record<Finding, string>> = {
  real: 'a real difference',
  negligible: 'not meaningful',
  unclear: 'perhaps chance',
};

/** Comparisons that fit a first screen, below the verdict and its sentence: of a desktop, and of a phone. */
const [MOST, MOST_NARROW] = [14, 8];

/** A picture of every comparison: the ratio with its interval, beside equality and the smallest difference that matters. `null` where none has a ratio. */
export function forestPlot(run: RunSummary): ChartsBlock | null {
  const all = run.comparisons.filter((one): one is Drawn => one.estimate !== null && one.estimate > 0);
  if (all.length === 0) return null;
  return { kind: 'charts', charts: [chart(run, all.length, telling(all, MOST), telling(all, MOST_NARROW))] };
}

/** The comparisons that tell most, in their order. @param most their number */
function telling(all: readonly Drawn[], most: number): readonly Drawn[] {
  const first = [...all].sort((a, b) => uncertaintyOf(a) - uncertaintyOf(b)).slice(0, most);
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
  const verdicts = systematic === 0 ? VERDICTS : { ...VERDICTS, unclear: 'perhaps none' };
  const { rows, shared } = rowsOf(drawn, verdicts);
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
    narrow: narrow(
      onPhone.length < drawn.length ? { ...subject, rows: rowsOf(onPhone, verdicts, drawn).rows } : subject,
    ),
  };
}
