import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { firstThree } from '../../kit/format/strings';
import { counted } from '../../kit/format/units';
import { isChange, type Step, type Task } from '../../schema/plan';
import type { RunStatus } from '../../schema/run';
import type { StorageChange } from '../../storage/change';
import { changeOf } from '../../storage/changes';
import { readOwnSamples } from '../../store/documents';
import { operationOrNone } from '../../workload/lookup';
import { ClientLoads } from '../clients/clientLoad';
import type { AtClients } from '../clients/launch';
import { endedWhenStuck, type Patience } from '../clients/overdue';
import { Reach, type ReachOptions } from '../clients/reach';
import { offloadsOn } from '../clients/servers';
import { dataOfOthers, removeEmptied } from '../dataLeft';
import { dataDirectory } from '../task/activeTask';
import { finiteOnly } from '../task/measure';
import { failed, failedBy, type TaskResult, withoutValues } from '../task/outcome';
import { perform } from '../task/perform';
import { roundsOf } from '../task/rounds';
import type { Pause } from '../task/settle';
import { FREEING_OPERATION } from '../task/space';
import { CLOCKS, type Clocks, DisturbanceDetector, stopwatch } from './clock';
import { InterimAnalyses, type InterimOptions } from './interim';
import { samplesOf } from './record';
import { RunProgress, remaining, TASK_OPERATION } from './resume';
import { describe, StatusKeeper, type StatusOptions } from './statusKeeper';
import { etaOf, type TimeLeft, TimeLeftEstimate } from './timeLeft';

/** Dependencies of the driver. */
export interface DriverOptions extends AtClients, ReachOptions, InterimOptions, StatusOptions {
  /** Seconds between two heartbeats of the driver within a step. @default 5 */
  readonly beatSeconds?: number;
  /** True if data of an earlier session still exist. @default - checks the file system */
  readonly dataPresent?: (directory: string) => boolean;
  /** Names in a directory of a file system under test. @default - reads the file system */
  readonly list?: (directory: string) => readonly string[];
  /** Changes a file system, for plans around a change. @default - the change registered by its storage */
  readonly change?: StorageChange['make'];
  /** Waits between two readings of a file system. @default - real time */
  readonly pause?: Pause;
  /**
   * Checks the clients before the first step.
   *
   * @param note keeps something of it in the run's status
   * @returns why nothing can be measured, or `null`
   */
  readonly prepare?: (
    say: (message: string) => Promise<void>,
    note: (kind: string, message: string) => Promise<void>,
  ) => Promise<string | null>;
  /**
   * Waits, after a task of a workload failed, until the clients can be worked with: one of them may have rebooted.
   *
   * @returns why nothing more can be measured, or `null`
   * @default - nobody is asked
   */
  readonly ready?: (say: (message: string) => Promise<void>) => Promise<string | null>;
  /** When a task is so late that its directory is asked. @default - by what the plan expects */
  readonly patience?: Patience;
}

/** Seconds between two heartbeats of the driver within a step. */
const BEAT_SECONDS = 5;
/** Seconds without a heartbeat that are worth a word. */
const STILL_SECONDS = 10;

/**
 * Runs a plan step by step, all arms of a step in parallel, and writes each value as soon as it is known. Work done by an earlier session
 * is not repeated. A failed task is recorded with its reason and ends its unit on its arm, and one whose file system hangs is not tried; everything else continues. But nothing
 * runs after a failed change of the file system, since it would not measure what the plan says.
 *
 * @returns the final status: `done`, `failed` (some tasks have no value) or `interrupted`
 */
export async function drive(options: DriverOptions): Promise<RunStatus> {
  const driver = new Driver(options);
  return driver.run();
}

