/**
 * Runs that stop once they are settled (`--set precision=`), simulated: false alarms, coverage at the stop, and the pairs that were measured: of a single
 * comparison, at the level that allows for the interim analyses and at 95 %; and of the eight of a default plan, through the code of the driver and the report.
 * `--quick` for 300 runs.
 */
import { NOISES } from './shared/falseAlarms';
import { QUICK } from './shared/quick';
import { tell } from './shared/row';
import { stopped, stoppedAlone } from './shared/stopping';

const RUNS = Number(process.env.RUNS ?? (QUICK ? 300 : 10_000));
/** Runs of eight comparisons, which take longer. */
const FEWER = Math.ceil(RUNS / 20);
const REPEATS = 20;
/** Shares by which an arm varies. */
const DEVIATIONS = [0.005, 0.01];

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(9);
const row = (what: string, cells: readonly string[]): void =>
  console.log([what.padEnd(48), ...cells.map((cell) => cell.padStart(9))].join(' '));

const alarms: number[] = [];
row(`one comparison, ${RUNS} runs, at most ${REPEATS} pairs`, ['false', 'pairs', 'saved', '95 % only']);
for (const noise of Object.keys(NOISES))
  for (const precision of [0.8, 1.2, 1.6]) {
    const { falseAlarms, pairs } = stoppedAlone(noise, RUNS, { precision });
    alarms.push(falseAlarms);
    const without = stoppedAlone(noise, RUNS, { precision, allowing: false }).falseAlarms;
    row(`${noise}, ± ${precision} standard deviations`, [
      percent(falseAlarms),
      pairs.toFixed(1),
      percent(1 - pairs / REPEATS),
      percent(without),
    ]);
  }

const coverages: number[] = [];
row(`eight comparisons, ${FEWER} runs`, ['false', 'coverage', 'pairs', 'saved']);
for (const noise of Object.keys(NOISES))
  for (const deviation of DEVIATIONS) {
    const { falseAlarms, coverage, pairs } = stopped(noise, FEWER, { deviation });
    const cells = [percent(falseAlarms), percent(coverage), pairs.toFixed(1), percent(1 - pairs / REPEATS)];
    row(`${noise}, an arm varies by ${deviation * 100} %, ± 2 %`, cells);
    alarms.push(falseAlarms);
    coverages.push(coverage);
  }

const what = 'runs that stop when settled';
const note = 'the worst of all kinds of noise';
const [falseAlarms, coverage] = [Math.max(...alarms), Math.min(...coverages)];
// A few runs hold no share to its bound.
tell({ what: `${what}: false alarms`, value: 100 * falseAlarms, unit: '%', note, ...(QUICK ? {} : { most: 5 }) });
tell({ what: `${what}: coverage`, value: 100 * coverage, unit: '%', note, ...(QUICK ? {} : { least: 95 }) });
