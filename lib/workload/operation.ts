import type { FileOperation } from '../schema/plan';

/** The main metrics of operations, with their units in samples. A time is better when it is lower, a rate when it is higher. */
export const UNITS = { throughput: 'MB/s', rate: 'op/s', seconds: 's' } as const;

/** An operation of a workload: defines what a value means. */
export interface Operation {
  /** Id in samples: `write`, `file_create`, `run`. */
  readonly id: string;
  readonly on: 'data' | 'files' | 'directories' | 'command';
  /** Name in a plan's actions. */
  readonly verb: 'write' | 'run' | Exclude<FileOperation, 'all'>;
  /** The main metric; others in its samples are auxiliary. */
  readonly metric: keyof typeof UNITS;
  /** Its verb in a sentence on how fast an arm did it: `wrote`, `created files`. */
  readonly past: string;
  /** True if later steps of its unit need the data it creates. */
  readonly makesData: boolean;
  /** True if a client's caches can serve it. */
  readonly cached: boolean;
  /** True if it can be restarted on the leftovers of an interrupted attempt with comparable results. */
  readonly restartable: boolean;
}