class Driver {
  private readonly progress: RunProgress;
  /** Problems of the samples of earlier sessions, by file and line. */
  private readonly leftOut: readonly string[];
  private readonly clocks: Clocks;
  private readonly status: StatusKeeper;
  /** `unit + arm` whose data are unreliable for the rest of this session. */
  private readonly broken = new Map<string, string>();
  /** `unit + arm` whose caches could not be dropped, so that reads may be served from memory. */
  private readonly cached = new Set<string>();
  /** Arms whose removed data were still being freed when the next step started, which affects its measurements. */
  private readonly freeing = new Set<string>();
  /** Reason to stop before the remaining steps: clients or file system do not meet their needs. */
  private stopReason: string | null = null;
  /** A workload failed since the clients were last found ready. */
  private doubtful = false;
  private readonly interim: InterimAnalyses;
  private readonly reach: Reach;
  private readonly loads: ClientLoads;

  constructor(private readonly options: DriverOptions) {
    const { run, folder, beatSeconds = BEAT_SECONDS, clocks = CLOCKS } = options;
    this.clocks = clocks;
    this.reach = new Reach(options);
    this.loads = new ClientLoads(options.clients, clocks.steady);
    const { samples, problems } = readOwnSamples(folder.path, run);
    this.leftOut = problems.map(({ file, message }) => `${join(folder.path, file)}: ${message}`);
    this.progress = new RunProgress(samples);
    this.interim = new InterimAnalyses(options, this.progress, clocks);
    this.status = new StatusKeeper(
      options,
      this.progress,
      samples,
      new DisturbanceDetector(beatSeconds + STILL_SECONDS, clocks),
    );
  }

  async run(): Promise<RunStatus> {
    const { plan, abort, dataPresent = existsSync, prepare } = this.options;
    for (const problem of this.leftOut)
      await this.status.update({ message: `${problem}; steps without values are repeated` });
    const note = (kind: string, message: string) => this.status.note(kind, message);
    this.stopReason = (await prepare?.((message) => this.status.update({ message }), note)) ?? null;
    // Its clients may have kept it waiting for long.
    this.status.resetDetector();
    const hanging = new Set(await this.reach.hangingArms());
    for (const found of await dataOfOthers(this.options, hanging)) await note('other-data', found);
    const isPresent = (arm: string, unit: string) => {
      try {
        return !hanging.has(arm) && dataPresent(dataDirectory(this.options, arm, unit));
      } catch {
        // The unit's first task meets the same obstacle, and says so.
        return false;
      }
    };
    const todo = remaining(plan, this.progress, isPresent);
    const steps = plan.steps.filter((step) => todo.has(step.id));
    const left = new TimeLeftEstimate(steps.reduce((sum, step) => sum + step.expectedSeconds, 0));
    for (const [index, step] of steps.entries()) {
      await this.askClients();
      if (abort.aborted || this.stopReason !== null) break;
      const settled = this.interim.before(step);
      if (settled !== null) await this.status.update({ ...this.stepsDone(), message: settled });
      const needed = (each: Step): Task[] => this.interim.needed(each, todo.get(each.id));
      const ahead = (): Step[] => steps.slice(index).filter((each) => needed(each).length > 0);
      if (needed(step).length === 0) continue;
      await this.status.update({
        state: 'running',
        step: step.id,
        phase: step.phase,
        message: describe(step),
        ...etaOf(left.of(ahead())),
      });
      const time = stopwatch(this.clocks);
      const tasks = Promise.all(needed(step).map((task) => this.task(step, task)));
      await this.beatUntil(tasks, () => left.of(ahead(), time.seconds()));
      await this.status.noteDisturbances();
      await this.status.noteSlowFolder();
      for (const found of this.loads.reboots.take(plan.steps.map(({ id }) => id))) await note('reboot', found);
      left.spent(step, time.seconds());
      await this.status.update(this.stepsDone());
      if (this.stopReason !== null) break;
    }
    return this.finish();
  }

  private stepsDone(): Pick<RunStatus, 'stepsDone'> {
    const { plan } = this.options;
    return { stepsDone: plan.steps.length - this.progress.openSteps(plan).length };
  }

