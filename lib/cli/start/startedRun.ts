import type { ClientConfig } from '../../schema/client';
import type { Manifest, RunStatus } from '../../schema/run';
import type { PlanOptions } from '../plan';

/** Options of `fsxbench run`. */
export interface RunOptions extends PlanOptions {
  readonly local?: readonly string[];
  /** One directory. */
  readonly on?: string;
  /** Configuration of the file system under `on`: `lustre:PERSISTENT_2:500,12TiB`. @default - its service is asked */
  readonly as?: string;
  /** Instance type of this machine. @default - as reported by its firmware */
  readonly instance?: string;
  /** Number of Slurm nodes that measure `on` together. @default - this machine */
  readonly nodes?: string;
  /** Hosts that do, reached by ssh: `a,b,c`, or a file. @default - this machine */
  readonly hosts?: string;
  /** Processes on each of them. @default - as the plan has it */
  readonly ranks?: string;
  /** Record of a program, such as a log of Darshan, to do the same. @default - a plan's own work */
  readonly like?: string;
  /** Record of the user's program that the report quotes. @default - none */
  readonly recorded?: string;
  /** Options of the allocation that `nodes` asks for, between spaces: `--partition=c5n --time=1:00:00`. @default - none */
  readonly slurm?: string;
  /** Directory that all machines have, for the scripts that they need. @default - they have the project's */
  readonly shared?: string;
  /** Builds IOR, mdtest and fio there, unless they are there. @default false: those that are there are used */
  readonly buildTools?: boolean;
  /** Environment modules that are loaded first. @default - none */
  readonly module?: readonly string[];
  /** Recorded for a run that is resumed, where modules or a shared directory have its tools. @default - tools are on every PATH */
  readonly session?: ClientConfig['session'];
  /** Variables that the modules set. @default - none */
  readonly loaded?: Readonly<Record<string, string>>;
  readonly resume?: string;
  readonly detach?: boolean;
  /** Id of the run, where it was queued under one. @default - a new one */
  readonly id?: string;
  readonly results: string;
}

/** A run that was started, locally or on a fleet. */
export interface StartedRun {
  readonly run: string;
  readonly manifest: Manifest;
  /** Follows it to its end, or until it is aborted; the run continues. */
  readonly follow: (signal?: AbortSignal) => Promise<RunStatus>;
}
