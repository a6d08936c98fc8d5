import type * as z from 'zod';
import type { ChangeAction } from '../schema/plan';

/** Context that a change runs in. */
export interface ChangeContext {
  /** The words are the run's status while the change lasts. */
  readonly say: (message: string) => void;
  readonly abort: AbortSignal;
}

/** A change of a file system in the middle of a plan: its words, and the function that makes it. */
export interface StorageChange<A extends ChangeAction = ChangeAction> {
  readonly kind: A['kind'];
  /** The step's action: a plan may come from a file. */
  readonly schema: z.ZodType<A>;
  /** In a plan: `raise the metadata IOPS of fs-… to 24000`. */
  describe(action: A): string;
  /** While it is made: `raising …`. */
  progress(action: A): string;
  /** Returns when the file system is changed. @throws Error with the reason when it is not */
  make(action: A, context: ChangeContext): Promise<void>;
  /**
   * Command that repeats a run around such a change, with a sentence about it.
   *
   * @param settings the plan's parameters, as options of a command
   */
  again(action: A, settings: readonly string[]): { readonly words: string; readonly command: string };
}
