import { keyOf } from '../../kit/keyOf';
import {
  comparePairs,
  evidenceOf,
  geometricMean,
  geometricRatio,
  type Interval,
  isNegligible,
  type Lag1Evidence,
  leavesOutEquality,
  stepDown,
} from '../../kit/statistics';
import type { Sample } from '../../schema/sample';
import { betterOf } from '../../workload/lookup';
import type { Better } from '../../workload/operation';
import type { Cell } from '../figures/cells';
import { type CellKey, isSameWork, labelOf, type OperationKind, operationLabel } from '../figures/operationKind';
import { mainRates, rateKinds } from '../figures/rates';
import { type Statistics, statistics } from '../figures/statistics';
import { ratioInterval, type TwoSampleInterval } from './welch';

/** One repeat in which both arms did the same operation on the same data. */
interface Pair {
  readonly repeat: number;
  /** Medians of the repeat, where the tool gave several values in it. */
  readonly baseline: number | null;
  readonly value: number | null;
  /** `value` ÷ `baseline`; `null` with a reason. */
  readonly ratio: number | null;
  readonly reason?: string;
}

/** Statistical inference from the pairs of a comparison. */
export interface Inference {
  /** Geometric mean of the pairs' ratios; without pairs, the ratio of the geometric means over the repeats. */
  readonly estimate: number | null;
  /** The geometric means that the estimate is the quotient of: over the pairs, or over the repeats of each side; `null` for a side without any. */
  readonly means: readonly [baseline: number | null, arm: number | null];
  /** Interval of the estimate, with its method and confidence (95 % or more); `null` for fewer than two pairs, or repeats. */
  readonly interval: Interval | TwoSampleInterval | null;
  /** True if the interval excludes equality, and what a systematic error makes of it: in 95 % of runs none of these is wrong. `null` without an interval. */
  readonly different: boolean | null;
  /**
   * True if the whole interval lies closer to equality than the smallest meaningful difference. Absent in runs whose plan names none, and
   * without an interval.
   */
  readonly negligible?: boolean;
  /** Standard deviation of the logarithm of the ratio from pair to pair. */
  readonly spread: number | null;
  /** The smallest relative difference that so many pairs of this spread find four times in five. */
  readonly minimumDetectable: number | null;
  /** Pairs that do not go with the others. They are counted all the same. */
  readonly outliers: readonly { readonly repeat: number; readonly ratio: number }[];
  /** Why figures are missing. @default - none is */
  readonly reason?: string;
}

/**
 * Design of a comparison: `pairs`, a repeat of each arm in the same minutes or in turns; `before-after`, every repeat of one before every
 * repeat of the other, so that nothing pairs them and drift over time does not cancel out.
 */
export type Design = 'pairs' | 'before-after';

/**
 * An arm against the baseline at one target and operation. The statistics are those of the pairs' ratios; without pairs, of the one
 * quotient.
 */
export interface Comparison extends CellKey, Statistics, Inference {
  readonly design: Design;
  readonly baseline: string;
  readonly kind: OperationKind;
  readonly metric: string;
  readonly unit: string;
  /** Direction of improvement: for a time, lower is better. */
  readonly better: Better;
  readonly pairs: readonly Pair[];
  /** Numbers of repeats with a value. */
  readonly repeats: readonly [baseline: number, arm: number];
}

interface CompareArmsOptions {
  /** @default pairs */
  readonly design?: Design;
  /** The smallest difference that matters, as a share. @default - any may matter */
  readonly smallest?: number | null;
  /** Largest systematic error of a ratio between two arms, as a share. @default 0 */
  readonly systematic?: number;
  /** Confidence of an interval that stands alone; higher where a run stops when it is settled. @default 0.95 */
  readonly confidence?: number;
}

/**
 * Pairs each arm with the first one, repeat by repeat. Ratios are taken within a repeat and never between medians over repeats, so
 * that what changes from repeat to repeat for both arms falls out.
 */
export function compareArms(
  cells: readonly Cell[],
  counted: readonly Sample[],
  arms: readonly string[],
  targets: readonly (number | null)[],
  { design = 'pairs', smallest = null, systematic = 0, confidence = 0.95 }: CompareArmsOptions = {},
): Comparison[] {
  const [baseline, ...others] = arms;
  if (baseline === undefined) return [];
  const rates = mainRates(cells);
  const compared = rateKinds(cells).flatMap(({ operation, kind, metric, unit }) =>
    targets.flatMap((target) =>
      others.flatMap((arm) => {
        const find = (name: string): Cell | undefined => {
          const cell = rates.find((one) => one.metric === metric && isSameWork(one, { arm: name, operation, target }));
          return cell === undefined || cell.unit === unit ? cell : inAnotherUnit(cell, unit);
        };
        const [a, b] = [find(baseline), find(arm)];
        if (!a && !b) return [];
        const better = betterOf(kind.id, metric);
        const of = { design, baseline, arm, target, operation, kind, metric, unit, better };
        const values = [a, b].map((cell) => repeatsOf(cell));
        const numbers = values.map(({ length }) => length) as [number, number];
        if (design === 'before-after')
          return [{ ...of, pairs: [], repeats: numbers, values, ...statistics(ratioOfMeans(values)) }];
        const repeats = [...new Set([...(a?.samples ?? []), ...(b?.samples ?? [])].map(({ repeat }) => repeat))];
        const attempts = attemptsOf(counted, kind, target);
        const pairs = repeats.sort((x, y) => x - y).map((repeat) => pairOf(repeat, [baseline, a], [arm, b], attempts));
        const ratios = pairs.flatMap(({ ratio }) => ratio ?? []);
        return [{ ...of, pairs, repeats: numbers, values, ...statistics(ratios) }];
      }),
    ),
  );
  // What a reader takes from a run rests on all of its comparisons, so that all of them are one family.
  const evidence = evidenceOf(compared.flatMap((one) => seriesOf(one, cells)));
  const infer = ({ pairs, values }: (typeof compared)[number], comparisons?: number): Inference =>
    design === 'pairs'
      ? inferPairs(usable(pairs), { evidence, comparisons, confidence, systematic })
      : inferApart(values, { evidence, comparisons, systematic });
  const family = compared.filter(({ pairs, repeats }) =>
    design === 'pairs' ? usable(pairs).length > 1 : repeats.every((count) => count > 1),
  );
  const tested = stepDown(
    family.length,
    (member, comparisons) => infer(family[member] as (typeof compared)[number], comparisons),
    ({ different }) => different === true,
  );
  return compared.map((one) => {
    const { values: _, ...rest } = one;
    const inference = tested[family.indexOf(one)] ?? infer(one);
    const { interval } = inference;
    const negligible = smallest === null || interval === null ? {} : { negligible: isNegligible(interval, smallest) };
    return { ...rest, ...inference, ...negligible };
  });
}

