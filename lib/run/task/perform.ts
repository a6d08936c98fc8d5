import type { Step, Task } from '../../schema/plan';
import { ActiveTask, type TaskContext } from './activeTask';
import { firstFailure } from './measure';
import type { TaskResult } from './outcome';
import { measureCapacity, removeData } from './space';
import { withTargetFault } from './targets';
import { runTool } from './tool';

/** Runs one task. Never throws for a machine's failure, which becomes a result with its reason. */
export async function perform(context: TaskContext, step: Step, task: Task): Promise<TaskResult> {
  const active = new ActiveTask(context, step, task);
  const since = new Date();
  return withTargetFault(active, since, await performed(active));
}

async function performed(active: ActiveTask): Promise<TaskResult> {
  const { task } = active;
  const { action } = task;
  switch (action.kind) {
    case 'workload':
      return runTool(active, action);
    case 'make-directory': {
      const { measured, failure } = await active.data.make(action);
      return active.done(measured, failure);
    }
    case 'verify-spread':
      return active.fromReading(await active.data.verifySpread());
    case 'drop-caches': {
      const { outcomes, refused } = await active.dropCaches();
      const dropped = { operation: 'drop_caches', metric: 'done', value: refused ? 0 : 1, unit: '1' };
      return active.done([dropped], refused ? null : firstFailure(outcomes));
    }
    case 'measure-ratio':
      return active.fromReading(await active.data.space());
    case 'measure-capacity':
      return measureCapacity(active);
    case 'remove-data':
      return removeData(active);
  }
}
