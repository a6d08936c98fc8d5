import { keyOf } from '../../common/collections';
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

/** The pairs that a comparison can use. */
export const usable = (pairs: readonly Pair[]): UsablePair[] =>
  pairs.filter((pair): pair is UsablePair => pair.ratio !== null && pair.ratio > 0);

type Side = readonly [arm: string, cell: Cell | undefined];
export type Attempts = (arm: string, repeat: number) => { step: string; attempt: number } | undefined;

/** The pairs of two sides, in the order of the repeats. */
export function pairsOf(a: Side, b: Side, attempts: Attempts): Pair[] {
  const repeats = new Set([...repeatsIn(a[1]), ...repeatsIn(b[1])]);
  return [...repeats].sort((x, y) => x - y).map((repeat) => pairOf(repeat, a, b, attempts));
}

const repeatsIn = (cell: Cell | undefined): Set<number> => new Set((cell?.samples ?? []).map(({ repeat }) => repeat));

/** Medians of the repeats of a cell that have a value. */
export const repeatsOf = (cell: Cell | undefined): number[] =>
  [...repeatsIn(cell)].flatMap((repeat) => repeatMedian(cell, repeat) ?? []).filter((value) => value > 0);

/** The attempts at an operation on data of one kind. */
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
