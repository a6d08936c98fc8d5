import { keyOf } from '../../common/collections';
import { evidenceOf, leavesOutEquality, stepDown } from '../../common/statistics';
import type { Side } from '../../schema/summary';
import { systematicErrorOf } from '../../store/platform';
import { type CellKey, isSameWork } from '../figures/operationKind';
import { some } from '../validity/rule';
import {
  type CellVerdict,
  type ComparedCell,
  compareCell,
  lostOf,
  ratesIn,
  type SideCell,
  usable,
} from './comparedCell';

/** Output of `fsxbench compare --json`. */
export type CompareDocument = ReturnType<typeof compareRuns>;

/** MLPerf Storage takes results as replicated within 5 %. */
const DEFAULT_TOLERANCE = 0.05;

/** Compares runs cell by cell. @param options `tolerance`: how much worse B may be: 0.05 is 5 % @throws unless it is in [0, 1), or if nothing is comparable */
export function compareRuns(a: Side, b: Side, { tolerance = DEFAULT_TOLERANCE }: { readonly tolerance?: number } = {}) {
  if (!(tolerance >= 0 && tolerance < 1)) throw new Error(`'tolerance' must be from 0 to below 1, got ${tolerance}`);
  const other = alongside(a, b);
  const [left, right] = [ratesOf(a), ratesOf(other)];
  const keys = [...new Set([...left.keys(), ...right.keys()])];
  if (!keys.some((key) => left.has(key) && right.has(key)))
    throw new Error(
      `${a.run} and ${b.run} have no arm, operation and compressibility in common: compare runs of one benchmark`,
    );
  const [plannedA, plannedB] = [a, other].map(({ planned }) => planned && new Set(planned.map(workOf)));
  // Only what A planned itself: other cells come from steps that the plan calls by another name.
  const isOnlyInA = (cell: CellKey): boolean =>
    plannedA?.has(workOf(cell)) === true && plannedB?.has(workOf(cell)) === false;
  const both = keys.filter((key) => usable(left.get(key)).length > 1 && usable(right.get(key)).length > 1);
  const evidence = evidenceOf([...left.values(), ...right.values()].map((cell) => usable(cell).map(Math.log)));
  const compare = (key: string, comparisons: number): ComparedCell =>
    compareCell(left.get(key), right.get(key), { tolerance, comparisons, evidence });
  const tested = stepDown(
    both.length,
    (member, comparisons) => compare(both[member] as string, comparisons),
    ({ interval }) => interval !== null && leavesOutEquality(interval),
  );
  const cells = keys.map((key): ComparedCell => {
    const cell = tested[both.indexOf(key)] ?? compare(key, 1);
    if (cell.verdict !== 'missing' || !isOnlyInA(cell)) return cell;
    return { ...cell, verdict: 'only in A', reason: 'the plan of B does not contain it' };
  });
  const named = (verdict: CellVerdict, words: string): string[] =>
    cells.filter((cell) => cell.verdict === verdict).map((cell) => `${placeOf(cell)} ${words}`);
  const failures = [
    ...(b.validity === 'INVALID' ? [`${b.run} is INVALID`] : []),
    ...named('regression', 'is slower than the tolerance allows'),
    ...named('missing', 'no longer has a value above 0'),
  ];
  const open = cells.filter((cell) => cell.verdict === 'inconclusive');
  const withoutFailure = open.length > 0 ? ('inconclusive' as const) : ('no-regression' as const);
  const verdict = failures.length > 0 ? ('regression' as const) : withoutFailure;
  const suggestion = suggest(cells);
  return {
    schema: 'fsxbench.compare/1' as const,
    a: described(a),
    b: described(b),
    tolerance,
    /** The least tolerance that chance alone will hardly exceed, by the spread of these runs; `null` with a reason. */
    suggestedTolerance: suggestion,
    suggestionReason: suggestion === null ? 'no cell has two or more repeats on both sides' : null,
    /** `inconclusive`: nothing failed, but not every cell could be settled. */
    verdict,
    ...convergedBy(open),
    /** Every cell of A that B planned was shown not to be worse than the tolerance allows, and B is not INVALID. */
    pass: verdict === 'no-regression',
    failures,
    cautions: cautionsOf(a, other),
    cells,
  };
}

/** Renames the arm of B if both runs have one arm: on two file systems it has the names of two directories. */
function alongside(a: Side, b: Side): Side {
  const [[own, ...others], [other, ...more]] = [a.arms, b.arms];
  if (own === undefined || other === undefined || others.length + more.length > 0) return b;
  const { name } = own;
  const renamed = <T extends CellKey>(cells: readonly T[]): T[] => cells.map((cell) => ({ ...cell, arm: name }));
  return { ...b, arms: [{ ...other, name }], cells: renamed(b.cells), planned: b.planned && renamed(b.planned) };
}

