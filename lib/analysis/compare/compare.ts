import { counted } from '../../kit/format/units';
import { keyOf } from '../../kit/keyOf';
import {
  evidenceOf,
  geometricMean,
  geometricRatio,
  type Lag1Evidence,
  leavesOutEquality,
  repeatsFor,
  stepDown,
} from '../../kit/statistics';
import type { Side } from '../../schema/baseline';
import { systematicErrorOf } from '../../store/place';
import { betterOf } from '../../workload/lookup';
import type { Better } from '../../workload/operation';
import { type CellKey, isSameWork } from '../figures/operationKind';
import { mainRates } from '../figures/rates';
import { statistics } from '../figures/statistics';
import { pairSpread, ratioInterval, type TwoSampleInterval } from './welch';

/**
 * `regression`: worse than the tolerance allows, and more than chance; `same`: the interval rules such a regression out; `inconclusive`: it neither
 * shows nor rules it out, or a larger share of B's repeats than of A's has no value.
 */
export type CellVerdict = 'same' | 'improvement' | 'regression' | 'inconclusive' | 'missing' | 'new';

type SideCell = ReturnType<typeof ratesIn>[number];

/** One arm, operation and target on both sides. */
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

/** One of the two runs. */
interface ComparedRun extends Omit<Side, 'cells' | 'analysis' | 'place'> {
  /** Checks that had too little to go by: what they look for may be in the rates. */
  readonly cannotTell: readonly { readonly id: string; readonly checks: string; readonly reason: string | null }[];
}

/** Output of `fsxbench compare --json`. */
export interface CompareDocument {
  readonly schema: 'fsxbench.compare/1';
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly tolerance: number;
  /** The least tolerance that chance alone will hardly exceed, by the spread of these runs; `null` with a reason. */
  readonly suggestedTolerance: number | null;
  readonly suggestionReason: string | null;
  /** `inconclusive`: nothing failed, but not every cell could be settled. */
  readonly verdict: 'no-regression' | 'regression' | 'inconclusive';
  /** The most repeats that an inconclusive cell needs; `null` if none is known, with a reason where a cell is inconclusive. */
  readonly repeatsNeeded: number | null;
  readonly repeatsNeededReason: string | null;
  /** The verdict is `no-regression`: every cell of A was shown not to be worse than the tolerance allows, and B is not INVALID. */
  readonly pass: boolean;
  readonly failures: readonly string[];
  /** Reasons why the two are hard to compare. */
  readonly cautions: readonly string[];
  readonly cells: readonly ComparedCell[];
}

export interface CompareOptions {
  /** B may be so much worse, a rate lower or a time longer: 0.05 is 5 %. @default {@link DEFAULT_TOLERANCE} */
  readonly tolerance?: number;
}

/** MLPerf Storage takes results as replicated within 5 %. */
export const DEFAULT_TOLERANCE = 0.05;

