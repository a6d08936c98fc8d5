import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { counted } from '../kit/format/units';
import { isChange, type Plan, type Step, type Task } from '../schema/plan';
import type { RunSession, RunStatus } from '../schema/run';
import type { Sample } from '../schema/sample';
import type { StorageChange } from '../storage/change';
import { changeOf, changeOrNone } from '../storage/changes';
import { filesystemNamed } from '../storage/filesystems';
import { readOwnSamples } from '../store/documents';
import type { RunFolder } from '../store/folder';
import { sessionsOf } from '../store/sessions';
import { operationOrNone } from '../workload/lookup';
import { Answering } from './answering';
import { CLOCKS, type Clocks, stopwatch, Vigil } from './clock';
import type { Clients } from './launch';
import { finiteOnly, type Measured } from './measure';
import { byWrite, endedWhenStuck, type Patience, WRITE_SECONDS } from './overdue';
import type { Execute } from './process';
import { mainMeasure } from './readWorkload';
import { RunProgress, remaining, TASK_OPERATION } from './resume';
import { offloadsOn } from './servers';
import type { Pause } from './settle';
import { dataDirectory, FREEING_OPERATION, perform, type TaskResult } from './task';

/** Dependencies of the driver. */
export interface DriverOptions {
  readonly run: string;
  readonly plan: Plan;
  readonly clients: Clients;
  readonly folder: RunFolder;
  readonly execute: Execute;
  readonly abort: AbortSignal;
  /** Called after each step and when the status changed. Uploads run in the background: no step waits for them. */
  readonly onChange: (status: RunStatus) => void;
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
  /** @default - those of this machine */
  readonly clocks?: Clocks;
  /** Tells which mounts hang. @default - asks them */
  readonly answering?: Pick<Answering, 'problem'>;
  /** Tells which directories store nothing any more. @default - writes a small file */
  readonly storing?: Pick<Answering, 'problem'>;
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
  /** What is wrong with the samples of earlier sessions, by file and line. */
  private readonly leftOut: readonly string[];
  private readonly clocks: Clocks;
  private readonly time: ReturnType<typeof stopwatch>;
  private readonly vigil: Vigil;
  private expectedDone = 0;
  private status: RunStatus;
  /** `unit + arm` whose data are unreliable for the rest of this session. */
  private readonly broken = new Map<string, string>();
  /** `unit + arm` whose caches could not be dropped, so that reads may be served from memory. */
  private readonly cached = new Set<string>();
  /** Arms whose removed data were still being freed when the next step started, which affects its measurements. */
  private readonly freeing = new Set<string>();
  /** Why clients or file system do not meet the needs of the remaining steps. */
  private unchanged: string | null = null;
  private readonly answering: Pick<Answering, 'problem'>;
  private readonly storing: Pick<Answering, 'problem'>;
  /** Arms on which a task was ended, with the directory that stored nothing. */
  private readonly stuck = new Map<string, string>();

  constructor(private readonly options: DriverOptions) {
    const { run, plan, folder, abort, beatSeconds = BEAT_SECONDS, clocks = CLOCKS } = options;
    this.clocks = clocks;
    this.time = stopwatch(clocks);
    this.vigil = new Vigil(beatSeconds + STILL_SECONDS, clocks);
    this.answering = options.answering ?? new Answering(abort);
    this.storing = options.storing ?? new Answering(abort, byWrite, WRITE_SECONDS);
    const { samples, problems } = readOwnSamples(folder.path, run);
    this.leftOut = problems.map(({ file, message }) => `${join(folder.path, file)}: ${message}`);
    const last = folder.lastStatus();
    const before = sessionsOf(last, samples);
    // Nobody wrote the end of a driver that was killed.
    const earlier = before.map((each, index) =>
      last?.endedAt === null && index === before.length - 1 ? { ...each, end: 'killed' as const } : each,
    );
    const startedAt = this.time.startedAt.toISOString();
    this.progress = new RunProgress(samples);
    this.status = {
      schema: 'fsxbench.status/1',
      run,
      benchmark: plan.benchmark,
      state: 'starting',
      step: null,
      phase: null,
      stepsDone: plan.steps.length - this.progress.openSteps(plan).length,
      stepsTotal: plan.steps.length,
      failedSteps: [],
      startedAt: earlier[0]?.startedAt ?? startedAt,
      updatedAt: startedAt,
      endedAt: null,
      sessions: [...earlier, { startedAt, endedAt: null, seconds: 0 }],
      etaSeconds: plan.totals.expectedSeconds,
      message: 'starting',
      driver: { host: hostname(), pid: process.pid },
    };
  }