  private async askClients(): Promise<void> {
    const { ready, abort } = this.options;
    if (ready === undefined || !this.doubtful || abort.aborted) return;
    this.doubtful = false;
    this.stopReason = await ready((message) => this.status.update({ message }));
    this.status.resetDetector();
  }

  private async finish(): Promise<RunStatus> {
    const { plan, abort } = this.options;
    const open = this.progress.openSteps(plan).map((step) => step.id);
    const endedAt = this.status.now();
    const reached = this.stopReason === null ? open : open.filter((id) => this.progress.attempted(id));
    const failedSteps = abort.aborted ? [] : reached;
    const common = { step: null, phase: null, ...etaOf({ low: 0, high: 0 }), endedAt, failedSteps };
    if (open.length === 0) {
      const arms = Object.entries(this.options.clients.config.arms);
      for (const [arm, { mountPoint }] of arms)
        if ((await this.reach.problemOf(arm)) === null) removeEmptied(mountPoint, this.options.run);
    }
    await this.status.update({ ...common, ...this.ending(open) });
    return this.status.status;
  }

  private ending(open: readonly string[]): Pick<RunStatus, 'state' | 'message'> {
    const toDo = `${counted(open.length, 'step')} to do`;
    const { aborted } = this.options.abort;
    if (this.stopReason !== null && !aborted) return { state: 'failed', message: `${this.stopReason}; ${toDo}` };
    if (open.length === 0) return { state: 'done', message: 'every step is done' };
    if (aborted) return { state: 'interrupted', message: `interrupted with ${toDo}` };
    const why = open.flatMap((id) => this.progress.failureOf(id) || [])[0];
    const first = why === undefined ? '' : `; ${open.length === 1 ? why : `the first: ${why}`}`;
    return { state: 'failed', message: `${counted(open.length, 'step')} failed: ${firstThree(open)}${first}` };
  }

  private async task(step: Step, task: Task): Promise<void> {
    const { folder, run, clients, abort } = this.options;
    const attempt = this.progress.nextAttempt(step.id, task.arm);
    const unit = `${step.unit}\n${task.arm}`;
    const time = stopwatch(this.clocks);
    const hanging = await this.reach.problemOf(task.arm);
    const cause = hanging ?? (task.action.kind === 'remove-data' ? undefined : this.broken.get(unit));
    const result = cause === undefined ? await this.carriedOut(step, task, attempt) : failed(`skipped, since ${cause}`);
    const { failure } = result;
    if (isChange(task.action)) this.stopReason = failure;
    if (task.action.kind === 'workload' && failure !== null && cause === undefined) this.doubtful = true;
    // An interrupted task is neither a value nor a failure: it is repeated.
    if (abort.aborted && failure !== null) return;
    if (failure !== null && (cause === undefined || hanging !== null) && spoilsUnit(task))
      this.broken.set(unit, `${step.id} failed on ${task.arm}`);
    if (task.action.kind === 'drop-caches' && (failure !== null || result.measured.some(({ value }) => value === 0)))
      this.cached.add(unit);
    const freed = result.measured.find(({ operation }) => operation === FREEING_OPERATION);
    if (freed?.value === null) this.freeing.add(task.arm);
    else if (freed !== undefined) this.freeing.delete(task.arm);
    const doubts = this.doubts(task, unit);
    const samples = samplesOf({ run, clients, step, task, attempt, result, time, doubts });
    folder.append(samples);
    for (const sample of samples) if (sample.operation === TASK_OPERATION) this.progress.note(sample);
  }

  /** Carries out a task. Never throws: what goes wrong is the failure of the result. */
  private async carriedOut(step: Step, task: Task, attempt: number): Promise<TaskResult> {
    const result = await this.performed(step, task, attempt).catch((error: unknown) =>
      failed(error instanceof Error ? error.message : String(error)),
    );
    const hasFailed = result.failure !== null && !this.options.abort.aborted;
    const denied = hasFailed ? await this.reach.denied(task.arm, step.unit) : null;
    return denied === null ? result : failedBy(result, `${result.failure}: ${denied}`);
  }

