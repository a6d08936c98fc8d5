/** Seed of what is drawn: `FSXBENCH_FAULTS_SEED` draws what an earlier run drew. */
export const SEED = Number(process.env.FSXBENCH_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

const isAll = process.env.FSXBENCH_ALL !== undefined;

/** One of some cases that take long and differ in their moment or screen only, drawn anew in each run; all of them in `npm test -- --all`. */
export function drawn<Case>(cases: readonly Case[]): readonly Case[] {
  const first = SEED % cases.length;
  return isAll ? cases : cases.slice(first, first + 1);
}

/** Returns `describe` or `test`, which skips in `npm test` what a suite has for `npm test -- --all` only. */
export const inAll = <Of extends { readonly skip: unknown }>(of: Of): Of | Of['skip'] => (isAll ? of : of.skip);

/** Returns the number of draws of a statistical test: `all` in `npm test -- --all`, or else the first `few`. */
export const draws = (all: number, few: number): number => (isAll ? all : few);