/** Holds run B against run A, cell by cell. @throws when the tolerance is no share, or nothing can be compared */
export function compareRuns(a: Side, b: Side, options: CompareOptions = {}): CompareDocument {
  const { tolerance = DEFAULT_TOLERANCE } = options;
  if (!(tolerance >= 0 && tolerance < 1)) throw new Error(`'tolerance' must be from 0 to below 1, got ${tolerance}`);
  const [left, right] = [ratesOf(a), ratesOf(alongside(a, b))];
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  if (!keys.some((key) => left.has(key) && right.has(key)))
    throw new Error(`${a.run} and ${b.run} have no arm, operation and target in common: compare runs of one benchmark`);
  const both = keys.filter((key) => usable(left.get(key)).length > 1 && usable(right.get(key)).length > 1);
  const evidence = evidenceOf([...left.values(), ...right.values()].map((cell) => usable(cell).map(Math.log)));
  const tested = stepDown(
    both.length,
    (member, comparisons) => {
      const key = both[member] as string;
      return compareCell(left.get(key), right.get(key), { tolerance, comparisons, evidence });
    },
    ({ interval }) => interval !== null && leavesOutEquality(interval),
  );
  const cells = keys.map(
    (key) =>
      tested[both.indexOf(key)] ?? compareCell(left.get(key), right.get(key), { tolerance, comparisons: 1, evidence }),
  );
  const named = (verdict: CellVerdict, words: string): string[] =>
    cells.filter((cell) => cell.verdict === verdict).map((cell) => `${placeOf(cell)} ${words}`);
  const failures = [
    ...(b.validity === 'INVALID' ? [`${b.run} is INVALID`] : []),
    ...named('regression', 'is slower than the tolerance allows'),
    ...named('missing', 'has no value above 0 any more'),
  ];
  const open = cells.filter((cell) => cell.verdict === 'inconclusive');
  const undecided = open.length > 0 ? 'inconclusive' : 'no-regression';
  const verdict = failures.length > 0 ? 'regression' : undecided;
  const suggestion = suggest(cells);
  return {
    schema: 'fsxbench.compare/1',
    a: described(a),
    b: described(b),
    tolerance,
    suggestedTolerance: suggestion,
    suggestionReason: suggestion === null ? 'no cell has two repeats or more on both sides' : null,
    verdict,
    ...settledBy(open),
    pass: verdict === 'no-regression',
    failures,
    cautions: cautionsOf(a, alongside(a, b)),
    cells,
  };
}

/** Runs of one arm each are compared whatever it is called: on two file systems it has the name of another directory. */
function alongside(a: Side, b: Side): Side {
  const [[own, ...others], [other, ...more]] = [a.arms, b.arms];
  if (own === undefined || other === undefined || others.length + more.length > 0) return b;
  const { name } = own;
  return { ...b, arms: [{ ...other, name }], cells: b.cells.map((cell) => ({ ...cell, arm: name })) };
}

/** `write at 2.6:1 on lz4` */
export function placeOf({ arm, operation, target }: CellKey): string {
  return `${operation}${target === null ? '' : ` at ${target}:1`} on ${arm}`;
}

function described({ run, benchmark, plan, scale, lab, validity, arms, analysis }: Side): ComparedRun {
  return {
    ...{ run, benchmark, plan, scale, lab, validity },
    arms: arms.map(({ name, description }) => ({ name, description })),
    cannotTell: (analysis?.checks ?? [])
      .filter(({ state }) => state === 'cannot tell')
      .map(({ id, checks, reason }) => ({ id, checks, reason })),
  };
}

const ratesIn = ({ cells }: Side) =>
  mainRates(cells.map((cell) => ({ ...cell, kind: cell.kind ?? { id: cell.operation } })));

function ratesOf(side: Side): Map<string, SideCell> {
  return new Map(
    ratesIn(side).map((cell) => [keyOf(cell.arm, cell.operation, cell.target, cell.metric, cell.unit), cell]),
  );
}

/** A value for each repeat: iterations within one repeat are no repeats of the experiment. */
function usable(cell: SideCell | undefined): number[] {
  const known = (cell?.samples ?? []).flatMap(({ repeat, value }) => (value ? [{ repeat, value }] : []));
  const repeats = [...Map.groupBy(known, ({ repeat }) => keyOf(repeat)).values()];
  return repeats.map((group) => statistics(group.map(({ value }) => value)).median ?? 0).filter((value) => value > 0);
}

/** Repeats of a side without a value above 0: they failed, or nothing moved. */
interface Lost {
  readonly count: number;
  readonly share: number;
  /** `3 of 5 repeats of B have no value above 0: no space left on device` */
  readonly words: string;
}

