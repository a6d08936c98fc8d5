import { keyOf, omitUndefined } from '../common/collections';
import { confidenceWithInterim, FEWEST_FOR_INTERIM } from '../common/statistics';
import type { ConvergedTask } from '../run/driver/interim';
import { type Plan, precisionIn, SETTLED, type Step } from '../schema/plan';
import type { Manifest } from '../schema/run';
import type { Sample } from '../schema/sample';
import { placeOf, systematicErrorOf } from '../store/platform';
import { type Comparison, compareArms } from './compare/comparisons';
import { cellsOf } from './figures/cells';
import { splitAttempts } from './task';

/** The confidence of the intervals of a run, before they are widened for one another: higher where one of many interim analyses may stop it. */
export function confidenceIn(plan: Plan | null): number {
  const limits = precisionIn(plan);
  return limits === null ? 0.95 : confidenceWithInterim(limits.repeats);
}

/** Tasks of repeats after `repeat` whose comparisons already have the plan's precision on both sides. The first arm continues while another one needs it. */
export function convergedTasks(
  plan: Plan,
  samples: readonly Sample[],
  repeat: number,
  manifest: Manifest | null,
): ConvergedTask[] {
  const limits = precisionIn(plan);
  if (limits === null || repeat < FEWEST_FOR_INTERIM) return [];
  const arms = plan.arms.map(({ name }) => name);
  const compressibilities = [...new Set(plan.steps.map(({ compressibility }) => compressibility))];
  const { counted } = splitAttempts(samples);
  const cells = cellsOf(counted, arms, compressibilities);
  const comparisons = compareArms(cells, counted, arms, compressibilities, {
    confidence: confidenceIn(plan),
    systematic: systematicErrorOf({ place: placeOf({ manifest, plan }) }),
  });
  const later = plan.steps.filter((step) => step.repeat > repeat);
  return [...Map.groupBy(later, ({ unit }) => unit).values()].flatMap((steps) => {
    const converged = others(steps, arms).filter((arm) => isConverged(steps, arm, comparisons, limits.precision));
    const all = converged.length > 0 && converged.length === others(steps, arms).length;
    const done = new Set(all ? arms : converged);
    return steps.flatMap((step) =>
      step.tasks.filter(({ arm }) => done.has(arm)).map(({ arm }) => ({ step: step.id, arm })),
    );
  });
}

const others = (steps: readonly Step[], [baseline]: readonly string[]): string[] => [
  ...new Set(steps.flatMap(({ tasks }) => tasks.map(({ arm }) => arm)).filter((arm) => arm !== baseline)),
];

function isConverged(
  steps: readonly Step[],
  arm: string,
  comparisons: readonly Comparison[],
  precision: number,
): boolean {
  const measures = ({ phase, tasks }: Step): boolean =>
    phase === 'measure' && tasks.some((task) => task.arm === arm && task.action.kind === 'workload');
  const measured = new Set(steps.filter(measures).map(axesKey));
  const own = comparisons.filter(
    ({ kind, ...one }) => one.arm === arm && measured.has(axesKey({ ...one, ...kind, plannedNodes: kind.nodes })),
  );
  return own.length > 0 && own.every((one) => isPrecise(one, precision));
}

type Axes = Pick<Sample, 'compressibility' | 'fileBytes' | 'threads' | 'plannedNodes'>;

const axesKey = ({ compressibility, fileBytes, threads, plannedNodes }: Axes): string =>
  keyOf(String(compressibility), ...[fileBytes, threads, plannedNodes].map((axis) => String(axis || '')));

const isPrecise = ({ interval, count }: Comparison, precision: number): boolean =>
  interval !== null &&
  count >= FEWEST_FOR_INTERIM &&
  Math.log(interval.high / interval.low) / 2 <= Math.log1p(precision);

/** Work of which repeats were left out, since all that they would have measured was settled. */
export interface ConvergedWork extends Axes {
  readonly arm: string;
  readonly repeats: number;
}

/** Returns the work that a run left out, from the samples of the tasks that its driver did not start. */
export function convergedIn(samples: readonly Sample[]): ConvergedWork[] {
  const skipped = samples.filter(({ cautions, phase }) => cautions.includes(SETTLED) && phase === 'measure');
  const works = Map.groupBy(skipped, (sample) => keyOf(sample.arm, axesKey(sample)));
  return [...works.values()].map((own) => {
    const { arm, compressibility, fileBytes, threads, plannedNodes } = own[0] as Sample;
    return {
      ...omitUndefined({ arm, compressibility, fileBytes, threads, plannedNodes }),
      repeats: Math.min(...own.map(({ repeat }) => repeat)) - 1,
    };
  });
}
