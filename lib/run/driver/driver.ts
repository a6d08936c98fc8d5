import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from 'simple-statistics';
import { entryOf, type Range } from '../../common/collections';
import { firstThree } from '../../common/format/text';
import { counted } from '../../common/format/units';
import type { Step, Task } from '../../schema/plan';
import type { RunStatus } from '../../schema/run';
import { readOwnSamples } from '../../store/documents';
import { operationOrNone } from '../../workload/lookup';
import { ClientLoads } from '../clients/clientLoad';
import { Reach, type ReachOptions } from '../clients/reach';
import { dataOfOthers, removeEmptied } from '../dataLeft';
import { dataDirectory } from '../task/activeTask';
import { failed, type TaskResult } from '../task/outcome';
import { FREEING_OPERATION } from '../task/space';
import { CLOCKS, type Clocks, DisturbanceDetector, stopwatch } from './clock';
import { InterimAnalyses, type InterimOptions } from './interim';
import { samplesOf } from './record';
import { RunProgress, remaining, TASK_OPERATION } from './resume';
import { describe, StatusKeeper, type StatusOptions } from './statusKeeper';
import { TaskRunner, type TaskRunnerOptions } from './taskRunner';

/** Share by which a duration may differ while no step, or only one, of its kind is done. */
const UNSURE = 0.5;

/** Share of the plan that counts as done at its own pace: the first, short steps must not set the pace of the long ones. */
const PRIOR = 0.1;

/** The shortest time that a plan can expect of a step, seconds: nothing is divided by zero. */
const SHORTEST = 0.05;

/** Estimates the rest of a run from its plan and from how long steps of the same kind took: both ends meet as more of them are done. */
export class TimeLeftEstimate {
  private readonly ratios = new Map<string, number[]>();
  private expected = 0;
  private seconds = 0;

  /** @param plannedSeconds what the plan expects of all steps that are to be done */
  constructor(private readonly plannedSeconds: number) {}

  spent(step: Step, seconds: number): void {
    const expected = expectedOf(step);
    entryOf(this.ratios, kindOf(step), () => []).push(seconds / expected);
    this.expected += expected;
    this.seconds += seconds;
  }

  /** Seconds. @param within those spent in the first of the open steps */
  of(open: readonly Step[], within = 0): Range<number> {
    let [low, high] = [0, 0];
    for (const [index, step] of open.entries()) {
      const [min, max] = this.ratioOf(step);
      const already = index === 0 ? within : 0;
      low += Math.max(0, expectedOf(step) * min - already);
      high += Math.max(0, expectedOf(step) * max - already);
    }
    return { low, high };
  }

  /** Quartiles of real ÷ expected seconds of steps of this kind; where hardly any is done, those of all steps count as well. */
  private ratioOf(step: Step): [low: number, high: number] {
    const seen = this.ratios.get(kindOf(step)) ?? [];
    if (seen.length > 1) return [quantile(seen, 0.25), quantile(seen, 0.75)];
    const prior = PRIOR * this.plannedSeconds;
    const pace = (this.seconds + prior) / Math.max(SHORTEST, this.expected + prior);
    const known = [seen[0] ?? 1, pace];
    return [Math.min(...known) * (1 - UNSURE), Math.max(...known) * (1 + UNSURE)];
  }
}

const expectedOf = ({ expectedSeconds }: Step): number => Math.max(SHORTEST, expectedSeconds);

/** Steps of a kind do the same on arms, targets and repeats. */
function kindOf({ phase, tasks }: Step): string {
  const actions = tasks.map(({ action }) => `${action.kind} ${'operation' in action ? action.operation : ''}`);
  return [phase, ...new Set(actions)].join(' ');
}

const etaOf = ({ low, high }: Range<number>) => ({
  etaSeconds: Math.round((low + high) / 2),
  etaLowSeconds: Math.floor(low),
  etaHighSeconds: Math.ceil(high),
});

const keyOf = (step: Step, task: Task): string => `${step.unit}\n${task.arm}`;

