import { comparePairs, geometricMean, type Interval, type Lag1Evidence } from '../../common/statistics';
import type { UsablePair } from './pairs';

/** Statistical inference from the pairs of a comparison. */
export interface Inference {
  /** Geometric mean of the pairs' ratios. */
  readonly estimate: number | null;
  /** Geometric means over the pairs; `null` without any. */
  readonly means: readonly [baseline: number | null, arm: number | null];
  /** Interval of the estimate, with its method and confidence (95 % or more); `null` for fewer than two pairs. */
  readonly interval: Interval | null;
  /** True if the interval excludes equality, and what a systematic error makes of it: in 95 % of runs none of these is wrong. `null` without an interval. */
  readonly different: boolean | null;
  /** True if the whole interval is closer to equality than the smallest meaningful difference. Absent without an interval or such a difference. */
  readonly negligible?: boolean;
  /** Standard deviation of the logarithm of the ratio from pair to pair. */
  readonly spread: number | null;
  /** The smallest relative difference that so many pairs of this spread find four times in five. */
  readonly minimumDetectable: number | null;
  /** Pairs that differ from the others. They still count. */
  readonly outliers: readonly { readonly repeat: number; readonly ratio: number }[];
  /** Why figures are missing. @default - none is */
  readonly reason?: string;
}

/** `real`: equality is left out. `negligible`: no meaningful difference, real or not. `inconclusive`: neither is shown. */
export type Finding = 'real' | 'negligible' | 'inconclusive';

/** Returns the finding of a comparison; `null` if it has no interval. */
export function findingOf({
  different,
  negligible = false,
}: Pick<Inference, 'different' | 'negligible'>): Finding | null {
  if (different === null) return null;
  if (negligible) return 'negligible';
  return different ? 'real' : 'inconclusive';
}

/** Variance inflations that the interval of a comparison allows for; none where too few repeats are taken as independent. */
export const inflationsOf = ({ interval }: Pick<Inference, 'interval'>): number[] =>
  interval?.dependence?.varianceInflation === undefined ? [] : [interval.dependence.varianceInflation];

/** Allowance of an interval for the other comparisons of its run. */
export interface InferenceOptions {
  readonly evidence: Lag1Evidence;
  /** @default 1 */
  readonly comparisons?: number;
  /** @default 0.95 */
  readonly confidence?: number;
  /** @default 0 */
  readonly systematic?: number;
}

/** Pairs of the same minutes: the interval of their ratios. */
export function inferPairs(used: readonly UsablePair[], options: InferenceOptions): Inference {
  const { ratioInterval: interval, ...found } = comparePairs(used, options);
  const { ratio, different, spread, minimumDetectable, outliers } = found;
  return {
    estimate: ratio,
    means: [geometricMean(used.map(({ baseline }) => baseline)), geometricMean(used.map(({ value }) => value))],
    interval,
    different,
    spread,
    minimumDetectable,
    outliers: outliers.map(({ index, value }) => ({ repeat: used[index]?.repeat ?? 0, ratio: value })),
    ...(used.length < 2
      ? { reason: `an interval needs two pairs with a ratio, and there is ${used.length || 'none'}` }
      : {}),
  };
}
