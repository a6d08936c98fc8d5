import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { killGroup } from './process';

/** Seconds in which a file system must answer a trivial request: a busy one takes a few seconds, a restarting server minutes. */
const ANSWER_SECONDS = 60;

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
    private readonly seconds = ANSWER_SECONDS,
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
