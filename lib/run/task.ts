import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Action, Step, Task } from '../model/plan';
import { type Clients, clientsIn, commandLine, type Launch, launchWorkload, onEachClient } from './launch';
import {
  capacityFromDf,
  capacityFromLfsDf,
  firstFailure,
  type Measured,
  spaceFromCompsize,
  spaceFromDu,
} from './measure';
import { type Execute, failureOf, type Outcome } from './process';
import { readWorkload } from './readWorkload';

/** What a task needs to know and to act with. */
export interface TaskContext {
  readonly run: string;
  readonly clients: Clients;
  readonly execute: Execute;
  readonly abort: AbortSignal;
  /** The run's folder on this machine. */
  readonly folder: string;
  /** Writes a file below the run's folder, making its directories. */
  readonly write: (name: string, content: string) => void;
  readonly attempt: number;
}

/** What a task brought back. */
export interface TaskResult {
  readonly measured: readonly Measured[];
  /** Why the task failed; `null` when it did what it should. Values of a failed task are `null`. */
  readonly failure: string | null;
  /** Raw files below the run's folder, without ending. */
  readonly raw: string | null;
  readonly ranks: number | null;
  readonly clients: number;
}

/** Chores end early or not at all; only a workload may take as long as its step. */
const CHORE_SECONDS = 300;
/** `lfs df` on a lost OST hangs and ignores SIGKILL (facts-tools, "More of what a real Lustre does"). */
const LOOK_SECONDS = 60;

/** What `drop-caches` answers where it may not: no failure, but a read afterwards is doubtful. */
const NOT_PERMITTED = 3;

/** Where a unit's data lie under an arm's mount point. */
export function dataDirectory(context: Pick<TaskContext, 'clients' | 'run'>, arm: string, unit: string): string {
  return join(mountOf(context.clients, arm).mountPoint, 'fsxbench', context.run, unit);
}

function mountOf(clients: Clients, arm: string): Clients['config']['arms'][string] {
  const mount = clients.config.arms[arm];
  if (!mount) {
    throw new Error(
      `arm '${arm}' is not mounted on ${hostname()}: client.json knows ${Object.keys(clients.config.arms).join(', ') || 'none'}`,
    );
  }
  return mount;
}

/** Carries out one task. Never throws for what a machine does: that is a failure with its reason. */
export async function perform(context: TaskContext, step: Step, task: Task): Promise<TaskResult> {
  const { action } = task;
  const directory = dataDirectory(context, task.arm, step.unit);
  const base = freeRawBase(context.folder, step, task);
  const shell = new Shell(context, step, task, base);
  const { home } = context.clients.config;
  const { mountPoint, filesystem } = mountOf(context.clients, task.arm);
  const { user } = context.clients.config;
  const done = (measured: readonly Measured[], failure: string | null, ranks: number | null = null): TaskResult => ({
    measured,
    failure,
    raw: shell.count > 0 ? base : null,
    ranks,
    clients: clientsIn(context.clients, task.group),
  });

  switch (action.kind) {
    case 'workload':
      return runWorkload(context, step, task, action, directory, shell, done);
    case 'make-directory': {
      const commands = [['mkdir', '-p', directory]];
      if (filesystem === 'lustre' && action.stripeCount !== null)
        commands.push(['lfs', 'setstripe', '-c', String(action.stripeCount), directory]);
      if (user !== null) commands.push(['chown', user, directory]);
      return done([], await shell.each(commands, CHORE_SECONDS));
    }
    case 'drop-caches': {
      const sudo = context.clients.config.launch === 'ssh' ? ['sudo', '-n'] : [];
      const launches = onEachClient(context.clients, task.group, [...sudo, join(home, 'bin', 'drop-caches')]);
      const outcomes = await Promise.all(launches.map((launch) => shell.launch(launch, CHORE_SECONDS)));
      const refused = outcomes.some((outcome) => outcome.exitStatus === NOT_PERMITTED);
      const dropped: Measured = { operation: 'drop_caches', metric: 'done', value: refused ? 0 : 1, unit: '1' };
      return done([dropped], refused ? null : firstFailure(outcomes));
    }
    case 'measure-ratio': {
      // The writing client's view of a file's blocks is stale until that file is synced (facts-tools, "Six traps", 2).
      const unsynced = await shell.each([['find', directory, '-type', 'f', '-exec', 'sync', '{}', '+']], CHORE_SECONDS);
      if (filesystem === 'btrfs') {
        const failure =
          unsynced ??
          (await shell.each(
            [
              ['sync', '-f', directory],
              ['compsize', '-b', directory],
            ],
            CHORE_SECONDS,
          ));
        return withValues(done, spaceFromCompsize(shell.output, failure), failure);
      }
      const apparent = shell.named('apparent');
      const allocated = shell.named('allocated');
      const list = ['find', directory, '-type', 'f', '-exec', 'du', '-B1'];
      const failure =
        unsynced ??
        failureOf(await apparent.run([...list, '--apparent-size', '{}', '+'], CHORE_SECONDS)) ??
        failureOf(await allocated.run([...list, '{}', '+'], CHORE_SECONDS));
      return withValues(done, spaceFromDu(apparent.output, allocated.output, failure), failure);
    }
    case 'measure-capacity': {
      const lustre = filesystem === 'lustre';
      const command = lustre ? ['lfs', 'df', mountPoint] : ['df', '-B1', '--output=size,used,avail', mountPoint];
      const failure = failureOf(await shell.run(command, LOOK_SECONDS));
      const text = readFileSync(shell.output, 'utf8');
      return withValues(done, lustre ? capacityFromLfsDf(text) : capacityFromDf(text), failure);
    }
    case 'remove-data':
      return done([], await shell.each([['rm', '-rf', '--one-file-system', directory]], CHORE_SECONDS));
  }
}

