import type { RunSummary } from '../../../analysis/summary';
import { countedSamples } from '../../../benchmark/common/counted';
import { keyOf } from '../../../common/keyOf';
import { comparePairs, geometricMean, type Interval, meanInterval, medianOf } from '../../../common/statistics';
import { reasonsOf, type Sample } from '../../../schema/sample';
import { measureOf } from '../../../workload/lookup';

/** A multiple of what the fewest nodes reach. */
interface Multiple {
  readonly value: number;
  /** 95 % interval over the repeats; `null` for fewer than two. */
  readonly interval: Interval | null;
}

/** Rate of a given number of nodes. */
export interface ScalingPoint {
  readonly nodes: number;
  readonly values: readonly number[];
  readonly mean: number | null;
  readonly interval: Interval | null;
  /** Against the fewest nodes, repeat by repeat. */
  readonly speedUp: Multiple | null;
  /** The speed-up over that of the nodes: 1 if each further node brings as much as the first. */
  readonly efficiency: Multiple | null;
  /** Why values are missing. */
  readonly reasons: readonly string[];
}

/** Scaling of one operation of an arm with the number of nodes. */
export interface Scaling {
  readonly arm: string;
  readonly operation: string;
  readonly unit: string;
  /** Points by number of nodes; the first is the reference for the others. */
  readonly points: readonly [ScalingPoint, ...ScalingPoint[]];
}

/** Rates by the number of nodes, where a plan varies it. */
export function scalingOf(run: RunSummary): Scaling[] {
  // Not of what is measured by its time: an analysis of one data set by more nodes is another question.
  const own = countedSamples(run).filter(
    ({ operation, metric, plannedNodes }) => plannedNodes && measureOf(operation, metric)?.better === 'higher',
  );
  return [...Map.groupBy(own, ({ arm, operation, unit }) => keyOf(arm, operation, unit)).values()].flatMap(
    (samples) => {
      const [first] = samples;
      const counts = [...Map.groupBy(samples, ({ plannedNodes }) => String(plannedNodes))]
        .map(([count, some]) => [Number(count), some] as const)
        .sort(([a], [b]) => a - b);
      const [fewest, ...more] = counts;
      if (first === undefined || fewest === undefined) return [];
      const base = byRepeat(fewest[1]);
      const points = [fewest, ...more].map(([nodes, some]) => pointOf(nodes, some, fewest[0], base));
      const { arm, operation, unit } = first;
      return [{ arm, operation, unit, points: points as [ScalingPoint, ...ScalingPoint[]] }];
    },
  );
}

/** Share of the highest rate from which more nodes bring nothing worth mentioning. A convention of fsxbench. */
const PLATEAU = 0.9;

/** The fewest nodes that come to the highest rate, or nearly; `null` where the most nodes do alone, and more might bring more. */
export function endOfGrowth({ points }: Scaling): { readonly nodes: number; readonly share: number } | null {
  const highest = Math.max(...points.map(({ mean }) => mean ?? 0));
  const first = points.find(({ mean }) => mean !== null && mean >= highest * PLATEAU);
  if (points.length < 2 || first === undefined || first.mean === null || first === points.at(-1)) return null;
  return { nodes: first.nodes, share: first.mean / highest };
}

/** One value of each repeat: the median of its rounds, where a phase has several. */
function byRepeat(samples: readonly Sample[]): ReadonlyMap<number, number> {
  const known = samples.flatMap(({ repeat, value }) => (value === null || value <= 0 ? [] : [{ repeat, value }]));
  return new Map(
    [...Map.groupBy(known, ({ repeat }) => repeat)].map(([repeat, own]) => [
      repeat,
      medianOf(own.map(({ value }) => value)) as number,
    ]),
  );
}

function pointOf(
  nodes: number,
  samples: readonly Sample[],
  fewest: number,
  base: ReadonlyMap<number, number>,
): ScalingPoint {
  const own = byRepeat(samples);
  const values = [...own.values()];
  const pairs = [...own].flatMap(([repeat, value]) => {
    const baseline = base.get(repeat);
    return baseline === undefined ? [] : [{ baseline, value }];
  });
  const { ratio, ratioInterval } = comparePairs(pairs);
  const times = (factor: number): Multiple | null =>
    ratio === null
      ? null
      : {
          value: ratio * factor,
          interval:
            ratioInterval === null
              ? null
              : { ...ratioInterval, low: ratioInterval.low * factor, high: ratioInterval.high * factor },
        };
  const inLogs = meanInterval(values.map(Math.log));
  return {
    nodes,
    values,
    mean: geometricMean(values),
    interval: inLogs && { ...inLogs, low: Math.exp(inLogs.low), high: Math.exp(inLogs.high) },
    speedUp: times(1),
    efficiency: times(fewest / nodes),
    reasons: reasonsOf(samples),
  };
}
