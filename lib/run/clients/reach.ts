import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnd } from '../../common/files';
import { launcherOf } from '../../fleet/registry';
import { DATA_ROOT } from '../dataLeft';
import { type Pause, pauseForReal } from '../task/space';
import { notWritable, unmounted } from './directory';
import { type AtClients, onEachClient, type RunAtClients } from './launch';
import { failureOf, killGroup } from './process';

/** Seconds in which a file system must answer a trivial request: a busy one takes a few seconds, a restarting server minutes. */
const TRIVIAL_SECONDS = 60;

/** Resolves when the file system has given any answer; never while it hangs. */
export type Ask = (mountPoint: string, abort: AbortSignal) => Promise<void>;

/** Asks through another process: one that hangs in the kernel cannot be waited for, and would block this one as well. */
export const byProcess =
  (commandFor: (mountPoint: string) => readonly [program: string, ...args: string[]]): Ask =>
  (mountPoint, abort) =>
    new Promise((resolve) => {
      const [program, ...args] = commandFor(mountPoint);
      const child = spawn(program, args, { stdio: 'ignore', detached: true });
      const kill = (): void => killGroup(child, 'SIGKILL');
      const end = (): void => {
        abort.removeEventListener('abort', kill);
        resolve();
      };
      child.once('error', end);
      child.once('exit', end);
      // Nothing waits for it at the end, not even the end of this process.
      child.unref();
      abort.addEventListener('abort', kill, { once: true });
    });

const byStat = byProcess((mountPoint) => ['stat', '--terse', `${mountPoint}/.`]);

/** Knows which mounts hang. The wait for one is paid once: it counts as hanging until its first question is answered. */
export class Answering {
  private readonly asked = new Map<string, Promise<void>>();

  constructor(
    private readonly abort: AbortSignal,
    private readonly ask: Ask = byStat,
    private readonly seconds = TRIVIAL_SECONDS,
  ) {}

  /** Why nothing can be done at a mount point now; `null` where it answers. */
  async problem(mountPoint: string): Promise<string | null> {
    const earlier = this.asked.get(mountPoint);
    const question = earlier ?? this.ask(mountPoint, this.abort);
    this.asked.set(mountPoint, question);
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, this.abort]);
    const late = sleep(earlier === undefined ? this.seconds * 1000 : 0, 'late', { signal }).catch(() => 'late');
    const first = await Promise.race([question.then(() => 'answered'), late]);
    done.abort();
    if (first !== 'answered') return `${mountPoint} did not answer within ${this.seconds} s`;
    this.asked.delete(mountPoint);
    return null;
  }
}

/** Longest time that a file system may take to store 4 KiB. A busy one stores them after the data in its queues. */
export const WRITE_SECONDS = 120;

const PAUSE_SECONDS = 30;

/** A task takes about as long as its plan expects; its deadline leaves room for a slow file system. */
const overdueAfter = (expectedSeconds: number): number => 2 * expectedSeconds + 30;

/** Writes a small file: a file system may serve metadata and store nothing, as MooseFS without a chunkserver. A refusal is also an answer. */
export const byWrite = byProcess((directory) => {
  const script = 'dd if=/dev/zero of="$0" bs=4096 count=1 conv=fsync; rm -f "$0"';
  return ['sh', '-c', script, join(directory, '.answer')];
});

/** When a task is late, and how often its file system is asked then. */
export interface Patience {
  readonly overdueSeconds: number;
  readonly pauseSeconds: number;
}

export interface Watched {
  readonly abort: AbortSignal;
  readonly expectedSeconds: number;
  /** Why the file system stores nothing now; `null` where it does. */
  readonly problem: () => Promise<string | null>;
  /** @default - by what is expected */
  readonly patience?: Patience | undefined;
}

/** Does a work, and ends it if it is late and its file system stores nothing any more. @returns the problem, if it ended the work */
export async function endedWhenStuck<T>(
  work: (abort: AbortSignal) => Promise<T>,
  { abort, expectedSeconds, problem, patience }: Watched,
): Promise<{ readonly result: T; readonly problem: string | null }> {
  const { overdueSeconds = overdueAfter(expectedSeconds), pauseSeconds = PAUSE_SECONDS } = patience ?? {};
  const [over, stuck] = [new AbortController(), new AbortController()];
  const pause = (seconds: number) =>
    sleep(seconds * 1000, undefined, { signal: AbortSignal.any([over.signal, abort]) });
  let found: string | null = null;
  const watch = async (): Promise<void> => {
    await pause(overdueSeconds);
    while (found === null) {
      const fault = await problem();
      if (over.signal.aborted || abort.aborted) return;
      found = fault;
      if (fault !== null) stuck.abort();
      else await pause(pauseSeconds);
    }
  };
  // Its pauses reject once the work is over; a question that is still open is not awaited.
  watch().catch(() => {});
  try {
    const result = await work(AbortSignal.any([abort, stuck.signal]));
    return { result, problem: found };
  } finally {
    over.abort();
  }
}

const EVERY_SECONDS = 15;
/** Timeout: a replacement client boots in minutes if its tools are cached, and the rest of the fleet costs money meanwhile. */
const MOST_SECONDS = 1200;
/** Exit status of `check-ready` for a client that waiting does not make ready. */
const NEVER = 3;