  async run(): Promise<RunStatus> {
    const { plan, abort, dataPresent = existsSync, prepare } = this.options;
    for (const problem of this.leftOut) await this.update({ message: `${problem}; steps without values are repeated` });
    const note = (kind: string, message: string) => this.note(kind, message);
    this.unchanged = (await prepare?.((message) => this.update({ message }), note)) ?? null;
    // Its clients may have kept it waiting for long.
    this.vigil.look();
    const hanging = new Set(await this.hangingArms());
    const isPresent = (arm: string, unit: string) =>
      !hanging.has(arm) && dataPresent(dataDirectory(this.options, arm, unit));
    const todo = remaining(plan, this.progress, isPresent);
    const steps = plan.steps.filter((step) => todo.has(step.id));
    const expected = steps.reduce((sum, step) => sum + step.expectedSeconds, 0);
    for (const step of steps) {
      if (abort.aborted || this.unchanged !== null) break;
      await this.update({
        state: 'running',
        step: step.id,
        phase: step.phase,
        message: describe(step),
        etaSeconds: this.eta(expected),
      });
      const arms = todo.get(step.id) as Set<string>;
      const tasks = Promise.all(step.tasks.filter((task) => arms.has(task.arm)).map((task) => this.task(step, task)));
      await this.beatUntil(tasks, step, expected);
      await this.lookOut();
      this.expectedDone += step.expectedSeconds;
      await this.update({ stepsDone: plan.steps.length - this.progress.openSteps(plan).length });
      if (this.unchanged !== null) break;
    }
    return this.finish();
  }

  private async finish(): Promise<RunStatus> {
    const { plan, abort } = this.options;
    const open = this.progress.openSteps(plan).map((step) => step.id);
    const endedAt = this.now();
    const reached = this.unchanged === null ? open : open.filter((id) => this.progress.attempted(id));
    const failedSteps = abort.aborted ? [] : reached;
    const common = { step: null, phase: null, etaSeconds: 0, endedAt, failedSteps };
    if (this.unchanged !== null && !abort.aborted)
      await this.update({ ...common, state: 'failed', message: `${this.unchanged}; ${open.length} steps to do` });
    else if (open.length === 0) await this.update({ ...common, state: 'done', message: 'every step is done' });
    else if (abort.aborted)
      await this.update({ ...common, state: 'interrupted', message: `interrupted with ${open.length} steps to do` });
    else
      await this.update({
        ...common,
        state: 'failed',
        message: `${open.length} steps failed: ${open.slice(0, 3).join(', ')}${open.length > 3 ? ', …' : ''}`,
      });
    return this.status;
  }

  private async task(step: Step, task: Task): Promise<void> {
    const { folder, run, clients, execute, abort } = this.options;
    const attempt = this.progress.nextAttempt(step.id, task.arm);
    const unit = `${step.unit}\n${task.arm}`;
    const time = stopwatch(this.clocks);
    const hanging = await this.problemOf(task.arm);
    const cause = hanging ?? (task.action.kind === 'remove-data' ? undefined : this.broken.get(unit));
    let result: TaskResult;
    if (cause !== undefined) {
      result = { measured: [], failure: `skipped, since ${cause}`, raw: null, plannedRanks: null, clients: 0 };
    } else {
      const write = (name: string, content: string): void => void folder.write(name, content);
      try {
        const roundsMade = this.roundsMade(step, task.arm);
        const { list, pause } = this.options;
        const change = this.changeFor(step, task);
        const machine = {
          ...{ run, clients, execute, folder: folder.path, write },
          ...(list ? { list } : {}),
          ...(pause ? { pause } : {}),
          offloads: offloadsOn(this.options.plan, task.arm),
          ...(change ? { change } : {}),
        };
        const directory = dataDirectory(this.options, task.arm, step.unit);
        const { result: own, problem } = await endedWhenStuck(
          (ended) => perform({ ...machine, abort: ended, attempt, roundsMade }, step, task),
          {
            ...{ abort, expectedSeconds: step.expectedSeconds, patience: this.options.patience },
            problem: () => this.storing.problem(directory),
          },
        );
        if (problem !== null) this.stuck.set(task.arm, directory);
        const ended = own.failure !== null && problem !== null;
        result = finiteOnly(ended ? failedBy(own, `ended, since ${problem}`) : own);
      } catch (error) {
        result = {
          measured: [],
          failure: error instanceof Error ? error.message : String(error),
          raw: null,
          plannedRanks: null,
          clients: 0,
        };
      }
    }
    if (isChange(task.action)) this.unchanged = result.failure;
    // An interrupted task is neither a value nor a failure: it is repeated.
    if (abort.aborted && result.failure !== null) return;
    if (result.failure !== null && (cause === undefined || hanging !== null) && spoilsUnit(task))
      this.broken.set(unit, `${step.id} failed on ${task.arm}`);
    if (
      task.action.kind === 'drop-caches' &&
      (result.failure !== null || result.measured.some((each) => each.value === 0))
    )
      this.cached.add(unit);
    const freed = result.measured.find(({ operation }) => operation === FREEING_OPERATION);
    if (freed?.value === null) this.freeing.add(task.arm);
    else if (freed !== undefined) this.freeing.delete(task.arm);
    const samples = this.samples(step, task, attempt, result, time, this.doubts(task, unit));
    folder.append(samples);
    for (const sample of samples) if (sample.operation === TASK_OPERATION) this.progress.note(sample);
  }

