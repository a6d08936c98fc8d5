import { isSpaceReadNext } from '../../benchmark/common/steps';
import { isChange, type Plan, type Step, type Task } from '../../schema/plan';
import type { StorageChange } from '../../storage/change';
import { changeOf } from '../../storage/changes';
import type { ClientLoads } from '../clients/clientLoad';
import type { AtClients } from '../clients/launch';
import { endedWhenStuck, type Patience } from '../clients/overdue';
import type { Reach } from '../clients/reach';
import { offloadsOn } from '../clients/servers';
import { dataDirectory } from '../task/activeTask';
import { finiteOnly } from '../task/measure';
import { failed, failedBy, type TaskResult, withoutValues } from '../task/outcome';
import { perform } from '../task/perform';
import { roundsOf } from '../task/rounds';
import type { Pause } from '../task/settle';
import type { RunProgress } from './resume';

/** Means to carry out the tasks of a run. */
export interface TaskRunnerOptions extends AtClients {
  readonly run: string;
  readonly plan: Plan;
  /** Names in a directory of a file system under test. @default - reads the file system */
  readonly list?: (directory: string) => readonly string[];
  /** Changes a file system, for plans around a change. @default - the change registered by its storage */
  readonly change?: StorageChange['make'];
  /** Waits between two readings of a file system. @default - real time */
  readonly pause?: Pause;
  /** When a task is so late that its directory is asked. @default - by what the plan expects */
  readonly patience?: Patience;
}

/** Carries out single tasks, and finds the causes of failures that a tool cannot know: a hung, unmounted or read-only file system. */
export class TaskRunner {
  constructor(
    private readonly options: TaskRunnerOptions,
    private readonly progress: RunProgress,
    private readonly reach: Reach,
    private readonly loads: ClientLoads,
    /** Shows words as the run's status. */
    private readonly say: (message: string) => Promise<void>,
  ) {}

  /** Carries out a task. Never throws: what goes wrong is the failure of the result. */
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
      change: () => this.change(step, task),
    };
    const directory = dataDirectory(this.options, arm, step.unit);
    const { result, problem } = await endedWhenStuck((ended) => perform({ ...context, abort: ended }, step, task), {
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

  /** Makes the change of a task, unless an earlier step has no value yet, which could never be measured afterwards. */
  private async change(step: Step, { action }: Task): Promise<void> {
    const { plan, abort } = this.options;
    if (!isChange(action)) return;
    const earlier = new Set(plan.steps.slice(0, plan.steps.indexOf(step)).map(({ id }) => id));
    const missing = this.progress.openSteps(plan).filter(({ id, phase }) => earlier.has(id) && phase !== 'clean up');
    if (missing.length > 0)
      throw new Error(
        `nothing was changed, since ${missing.map(({ id }) => id).join(', ')} could not be measured before`,
      );
    let said: Promise<void> = Promise.resolve();
    const say = (message: string): void => {
      said = said.then(() => this.say(message));
    };
    try {
      const make = this.options.change ?? changeOf(action).make;
      await make(action, { say, abort });
    } finally {
      await said;
    }
  }
}
