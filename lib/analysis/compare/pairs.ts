import { keyOf } from '../../common/collections';
import { comparePairs, geometricMean, type Lag1Evidence } from '../../common/statistics';
import type { Sample } from '../../schema/sample';
import type { Cell } from '../figures/cells';
import { labelOf, type OperationKind, operationLabel } from '../figures/operationKind';
import { statistics } from '../figures/statistics';

/** One repeat in which both arms did the same operation on the same data. */
export interface Pair {
  readonly repeat: number;
  /** Medians of the repeat if the tool gave several values in it. */
  readonly baseline: number | null;
  readonly value: number | null;
  /** `value` ÷ `baseline`; `null` with a reason. */
  readonly ratio: number | null;
  readonly reason?: string;
}

/** A pair with a ratio that has a logarithm. */
export type UsablePair = Pair & { readonly baseline: number; readonly value: number; readonly ratio: number };

export const usable = (pairs: readonly Pair[]): UsablePair[] =>
  pairs.filter((pair): pair is UsablePair => pair.ratio !== null && pair.ratio > 0);

type Side = readonly [arm: string, cell: Cell | undefined];
export type Attempts = (arm: string, repeat: number) => { step: string; attempt: number } | undefined;

export function pairsOf(a: Side, b: Side, attempts: Attempts): Pair[] {
  const repeats = new Set([...repeatsIn(a[1]), ...repeatsIn(b[1])]);
  return [...repeats].sort((x, y) => x - y).map((repeat) => pairOf(repeat, a, b, attempts));
}

const repeatsIn = (cell: Cell | undefined): Set<number> => new Set((cell?.samples ?? []).map(({ repeat }) => repeat));

/** Medians of the repeats of a cell that have a value. */
export const repeatsOf = (cell: Cell | undefined): number[] =>
  [...repeatsIn(cell)].flatMap((repeat) => repeatMedian(cell, repeat) ?? []).filter((value) => value > 0);

export function attemptsOf(counted: readonly Sample[], kind: OperationKind, target: number | null): Attempts {
  const label = operationLabel(kind);
  const found = new Map<string, { step: string; attempt: number }>();
  for (const sample of counted) {
    if (sample.operation !== kind.id || sample.compressibility !== target || sample.phase !== 'measure') continue;
    if (labelOf(sample) !== label) continue;
    found.set(keyOf(sample.arm, sample.repeat), { step: sample.step, attempt: sample.attempt });
  }
  return (arm, repeat) => found.get(keyOf(arm, repeat));
}

function pairOf(repeat: number, a: Side, b: Side, attempts: Attempts): Pair {
  const [baseline, value] = [repeatMedian(a[1], repeat), repeatMedian(b[1], repeat)];
  const pair = { repeat, baseline, value };
  const missing = [a, b].filter(([, cell]) => repeatMedian(cell, repeat) === null);
  if (baseline === null || value === null) {
    const reasons = missing.map(([arm, cell]) => `${arm}: ${reasonOf(cell, repeat)}`);
    return { ...pair, ratio: null, reason: reasons.join('; ') };
  }
  const [first, second] = [attempts(a[0], repeat), attempts(b[0], repeat)];
  // Within one step the arms ran at the same time, unless one of them was done again alone.
  if (first && second && first.step === second.step && first.attempt !== second.attempt) {
    const which = `attempt ${second.attempt} of ${b[0]} and attempt ${first.attempt} of ${a[0]}`;
    return { ...pair, ratio: null, reason: `${which} did not run at the same time` };
  }
  const still = [...(baseline <= 0 ? [a[0]] : []), ...(value <= 0 ? [b[0]] : [])];
  if (still.length > 0) return { ...pair, ratio: null, reason: still.map((arm) => `${arm}: nothing moved`).join('; ') };
  return { ...pair, ratio: value / baseline };
}

function repeatMedian(cell: Cell | undefined, repeat: number): number | null {
  const values = (cell?.samples ?? []).flatMap((sample) => (sample.repeat === repeat ? (sample.value ?? []) : []));
  return statistics(values).median;
}

function reasonOf(cell: Cell | undefined, repeat: number): string {
  const sample = cell?.samples.find((candidate) => candidate.repeat === repeat && candidate.value === null);
  return sample?.reason ?? 'no sample';
}

/** `real`: equality is left out. `negligible`: no meaningful difference, real or not. `inconclusive`: neither is shown. */
export type Finding = 'real' | 'negligible' | 'inconclusive';

export function findingOf({ different, negligible }: Pick<Inference, 'different' | 'negligible'>): Finding | null {
  if (different === null) return null;
  if (negligible) return 'negligible';
  return different ? 'real' : 'inconclusive';
}

/** Variance inflations that the interval of a comparison allows for; none where too few repeats are taken as independent. */
export const inflationsOf = ({ interval }: Pick<Inference, 'interval'>): number[] =>
  interval?.dependence?.varianceInflation === undefined ? [] : [interval.dependence.varianceInflation];

export interface InferenceOptions {
  readonly evidence: Lag1Evidence;
  readonly comparisons?: number;
  readonly confidence?: number;
  readonly systematic?: number;
}

export type Inference = ReturnType<typeof inferPairs> & {
  /** True if the whole interval is closer to equality than the smallest meaningful difference. Absent without an interval or such a difference. */
  readonly negligible?: boolean;
};

export function inferPairs(used: readonly UsablePair[], options: InferenceOptions) {
  const { ratioInterval: interval, ...found } = comparePairs(used, options);
  const { ratio, different, spread, minimumDetectable, outliers } = found;
  return {
    /** Geometric mean of the pairs' ratios. */
    estimate: ratio,
    /** Geometric means over the pairs of the baseline and of the arm; `null` without any. */
    means: [
      geometricMean(used.map(({ baseline }) => baseline)),
      geometricMean(used.map(({ value }) => value)),
    ] as const,
    /** Interval of the estimate, with its method and confidence (95 % or more); `null` for fewer than two pairs. */
    interval,
    /** True if the interval excludes equality, and what a systematic error makes of it: in 95 % of runs none of these is wrong. `null` without an interval. */
    different,
    /** Standard deviation of the logarithm of the ratio from pair to pair. */
    spread,
    /** The smallest relative difference that so many pairs of this spread find four times in five. */
    minimumDetectable,
    /** Pairs that differ from the others. They still count. */
    outliers: outliers.map(({ index, value }) => ({ repeat: used[index]?.repeat ?? 0, ratio: value })),
    ...(used.length < 2 && {
      reason: `an interval needs two pairs with a ratio, and there is ${used.length || 'none'}`,
    }),
  };
}