/** Consequences that the tasks of this session have for later ones: work to skip, and figures to doubt. */
class Consequences {
  /** Units of arms whose data are unreliable, with the failure that made them so. */
  private readonly spoiled = new Map<string, string>();
  /** Units of arms whose caches could not be dropped: their reads may be served from memory. */
  private readonly cached = new Set<string>();
  /** Arms whose removed data were still being freed when the next step started, which affects its measurements. */
  private readonly freeing = new Set<string>();

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

export interface DriverOptions extends TaskRunnerOptions, ReachOptions, InterimOptions, StatusOptions {
  /** Seconds between two heartbeats of the driver within a step. @default 5 */
  readonly beatSeconds?: number;
  /** True if data of an earlier session still exist. @default - checks the file system */
  readonly dataPresent?: (directory: string) => boolean;
  /** Checks the clients before the first step. @param note keeps something in the run's status @returns why nothing can be measured, or `null` */
  readonly prepare?: (
    say: (message: string) => Promise<void>,
    note: (kind: string, message: string) => Promise<void>,
  ) => Promise<string | null>;
  /** Waits after a failed task until the clients are ready: one may have rebooted. @returns why they are not, or `null` @default - no check */
  readonly ready?: (say: (message: string) => Promise<void>) => Promise<string | null>;
}

const BEAT_SECONDS = 5;
/** Seconds without a heartbeat after which a status says so. */
const STILL_SECONDS = 10;

/**
 * Runs a plan step by step, all arms in parallel, and writes each value as soon as it is known. Work of an earlier session is not repeated. A failed task
 * ends its unit on its arm, and one whose file system hangs is not tried. @returns `done`, `failed` (some tasks have no value) or `interrupted`
 */
export const drive = async (options: DriverOptions): Promise<RunStatus> => new Driver(options).run();

class Driver {
  private readonly progress: RunProgress;
  /** Problems of the samples of earlier sessions, by file and line. */
  private readonly leftOut: readonly string[];
  private readonly clocks: Clocks;
  private readonly beatSeconds: number;
  private readonly status: StatusKeeper;
  private readonly consequences = new Consequences();
  /** Reason to stop before the remaining steps: clients or file system do not meet their needs. */
  private stopReason: string | null = null;
  /** A workload failed since the clients were last found ready. */
  private doubtful = false;
  private readonly interim: InterimAnalyses;
  private readonly reach: Reach;
  private readonly runner: TaskRunner;

  constructor(private readonly options: DriverOptions) {
    const { run, folder, beatSeconds = BEAT_SECONDS, clocks = CLOCKS } = options;
    this.clocks = clocks;
    this.beatSeconds = beatSeconds;
    this.reach = new Reach(options);
    const { samples, problems } = readOwnSamples(folder.path, run);
    this.leftOut = problems.map(({ file, message }) => `${join(folder.path, file)}: ${message}`);
    this.progress = new RunProgress(samples);
    this.interim = new InterimAnalyses(options, this.progress, clocks);
    const detector = new DisturbanceDetector(beatSeconds + STILL_SECONDS, clocks);
    this.status = new StatusKeeper(options, this.progress, samples, detector);
    this.runner = new TaskRunner(options, this.reach, new ClientLoads(options.clients, clocks.steady));
  }

  async run(): Promise<RunStatus> {
    const { plan, abort } = this.options;
    await this.prepare();
    const todo = await this.remainingTasks();
    const steps = plan.steps.filter((step) => todo.has(step.id));
    const left = new TimeLeftEstimate(steps.reduce((sum, step) => sum + step.expectedSeconds, 0));
    for (const [index, step] of steps.entries()) {
      await this.askClients();
      if (abort.aborted || this.stopReason !== null) break;
      const converged = this.interim.before(step);
      if (converged !== null) await this.status.update({ ...this.stepsDone(), message: converged });
      const needed = (each: Step): Task[] => this.interim.needed(each, todo.get(each.id));
      if (needed(step).length === 0) continue;
      const open = (): Step[] => steps.slice(index).filter((each) => needed(each).length > 0);
      left.spent(step, await this.workOn(step, needed(step), (spent) => left.of(open(), spent)));
    }
    return this.finish();
  }

