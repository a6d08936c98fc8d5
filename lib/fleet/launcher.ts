import type { ClientConfig } from '../schema/client';
import type { Manifest } from '../schema/run';

/** Variable that names the run's folder in the environment of every process that its driver starts (assets/client/bin/end-leftovers). */
export const RUN_MARK = 'FSXBENCH_RUN_FOLDER';

/** One process of a launch; several if a tool is started on each client independently. */
export interface Launch {
  readonly argv: readonly string[];
  /** Distinguishes the raw files of one task; `null` if there is only one. */
  readonly client: number | null;
  readonly environment: Readonly<Record<string, string>>;
}

export interface MpiJob {
  readonly config: ClientConfig;
  /** The group's clients, in order; empty where this computer is the only one. */
  readonly addresses: readonly string[];
  readonly ranksPerClient: number;
  /** Folder in which its ranks are started. @default - the same folder as the driver */
  readonly directory?: string;
  /**
   * Clients by which ranks in turn are shifted, fewer than all: another client than a file's creator then accesses it. Consecutive ranks are on
   * different clients then; `null`: a client is filled before the next.
   */
  readonly shift: number | null;
  /** Path at which the launch's `hostFile` will be. */
  readonly hostFile: string;
  readonly command: readonly string[];
}

/** Command and environment that start an MPI job, and the content of its host file; `null` if it reads none. */
export type MpiLaunch = Pick<Launch, 'argv' | 'environment'> & { readonly hostFile: string | null };

/** Access of the driver to a fleet of several clients. */
export interface Peers {
  /** Names of the run's clients by which the launcher knows them, in the same order in every session. @param environment of the driver */
  addresses(fleet: Manifest['fleet'], environment: NodeJS.ProcessEnv): readonly string[];
  /** A command on one of them, which ends with its session. @param mark value of {@link RUN_MARK} there. @default - not marked */
  on(config: ClientConfig, address: string, argv: readonly string[], mark?: string): readonly string[];
  /** Pattern of the launcher's own lines in a command's output. @default - none */
  readonly own?: RegExp;
  /** Exit status with which the launcher reports that it did not reach a client, with the next step. @default - no such status */
  readonly lost?: { readonly exitStatus: number; readonly next: (address: string) => string };
}

/** Starts processes on the clients of a run, for the driver. The client's own configuration names it. */
export interface Launcher {
  /** Name in `launch` of client.json. */
  readonly name: string;
  /** @default - this computer is the only client */
  readonly peers?: Peers;
  mpi(job: MpiJob): MpiLaunch;
}
