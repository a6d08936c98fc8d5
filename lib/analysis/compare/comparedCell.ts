import { counted } from '../../common/format/units';
import {
  geometricMean,
  geometricRatio,
  type Lag1Evidence,
  leavesOutEquality,
  repeatsFor,
} from '../../common/statistics';
import type { Side } from '../../schema/baseline';
import { betterOf } from '../../workload/lookup';
import type { Better } from '../../workload/operation';
import type { CellKey } from '../figures/operationKind';
import { mainRates } from '../figures/rates';
import { statistics } from '../figures/statistics';
import { pairSpread, ratioInterval, type TwoSampleInterval } from './welch';

/**
 * `regression`: worse than the tolerance allows, and more than chance; `same`: the interval rules such a regression out; `inconclusive`: it neither
 * shows nor rules it out, or a larger share of B's repeats than of A's has no value; `only in A`: the plan of B does not contain it.
 */
export type CellVerdict = 'same' | 'improvement' | 'regression' | 'inconclusive' | 'missing' | 'new' | 'only in A';

export type SideCell = ReturnType<typeof ratesIn>[number];

/** One arm, operation and compressibility on both sides. */
export interface ComparedCell extends CellKey {
  readonly metric: string;
  readonly unit: string;
  /** Direction of improvement: for a time, lower is better. */
  readonly better: Better;
  /** Median of each side, and of how many repeats; `null` where a side has none. */
  readonly a: number | null;
  readonly b: number | null;
  /** Geometric mean over the repeats of each side. */
  readonly meanA: number | null;
  readonly meanB: number | null;
  readonly repeatsA: number;
  readonly repeatsB: number;
  /** `meanB` ÷ `meanA`. */
  readonly ratio: number | null;
  /** Confidence interval of the ratio; `null` with fewer than two repeats on a side. */
  readonly interval: TwoSampleInterval | null;
  /** True if the whole interval lies within the tolerance; `null` without an interval. */
  readonly negligible: boolean | null;
  readonly verdict: CellVerdict;
  /** Repeats of each run that would settle an inconclusive cell with 80 % probability, at its ratio and variance; else `null`. */
  readonly repeatsNeeded: number | null;
  /** Why there is no ratio or no interval. */
  readonly reason: string | null;
}

/** The cells of a side that are compared. */
export const ratesIn = ({ cells }: Side) =>
  mainRates(cells.map((cell) => ({ ...cell, kind: cell.kind ?? { id: cell.operation } })));

/** A value for each repeat: iterations within one repeat are no repeats of the experiment. */
export function usable(cell: SideCell | undefined): number[] {
  const known = (cell?.samples ?? []).flatMap(({ repeat, value }) => (value ? [{ repeat, value }] : []));
  const repeats = [...Map.groupBy(known, ({ repeat }) => repeat).values()];
  return repeats.map((group) => statistics(group.map(({ value }) => value)).median ?? 0).filter((value) => value > 0);
}

/** Repeats of a side without a value above 0: they failed, or nothing moved. */
interface Lost {
  readonly count: number;
  readonly share: number;
  /** `3 of 5 repeats of B have no value above 0: no space left on device` */
  readonly words: string;
}

export function lostOf(cell: SideCell | undefined, side: string): Lost {
  const repeats = [...Map.groupBy(cell?.samples ?? [], ({ repeat }) => repeat).values()];
  const lost = repeats.filter((group) => !group.some(({ value }) => (value ?? 0) > 0));
  const why = lost.flat().find(({ reason }) => reason !== null)?.reason ?? 'nothing moved';
  return {
    count: lost.length,
    share: lost.length / Math.max(1, repeats.length),
    words: `${lost.length} of ${counted(repeats.length, 'repeat')} of ${side} ${lost.length === 1 ? 'has' : 'have'} no value above 0: ${why}`,
  };
}

interface CellOptions {
  readonly tolerance: number;
  readonly comparisons: number;
  readonly evidence: Lag1Evidence;
}

