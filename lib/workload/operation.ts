import type { FileOperation } from '../schema/plan';

/** What an operation works on. */
export type Subject = 'data' | 'files' | 'directories' | 'command';

/** Which of two values is the better one. */
export type Better = 'higher' | 'lower';

/** One thing that a workload does and is measured by: the engines ask it what a value means, and which way is better. */
export interface Operation {
  /** As it stands in samples: `write`, `file_create`, `run`. */
  readonly id: string;
  readonly on: Subject;
  /** What a plan's action calls it. */
  readonly verb: 'write' | 'run' | Exclude<FileOperation, 'all'>;
  /** The metric that the operation is measured by; the others of its samples explain it. */
  readonly metric: string;
  /** Of that metric, as it stands in samples: `MB/s`, `op/s`, `s`. */
  readonly unit: string;
  /** For people, lower case: `write`, `create of files`. */
  readonly label: string;
  /** Of two values of the metric, the better one: a rate is better when it is higher, a time when it is lower. */
  readonly better: Better;
  /** True where later steps of its unit need what it made. */
  readonly makesData: boolean;
  /** True where a client's caches may answer it. */
  readonly cached: boolean;
  /** True where it may be started again on what an attempt that was cut short has left, and measures the same. */
  readonly restartable: boolean;
  /** Cautions of the parser that every command for this operation brings by intent. @default none */
  readonly intended?: readonly string[];
}
