import { keyOf } from '../../common/collections';
import { evidenceOf, isNegligible, stepDown } from '../../common/statistics';
import type { Sample } from '../../schema/sample';
import { type Better, betterOf } from '../../workload/lookup';
import type { Cell } from '../figures/cells';
import type { CellKey, OperationKind } from '../figures/operationKind';
import { mainRates, rateKinds } from '../figures/rates';
import { type Statistics, statistics } from '../figures/statistics';
import { type Inference, type InferenceOptions, inferPairs } from './inference';
import { type Attempts, attemptsOf, type Pair, pairsOf, repeatsOf, usable } from './pairs';

/** An arm against the baseline at one compressibility and operation. The statistics are those of the pairs' ratios. */
export interface Comparison extends CellKey, Statistics, Inference {
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
  /** The smallest difference that matters, as a share. @default - any may matter */
  readonly smallest?: number | null;
  /** Largest systematic error of a ratio between two arms, as a share. @default 0 */
  readonly systematic?: number;
  /** Confidence of an interval that is alone; higher where a run stops when it is settled. @default 0.95 */
  readonly confidence?: number;
}

type Measured = Omit<Comparison, keyof Inference>;

/** A comparison, and how something is inferred from it. */
interface Inferable {
  readonly measured: Measured;
  /** Pairs that its interval rests on. */
  readonly count: number;
  readonly infer: (options: InferenceOptions) => Inference;
}

/** Pairs each arm with the first one, repeat by repeat. A ratio within a repeat cancels changes that affect both arms, which medians would not. */
export function compareArms(
  cells: readonly Cell[],
  counted: readonly Sample[],
  [baseline, ...others]: readonly string[],
  compressibilities: readonly (number | null)[],
  { smallest = null, systematic, confidence }: CompareArmsOptions = {},
): Comparison[] {
  if (baseline === undefined) return [];
  const rates = new Map(
    mainRates(cells)
      .reverse()
      .map((cell) => [keyOf(cell.metric, cell.arm, cell.operation, cell.compressibility), cell]),
  );
  const compared = rateKinds(cells).flatMap((rate) =>
    compressibilities.flatMap((compressibility) => {
      const { operation, kind, metric, unit } = rate;
      const attempts = attemptsOf(counted, kind, compressibility);
      return others.flatMap((arm): Inferable | Inferable[] => {
        const find = (name: string): Cell | undefined => {
          const cell = rates.get(keyOf(metric, name, operation, compressibility));
          return cell === undefined || cell.unit === unit ? cell : inAnotherUnit(cell, unit);
        };
        const [a, b] = [find(baseline), find(arm)];
        if (!a && !b) return [];
        const of = { baseline, arm, compressibility, operation, kind, metric, unit, better: betterOf(kind.id, metric) };
        return repeatsInPairs(of, a, b, attempts);
      });
    }),
  );
  // All comparisons of a run are one family: readers draw conclusions from all of them.
  const evidence = evidenceOf(compared.flatMap(({ measured }) => seriesOf(measured)));
  const family = compared.filter(({ count }) => count > 1);
  const tested = stepDown(
    family.length,
    (member, comparisons) => (family[member] as Inferable).infer({ evidence, comparisons, systematic, confidence }),
    ({ different }) => different === true,
  );
  const places = new Map(family.map((one, place) => [one, place]));
  return compared.map((one) => {
    const inference = tested[places.get(one) ?? -1] ?? one.infer({ evidence, systematic, confidence });
    const { interval } = inference;
    const negligible = smallest === null || interval === null ? {} : { negligible: isNegligible(interval, smallest) };
    return { ...one.measured, ...inference, ...negligible };
  });
}

type Compared = Omit<Measured, 'pairs' | 'repeats' | keyof Statistics>;

function repeatsInPairs(of: Compared, a: Cell | undefined, b: Cell | undefined, attempts: Attempts): Inferable {
  const pairs = pairsOf([of.baseline, a], [of.arm, b], attempts);
  const repeats = [repeatsOf(a).length, repeatsOf(b).length] as const;
  const used = usable(pairs);
  return {
    measured: { ...of, pairs, repeats, ...statistics(pairs.flatMap(({ ratio }) => ratio ?? [])) },
    count: used.length,
    infer: (options) => inferPairs(used, options),
  };
}

/** Figures in another unit are not compared. */
function inAnotherUnit(cell: Cell, unit: string): Cell {
  const reason = `measured in ${cell.unit}, not in ${unit}`;
  return { ...cell, samples: cell.samples.map((sample) => ({ ...sample, value: null, reason })) };
}

const logarithms = (values: readonly number[]): number[] => values.map(Math.log);

/** Logarithms of a comparison's data in the order of the repeats: its pairs' ratios. */
export const seriesOf = ({ pairs }: Pick<Comparison, 'pairs'>): number[][] => [
  logarithms(usable(pairs).map(({ ratio }) => ratio)),
];
