import type { Launcher } from './launcher';

/** Clients that a run found and did not deploy. */
export interface MachineNames {
  /** Names by which the launcher reaches them. */
  readonly names: readonly string[];
  /** Variables of this process that processes on the clients must not inherit. @default - none */
  readonly unset?: readonly string[];
}

/** A kind of machines that users already have: fsxbench starts processes on them, and deploys nothing. */
export interface StandingFleet {
  /** The option of `run --on` that asks for it: `nodes`. */
  readonly option: string;
  readonly launcher: Launcher;
  /** Machines that the words ask for, without asking them, or for them. @throws Error naming the value and what is allowed */
  count(wanted: string): number;
  /**
   * Command that reserves the machines and then runs the one that stands behind it; `null` where they are at hand.
   *
   * @param wanted the option's value
   * @param words options of the command, as the user gave them
   * @throws Error naming the value and what is allowed
   */
  reserve(wanted: string, words: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] | null;
  /**
   * Command that queues the one that stands behind it, which then keeps running after its user has logged out, and prints the id of the job.
   *
   * @param job file for what it prints, and folder of the clients' scripts
   * @default - there is no queue
   */
  submit?(
    wanted: string,
    words: readonly string[],
    job: { readonly log: string; readonly scripts: string },
    environment: NodeJS.ProcessEnv,
  ): readonly string[];
  /** Next step for someone whom `reserve` or `submit` refused. @default - their own words say enough */
  readonly ifRefused?: string;
  /** The machines. @throws Error naming the value, what is allowed and the next step */
  machines(wanted: string, environment: NodeJS.ProcessEnv): Promise<MachineNames>;
  /** Why the launcher cannot start MPI jobs here, with the next step; `null` if it can. @default - it can */
  noMpi?(environment: NodeJS.ProcessEnv): Promise<string | null>;
}