function lostOf(cell: SideCell | undefined, side: 'A' | 'B'): Lost {
  const repeats = [...Map.groupBy(cell?.samples ?? [], ({ repeat }) => keyOf(repeat)).values()];
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

function compareCell(
  a: SideCell | undefined,
  b: SideCell | undefined,
  { tolerance, comparisons, evidence }: CellOptions,
): ComparedCell {
  const { arm, operation, target, metric, unit, kind } = (a ?? b) as SideCell;
  const better = betterOf(kind.id, metric);
  const [left, right] = [usable(a), usable(b)];
  const [medianA, medianB] = [statistics(left).median, statistics(right).median];
  const base = {
    arm,
    operation,
    target,
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

/** The repeats that settle all of these cells. */
function settledBy(open: readonly ComparedCell[]): Pick<CompareDocument, 'repeatsNeeded' | 'repeatsNeededReason'> {
  const needed = open.flatMap(({ repeatsNeeded }) => repeatsNeeded ?? []);
  if (open.length === 0) return { repeatsNeeded: null, repeatsNeededReason: null };
  if (needed.length === open.length) return { repeatsNeeded: Math.max(...needed), repeatsNeededReason: null };
  const unknown = open.find(({ interval }) => interval === null);
  const failing = open.find(({ interval, reason }) => interval !== null && reason !== null);
  const repeatsNeededReason = unknown
    ? 'the variance is unknown with fewer than two repeats on a side'
    : (failing?.reason ?? 'a cell so near the tolerance needs more than 1,000');
  return { repeatsNeeded: null, repeatsNeededReason };
}

/** The widest half of the intervals on the worse side, in steps of half a percent. */
function suggest(cells: readonly ComparedCell[]): number | null {
  const halves = cells.flatMap(({ ratio, interval, better }) => {
    if (ratio === null || interval === null) return [];
    return [better === 'higher' ? 1 - interval.low / ratio : interval.high / ratio - 1];
  });
  return halves.length === 0 ? null : Math.min(0.99, Math.ceil(Math.max(...halves) * 200) / 200);
}

/** The most clients of any value; `null` where none says. */
const clientsOf = ({ cells }: Side): number | null =>
  cells.reduce<number | null>(
    (most, { samples }) =>
      samples.reduce((found, { clients }) => (clients === undefined ? found : Math.max(found ?? 0, clients)), most),
    null,
  );

/** Two models of the same differ by their calibration, which repeats do not average away. */
function alikeOnly(sides: readonly Side[]): string[] {
  const most = Math.max(...sides.map(({ place }) => systematicErrorOf({ place })));
  return most === 0
    ? []
    : [`scale models are alike to within ${most * 100} %: a smaller difference may be that of the models`];
}

function cautionsOf(a: Side, b: Side): string[] {
  const differs = (what: string, left: unknown, right: unknown): string[] =>
    left === right ? [] : [`the ${what} differs: ${left ?? 'unknown'} in A, ${right ?? 'unknown'} in B`];
  const arms = a.arms.flatMap(({ name, description }) => {
    const other = b.arms.find((arm) => arm.name === name);
    return other === undefined ? [] : differs(`configuration of ${name}`, description, other.description);
  });
  const tools = ratesIn(a).flatMap(({ arm, operation, target, metric, tools: used }) => {
    const other = b.cells.find((cell) => cell.metric === metric && isSameWork(cell, { arm, operation, target }));
    if (other === undefined || other.tools.length === 0 || used.length === 0) return [];
    return differs(`tool of ${placeOf({ arm, operation, target })}`, used.join(', '), other.tools.join(', '));
  });
  const lost = (['A', 'B'] as const).flatMap((side) =>
    ratesIn(side === 'A' ? a : b).flatMap((cell) => {
      const { count, words } = lostOf(cell, side);
      return count === 0 ? [] : [`${placeOf(cell)}: ${words}`];
    }),
  );
  return [
    ...differs('benchmark', a.benchmark, b.benchmark),
    ...differs('plan', a.plan, b.plan),
    ...differs('scale', a.scale, b.scale),
    ...differs('number of clients', clientsOf(a), clientsOf(b)),
    ...(a.lab === b.lab ? [] : ['one is a lab run, the other is not']),
    ...alikeOnly([a, b]),
    ...lost,
    ...[a, b].flatMap(({ run, validity, analysis }) => {
      const found = (analysis?.checks ?? []).flatMap(({ id, state }) => (state === 'found' ? [id] : []));
      const why = found.length === 0 ? '' : `: ${found.join(', ')}`;
      return validity === 'VALID' ? [] : [`${run} is ${validity}${why}`];
    }),
    ...arms,
    ...new Set(tools),
  ];
}