/** Timeout of `check-ready`, which limits its own checks of the arms; a watcher would take a longer silence for a dead driver. */
const ANSWER_SECONDS = 150;

interface ReadyOptions extends AtClients {
  readonly say: (message: string) => Promise<void>;
  /** @default real time */
  readonly pause?: Pause;
}

/** Waits until every client has booted and mounted its arms, which comes after its service. @returns why they are not ready after 20 minutes, or `null` */
export async function awaitReady(options: ReadyOptions): Promise<string | null> {
  const { clients, folder, execute, abort, say, pause = pauseForReal } = options;
  const { peers } = launcherOf(clients.config);
  if (peers === undefined || clients.config.boots === false) return null;
  const launches = onEachClient(clients, 'all', [`${clients.config.home}/bin/check-ready`]);
  const argvOf = (index: number): readonly string[] => launches[index]?.argv ?? [];
  let open = clients.addresses.map((address, index) => ({ address, argv: argvOf(index), reason: '', never: false }));
  // Count the time of the checks as well: with hanging clients, twenty minutes of pauses would become hours.
  for (let seconds = 0; ; seconds += EVERY_SECONDS) {
    const askedAt = performance.now();
    const asked = await Promise.all(
      open.map(async (client) => {
        const outputFile = folder.write(`environment/${client.address}.ready.out`, '');
        const outcome = await execute({ argv: client.argv, outputFile, timeoutSeconds: ANSWER_SECONDS }, abort);
        const failure = failureOf(outcome);
        const lines = readEnd(outputFile).trim().split('\n');
        const error = lines.findLast((line) => !peers.own?.test(line))?.slice(0, 300);
        return { ...client, reason: failure === null ? '' : error || failure, never: outcome.exitStatus === NEVER };
      }),
    );
    seconds += (performance.now() - askedAt) / 1000;
    open = asked.filter(({ reason }) => reason !== '');
    if (open.length === 0) return null;
    const [first] = open;
    const who = `${open.length} of ${clients.addresses.length} clients are not ready; ${first?.address}: ${first?.reason}`;
    const never = open.find((client) => client.never);
    if (never !== undefined) return `${never.address} cannot be measured: ${never.reason}`;
    if (abort.aborted || seconds >= MOST_SECONDS)
      return `${who}; check the stack's log group, and continue with --resume once they are`;
    await say(`waiting: ${who}`);
    await pause(EVERY_SECONDS, abort);
  }
}

/** Returns the problem of a directory of a file system under test; `null` for none. */
export type Probe = Pick<Answering, 'problem'>;

export interface ReachOptions extends Pick<RunAtClients, 'run' | 'plan' | 'clients' | 'abort'> {
  /** Tells which mounts hang. @default - asks them */
  readonly answering?: Probe;
  /** Tells which directories store nothing any more. @default - writes a small file */
  readonly storing?: Probe;
}

/** Finds the arms that can be worked on. Touching a hung mount blocks the driver, and with it every healthy arm. */
export class Reach {
  private readonly answering: Probe;
  private readonly storing: Probe;
  /** Arms on which a task was ended, with the directory that stored nothing. */
  private readonly stuck = new Map<string, string>();

  constructor(private readonly options: ReachOptions) {
    const { abort, answering, storing } = options;
    this.answering = answering ?? new Answering(abort);
    this.storing = storing ?? new Answering(abort, byWrite, WRITE_SECONDS);
  }

  /** Why nothing can be done on an arm now; `null` if it can. */
  async problemOf(arm: string): Promise<string | null> {
    const mount = this.options.clients.config.arms[arm];
    if (mount === undefined) return null;
    // Asking makes systemd mount what it mounts on demand.
    const problem = (await this.answering.problem(mount.mountPoint)) ?? this.unmounted(arm);
    const directory = this.stuck.get(arm);
    if (problem !== null || directory === undefined) return problem;
    const stored = await this.storing.problem(directory);
    if (stored === null) this.stuck.delete(arm);
    return stored;
  }

  unmounted(arm: string): string | null {
    const mount = this.options.clients.config.arms[arm];
    return mount === undefined ? null : unmounted(mount);
  }

  /** Why the driver's user can make nothing where an arm that answers has the data of a unit; `null` if it can, or nobody knows. */
  async denied(arm: string, unit: string): Promise<string | null> {
    const { clients, run } = this.options;
    const mount = clients.config.arms[arm];
    if (mount === undefined || (await this.problemOf(arm)) !== null) return null;
    const denied = notWritable(join(mount.mountPoint, DATA_ROOT, run, unit), mount.mountPoint);
    return denied === null ? null : `${denied}: make it writable, and continue with --resume`;
  }

  storingProblem(directory: string): Promise<string | null> {
    return this.storing.problem(directory);
  }

  /** Makes the next task on an arm ask first whether it stores data again. */
  wasStuck(arm: string, directory: string): void {
    this.stuck.set(arm, directory);
  }

  async hangingArms(): Promise<string[]> {
    const arms = [...new Set(this.options.plan.steps.flatMap(({ tasks }) => tasks.map(({ arm }) => arm)))];
    const problems = await Promise.all(arms.map(async (arm) => [arm, await this.problemOf(arm)] as const));
    return problems.flatMap(([arm, problem]) => (problem === null ? [] : [arm]));
  }
}
