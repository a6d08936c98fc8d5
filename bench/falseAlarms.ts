/**
 * Share of runs without a difference in which the report calls one real, by kind of noise and repeats: of the eight comparisons of a default
 * plan, by the code that the report uses. `npm run bench falseAlarms`; `--quick` for 300 runs.
 */
import { called, NOISES, REPEATS } from './shared/falseAlarms';
import { QUICK } from './shared/quick';
import { tell } from './shared/row';

const RUNS = Number(process.env.RUNS ?? (QUICK ? 300 : 10_000));
/** Condition of the share in the table. */
const MOST_OF = `the most among ${REPEATS.join(', ')} repeats`;
/** True ratio for the share of differences that are found. */
const RATIO = 1.1;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(9);
const row = (name: string, cells: readonly string[]): void => console.log(name.padEnd(36), ...cells);

console.log(`${RUNS} runs each, ± ${(196 * Math.sqrt((0.05 * 0.95) / RUNS)).toFixed(1)} at 5 %`);
row(
  'false differences, by repeats',
  REPEATS.map((repeats) => String(repeats).padStart(9)),
);
for (const [name, noise] of Object.entries(NOISES)) {
  const shares = REPEATS.map((repeats) => called(noise, repeats, RUNS).runs);
  row(name, shares.map(percent));
  tell({ what: `false differences in a run, ${name}`, value: 100 * Math.max(...shares), unit: '%', note: MOST_OF });
}
for (const name of ['independent', 'AR(1) 0.5'])
  row(
    `differences of ${Math.round((RATIO - 1) * 100)} % found, ${name}`,
    REPEATS.map((repeats) =>
      percent(called(NOISES[name] as never, repeats, Math.ceil(RUNS / 10), { ratio: RATIO, seed: 2 }).differences),
    ),
  );
