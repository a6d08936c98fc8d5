import type { ParseDocument } from '../schema/parse';
import type { FileOperation, WorkloadAction } from '../schema/plan';
import type { AskedAmount } from './common/asked';
import type { Measured } from './common/measured';
import type { Operation } from './operation';
import type { Tool } from './tool';

/** How the commands of a tool are started. */
export interface ToolLaunch {
  /**
   * By MPI once, with ranks on all clients of a group; without MPI, on each client at the same time, or once on the first of them. A command that
   * must start in its data begins with `env --chdir={dir}`.
   */
  readonly by: 'mpi' | 'each-client' | 'once';
  /** The first word of its commands. @default - the tool's id */
  readonly executable?: string;
  /** Characters that separate two paths: no path of its data may contain one. @default none */
  readonly separators?: string;
  /** True if MPI places ranks round-robin over the clients, may shift them by one, and starts them in the data directory. @default - a client's are consecutive */
  readonly inTurn?: boolean;
}

/** Query of a tool's version, and the versions that will do. */
export interface VersionQuestion {
  /** Run in an empty folder, since some tools print their version only when they write something. */
  readonly argv: readonly string[];
  /** Its first group is the version; if empty, the tool exists but has no version. */
  readonly version: RegExp;
  /** Supported releases, with known patterns, that the clients can build, and the plan's parameter that chooses one. @default - any */
  readonly release?: { readonly parameter: string; readonly versions: readonly string[] };
}

/** The data pattern of a command, with its known compression ratio. */
export interface Pattern {
  /** Id in every sample: `ior-default`, `ior-random`, `fio-43`. */
  readonly id: string;
  /** LZ4 ratio on 128 KiB records and 4 KiB sectors, measured on the tool's output. */
  readonly expectedRatio: number;
  /** LZ4 ratio on 1 MiB records. Amazon does not publish FSx's record size; the ratio lies between the two (docs/estimate.md). */
  readonly ratioOn1MiB: number;
}

/** One data phase: sequential, bounded by time and by size, one file per process, with the data kept for the read. */
export interface DataPhase {
  readonly operation: 'write' | 'read';
  readonly seconds: number;
  /** The most that one process writes. */
  readonly maxBytesPerProcess: number;
  readonly processesPerClient: number;
  /** O_DIRECT; otherwise buffered with an fsync before the clock stops. Btrfs does not compress O_DIRECT writes. */
  readonly direct: boolean;
}

/** Data of one compressibility: the pattern, and the command of a phase. */
export interface DataCommands {
  readonly pattern: Pattern;
  readonly command: (phase: DataPhase) => string[];
}

/** The highest compression ratio that plans ask for. */
export const MAX_TARGET = 8;

/** Writing and reading data in throughput plans. */
export interface DataCapability {
  /** Data with a ratio from 1 to {@link MAX_TARGET}; `null` if the tool cannot write them. @param release the tool's, if releases have different patterns */
  readonly ofRatio: (target: number, release: string | undefined) => DataCommands | null;
  /** A pattern by its id in samples; `null` for one that was never measured. */
  readonly knownPattern: (id: string, release: string | null) => Pattern | null;
  /** Returns the amount that a command asks for; `null` if another amount is right. */
  readonly asked: (command: readonly string[]) => AskedAmount | null;
}

export type Items = 'files' | 'directories';

/** One operation on the files of a round. */
export interface FilesPhase extends Pick<DataPhase, 'processesPerClient'> {
  readonly operation: Exclude<FileOperation, 'all'>;
  readonly items: Items;
  /** Files or directories per process. */
  readonly count: number;
  /** Bytes written to each file when it is created, and read back. */
  readonly fileBytes: number;
}

/** Work on many files or directories in metadata plans, by those of its operations that are on them. */
export interface FilesCapability {
  /** False if it creates only empty files. */
  readonly fills: boolean;
  readonly command: (phase: FilesPhase) => string[];
}

/** A measurement of a layer below a file system, which shows the file system's own cost. */
export interface Baseline {
  /** `tcp`, `raw` … */
  readonly id: string;
  /** Label in a table: `TCP, by iperf3`. */
  readonly label: string;
  /** With `{fileSystem}` in it if it is one of each arm's own: a data set with the arm's compression. */
  readonly command: (phase: { readonly seconds: number; readonly processes: number }) => string[];
}

/** Programs that a tool needs on this computer, and the consequence if they are missing. */
export interface Installed {
  /** Programs that packages have, as assets/lab/needs.tsv names them. */
  readonly uses: readonly string[];
  /** Loss of local runs and the lab without it, as a clause; `null` if they need it. */
  readonly without: string | null;
}

/** A tool that plans can run: its part of every stage, from command to samples. Capabilities by which plans choose a tool are separate slices. */
export interface Workload extends Tool {
  /** Display name: `IOR`. */
  readonly label: string;
  readonly launch: ToolLaunch;
  readonly operations: readonly Operation[];
  /** The values of an action from its processes' documents, one each; empty without such figures. Throughput is in MB/s (10⁶) for every tool. */
  readonly values: (action: WorkloadAction, operation: Operation, documents: readonly ParseDocument[]) => Measured[];
  /** Why its output does not show stragglers in a task, if the tool itself is the reason; otherwise `null`. @default null */
  readonly stragglers?: (task: { readonly command: readonly string[]; readonly clients: number }) => string | null;
  /** Seconds between two times that it can print. @default - too few to matter */
  readonly clockStep?: number;
  /** @default - it is part of fsxbench, and plans need no version of it */
  readonly version?: VersionQuestion;
  /** @default - `doctor` does not check for it */
  readonly installed?: Installed;
  /** @default - it does not support data plans */
  readonly data?: DataCapability;
  /** @default - it does not support metadata plans */
  readonly files?: FilesCapability;
  /** @default - it measures file systems */
  readonly baselines?: readonly Baseline[];
}
