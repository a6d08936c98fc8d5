import type { Plan, Step } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import { operationOrNone } from '../../workload/lookup';

/** The operation of the sample that records a task's success and duration. */
export const TASK_OPERATION = 'task';

const key = (step: string, arm: string): string => `${step}\n${arm}`;

/** The work of earlier sessions of a run: the latest attempt at every task, and whether it succeeded. */
export class RunProgress {
  private readonly latest = new Map<string, Pick<Sample, 'step' | 'attempt' | 'value' | 'reason' | 'raw'>>();

  constructor(samples: readonly Sample[]) {
    for (const sample of samples) if (sample.operation === TASK_OPERATION) this.note(sample);
  }

  note({ step, arm, attempt, value, reason, raw }: Sample): void {
    const known = this.latest.get(key(step, arm));
    if (known && known.attempt > attempt) return;
    this.latest.set(key(step, arm), { step, attempt, value, reason, raw });
  }

  succeeded(step: string, arm: string): boolean {
    return (this.latest.get(key(step, arm))?.value ?? null) !== null;
  }

  /** The reason why a step has not succeeded, and the file with its output; empty if unknown. */
  failureOf(step: string): string {
    const failed = [...this.latest.values()].find((task) => task.step === step && task.value === null);
    const output = failed?.raw ? `, see ${failed.raw}.out` : '';
    return failed?.reason ? `${failed.reason}${output}` : '';
  }

  nextAttempt(step: string, arm: string): number {
    return (this.latest.get(key(step, arm))?.attempt ?? 0) + 1;
  }

  attempted(step: string): boolean {
    return [...this.latest.keys()].some((each) => each.startsWith(key(step, '')));
  }

  openSteps(plan: Plan): Step[] {
    return plan.steps.filter((step) => step.tasks.some((task) => !this.succeeded(step.id, task.arm)));
  }
}

/**
 * The remaining tasks, as `step → arms`. Steps of one unit share the data that its first steps wrote, so:
 * - an arm whose unit is complete is skipped;
 * - an arm whose unit was started continues after the last success, if its data still exist, and drops caches again before a read;
 * - otherwise, or if files may be partly created or removed, its unit starts over; existing measurements stay in the file as an earlier attempt.
 */
export function remaining(
  plan: Plan,
  progress: RunProgress,
  dataPresent: (arm: string, unit: string) => boolean,
): Map<string, Set<string>> {
  const result = new Map<string, Set<string>>();
  const tasks = plan.steps.flatMap((step) => step.tasks.map(({ arm }) => ({ arm, step })));
  for (const unit of Map.groupBy(tasks, ({ arm, step }) => key(step.unit, arm)).values()) {
    const { arm } = unit[0] as (typeof unit)[number];
    const steps = unit.map(({ step }) => step);
    const open = steps.filter((step) => !progress.succeeded(step.id, arm));
    if (open.length === 0) continue;
    const begun = open.length < steps.length;
    // Only the removal is left: the measurements are complete, regardless of the data.
    const onlyRemoval = open.every((step) => step.phase === 'clean up');
    const goesOn =
      begun && (onlyRemoval || (!startsUnrestartable(open, arm) && dataPresent(arm, (steps[0] as Step).unit)));
    const again = goesOn
      ? steps.filter((step) => open.includes(step) || (repeatsOnResume(step, arm) && !onlyRemoval))
      : steps;
    for (const step of again) result.set(step.id, (result.get(step.id) ?? new Set()).add(arm));
  }
  return result;
}

/** True if the remaining steps start with one that cannot be restarted, since a partial attempt may have created or removed some of the files, and the rest would run at a different rate. */
function startsUnrestartable(open: readonly Step[], arm: string): boolean {
  const actions = open.flatMap(({ tasks }) => tasks.filter((task) => task.arm === arm).map(({ action }) => action));
  const next = actions.find(({ kind }) => kind === 'workload');
  return next?.kind === 'workload' && operationOrNone(next)?.restartable !== true;
}

const repeatsOnResume = (step: Step, arm: string): boolean =>
  step.tasks.some((task) => task.arm === arm && task.action.kind === 'drop-caches');
