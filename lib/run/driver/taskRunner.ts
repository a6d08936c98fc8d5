import { isSpaceReadNext } from '../../benchmark/common/steps';
import type { Step, Task } from '../../schema/plan';
import type { ClientLoads } from '../clients/clientLoad';
import type { RunAtClients } from '../clients/launch';
import { endedWhenStuck, type Patience, type Reach } from '../clients/reach';
import { offloadsOn } from '../clients/servers';
import { ActiveTask, dataDirectory } from '../task/activeTask';
import { failed, failedBy, finiteOnly, firstFailure, type TaskResult, withoutValues } from '../task/outcome';
import { measureCapacity, type Pause, removeData } from '../task/space';
import { roundsOf, runTool, withTargetFault } from '../task/tool';

async function performed(active: ActiveTask): Promise<TaskResult> {
  const { action } = active.task;
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

export interface TaskRunnerOptions extends RunAtClients {
  /** Names in a directory of a file system under test. @default - reads the file system */
  readonly list?: (directory: string) => readonly string[];
  /** Waits between two readings of a file system. @default - real time */
  readonly pause?: Pause;
  /** When a task is so late that its directory is asked. @default - by what the plan expects */
  readonly patience?: Patience;
}

/** Carries out single tasks, and finds the causes of failures that a tool cannot know: a hung, unmounted or read-only file system. */
export class TaskRunner {
  constructor(
    private readonly options: TaskRunnerOptions,
    private readonly reach: Reach,
    private readonly loads: ClientLoads,
  ) {}

  async run(step: Step, task: Task, attempt: number): Promise<TaskResult> {
    const result = await this.performed(step, task, attempt).catch((error: unknown) =>
      failed(error instanceof Error ? error.message : String(error)),
    );
    if (result.failure === null || this.options.abort.aborted) return result;
    const denied = await this.reach.denied(task.arm, step.unit);
    return denied === null ? result : failedBy(result, `${result.failure}: ${denied}`);
  }

  private async performed(step: Step, task: Task, attempt: number): Promise<TaskResult> {
    const { plan, folder, run, clients, execute, abort, list, pause, patience } = this.options;
    const { arm } = task;
    const context = {
      run,
      clients,
      loads: this.loads,
      execute,
      folder: folder.path,
      write: (name: string, content: string): void => void folder.write(name, content),
      list,
      pause,
      attempt,
      roundsMade: () => roundsOf(plan, { unit: step.unit, arm }, folder.samples(run)),
      offloads: offloadsOn(plan, arm),
      isSpaceReadNext: isSpaceReadNext(plan.steps, step, arm),
    };
    const directory = dataDirectory(this.options, arm, step.unit);
    const work = async (ended: AbortSignal): Promise<TaskResult> => {
      const active = new ActiveTask({ ...context, abort: ended }, step, task);
      const since = new Date();
      return withTargetFault(active, since, await performed(active));
    };
    const { result, problem } = await endedWhenStuck(work, {
      abort,
      expectedSeconds: step.expectedSeconds,
      patience,
      problem: () => this.reach.storingProblem(directory),
    });
    if (problem !== null) this.reach.wasStuck(arm, directory);
    const isEnded = problem !== null && result.failure !== null;
    const explained = finiteOnly(isEnded ? failedBy(result, `ended, since ${problem}`) : result);
    const elsewhere = this.reach.unmounted(arm);
    return elsewhere === null ? explained : failedBy(withoutValues(explained), elsewhere);
  }
}
