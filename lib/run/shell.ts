import { existsSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { inside, readEnd } from '../common/files';
import { commandLine } from '../common/format/text';
import type { Launch } from '../fleet/launcher';
import type { Step, Task } from '../schema/plan';
import type { Commands } from '../storage/filesystem';
import { type Execute, failureOf, type Outcome } from './clients/process';

export interface ShellContext {
  readonly execute: Execute;
  readonly abort: AbortSignal;
  readonly folder: string;
  readonly write: (name: string, content: string) => void;
  readonly attempt: number;
}

/** Runs the commands of one task, each recorded in a `.cmd` next to its `.out`. */
export class Shell implements Commands {
  count = 0;

  constructor(
    private readonly context: ShellContext,
    private readonly step: Step,
    private readonly task: Task,
    private readonly base: string,
  ) {}

  get output(): string {
    return inside(this.context.folder, `${this.base}.out`);
  }

  /** The output so far; of a very long one the end. */
  get text(): string {
    return existsSync(this.output) ? readEnd(this.output) : '';
  }

  get commandFile(): string {
    return inside(this.context.folder, `${this.base}.cmd`);
  }

  /** A shell for the same task with separate raw files. */
  named(suffix: string): Shell {
    this.count++;
    return new Shell(this.context, this.step, this.task, `${this.base}.${suffix}`);
  }

  write(ending: string, content: string): void {
    this.context.write(`${this.base}.${ending}`, content);
  }

  /** Removes the raw files of commands whose answers are kept elsewhere. */
  discard(): void {
    for (const file of [this.output, this.commandFile]) rmSync(file, { force: true });
  }

  /** Why a command failed; `null` if it did not. */
  async run(argv: readonly string[], timeoutSeconds: number): Promise<string | null> {
    return failureOf(await this.launch({ argv, client: null, environment: {} }, timeoutSeconds));
  }

  /** Runs commands in order until one fails; returns its reason, or `null`. */
  async each(commands: readonly (readonly string[])[], timeoutSeconds: number): Promise<string | null> {
    for (const argv of commands) {
      const failure = await this.run(argv, timeoutSeconds);
      if (failure === null) continue;
      const line = readEnd(this.output, REASON_BYTES).trimEnd().split('\n').at(-1);
      return `${argv[0]}: ${failure}${line ? ` (${line.slice(0, 200)})` : ''}`;
    }
    return null;
  }

  async launch(launch: Launch, timeoutSeconds: number, tool = launch.argv[0] as string): Promise<Outcome> {
    this.count++;
    const { execute, abort, write, attempt } = this.context;
    const { argv, environment } = launch;
    if (!existsSync(this.output)) write(`${this.base}.out`, '');
    const outcome = await execute({ argv, outputFile: this.output, timeoutSeconds, environment }, abort);
    const seconds = (outcome.endedAt.getTime() - outcome.startedAt.getTime()) / 1000;
    const record = {
      command: commandLine(argv),
      tool,
      exit_status: outcome.exitStatus ?? (outcome.signal ? `-${constants.signals[outcome.signal]}` : 'none'),
      wall_s: seconds.toFixed(3),
      started_at: outcome.startedAt.toISOString(),
      step: this.step.id,
      arm: this.task.arm,
      group: this.task.group,
      attempt,
      streams: 'stdout and stderr merged',
    };
    const lines = Object.entries(record).map(([key, value]) => `${key}: ${value}\n`);
    // A task with several commands records them all.
    const earlier = existsSync(this.commandFile) ? `${readFileSync(this.commandFile, 'utf8')}\n` : '';
    write(`${this.base}.cmd`, `${earlier}${lines.join('')}`);
    return outcome;
  }
}

const REASON_BYTES = 8192;