  /** Why nothing can be done on an arm now. Whoever touches a mount that hangs hangs with it, and with him the arms that work. */
  private async problemOf(arm: string): Promise<string | null> {
    const mount = this.options.clients.config.arms[arm];
    if (mount === undefined) return null;
    const problem = await this.answering.problem(mount.mountPoint);
    const directory = this.stuck.get(arm);
    if (problem !== null || directory === undefined) return problem;
    const stored = await this.storing.problem(directory);
    if (stored === null) this.stuck.delete(arm);
    return stored;
  }

  private async hangingArms(): Promise<string[]> {
    const arms = [...new Set(this.options.plan.steps.flatMap(({ tasks }) => tasks.map(({ arm }) => arm)))];
    const problems = await Promise.all(arms.map(async (arm) => [arm, await this.problemOf(arm)] as const));
    return problems.flatMap(([arm, problem]) => (problem === null ? [] : [arm]));
  }

  /** Caution codes that apply to a figure. */
  private doubts(task: Task, unit: string): string[] {
    if (task.action.kind !== 'workload') return [];
    return [
      ...(looks(task) && this.cached.has(unit) ? ['caches_not_dropped'] : []),
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
      let told: Promise<void> = Promise.resolve();
      const say = (message: string): void => {
        told = told.then(() => this.update({ message }));
      };
      try {
        const known = changeOf(action);
        const make = this.options.change ?? known.make;
        await make(action, { say, abort });
      } finally {
        await told;
      }
    };
  }

  /** Rounds of files from the latest creation of a unit on an arm, in any session. */
  private roundsMade({ unit }: Step, arm: string): number {
    const creates = this.options.plan.steps.filter(
      (step) =>
        step.unit === unit &&
        step.tasks.some(({ action }) => action.kind === 'workload' && action.operation === 'create'),
    );
    if (creates.length === 0) return 0;
    const ids = new Set(creates.map(({ id }) => id));
    const made = this.options.folder
      .samples(this.options.run)
      .filter(
        (sample) => ids.has(sample.step) && sample.arm === arm && sample.metric === 'rate' && sample.value !== null,
      );
    const last = Math.max(...made.map(({ attempt }) => attempt));
    return made.filter(({ attempt }) => attempt === last).length;
  }

  private samples(
    step: Step,
    task: Task,
    attempt: number,
    result: TaskResult,
    time: ReturnType<typeof stopwatch>,
    doubts: readonly string[],
  ): Sample[] {
    const { action } = task;
    const workload = action.kind === 'workload' ? action : null;
    const [seconds, startedAt, endedAt] = [time.seconds(), time.startedAt.toISOString(), time.endedAt().toISOString()];
    const duration: Measured = {
      operation: TASK_OPERATION,
      metric: 'seconds',
      unit: 's',
      value: result.failure === null ? seconds : null,
    };
    const measured: readonly Measured[] =
      workload && result.measured.length === 0 ? [{ ...mainMeasure(workload), value: null }] : result.measured;
    const { fileBytes, threads, plannedNodes } = step;
    const axes = {
      ...(fileBytes === undefined ? {} : { fileBytes }),
      ...(threads === undefined ? {} : { threads }),
      ...(plannedNodes === undefined ? {} : { plannedNodes }),
    };
    return [...measured, duration].map(
      (each): Sample => ({
        schema: 'fsxbench.sample/1',
        run: this.options.run,
        arm: task.arm,
        step: step.id,
        phase: step.phase,
        repeat: step.repeat,
        attempt,
        target: step.target,
        ...axes,
        operation: each.operation,
        metric: each.metric,
        value: each.value,
        ...(each.value === null ? { reason: each.reason ?? result.failure ?? 'unknown' } : {}),
        unit: each.unit,
        iteration: each.iteration ?? null,
        source: each.operation === TASK_OPERATION ? 'driver' : sourceOf(action.kind, this.options.clients, task.arm),
        tool: workload?.tool ?? null,
        // If it printed none, the version from the client's set-up.
        toolVersion: workload ? (each.toolVersion ?? this.options.clients.config.tools[workload.tool] ?? null) : null,
        pattern: workload?.pattern ?? null,
        group: task.group,
        clients: result.clients,
        ranks: each.ranks ?? null,
        plannedRanks: result.plannedRanks,
        nodes: each.nodes ?? null,
        startedAt,
        endedAt,
        raw: result.raw,
        ...(each.operation === TASK_OPERATION && result.load ? { load: [...result.load] } : {}),
        problems: each.problems ?? [],
        cautions: [...(each.cautions ?? []), ...doubts],
      }),
    );
  }

