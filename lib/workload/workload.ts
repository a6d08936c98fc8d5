import type { ParseDocument } from '../schema/parse';
import type { FileOperation, WorkloadAction } from '../schema/plan';
import type { Measured } from './kit/measured';
import type { Operation } from './operation';
import type { Tool, ToolOutput } from './tool';

/** How a tool is started on the clients of a group. */
export type Launch =
  /** Once, by MPI, with ranks on all of them. */
  | {
      readonly by: 'mpi';
      /** True where rank after rank goes to the next client, and ranks may be moved on by a client. @default the ranks of a client are neighbours */
      readonly ranksInTurn?: boolean;
      /** True where the ranks are started in the data directory. @default false */
      readonly inDataDirectory?: boolean;
    }
  /** Once on each of them, at the same time. */
  | { readonly by: 'each-client' }
  /** Once, on the first of them. */
  | { readonly by: 'once' };

/** How a tool is asked for its version. */
export interface VersionQuestion {
  /** Run in an empty folder: some tools name their version only when they write something. */
  readonly argv: readonly string[];
  /** Its first group is the version; where that is empty, the tool is there and names none. */
  readonly version: RegExp;
}

/** What fills the buffers of a command, and how far that is known to compress. */
export interface Pattern {
  /** Stands in every sample: `ior-default`, `ior-random`, `fio-43`. */
  readonly id: string;
  /** LZ4 ratio on records of 128 KiB and sectors of 4 KiB, as measured on what the tool wrote. */
  readonly expectedRatio: number;
  /** The same on records of 1 MiB. Amazon does not publish FSx's: what it reaches lies between the two (docs/estimate.md). */
  readonly ratioOn1MiB: number;
}

/** One phase of data: sequential, bounded by time and by size, a file for each process, the data kept for the read. */
export interface DataPhase {
  readonly operation: 'write' | 'read';
  /** Until the phase ends. */
  readonly seconds: number;
  /** Upper bound of what one process writes. */
  readonly maxBytesPerProcess: number;
  readonly processesPerClient: number;
  /** O_DIRECT; otherwise buffered with an fsync before the clock stops. Btrfs does not compress O_DIRECT writes. */
  readonly direct: boolean;
}

/** Data of one compressibility, as a tool can write them: the pattern, and the command of a phase. */
export interface DataCommands {
  readonly pattern: Pattern;
  readonly command: (phase: DataPhase) => string[];
}

/** How a tool writes and reads data for the plans that compare file systems by them. */
export interface DataCapability {
  /** The highest compression ratio for which it can write data. */
  readonly maxTarget: number;
  /**
   * Data of a compression ratio; `null` where the tool cannot write them.
   * @param release the tool's release, where it has several with different patterns
   */
  readonly ofRatio: (target: number, release: string | undefined) => DataCommands | null;
  /** A pattern as samples name it; `null` for one that was never measured. */
  readonly knownPattern: (id: string, release: string | null) => Pattern | null;
  /** The command of the AWS compression blog, for so many minutes. @default the study did not use this tool */
  readonly study?: (minutes: number, release: string | undefined) => { pattern: Pattern; command: string[] };
}

/** Files or directories. */
export type Items = 'files' | 'directories';

/** One operation on the files of one round. */
export interface FilesPhase {
  readonly operation: Exclude<FileOperation, 'all'>;
  readonly items: Items;
  /** Files or directories of each process. */
  readonly count: number;
  /** Bytes that are written to a file when it is created, and read back. */
  readonly fileBytes: number;
  readonly processesPerClient: number;
}

/** How a tool works on many files or directories for the plans that compare file systems by them. */
export interface FilesCapability {
  /** The operations that it has, in the order in which a unit goes through them; none where it has no such items. */
  readonly operations: Readonly<Record<Items, readonly FilesPhase['operation'][]>>;
  /** False where it creates empty files only. */
  readonly fills: boolean;
  /** Sizes of files are multiples of this, bytes. @default 1 */
  readonly fileBytesStep?: number;
  readonly command: (phase: FilesPhase) => string[];
  /** What is lost where it is taken in place of the first tool of the registry that can do this. @default nothing */
  readonly standsIn?: { readonly as: string; readonly message: string };
  /** The command of the AWS metadata blog. @default the study did not use this tool */
  readonly study?: (filesPerRank: number, iterations: number, items: Items | 'both') => string[];
}

/** How a tool runs a program of the user's. */
export interface ProgramCapability {
  /** The command that runs a program with its arguments, and measures it. */
  readonly command: (words: readonly string[]) => string[];
}

/** What a tool tells of those who work together. */
export interface Stragglers {
  /** Who is told apart: each process, or each client as a whole. */
  readonly of: 'processes' | 'clients';
  /** Why it told nothing, where the tool itself is the reason; `null` where it is not. */
  readonly silence?: (task: { readonly command: readonly string[]; readonly clients: number }) => string | null;
}

/** How `fsxbench doctor` finds a tool on this machine, and what it says where it is not there. */
export interface Installed {
  /** False where a local run and the lab do without it, though not as well. */
  readonly needed: boolean;
  /** What to do, or what is done without it. */
  readonly advice: string;
  /** A command that ends with 0 where the tool is there. @default its program is looked for on the PATH */
  readonly argv?: readonly string[];
}

/** A tool that a plan can run: its slice of every stage, from the command to the samples. */
export interface Workload extends Tool {
  readonly output: ToolOutput;
  /** As people write it: `IOR`. */
  readonly label: string;
  /** The first word of every command of it. @default its id */
  readonly executable?: string;
  readonly launch: Launch;
  /** @default it comes with fsxbench: a plan needs no version of it */
  readonly version?: VersionQuestion;
  /** @default `doctor` does not look for it */
  readonly installed?: Installed;
  /** Releases of which the patterns are known and that the clients can build, and the plan's parameter that chooses one. @default any will do */
  readonly release?: { readonly parameter: string; readonly versions: readonly string[] };
  readonly operations: readonly Operation[];
  /**
   * The values of an action from the documents of its processes, one a process; none where they have no such figures. Throughput is in
   * MB/s (10⁶) whatever the tool prints, so that arms and tools can stand on one axis.
   */
  readonly values: (action: WorkloadAction, operation: Operation, documents: readonly ParseDocument[]) => Measured[];
  /** @default it writes and reads no data for plans */
  readonly data?: DataCapability;
  /** @default it works on no files for plans */
  readonly files?: FilesCapability;
  /** @default it runs no program of the user's */
  readonly program?: ProgramCapability;
  /** @default it tells of each process */
  readonly stragglers?: Stragglers;
}
