import type * as z from 'zod';
import type { TargetState } from '../schema/sample';
import type { Measured } from '../workload/common/measured';

/** Runs the commands of one task, one after the other, and keeps what they print among the run's raw output. */
export interface Commands {
  /** The file with what was printed. */
  readonly output: string;
  /** Output so far. */
  readonly text: string;
  /** Why a command failed; `null` when it did not. */
  run(argv: readonly string[], timeoutSeconds: number): Promise<string | null>;
  /** Runs commands up to the first that fails; its name and its reason, or `null`. */
  each(commands: readonly (readonly string[])[], timeoutSeconds: number): Promise<string | null>;
  /** Commands whose raw output is kept apart. */
  named(suffix: string): Commands;
  /** Removes the raw output, whose facts are kept elsewhere. @default - it is kept */
  discard?(): void;
}

/** Directories, limits and commands that a task works with. */
export interface Workplace {
  readonly mountPoint: string;
  /** The data directory of the task's unit, below it. */
  readonly directory: string;
  readonly commands: Commands;
  /** Time limit of each command, in seconds. */
  readonly seconds: number;
  /** Commands that give a new directory to the user who works in it. */
  readonly owned: (path: string) => string[][];
  /** Command that removes directories below the mount point. */
  readonly removal: (paths: readonly string[]) => string[];
  /** Given a directory, says what its data take on the servers, as `compsize -b` does. @default - nothing here asks the servers */
  readonly spaceCommand?: readonly string[] | undefined;
}

/** Values that were read, and why that failed; `null` when it did not. */
export interface Readout {
  readonly measured: readonly Measured[];
  readonly failure: string | null;
}

/** The source of a capacity that the file system does not have: its samples are null with the reason, and nothing has failed. */
export const NO_CAPACITY = 'none';

/** A way to read bytes back. */
export interface SpaceReader {
  /** Source named by each of its samples: `du`, `lfs df`. */
  readonly source: string;
  /** Loss without the program of that name, as a clause. @default - nothing is lost, or the program is everywhere */
  readonly without?: string;
  read(place: Workplace): Promise<Readout>;
}

/** Spread of files over the servers or targets that hold a file system's metadata. */
export interface MetadataSpread {
  /** Makes a directory on each of them within the data directory, and verifies where it is. */
  make(place: Workplace): Promise<Readout>;
  /** Selects those directories among the names in a data directory, in the order of their targets. */
  directories(names: readonly string[]): string[];
  /** Counts the ranks' directories on each target. */
  verify(place: Workplace, names: readonly string[]): Promise<Readout>;
}

/**
 * When space counts as free after data were removed, on a file system that frees it in the background. Figures are those of Lustre on ZFS,
 * whose targets destroy objects some seconds later, and free their blocks in one transaction group after another, five seconds apart
 * (zfs_txg_timeout, OpenZFS module parameters). `lfs df` on a 2.15.8 stood still for up to five seconds between two steps down
 * (test/fixtures/lustre/lfs-df-after-rm): readings are well further apart than that.
 */
export const SETTLING = {
  /** Between two readings. */
  everySeconds: 15,
  /** Readings in a row that must be alike. Behind a removal, nothing may have begun at the first. */
  alike: { 'measure-capacity': 2, 'remove-data': 3 },
  /** Then the file system counts as unsettled: a benchmark must not wait for ever, nor for somebody else's work. */
  maxSeconds: 900,
} as const;

/** Says which targets hold a file system and its files. */
export interface TargetReader {
  /**
   * State of each target by its name, as this client sees it; empty if the client does not report it.
   * @param since evictions before it are ignored @param withSpace also reports nearly full targets
   */
  states(
    place: Workplace,
    options: { readonly since: Date; readonly withSpace: boolean },
  ): Promise<ReadonlyMap<string, TargetState>>;
  /** Objects that the files of the data directory have on each named target that holds data; `null` if nobody could count them. */
  objects(place: Workplace, names: readonly string[]): Promise<ReadonlyMap<string, number> | null>;
  /** Targets that make work fail, with the next step; `null` without such targets. */
  fault(place: Workplace, since: Date): Promise<string | null>;
}

/** Operations of the driver on a mounted file system's type, not on the deployed storage: the lab and `--local` use substitutes. */
export interface Filesystem {
  /** Name in the kernel's mount table and in client.json. */
  readonly type: string;
  /** Served over a network: how it is configured and what it costs, a client cannot know. @default false */
  readonly remote?: boolean;
  /** False if a directory cannot be renamed: leftovers of an earlier attempt are then removed before the next. @default true */
  readonly renames?: boolean;
  /** Space that the files of a directory take, after each of them was synced. */
  readonly space: SpaceReader;
  /** Size, used and free bytes of the whole file system, in this order. */
  readonly capacity: SpaceReader;
  /** Placement of a directory's files on servers or targets. @default - there is nothing to choose */
  readonly layout?: {
    /** Settings that any plan can make, by the parameter's name. Those left out stay as the directory above has them. */
    readonly parameters: Readonly<Record<string, z.ZodType>>;
    /** Commands that give a new directory its layout; none for what is not set. */
    readonly commands: (directory: string, layout: Readonly<Record<string, unknown>>) => string[][];
  };
  /** @default - files are not spread by hand */
  readonly spread?: MetadataSpread;
  /** @default - it does not report its targets one by one */
  readonly targets?: TargetReader;
  /** True if removed space is freed in the background: a step that reads it waits ({@link SETTLING}). @default false */
  readonly settles?: boolean;
}