  private async performed(step: Step, task: Task, attempt: number): Promise<TaskResult> {
    const { plan, folder, run, clients, execute, abort, list, pause, patience } = this.options;
    const { arm } = task;
    const write = (name: string, content: string): void => void folder.write(name, content);
    const context = {
      ...{ run, clients, loads: this.loads, execute, folder: folder.path, write, list, pause, attempt },
      roundsMade: () => roundsOf(plan, { unit: step.unit, arm }, folder.samples(run)),
      offloads: offloadsOn(plan, arm),
      change: this.changeFor(step, task),
    };
    const directory = dataDirectory(this.options, arm, step.unit);
    const { result, problem } = await endedWhenStuck((ended) => perform({ ...context, abort: ended }, step, task), {
      ...{ abort, expectedSeconds: step.expectedSeconds, patience },
      problem: () => this.reach.storingProblem(directory),
    });
    if (problem !== null) this.reach.wasStuck(arm, directory);
    const elsewhere = this.reach.unmounted(arm);
    const own = finiteOnly(
      result.failure !== null && problem !== null ? failedBy(result, `ended, since ${problem}`) : result,
    );
    return elsewhere === null ? own : failedBy(withoutValues(own), elsewhere);
  }

  /** Caution codes that apply to a figure. */
  private doubts(task: Task, unit: string): string[] {
    if (task.action.kind !== 'workload') return [];
    return [
      ...(isCacheable(task) && this.cached.has(unit) ? ['caches_not_dropped'] : []),
      ...(this.freeing.has(task.arm) ? ['removal_still_freeing'] : []),
    ];
  }

  /** Makes the change, unless an earlier step has no value yet, which could never be measured afterwards. */
  private changeFor(step: Step, { action }: Task): (() => Promise<void>) | undefined {
    const { plan, abort } = this.options;
    if (!isChange(action)) return undefined;
    return async () => {
      const earlier = new Set(plan.steps.slice(0, plan.steps.indexOf(step)).map(({ id }) => id));
      const missing = this.progress.openSteps(plan).filter(({ id, phase }) => earlier.has(id) && phase !== 'clean up');
      if (missing.length > 0)
        throw new Error(
          `nothing was changed, since ${missing.map(({ id }) => id).join(', ')} could not be measured before`,
        );
      let written: Promise<void> = Promise.resolve();
      const say = (message: string): void => {
        written = written.then(() => this.status.update({ message }));
      };
      try {
        const known = changeOf(action);
        const make = this.options.change ?? known.make;
        await make(action, { say, abort });
      } finally {
        await written;
      }
    };
  }

  /**
   * Writes a heartbeat and the remaining time to the status every few seconds, since a step may take hours. One that cannot be written, as while a
   * quota is exhausted, must not end this process, and leave what measures alone: values are written after the step, and an error then ends the run.
   */
  private async beatUntil(tasks: Promise<unknown>, left: () => TimeLeft): Promise<void> {
    const { beatSeconds = BEAT_SECONDS } = this.options;
    let writing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      writing = writing
        .then(() => this.status.noteDisturbances())
        .then(() => this.status.update(etaOf(left())))
        .catch(() => {});
    }, beatSeconds * 1000);
    try {
      await tasks;
    } finally {
      clearInterval(timer);
      await writing;
    }
  }
}

/** True if the rest of the unit depends on this task. Caches that could not be dropped only make reads doubtful. */
function spoilsUnit({ action }: Task): boolean {
  return (
    action.kind === 'make-directory' || (action.kind === 'workload' && operationOrNone(action)?.makesData === true)
  );
}

/** True if it can be served from a client's caches. */
function isCacheable({ action }: Task): boolean {
  return action.kind === 'workload' && operationOrNone(action)?.cached === true;
}
