import { type Comparison, compareArms } from '../../lib/analysis/compare/comparisons';
import { confidenceIn, convergedTasks } from '../../lib/analysis/converged';
import { cellsOf } from '../../lib/analysis/figures/cells';
import { compressionBench } from '../../lib/benchmark/compression';
import {
  confidenceWithInterim,
  evidenceOf,
  FEWEST_FOR_INTERIM,
  type Interval,
  meanInterval,
} from '../../lib/common/statistics';
import { makePlan } from '../../lib/plan/plan';
import type { Plan } from '../../lib/schema/plan';
import { synthetic } from '../../test/common/statistics/synthetic';
import { ARMS, COMPRESSIBILITIES, NOISES, samplesOf } from './falseAlarms';

/** Figures of simulated runs that stop once they are settled. */
export interface Stopped {
  /** Share of runs that report a difference that does not exist. */
  readonly falseAlarms: number;
  /** Share of comparisons whose interval includes the truth. */
  readonly coverage: number;
  /** Mean pairs of a comparison. */
  readonly pairs: number;
}

/** The default plan of eight comparisons, with that precision in percent and so many repeats at most. */
export const planOf = (precision: number, repeats: number): Plan =>
  makePlan({
    benchmark: compressionBench,
    plan: 'paired',
    scale: 'lab',
    hourlyUsd: 0,
    arms: ARMS.map((name) => ({ name, description: name })),
    fleet: { clients: 1, instanceType: null, ranksPerClient: 2 },
    set: [
      'tool=fio',
      `compressibilities=${COMPRESSIBILITIES.join(',')}`,
      `repeats=${repeats}`,
      `precision=${precision}`,
    ],
  });

/** Simulates a run to its end, without the tasks that the driver would leave out. */
function compared(
  plan: Plan,
  noise: keyof typeof NOISES,
  ratio: number,
  deviation: number,
  seed: number,
): Comparison[] {
  const repeats = plan.parameters.repeats as number;
  const all = samplesOf(NOISES[noise] as never, repeats, ratio, synthetic(seed), deviation);
  const last = new Map<number | null, number>();
  const measured = (upTo: number) =>
    all.filter(({ repeat, compressibility }) => repeat <= Math.min(upTo, last.get(compressibility) ?? repeats));
  const targetOf = new Map(plan.steps.map(({ id, compressibility }) => [id, compressibility]));
  for (let repeat = FEWEST_FOR_INTERIM; repeat < repeats && last.size < COMPRESSIBILITIES.length; repeat += 1)
    for (const { step } of convergedTasks(plan, measured(repeat), repeat, null)) {
      const compressibility = targetOf.get(step) ?? null;
      if (!last.has(compressibility)) last.set(compressibility, repeat);
    }
  const samples = measured(repeats);
  return compareArms(cellsOf(samples, ARMS, COMPRESSIBILITIES), samples, ARMS, COMPRESSIBILITIES, {
    confidence: confidenceIn(plan),
  });
}

/** Simulates runs whose second arm is `ratio` times as fast, and whose arms vary by `deviation`, a share. */
export function stopped(
  noise: keyof typeof NOISES,
  runs: number,
  { precision = 2, repeats = 20, ratio = 1, deviation = 0.02, seed = 1 } = {},
): Stopped {
  const plan = planOf(precision, repeats);
  let [alarms, covered, pairs, count] = [0, 0, 0, 0];
  for (let run = 0; run < runs; run += 1) {
    const comparisons = compared(plan, noise, ratio, deviation, seed * 1_000_003 + run);
    if (ratio === 1 && comparisons.some(({ different }) => different)) alarms += 1;
    for (const { interval, count: own } of comparisons) {
      count += 1;
      pairs += own;
      if (interval !== null && interval.low <= ratio && ratio <= interval.high) covered += 1;
    }
  }
  return { falseAlarms: alarms / runs, coverage: covered / count, pairs: pairs / count };
}

/** Simulates a single comparison with an analysis after every pair, which stops once its interval is no wider than `precision` standard deviations on either side. */
export function stoppedAlone(
  noise: keyof typeof NOISES,
  runs: number,
  { precision = 1.2, repeats = 20, seed = 1, allowing = true } = {},
): Omit<Stopped, 'coverage'> {
  const confidence = allowing ? confidenceWithInterim(repeats) : 0.95;
  let [missed, pairs] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const values = NOISES[noise]?.(synthetic(seed * 1_000_003 + run), repeats) ?? [];
    let count = FEWEST_FOR_INTERIM;
    const analyse = (): Interval => {
      const own = values.slice(0, count);
      return meanInterval(own, { confidence, evidence: evidenceOf([own]) }) as Interval;
    };
    let interval = analyse();
    while (count < repeats && (interval.high - interval.low) / 2 > precision) {
      count += 1;
      interval = analyse();
    }
    pairs += count;
    // The truth is 0.
    if (interval.low > 0 || interval.high < 0) missed += 1;
  }
  return { falseAlarms: missed / runs, pairs: pairs / runs };
}