/** Compares the values of one cell. */
export function compareCell(
  a: SideCell | undefined,
  b: SideCell | undefined,
  { tolerance, comparisons, evidence }: CellOptions,
): ComparedCell {
  const { arm, operation, compressibility, metric, unit, kind } = (a ?? b) as SideCell;
  const better = betterOf(kind.id, metric);
  const [left, right] = [usable(a), usable(b)];
  const [medianA, medianB] = [statistics(left).median, statistics(right).median];
  const base = {
    arm,
    operation,
    compressibility,
    metric,
    unit,
    better,
    a: medianA,
    b: medianB,
    meanA: geometricMean(left),
    meanB: geometricMean(right),
    repeatsA: left.length,
    repeatsB: right.length,
  };
  const none = (verdict: CellVerdict, reason: string): ComparedCell => ({
    ...base,
    ratio: null,
    interval: null,
    negligible: null,
    verdict,
    repeatsNeeded: null,
    reason,
  });
  const ratio = geometricRatio(left, right);
  if (medianA === null) return none('new', whyNone(a, 'A'));
  if (medianB === null || ratio === null) return none('missing', whyNone(b, 'B'));
  const interval = ratioInterval(left, right, { comparisons, evidence });
  const judged = judge(ratio, interval, better, tolerance);
  const [lostA, lostB] = [lostOf(a, 'A'), lostOf(b, 'B')];
  // What is left of a side that lost more is not all that it does.
  const fails = lostB.share > lostA.share && judged !== 'regression';
  const verdict = fails ? 'inconclusive' : judged;
  const tooFew = 'fewer than two repeats on a side: the ratio alone can show a regression, nothing else';
  const reason = fails ? lostB.words : interval === null ? tooFew : null;
  const [least, most] = boundsOf(tolerance);
  const negligible = interval && !fails && interval.low >= least && interval.high <= most;
  const margin = marginOf(ratio, better, tolerance);
  // At a margin of 0, as of a run against itself with a tolerance of 0, no number of repeats is enough.
  const repeatsNeeded =
    verdict === 'inconclusive' && !fails && interval !== null && margin > 0
      ? repeatsFor(margin, pairSpread(left, right, interval), { comparisons })
      : null;
  return { ...base, ratio, interval, negligible, verdict, repeatsNeeded, reason };
}

/** Why a side has no value that could be compared; a rate of zero has no logarithm. */
const whyNone = (cell: SideCell | undefined, side: 'A' | 'B'): string =>
  cell?.samples.find(({ reason }) => reason !== null)?.reason ??
  (cell?.samples.some(({ value }) => value !== null) ? `${side} has values of 0 alone` : `${side} has no value`);

function judge(ratio: number, interval: TwoSampleInterval | null, better: Better, tolerance: number): CellVerdict {
  const [least, most] = boundsOf(tolerance);
  const worse = better === 'higher' ? ratio < least : ratio > most;
  if (interval === null) return worse ? 'regression' : 'inconclusive';
  const improved = better === 'higher' ? ratio > most : ratio < least;
  if (leavesOutEquality(interval)) {
    if (worse) return 'regression';
    if (improved) return 'improvement';
  }
  return (better === 'higher' ? interval.low >= least : interval.high <= most) ? 'same' : 'inconclusive';
}

/** The least and the largest ratio within the tolerance. */
const boundsOf = (tolerance: number): [number, number] => [1 - tolerance, 1 + tolerance];

/**
 * Returns the distance from the ratio at which an interval must end to settle a cell: to equality if the ratio is worse than the tolerance
 * allows, else to the tolerance. As a difference, from 0.
 */
function marginOf(ratio: number, better: Better, tolerance: number): number {
  const [least, most] = boundsOf(tolerance);
  const ofBound = better === 'higher' ? ratio / least : most / ratio;
  const ofEquality = better === 'higher' ? 1 / ratio : ratio;
  return (ofBound > 1 ? ofBound : ofEquality) - 1;
}
