import type { Plan, Step } from '../schema/plan';
import type { Sample } from '../schema/sample';
import { operationOrNone } from '../workload/lookup';

/** The operation of the sample that says that a task went through, and how long it took. */
export const TASK_OPERATION = 'task';

const key = (step: string, arm: string): string => `${step}\n${arm}`;

/** What earlier sittings of a run have done: the latest attempt of every task, and whether it succeeded. */
export class Progress {
  private readonly latest = new Map<string, { attempt: number; succeeded: boolean }>();

  constructor(samples: readonly Sample[]) {
    for (const sample of samples) if (sample.operation === TASK_OPERATION) this.note(sample);
  }

  note(sample: Sample): void {
    const known = this.latest.get(key(sample.step, sample.arm));
    if (known && known.attempt > sample.attempt) return;
    this.latest.set(key(sample.step, sample.arm), { attempt: sample.attempt, succeeded: sample.value !== null });
  }

  succeeded(step: string, arm: string): boolean {
    return this.latest.get(key(step, arm))?.succeeded ?? false;
  }

  nextAttempt(step: string, arm: string): number {
    return (this.latest.get(key(step, arm))?.attempt ?? 0) + 1;
  }

  /** Whether an attempt at a step has come to an end, good or bad. */
  attempted(step: string): boolean {
    return [...this.latest.keys()].some((each) => each.startsWith(key(step, '')));
  }

  /** Steps with a task that has no success yet. */
  openSteps(plan: Plan): Step[] {
    return plan.steps.filter((step) => step.tasks.some((task) => !this.succeeded(step.id, task.arm)));
  }
}

/**
 * The tasks that remain, as `step → arms`. Steps of one unit share the data that its first steps wrote, so:
 * - an arm whose unit is whole is left alone;
 * - an arm whose unit is begun goes on behind what succeeded, if its data are still there, and drops caches again before a read;
 * - otherwise, and where files may be half created or half removed, its unit is done anew; what was measured stays in the file as an earlier attempt.
 */
export function remaining(
  plan: Plan,
  progress: Progress,
  dataPresent: (arm: string, unit: string) => boolean,
): Map<string, Set<string>> {
  const result = new Map<string, Set<string>>();
  const units = new Map<string, { arm: string; steps: Step[] }>();
  for (const step of plan.steps) {
    for (const { arm } of step.tasks) {
      const unit = units.get(key(step.unit, arm)) ?? { arm, steps: [] };
      unit.steps.push(step);
      units.set(key(step.unit, arm), unit);
    }
  }
  for (const { arm, steps } of units.values()) {
    const open = steps.filter((step) => !progress.succeeded(step.id, arm));
    if (open.length === 0) continue;
    const begun = open.length < steps.length;
    // Only the removal is open: the measurements are whole, whatever became of the data.
    const onlyRemoval = open.every((step) => step.phase === 'clean up');
    const goesOn = begun && (onlyRemoval || (!leftHalfDone(open, arm) && dataPresent(arm, (steps[0] as Step).unit)));
    const again = goesOn
      ? steps.filter((step) => open.includes(step) || (repeatsOnResume(step, arm) && !onlyRemoval))
      : steps;
    for (const step of again) result.set(step.id, (result.get(step.id) ?? new Set()).add(arm));
  }
  return result;
}

/** What remains begins with what cannot be started again: some of the files may have been created or removed, and the rate of the rest is another. */
function leftHalfDone(open: readonly Step[], arm: string): boolean {
  const actions = open.flatMap(({ tasks }) => tasks.filter((task) => task.arm === arm).map(({ action }) => action));
  const next = actions.find(({ kind }) => kind === 'workload');
  return next?.kind === 'workload' && operationOrNone(next)?.restartable !== true;
}

function repeatsOnResume(step: Step, arm: string): boolean {
  return step.tasks.some((task) => task.arm === arm && task.action.kind === 'drop-caches');
}