/** `real`: equality is left out. `negligible`: no meaningful difference, real or not. `unclear`: neither is shown. */
export type Finding = 'real' | 'negligible' | 'unclear';

/** Returns the finding of a comparison; `null` if it has no interval. */
export function findingOf({
  different,
  negligible = false,
}: Pick<Inference, 'different' | 'negligible'>): Finding | null {
  if (different === null) return null;
  if (negligible) return 'negligible';
  return different ? 'real' : 'unclear';
}

/** Variance inflations that the interval of a comparison allows for; none where too few repeats are taken as independent. */
export const inflationsOf = ({ interval }: Pick<Inference, 'interval'>): number[] =>
  [interval?.dependence ?? null].flat().flatMap((side) => side?.varianceInflation ?? []);

/** Nothing can be said of what was measured in another unit. */
function inAnotherUnit(cell: Cell, unit: string): Cell {
  const reason = `measured in ${cell.unit}, not in ${unit}`;
  return { ...cell, samples: cell.samples.map((sample) => ({ ...sample, value: null, reason })) };
}

/** Medians of the repeats of a cell that have a value. */
function repeatsOf(cell: Cell | undefined): number[] {
  const repeats = [...new Set((cell?.samples ?? []).map(({ repeat }) => repeat))];
  return repeats.flatMap((repeat) => repeatMedian(cell, repeat) ?? []).filter((value) => value > 0);
}

/** The ratio of the geometric means of both sides; nothing where one has no value. */
function ratioOfMeans([before = [], after = []]: readonly (readonly number[])[]): number[] {
  const ratio = geometricRatio(before, after);
  return ratio === null ? [] : [ratio];
}

/** Allowance of an interval for the other comparisons of its run. */
interface Family {
  readonly evidence: Lag1Evidence;
  /** @default 1 */
  readonly comparisons?: number | undefined;
  /** @default 0.95 */
  readonly confidence?: number;
  /** @default 0 */
  readonly systematic?: number;
}

/** Repeats that are no pairs may vary differently on each side: Welch's interval. */
function inferApart(values: readonly (readonly number[])[], options: Family): Inference {
  const [before = [], after = []] = values;
  const { systematic, ...family } = options;
  const interval = ratioInterval(before, after, family);
  return {
    estimate: ratioOfMeans(values)[0] ?? null,
    means: [geometricMean(before), geometricMean(after)],
    interval,
    different: interval && leavesOutEquality(interval, systematic),
    spread: null,
    minimumDetectable: null,
    outliers: [],
    reason: interval === null ? 'an interval needs two repeats of each arm' : 'only pairs have a spread',
  };
}

type UsablePair = Pair & { readonly baseline: number; readonly value: number; readonly ratio: number };

function usable(pairs: readonly Pair[]): UsablePair[] {
  return pairs.filter((pair): pair is UsablePair => pair.ratio !== null && pair.ratio > 0);
}

const logarithms = (values: readonly number[]): number[] => values.map(Math.log);

/** Logarithms of what a comparison rests on, in the order of the repeats: of its pairs’ ratios; without pairs, of the values of either arm. */
export function seriesOf(
  { design, pairs, baseline, arm, target, operation, metric }: Omit<Comparison, keyof Inference>,
  cells: readonly Cell[],
): number[][] {
  if (design === 'pairs') return [logarithms(usable(pairs).map(({ ratio }) => ratio))];
  const own = cells.filter((cell) => cell.target === target && cell.operation === operation && cell.metric === metric);
  return [baseline, arm].map((name) => logarithms(repeatsOf(own.find((cell) => cell.arm === name))));
}

function inferPairs(used: readonly UsablePair[], options: Family): Inference {
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

type Side = readonly [arm: string, cell: Cell | undefined];
/** Step and attempt of an arm's samples in a repeat. */
type Attempts = (arm: string, repeat: number) => { step: string; attempt: number } | undefined;

function attemptsOf(counted: readonly Sample[], kind: OperationKind, target: number | null): Attempts {
  const label = operationLabel(kind);
  const found = new Map<string, { step: string; attempt: number }>();
  for (const sample of counted) {
    if (sample.operation !== kind.id || sample.target !== target || sample.phase !== 'measure') continue;
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
