import { join } from 'node:path';
import type { Plan } from '../../schema/plan';
import { DATA_ROOT } from '../dataLeft';
import { Answering } from './answering';
import type { Clients } from './launch';
import { unmounted } from './mounts';
import { byWrite, WRITE_SECONDS } from './overdue';
import { notWritable } from './paths';

/** Returns the problem of a directory of a file system under test; `null` for none. */
export type Probe = Pick<Answering, 'problem'>;

export interface ReachOptions {
  readonly run: string;
  readonly plan: Plan;
  readonly clients: Clients;
  readonly abort: AbortSignal;
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

  /** Why an arm's directory is on another disk by now; `null` if it is where it was. */
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

  /** Why a directory stores nothing; `null` if it does. */
  storingProblem(directory: string): Promise<string | null> {
    return this.storing.problem(directory);
  }

  /** Makes the next task on an arm ask first whether it stores data again. */
  wasStuck(arm: string, directory: string): void {
    this.stuck.set(arm, directory);
  }

  /** Arms of the plan on which nothing can be done. */
  async hangingArms(): Promise<string[]> {
    const arms = [...new Set(this.options.plan.steps.flatMap(({ tasks }) => tasks.map(({ arm }) => arm)))];
    const problems = await Promise.all(arms.map(async (arm) => [arm, await this.problemOf(arm)] as const));
    return problems.flatMap(([arm, problem]) => (problem === null ? [] : [arm]));
  }
}
