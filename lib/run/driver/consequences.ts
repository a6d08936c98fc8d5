import type { Step, Task } from '../../schema/plan';
import { operationOrNone } from '../../workload/lookup';
import type { TaskResult } from '../task/outcome';
import { FREEING_OPERATION } from '../task/space';

const keyOf = (step: Step, task: Task): string => `${step.unit}\n${task.arm}`;

/** Consequences that the tasks of this session have for later ones: work to skip, and figures to doubt. */
export class Consequences {
  /** Units of arms whose data are unreliable, with the failure that made them so. */
  private readonly spoiled = new Map<string, string>();
  /** Units of arms whose caches could not be dropped, so that reads may be served from memory. */
  private readonly cached = new Set<string>();
  /** Arms whose removed data were still being freed when the next step started, which affects its measurements. */
  private readonly freeing = new Set<string>();

  /** Takes note of a task that has ended. */
  note(step: Step, task: Task, { failure, measured }: TaskResult): void {
    const key = keyOf(step, task);
    if (failure !== null && spoilsUnit(task) && !this.spoiled.has(key))
      this.spoiled.set(key, `${step.id} failed on ${task.arm}`);
    if (task.action.kind === 'drop-caches' && (failure !== null || measured.some(({ value }) => value === 0)))
      this.cached.add(key);
    const freed = measured.find(({ operation }) => operation === FREEING_OPERATION);
    if (freed?.value === null) this.freeing.add(task.arm);
    else if (freed !== undefined) this.freeing.delete(task.arm);
  }

  /** Why a task would measure nothing sensible; `null` if it can be tried. Spoiled data are still removed. */
  skipReason(step: Step, task: Task): string | null {
    return task.action.kind === 'remove-data' ? null : (this.spoiled.get(keyOf(step, task)) ?? null);
  }

  /** Caution codes that apply to the figures of a task. */
  cautions(step: Step, task: Task): string[] {
    if (task.action.kind !== 'workload') return [];
    const cautions: string[] = [];
    if (operationOrNone(task.action)?.cached && this.cached.has(keyOf(step, task))) cautions.push('caches_not_dropped');
    if (this.freeing.has(task.arm)) cautions.push('removal_still_freeing');
    return cautions;
  }
}

/** True if the rest of the unit depends on this task. Caches that could not be dropped only make reads doubtful. */
const spoilsUnit = ({ action }: Task): boolean =>
  action.kind === 'make-directory' || (action.kind === 'workload' && operationOrNone(action)?.makesData === true);
