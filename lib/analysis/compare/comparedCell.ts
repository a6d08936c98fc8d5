import { counted } from '../../common/format/units';
import {
  geometricMean,
  geometricRatio,
  type Interval,
  inflatedSpread,
  type Lag1Evidence,
  leavesOutEquality,
  meanInterval,
  repeatsFor,
  studentQuantile,
} from '../../common/statistics';
import type { Side } from '../../schema/summary';
import { type Better, betterOf } from '../../workload/lookup';
import { mainRates } from '../figures/operationKind';
import { statistics } from '../figures/statistics';

interface TwoSampleInterval extends Pick<Interval, 'low' | 'high' | 'confidence'> {
  readonly method: 'Welch t on logarithms';
  /** The dependence of the repeats of each side that the interval allows for. @default - both sides have too few: they are taken as independent */
  readonly dependence?: readonly [a: Interval['dependence'] | null, b: Interval['dependence'] | null];
}

interface TwoSampleOptions {
  readonly confidence?: number;
  readonly comparisons?: number;
  /** Lag1Evidence of the autocorrelation of all repeats that are compared. @default - that of each side alone */
  readonly evidence?: Lag1Evidence;
}

/** B ÷ A by geometric means of repeats in the order of time: Welch's interval, variances inflated by autocorrelation; `null` with fewer than two on a side. */
export function ratioInterval(
  a: readonly number[],
  b: readonly number[],
  { confidence = 0.95, comparisons = 1, evidence }: TwoSampleOptions = {},
): TwoSampleInterval | null {
  if (a.length < 2 || b.length < 2) return null;
  const each = 1 - (1 - confidence) / comparisons;
  const sides = [a, b].map((values) => {
    const { dependence = null } = meanInterval(values.map(Math.log), { confidence: each, evidence }) ?? {};
    const { mean, ofMean } = moments(values);
    return { mean, ofMean: ofMean * (dependence?.varianceInflation ?? 1), dependence };
  });
  const [left, right] = sides as [(typeof sides)[number], (typeof sides)[number]];
  const centre = right.mean - left.mean;
  const variance = left.ofMean + right.ofMean;
  // Welch–Satterthwaite; both sides without any spread leave nothing to estimate.
  const degrees =
    variance === 0
      ? a.length + b.length - 2
      : variance ** 2 / (left.ofMean ** 2 / (a.length - 1) + right.ofMean ** 2 / (b.length - 1));
  const reach = studentQuantile(each, degrees) * Math.sqrt(variance);
  const isAllowedFor = left.dependence !== null || right.dependence !== null;
  return {
    low: Math.exp(centre - reach),
    high: Math.exp(centre + reach),
    confidence: each,
    method: 'Welch t on logarithms',
    dependence: isAllowedFor ? [left.dependence, right.dependence] : undefined,
  };
}

/** Standard deviation of the logarithm of B ÷ A, of one repeat of each, inflated by the lag-1 autocorrelation of the repeats. */
function pairSpread(a: readonly number[], b: readonly number[], { dependence }: TwoSampleInterval): number {
  const spreads = [a, b].map((values, side) =>
    inflatedSpread(Math.sqrt(moments(values).ofMean * values.length), dependence?.[side]),
  );
  return Math.hypot(...spreads);
}

function moments(values: readonly number[]): { mean: number; ofMean: number } {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  return { mean, ofMean: variance / logs.length };
}

/** `regression`: worse than tolerated, not by chance; `inconclusive`: that is possible, or B lost a larger share of repeats; `only in A`: not in B's plan. */
export type CellVerdict = 'same' | 'improvement' | 'regression' | 'inconclusive' | 'missing' | 'new' | 'only in A';

export type SideCell = ReturnType<typeof ratesIn>[number];

export const ratesIn = ({ cells }: Side) =>
  mainRates(cells.map((cell) => ({ ...cell, kind: cell.kind ?? { id: cell.operation } })));

/** One value per repeat: iterations within one repeat do not count as repeats of the experiment. */
export function usable(cell: SideCell | undefined): number[] {
  const known = (cell?.samples ?? []).flatMap(({ repeat, value }) => (value ? [{ repeat, value }] : []));
  const repeats = [...Map.groupBy(known, ({ repeat }) => repeat).values()];
  return repeats.map((group) => statistics(group.map(({ value }) => value)).median ?? 0).filter((value) => value > 0);
}

/** Repeats of a side without a value above 0: `3 of 5 repeats of B have no value above 0: no space left on device`. */
export function lostOf(cell: SideCell | undefined, side: string) {
  const repeats = [...Map.groupBy(cell?.samples ?? [], ({ repeat }) => repeat).values()];
  const lost = repeats.filter((group) => !group.some(({ value }) => (value ?? 0) > 0));
  const why = lost.flat().find(({ reason }) => reason !== null)?.reason ?? 'nothing moved';
  return {
    count: lost.length,
    share: lost.length / Math.max(1, repeats.length),
    words: `${lost.length} of ${counted(repeats.length, 'repeat')} of ${side} ${lost.length === 1 ? 'has' : 'have'} no value above 0: ${why}`,
  };
}

export type ComparedCell = ReturnType<typeof compareCell>;

export function compareCell(
  a: SideCell | undefined,
  b: SideCell | undefined,
  { tolerance, comparisons, evidence }: Required<Omit<TwoSampleOptions, 'confidence'>> & { readonly tolerance: number },
) {
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
    /** Median of each side and its number of repeats; `null` for a side without values. */
    a: medianA,
    b: medianB,
    /** Geometric mean over the repeats of each side. */
    meanA: geometricMean(left),
    meanB: geometricMean(right),
    repeatsA: left.length,
    repeatsB: right.length,
  };
  const none = (verdict: CellVerdict, reason: string) => ({
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
  // The remaining repeats of a side that lost more do not represent it.
  const fails = lostB.share > lostA.share && judged !== 'regression';
  const verdict = fails ? 'inconclusive' : judged;
  const tooFew = 'fewer than two repeats on a side: the ratio alone can show a regression, nothing else';
  const reason = fails ? lostB.words : interval === null ? tooFew : null;
  const [min, max] = boundsOf(tolerance);
  // The whole interval lies within the tolerance; `null` without one.
  const negligible = interval && !fails && interval.low >= min && interval.high <= max;
  const margin = marginOf(ratio, better, tolerance);
  // Repeats of each run that would settle an inconclusive cell with 80 % probability, at its ratio and variance.
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
  const [min, max] = boundsOf(tolerance);
  const worse = better === 'higher' ? ratio < min : ratio > max;
  if (interval === null) return worse ? 'regression' : 'inconclusive';
  const improved = better === 'higher' ? ratio > max : ratio < min;
  if (leavesOutEquality(interval)) {
    if (worse) return 'regression';
    if (improved) return 'improvement';
  }
  return (better === 'higher' ? interval.low >= min : interval.high <= max) ? 'same' : 'inconclusive';
}

const boundsOf = (tolerance: number): [number, number] => [1 - tolerance, 1 + tolerance];

/** Returns the relative distance from a ratio to the bound that settles its cell: the tolerance, or equality for a ratio beyond the tolerance. */
function marginOf(ratio: number, better: Better, tolerance: number): number {
  const [min, max] = boundsOf(tolerance);
  const ofBound = better === 'higher' ? ratio / min : max / ratio;
  const ofEquality = better === 'higher' ? 1 / ratio : ratio;
  return (ofBound > 1 ? ofBound : ofEquality) - 1;
}
