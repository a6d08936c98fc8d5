/** Seed of what is drawn: `FSXBENCH_FAULTS_SEED` draws what an earlier run drew. */
export const SEED = Number(process.env.FSXBENCH_FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** One of some cases that take long and differ in their moment or screen only, drawn anew in each run; all of them in `npm test -- --all`. */
export function drawn<Case>(cases: readonly Case[]): readonly Case[] {
  const first = SEED % cases.length;
  return process.env.FSXBENCH_ALL !== undefined ? cases : cases.slice(first, first + 1);
}