  /** Writes a heartbeat and the remaining time to the status every few seconds, since a step may take hours. */
  private async beatUntil(tasks: Promise<unknown>, step: Step, expected: number): Promise<void> {
    const { beatSeconds = BEAT_SECONDS } = this.options;
    const time = stopwatch(this.clocks);
    let writing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      const within = Math.min(time.seconds(), step.expectedSeconds);
      writing = writing.then(() => this.lookOut()).then(() => this.update({ etaSeconds: this.eta(expected, within) }));
    }, beatSeconds * 1000);
    try {
      await tasks;
    } finally {
      clearInterval(timer);
      await writing;
    }
  }

  /** Seconds left, at the pace so far; `within` is the time spent in the current step. */
  private eta(expected: number, within = 0): number {
    const elapsed = this.time.seconds();
    const pace = this.expectedDone > 0 ? (elapsed - within) / this.expectedDone : 1;
    return Math.max(0, Math.round((expected - this.expectedDone - within) * pace));
  }

  private now(): string {
    return new Date(this.clocks.wall()).toISOString();
  }

  /** Notes what happened to the driver since the last look. */
  private async lookOut(): Promise<void> {
    for (const { kind, message } of this.vigil.look()) await this.note(kind, message);
  }

  /** Keeps an event in the record of this session. */
  private async note(kind: string, message: string): Promise<void> {
    const { events = [] } = this.session;
    this.session = { ...this.session, events: [...events, { at: this.now(), kind, message }] };
    await this.update({ message });
  }

  /** That of this driver, the last one. */
  private get session(): RunSession {
    return this.status.sessions?.at(-1) as RunSession;
  }

  private set session(session: RunSession) {
    this.status = { ...this.status, sessions: [...(this.status.sessions ?? []).slice(0, -1), session] };
  }

  private async update(change: Partial<RunStatus>): Promise<void> {
    this.status = { ...this.status, ...change, updatedAt: this.now() };
    const { state, endedAt } = this.status;
    const end = state === 'starting' || state === 'running' ? {} : { end: state };
    this.session = { ...this.session, endedAt, seconds: this.time.seconds(), ...end };
    this.options.folder.writeStatus(this.status);
    this.options.onChange(this.status);
  }
}

/** True if the rest of the unit depends on this task. Caches that could not be dropped only make reads doubtful. */
function spoilsUnit({ action }: Task): boolean {
  return (
    action.kind === 'make-directory' || (action.kind === 'workload' && operationOrNone(action)?.makesData === true)
  );
}

/** True if it can be served from a client's caches. */
function looks({ action }: Task): boolean {
  return action.kind === 'workload' && operationOrNone(action)?.cached === true;
}

function sourceOf(kind: Task['action']['kind'], clients: Clients, arm: string): string {
  const filesystem = filesystemNamed(clients.config.arms[arm]?.filesystem ?? '');
  if (kind === 'measure-ratio') return filesystem.space.source;
  if (kind === 'measure-capacity') return filesystem.capacity.source;
  return kind === 'workload' ? 'client' : 'driver';
}

/** Describes a step. */
export function describe(step: Step): string {
  const action = step.tasks[0]?.action;
  if (action !== undefined && isChange(action)) return changeOrNone(action)?.progress(action) ?? action.kind;
  const items = action?.kind === 'workload' && action.items === 'directories' ? ' directories' : '';
  const what =
    action?.kind === 'workload'
      ? `${action.tool} ${action.operation}${items}`
      : (action?.kind ?? '').replaceAll('-', ' ');
  const arms = step.tasks.map((task) => task.arm).join(' and ');
  const data =
    step.target !== null ? ` · data ${step.target}:1` : step.fileBytes ? ` · files of ${step.fileBytes} B` : '';
  const nodes = step.plannedNodes === undefined ? '' : ` · ${counted(step.plannedNodes, 'node')}`;
  const repeat = step.repeat === 0 ? '' : ` · repeat ${step.repeat}`;
  return `${what} on ${arms}${nodes}${data}${repeat}`;
}

/** A result that failed for a reason that the tool could not know. */
const failedBy = (result: TaskResult, failure: string): TaskResult => ({
  ...result,
  failure,
  measured: result.measured.map((each) => (each.value === null ? { ...each, reason: failure } : each)),
});