/** A failed command may still have printed figures: without its success they do not count. */
function withValues(
  done: (measured: readonly Measured[], failure: string | null) => TaskResult,
  measured: readonly Measured[],
  failure: string | null,
): TaskResult {
  const missing = measured.find((each) => each.value === null)?.reason ?? null;
  const reason = failure ?? missing;
  if (reason === null) return done(measured, null);
  return done(
    measured.map((each) =>
      failure === null && each.value !== null ? each : { ...each, value: null, reason: each.reason ?? reason },
    ),
    reason,
  );
}

async function runWorkload(
  context: TaskContext,
  step: Step,
  task: Task,
  action: Extract<Action, { kind: 'workload' }>,
  directory: string,
  shell: Shell,
  done: (measured: readonly Measured[], failure: string | null, ranks?: number) => TaskResult,
): Promise<TaskResult> {
  const hostFile = join(context.folder, `hosts-${task.arm}`);
  const { launches, hostFileContent, ranks } = launchWorkload(context.clients, task.group, action, directory, hostFile);
  if (hostFileContent !== null) context.write(`hosts-${task.arm}`, hostFileContent);
  const runs = await Promise.all(
    launches.map(async (launch) => {
      const own = launch.client === null ? shell : shell.named(`client${launch.client}`);
      const outcome = await own.launch(launch, step.deadlineSeconds, action.tool);
      return { outcome, outputFile: own.output, commandFile: own.commandFile };
    }),
  );
  const { measured, failure } = readWorkload(action, runs);
  return done(measured, failure, ranks);
}

/**
 * `raw/<arm>/<phase>/<repeat>-<rest>`, with a number where an earlier attempt, or one that was cut short, left its output: raw output is
 * kept as it was, and two runs in one file would be read as one.
 */
function freeRawBase(folder: string, step: Step, task: Task): string {
  const rest = step.id.replace(new RegExp(`^r${step.repeat}-`), '');
  const first = `raw/${task.arm}/${step.phase.replace(' ', '-')}/${step.repeat}-${rest}`;
  const taken = (base: string): boolean =>
    existsSync(join(folder, `${base}.out`)) || existsSync(join(folder, `${base}.client0.out`));
  let base = first;
  for (let attempt = 2; taken(base); attempt++) base = `${first}.attempt${attempt}`;
  return base;
}

/** Runs the commands of one task, each recorded in a `.cmd` beside its `.out`. */
class Shell {
  count = 0;

  constructor(
    private readonly context: TaskContext,
    private readonly step: Step,
    private readonly task: Task,
    private readonly base: string,
  ) {}

  get output(): string {
    return join(this.context.folder, `${this.base}.out`);
  }

  get commandFile(): string {
    return join(this.context.folder, `${this.base}.cmd`);
  }

  /** The same task's shell with raw files of its own. */
  named(suffix: string): Shell {
    this.count++;
    return new Shell(this.context, this.step, this.task, `${this.base}.${suffix}`);
  }

  run(argv: readonly string[], timeoutSeconds: number): Promise<Outcome> {
    return this.launch({ argv, client: null, environment: {} }, timeoutSeconds);
  }

  /** Runs commands one after the other up to the first that fails; its reason, or `null`. */
  async each(commands: readonly (readonly string[])[], timeoutSeconds: number): Promise<string | null> {
    for (const argv of commands) {
      const failure = failureOf(await this.run(argv, timeoutSeconds));
      if (failure !== null) return `${argv[0]}: ${failure}${this.lastLine()}`;
    }
    return null;
  }

  async launch(launch: Launch, timeoutSeconds: number, tool = launch.argv[0] as string): Promise<Outcome> {
    this.count++;
    const { execute, abort, write, attempt } = this.context;
    if (!existsSync(this.output)) write(`${this.base}.out`, '');
    const outcome = await execute(
      { argv: launch.argv, outputFile: this.output, timeoutSeconds, environment: launch.environment },
      abort,
    );
    const seconds = (outcome.endedAt.getTime() - outcome.startedAt.getTime()) / 1000;
    const record = {
      command: commandLine(launch.argv),
      tool,
      exit_status: outcome.exitStatus ?? (outcome.signal ? `-${SIGNAL_NUMBERS[outcome.signal] ?? 9}` : 'none'),
      wall_s: seconds.toFixed(3),
      started_at: outcome.startedAt.toISOString(),
      step: this.step.id,
      arm: this.task.arm,
      group: this.task.group,
      attempt,
      streams: 'stdout and stderr merged',
    };
    const lines = Object.entries(record).map(([key, value]) => `${key}: ${value}\n`);
    write(`${this.base}.cmd`, `${this.previousCommands()}${lines.join('')}`);
    return outcome;
  }

  /** A chore of several commands keeps them all. */
  private previousCommands(): string {
    return existsSync(this.commandFile) ? `${readFileSync(this.commandFile, 'utf8')}\n` : '';
  }

  private lastLine(): string {
    const line = readFileSync(this.output, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    return line === '' ? '' : ` (${line.slice(0, 200)})`;
  }
}

const SIGNAL_NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};