  /** Checks the clients, which may keep the driver waiting for long. */
  private async prepare(): Promise<void> {
    for (const problem of this.leftOut)
      await this.status.update({ message: `${problem}; steps without values are repeated` });
    const say = (message: string) => this.status.update({ message });
    this.stopReason = (await this.options.prepare?.(say, (kind, message) => this.status.note(kind, message))) ?? null;
    this.status.resetDetector();
  }

  /** The tasks that earlier sessions left to do, as `step → arms`. */
  private async remainingTasks(): Promise<Map<string, Set<string>>> {
    const { plan, dataPresent = existsSync } = this.options;
    const hanging = new Set(await this.reach.hangingArms());
    for (const found of dataOfOthers(this.options, hanging)) await this.status.note('other-data', found);
    return remaining(plan, this.progress, (arm, unit) => {
      try {
        return !hanging.has(arm) && dataPresent(dataDirectory(this.options, arm, unit));
      } catch {
        // The unit's first task meets the same obstacle, and says so.
        return false;
      }
    });
  }

  /** Carries out tasks of a step, all arms in parallel. @returns the seconds that it took */
  private async workOn(step: Step, tasks: readonly Task[], timeLeft: (spent: number) => Range<number>) {
    const { id, phase } = step;
    await this.status.update({ state: 'running', step: id, phase, message: describe(step), ...etaOf(timeLeft(0)) });
    const time = stopwatch(this.clocks);
    const work = Promise.all(tasks.map((task) => this.task(step, task)));
    await this.beatUntil(work, () => timeLeft(time.seconds()));
    await this.status.noteDisturbances();
    const seconds = time.seconds();
    await this.status.update(this.stepsDone());
    return seconds;
  }

  private stepsDone(): Pick<RunStatus, 'stepsDone'> {
    const { plan } = this.options;
    return { stepsDone: plan.steps.length - this.progress.openSteps(plan).length };
  }

  private async askClients(): Promise<void> {
    const { ready, abort } = this.options;
    if (ready === undefined || !this.doubtful || abort.aborted || this.stopReason !== null) return;
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
    if (open.length === 0)
      for (const [arm, { mountPoint }] of Object.entries(this.options.clients.config.arms))
        if ((await this.reach.problemOf(arm)) === null) removeEmptied(mountPoint, this.options.run);
    const eta = etaOf({ low: 0, high: 0 });
    await this.status.update({ step: null, phase: null, ...eta, endedAt, failedSteps, ...this.ending(open) });
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
    const { kind } = task.action;
    const attempt = this.progress.nextAttempt(step.id, task.arm);
    const time = stopwatch(this.clocks);
    const obstacle = (await this.reach.problemOf(task.arm)) ?? this.consequences.skipReason(step, task);
    const result =
      obstacle === null ? await this.runner.run(step, task, attempt) : failed(`skipped, since ${obstacle}`);
    const { failure } = result;
    if (kind === 'workload' && failure !== null && obstacle === null) this.doubtful = true;
    // An interrupted task is neither a value nor a failure: it is repeated.
    if (abort.aborted && failure !== null) return;
    this.consequences.note(step, task, result);
    const doubts = this.consequences.cautions(step, task);
    const samples = samplesOf({ run, clients, step, task, attempt, result, time, doubts });
    folder.append(samples);
    for (const sample of samples) if (sample.operation === TASK_OPERATION) this.progress.note(sample);
  }

  /**
   * Writes a heartbeat and the remaining time to the status every few seconds, since a step may take hours. One that cannot be written, as while a
   * quota is exhausted, must not end this process, and leave what measures alone: values are written after the step, and an error then ends the run.
   */
  private async beatUntil(tasks: Promise<unknown>, left: () => Range<number>): Promise<void> {
    let writing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      writing = writing
        .then(() => this.status.noteDisturbances())
        .then(() => this.status.update(etaOf(left())))
        .catch(() => {});
    }, this.beatSeconds * 1000);
    try {
      await tasks;
    } finally {
      clearInterval(timer);
      await writing;
    }
  }
}
