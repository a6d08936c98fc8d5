import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { childrenOf, statOf } from '../../common/processIdentity';
import { stopwatch } from '../driver/clock';
import { inheritPriority } from '../precedence';

/** One process to run. Its standard output and error go to one file: nothing is lost if the driver dies. */
export interface Invocation {
  readonly argv: readonly string[];
  readonly outputFile: string;
  readonly timeoutSeconds: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Outcome {
  /** Exit status; `null` if a signal ended it, or if it was abandoned. */
  readonly exitStatus: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** True if it could not even be killed (a hanging mount keeps a process in the kernel) and was abandoned. */
  readonly abandoned: boolean;
  readonly startError: string | null;
  /** True if it, or one of its children, was stopped for a while. @default false */
  readonly stopped?: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** Runs processes: the driver's only way to act on machines, which tests replace. */
export type Execute = (invocation: Invocation, abort: AbortSignal) => Promise<Outcome>;

const LOOK_SECONDS = 2;
/** Seconds between SIGTERM and SIGKILL, which mpirun uses to terminate its ranks. */
const TERM_SECONDS = 5;
/** Seconds after SIGKILL until a process counts as stuck: `lfs df` on a lost OST ignores SIGKILL (facts-tools, "More of what a real Lustre does"). */
const KILL_SECONDS = 10;
/** The longest time that a Node.js timer runs; one that is longer ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs a process in its own process group. Never throws: a failed start is an outcome. On abort or timeout, the group gets SIGTERM, then SIGKILL. */
export const execute: Execute = (invocation, abort) => {
  const { argv, outputFile, timeoutSeconds, environment = {} } = invocation;
  return new Promise((resolve) => {
    let timedOut = false;
    let stopped = false;
    const timers: NodeJS.Timeout[] = [];
    const output = openSync(outputFile, 'a');
    const time = stopwatch();
    const child = spawn(argv[0] as string, argv.slice(1), {
      detached: true,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...environment },
    });
    closeSync(output);
    if (child.pid !== undefined) inheritPriority(child.pid);

    const end = (): void => {
      killGroup(child, 'SIGTERM');
      timers.push(setTimeout(() => killGroup(child, 'SIGKILL'), TERM_SECONDS * 1000));
      timers.push(setTimeout(() => finish(null, null, null, true), (TERM_SECONDS + KILL_SECONDS) * 1000));
    };
    const watch = setInterval(() => {
      stopped ||= child.pid !== undefined && hasStopped(child.pid);
    }, LOOK_SECONDS * 1000);
    const finish = (
      exitStatus: number | null,
      signal: NodeJS.Signals | null,
      startError: string | null,
      abandoned = false,
    ): void => {
      for (const timer of [...timers, watch]) clearTimeout(timer);
      abort.removeEventListener('abort', end);
      if (abandoned) child.unref();
      else killGroup(child, 'SIGKILL'); // leftovers of a launcher in its group
      const { startedAt } = time;
      resolve({ exitStatus, signal, timedOut, abandoned, startError, stopped, startedAt, endedAt: time.endedAt() });
    };

    const late = (): void => {
      timedOut = true;
      end();
    };
    timers.push(setTimeout(late, Math.min(timeoutSeconds * 1000, LONGEST_TIMER_MS)));
    child.once('error', (error) => finish(null, null, error.message));
    child.once('exit', (status, signal) => finish(status, signal, null));
    if (abort.aborted) end();
    else abort.addEventListener('abort', end, { once: true });
  });
};

/** Signals a process that leads its group, with all in it. */
export function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

export function failureOf(outcome: Outcome): string | null {
  if (outcome.startError) return `could not be started: ${outcome.startError}`;
  if (outcome.abandoned) return 'survived SIGKILL and was abandoned';
  if (outcome.timedOut) return 'timed out';
  if (outcome.signal) return `killed by ${outcome.signal}`;
  return outcome.exitStatus === 0 ? null : `exit status ${outcome.exitStatus}`;
}

/** True if a process or one below it is stopped, as by SIGSTOP: what it measures meanwhile is too slow. */
function hasStopped(pid: number): boolean {
  const stat = statOf(pid);
  if (stat === null || stat.state === 'T') return stat !== null;
  return childrenOf(pid).some(hasStopped);
}