const workOf = ({ arm, operation, compressibility }: CellKey): string => keyOf(arm, operation, compressibility);

/** `write at 2.6:1 on lz4` */
export const placeOf = ({ arm, operation, compressibility }: CellKey): string =>
  `${operation}${compressibility === null ? '' : ` at ${compressibility}:1`} on ${arm}`;

function described({ run, benchmark, plan, scale, lab, validity, arms, analysis }: Side) {
  return {
    run,
    benchmark,
    plan,
    scale,
    lab,
    validity,
    arms: arms.map(({ name, description }) => ({ name, description })),
    /** Checks without enough data: the rates may have the flaws that these look for. */
    inconclusive: analysis.checks.flatMap(({ id, checks, reason, state }) =>
      state === 'inconclusive' ? { id, checks, reason } : [],
    ),
  };
}

const ratesOf = (side: Side): Map<string, SideCell> =>
  new Map(
    ratesIn(side).map((cell) => [keyOf(cell.arm, cell.operation, cell.compressibility, cell.metric, cell.unit), cell]),
  );

/** The most repeats that an inconclusive cell needs; `null` if none is known, with a reason if a cell is inconclusive. */
function convergedBy(open: readonly ComparedCell[]) {
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

/** The most clients behind any value; `null` if no value states them. */
const clientsOf = ({ cells }: Side): number | null =>
  cells
    .flatMap(({ samples }) => samples)
    .reduce<number | null>((max, { clients }) => (clients === undefined ? max : Math.max(max ?? 0, clients)), null);

/** Scale models differ by their calibration, which repeats do not average out. */
function alikeOnly(sides: readonly Side[]): string[] {
  const max = Math.max(...sides.map(({ place }) => systematicErrorOf({ place })));
  if (max === 0) return [];
  return [`scale models are alike to within ${max * 100} %: a smaller difference may be that of the models`];
}

/** `the plans differ: repeats=3 in A, 5 in B; compressibilities=1,2.6 in A, 1 in B` */
function plansDiffer({ parameters: a }: Side, { parameters: b }: Side): string[] {
  if (!a || !b) return [];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const differing = names
    .filter((name) => String(a[name]) !== String(b[name]))
    .map((name) => `${name}=${a[name] ?? 'unset'} in A, ${b[name] ?? 'unset'} in B`);
  return differing.length === 0 ? [] : [`the plans differ: ${differing.join('; ')}`];
}

function cautionsOf(a: Side, b: Side): string[] {
  const differs = (what: string, left: unknown, right: unknown): string[] =>
    left === right ? [] : [`the ${what} differs: ${left ?? 'unknown'} in A, ${right ?? 'unknown'} in B`];
  const arms = a.arms.flatMap(({ name, description }) => {
    const other = b.arms.find((arm) => arm.name === name);
    return other === undefined ? [] : differs(`configuration of ${name}`, description, other.description);
  });
  const tools = Map.groupBy(ratesIn(a), (rate) => {
    const other = b.cells.find((cell) => cell.metric === rate.metric && isSameWork(cell, rate));
    const [left, right] = [rate.tools.join(', '), other?.tools.join(', ') ?? ''];
    return left === '' || right === '' || left === right ? '' : `${left} in A, ${right} in B`;
  });
  const lost = Object.entries({ A: a, B: b }).flatMap(([side, run]) =>
    ratesIn(run).flatMap((cell) => {
      const { count, words } = lostOf(cell, side);
      return count === 0 ? [] : [`${placeOf(cell)}: ${words}`];
    }),
  );
  return [
    ...differs('benchmark', a.benchmark, b.benchmark),
    ...differs('plan', a.plan, b.plan),
    ...differs('scale', a.scale, b.scale),
    ...plansDiffer(a, b),
    ...differs('number of clients', clientsOf(a), clientsOf(b)),
    ...(a.lab === b.lab ? [] : ['one is a lab run, the other is not']),
    ...alikeOnly([a, b]),
    ...lost,
    ...[a, b].flatMap(({ run, validity, analysis }) => {
      const found = analysis.checks.flatMap(({ id, state }) => (state === 'found' ? [id] : []));
      const why = found.length === 0 ? '' : `: ${found.join(', ')}`;
      return validity === 'VALID' ? [] : [`${run} is ${validity}${why}`];
    }),
    ...arms,
    ...[...tools].flatMap(([words, cells]) =>
      words === '' ? [] : [`the tool differs in ${some(cells.map(placeOf))}: ${words}`],
    ),
  ];
}
