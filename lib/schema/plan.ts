import type { LustreConfiguration } from '../storage/lustre/configuration';
import type { Issue } from './issue';

/** The phases of a run, in their order. */
export const PHASES = ['setup', 'warm-up', 'prepare', 'measure', 'conclude', 'clean up'] as const;
export type Phase = (typeof PHASES)[number];

/** Operations on files, or on directories, themselves rather than on data; `all`: one command goes through every one of them. */
export type FileOperation = 'create' | 'stat' | 'read' | 'remove' | 'all';

/** One storage configuration under test, as the plan sees it. Where it is mounted is the clients' knowledge. */
export interface PlanArm {
  readonly name: string;
  /** For people: `PERSISTENT_1 SSD 14,400 GiB, 200 MB/s/TiB, LZ4`. */
  readonly description: string;
  /** As it was asked for, so that results can be held against what is documented for it. @default - not a file system of FSx */
  readonly configuration?: LustreConfiguration;
}

/**
 * Which part of the fleet does a task: the clients, sorted by address, are cut into as many equal groups as there are arms,
 * named `A`, `B`, …, and the groups take turns on the arms from repeat to repeat. `all` is every client.
 */
export type ClientGroup = string;

/** What one arm does during a step. */
export interface Task {
  readonly arm: string;
  readonly group: ClientGroup;
  readonly action: Action;
}

/** What a task does: run a tool, or one of the driver's own actions. */
export type Action =
  | {
      readonly kind: 'workload';
      /** The id of a workload (lib/workload/registry.ts). */
      readonly tool: string;
      readonly operation: 'write' | 'run' | FileOperation;
      /** What is created, looked at and removed where the operation is not on data. @default files */
      readonly items?: 'files' | 'directories' | 'both';
      /**
       * Command line without launcher. `{dir}` stands for the task's data directory, `{client}` for the position of a client in its
       * group, from 0, `{round}` for the round, from 1, and `{dirs}` for that round's directories on all metadata targets, as mdtest
       * takes them; `{bin}` for the folder of fsxbench's own programs on a client. How it is started over the clients of the group is the tool's `launch`.
       */
      readonly command: readonly string[];
      /** The user's own program that the command runs and measures. @default - the tool is the program */
      readonly program?: readonly string[];
      /**
       * The command is repeated: a creation until it has taken so many seconds in all, each round in directories of its own; stat and
       * read over the rounds that were created, again and again until then; a removal once for each of them.
       * @default - once
       */
      readonly rounds?: { readonly seconds: number; readonly most: number };
      /** Processes on each client of the group. */
      readonly ranksPerClient: number;
      /** What fills the buffers: `ior-default`, `ior-random`, `fio-40` … */
      readonly pattern: string;
    }
  /** Flush and drop client caches on the clients of the group. */
  | { readonly kind: 'drop-caches' }
  /**
   * Make the data directory with its stripe layout. With `fresh` it must be empty: what an earlier attempt left is moved aside. With
   * `spread` it gets a directory on each metadata target of a Lustre, `mdt0`, `mdt1`, …, and each is verified.
   */
  | {
      readonly kind: 'make-directory';
      readonly stripeCount: number | null;
      readonly fresh?: boolean;
      readonly spread?: boolean;
    }
  /** Count on which metadata target the ranks' directories are. */
  | { readonly kind: 'verify-spread' }
  /** Apparent and allocated bytes of the data directory, after a sync of each file. */
  | { readonly kind: 'measure-ratio' }
  /** Free and used space of the whole file system. */
  | { readonly kind: 'measure-capacity' }
  /**
   * Raise the metadata IOPS of the file system under test, and wait until they are there. It cannot be undone: it is done only when every
   * step before it has its values, and the steps after it wait for it.
   */
  | { readonly kind: 'raise-metadata'; readonly fileSystemId: string; readonly iops: number }
  | { readonly kind: 'remove-data' };

/** A task that runs a tool. */
export type WorkloadAction = Extract<Action, { kind: 'workload' }>;

/** A step: its tasks run at the same time, one an arm; the next step starts when all have ended. */
export interface Step {
  /** Unique in the plan and stable, such as `r2-c1.65-write`: samples and resume refer to it. */
  readonly id: string;
  readonly phase: Phase;
  /** From 1; 0 for steps outside the repeats. */
  readonly repeat: number;
  /** The compressibility target of the data (1.0 = incompressible); `null` where it does not apply. */
  readonly target: number | null;
  /** Size of each file where files are the workload. @default - does not apply */
  readonly fileBytes?: number;
  /** Steps of one unit share the data that the first of them wrote. */
  readonly unit: string;
  readonly tasks: readonly Task[];
  /** What the step is expected to take, for the progress bar. */
  readonly expectedSeconds: number;
  /** A task that is still running then is ended and recorded as failed. */
  readonly deadlineSeconds: number;
}

/** Everything that a run will do, resolved and checked before anything starts: `plan.json`. */
export interface Plan {
  readonly schema: 'fsxbench.plan/1';
  readonly benchmark: string;
  readonly plan: string;
  readonly scale: string;
  readonly arms: readonly PlanArm[];
  readonly fleet: {
    readonly clients: number;
    readonly instanceType: string | null;
    readonly ranksPerClient: number;
  };
  /** The parameters after defaults, so that the plan can be made again. */
  readonly parameters: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  readonly steps: readonly Step[];
  readonly totals: {
    readonly expectedSeconds: number;
    /** Upper bounds: a time-bounded phase may move less. `null` where it is bounded by time only. */
    readonly bytesWritten: number | null;
    readonly bytesRead: number | null;
    /** Of the deployment over the expected duration; `null` with a reason where a price is unknown. */
    readonly costUsd: number | null;
    readonly costReason?: string;
    /** Of what day and whose the prices are, for people. @default - not recorded, or nothing is paid for */
    readonly costBasis?: string;
  };
  /** What its comparisons can show, known before anything is spent. @default - it compares nothing */
  readonly detectable?: Detectable;
  readonly issues: readonly Issue[];
}

/** The smallest difference between arms that a plan finds. */
export interface Detectable {
  /** Arms against the first, in each operation, target and size of files. */
  readonly comparisons: number;
  /** Pairs of each. */
  readonly repeats: number;
  /** Coefficient of variation that is supposed of an arm's repeats: 0.05 is 5 %. */
  readonly variation: number;
  /** How often it is found. */
  readonly power: number;
  /** Relative to the first arm: 0.2 is 20 %. `null` for one repeat, which finds nothing. */
  readonly difference: number | null;
}
