import { keyOf } from '../../common/collections';
import { evidenceOf, isNegligible, stepDown } from '../../common/statistics';
import type { Sample } from '../../schema/sample';
import { type Better, betterOf } from '../../workload/lookup';
import type { Cell } from '../figures/cells';
import { type CellKey, mainRates, type OperationKind, rateKinds } from '../figures/operationKind';
import { type Statistics, statistics } from '../figures/statistics';
import {
  attemptsOf,
  type Inference,
  inferPairs,
  type Pair,
  pairsOf,
  repeatsOf,
  type UsablePair,
  usable,
} from './pairs';

/** An arm against the baseline at one compressibility and operation. The statistics are those of the pairs' ratios. */
export interface Comparison extends CellKey, Statistics, Inference {
  readonly baseline: string;
  readonly kind: OperationKind;
  readonly metric: string;
  readonly unit: string;
  readonly better: Better;
  readonly pairs: readonly Pair[];
  readonly repeats: readonly [baseline: number, arm: number];
}

export interface CompareArmsOptions {
  /** The smallest difference that matters, as a share. @default - any may matter */
  readonly smallest?: number | null;
  /** Largest systematic error of a ratio between two arms, as a share. @default 0 */
  readonly systematic?: number;
  /** Confidence of an interval that is alone; higher where a run stops when it is settled. @default 0.95 */
  readonly confidence?: number;
}

type Measured = Omit<Comparison, keyof Inference>;

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
      return others.flatMap((arm): { measured: Measured; used: UsablePair[] } | [] => {
        const find = (name: string): Cell | undefined => {
          const cell = rates.get(keyOf(metric, name, operation, compressibility));
          return cell === undefined || cell.unit === unit ? cell : inAnotherUnit(cell, unit);
        };
        const [a, b] = [find(baseline), find(arm)];
        if (!a && !b) return [];
        const pairs = pairsOf([baseline, a], [arm, b], attempts);
        const of = { baseline, arm, compressibility, operation, kind, metric, unit, better: betterOf(kind.id, metric) };
        const ratios = statistics(pairs.flatMap(({ ratio }) => ratio ?? []));
        const repeats = [repeatsOf(a).length, repeatsOf(b).length] as const;
        return { measured: { ...of, pairs, repeats, ...ratios }, used: usable(pairs) };
      });
    }),
  );
  // All comparisons of a run are one family: readers draw conclusions from all of them.
  const evidence = evidenceOf(compared.map(({ measured }) => seriesOf(measured)));
  const family = compared.filter(({ used }) => used.length > 1);
  const tested = stepDown(
    family.length,
    (member, comparisons) => inferPairs(family[member]?.used ?? [], { evidence, comparisons, systematic, confidence }),
    ({ different }) => different === true,
  );
  const places = new Map(family.map((one, place) => [one, place]));
  return compared.map((one) => {
    const inference = tested[places.get(one) ?? -1] ?? inferPairs(one.used, { evidence, systematic, confidence });
    const { interval } = inference;
    const negligible = smallest === null || interval === null ? {} : { negligible: isNegligible(interval, smallest) };
    return { ...one.measured, ...inference, ...negligible };
  });
}

function inAnotherUnit(cell: Cell, unit: string): Cell {
  const reason = `measured in ${cell.unit}, not in ${unit}`;
  return { ...cell, samples: cell.samples.map((sample) => ({ ...sample, value: null, reason })) };
}

/** Logarithms of the ratios of a comparison's pairs, in the order of the repeats. */
export const seriesOf = ({ pairs }: Pick<Comparison, 'pairs'>): number[] =>
  usable(pairs).map(({ ratio }) => Math.log(ratio));
