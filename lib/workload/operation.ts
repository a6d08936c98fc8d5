import type { FileOperation } from '../schema/plan';

/** The items that an operation works on. */
export type ItemKind = 'data' | 'files' | 'directories' | 'command';

/** Direction of improvement. */
export type Better = 'higher' | 'lower';

/** An operation of a workload: defines what a value means and which direction is better. */
export interface Operation {
  /** Id in samples: `write`, `file_create`, `run`. */
  readonly id: string;
  readonly on: ItemKind;
  /** Name in a plan's actions. */
  readonly verb: 'write' | 'run' | Exclude<FileOperation, 'all'>;
  /** The main metric of the operation; others in its samples are auxiliary. */
  readonly metric: string;
  /** Unit of that metric in samples: `MB/s`, `op/s`, `s`. */
  readonly unit: string;
  /** Its verb in a sentence on how fast an arm did it: `wrote`, `created files`. */
  readonly past: string;
  /** Direction of improvement: higher for rates, lower for times. */
  readonly better: Better;
  /** True if later steps of its unit need the data it creates. */
  readonly makesData: boolean;
  /**
   * The only direction in which it moves data, if its `bytes` count them: all that are written, and at most those that are read, since some
   * may come from the client's memory. @default - known of `write` and `read` only
   */
  readonly moves?: 'write' | 'read';
  /** True if a client's caches can serve it. */
  readonly cached: boolean;
  /** True if it can be restarted on the leftovers of an interrupted attempt with comparable results. */
  readonly restartable: boolean;
  /** Parser cautions that are expected from every command for this operation. @default none */
  readonly intended?: readonly string[];
}
