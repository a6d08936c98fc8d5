import type { ParseDocument } from '../schema/parse';
import type { FileOperation, WorkloadAction } from '../schema/plan';
import type { Measured } from './common/measured';
import type { Operation } from './operation';
import type { Tool, ToolOutput } from './tool';

/** Form of a tool's commands, however they are started. */
interface LaunchedCommand {
  /** The first word of its commands. @default - the tool's id */
  readonly executable?: string;
  /** Characters that separate two paths: no path of its data may contain one. @default none */
  readonly separators?: string;
}

/** Once, with ranks on all clients of a group. */
interface MpiLaunch extends LaunchedCommand {
  readonly by: 'mpi';
  /** True if ranks are placed round-robin over the clients and may be shifted by a client. @default - a client's ranks are consecutive */
  readonly ranksInTurn?: boolean;
  /** True if the ranks start in the data directory. @default false */
  readonly inDataDirectory?: boolean;
}

/** Without MPI: on each client at the same time, or on the first of them. A command that must start in its data begins with `env --chdir={dir}`. */
interface PlainLaunch extends LaunchedCommand {
  readonly by: 'each-client' | 'once';
}

/** Query of a tool's version, and the versions that will do. */
export interface VersionQuestion {
  /** Run in an empty folder, since some tools print their version only when they write something. */
  readonly argv: readonly string[];
  /** Its first group is the version; if empty, the tool exists but has no version. */
  readonly version: RegExp;
  /** Supported releases, with known patterns, that the clients can build, and the plan's parameter that chooses one. @default - any */
  readonly release?: { readonly parameter: string; readonly versions: readonly string[] };
  /** True if users can have it built in a directory of theirs (assets/client/bin/build-tools). @default false */
  readonly builds?: boolean;
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
  /** Seconds until the phase ends. */
  readonly seconds: number;
  /** The most that one process writes. */
  readonly maxBytesPerProcess: number;
  readonly processesPerClient: number;
  /** O_DIRECT; otherwise buffered with an fsync before the clock stops. Btrfs does not compress O_DIRECT writes. */
  readonly direct: boolean;
}

/** A data phase on many small files of each process, each written in one piece and synced: all of them, without a limit of time. */
export interface SmallFilesPhase extends Pick<DataPhase, 'operation' | 'processesPerClient' | 'direct'> {
  readonly files: number;
  readonly fileBytes: number;
}

/** Data of one compressibility: the pattern, and the command of a phase. */
export interface DataCommands {
  readonly pattern: Pattern;
  readonly command: (phase: DataPhase) => string[];
  /** @default - it has one file for each process */
  readonly ofSmallFiles?: (phase: SmallFilesPhase) => string[];
}

/** Writing and reading data in throughput plans. */
export interface DataCapability {
  /** The highest compression ratio that it can write. */
  readonly maxTarget: number;
  /** Data with a compression ratio; `null` if the tool cannot write them. @param release the tool's release, if releases have different patterns */
  readonly ofRatio: (target: number, release: string | undefined) => DataCommands | null;
  /** A pattern by its id in samples; `null` for one that was never measured. */
  readonly knownPattern: (id: string, release: string | null) => Pattern | null;
  /** Returns the amount that a command asks for; `null` if another amount is right. */
  readonly asked: (command: readonly string[]) => AskedAmount | null;
}

/** Files or directories. */
export type Items = 'files' | 'directories';

/** One operation on the files of a round. */
export interface FilesPhase {
  readonly operation: Exclude<FileOperation, 'all'>;
  readonly items: Items;
  /** Files or directories per process. */
  readonly count: number;
  /** Bytes written to each file when it is created, and read back. */
  readonly fileBytes: number;
  readonly processesPerClient: number;
}

/** Work on many files or directories in metadata plans. */
export interface FilesCapability {
  /** Its operations, in the order of a unit; none if it does not support these items. */
  readonly operations: Readonly<Record<Items, readonly FilesPhase['operation'][]>>;
  /** False if it creates only empty files. */
  readonly fills: boolean;
  readonly command: (phase: FilesPhase) => string[];
  /** Loss if it replaces the preferred tool. @default - none */
  readonly standsIn?: { readonly as: string; readonly message: string };
}

/** A measurement of a layer below a file system, which shows the file system's own cost. */
export interface Baseline {
  /** `tcp`, `raw` … */
  readonly id: string;
  /** Label in a table: `TCP, by iperf3`. */
  readonly label: string;
  /** True where it is one of each arm's own: a data set with the arm's compression. @default - all arms have the same */
  readonly ofEachArm?: true;
  readonly command: (phase: { readonly seconds: number; readonly processes: number }) => string[];
}

/** Reporting of stragglers. */
export interface ToolStragglers {
  /** The granularity: processes or clients. */
  readonly of: 'processes' | 'clients';
  /** Why it reports nothing, if the tool itself is the reason; otherwise `null`. */
  readonly silence?: (task: { readonly command: readonly string[]; readonly clients: number }) => string | null;
}

/** True, or why not. */
export type ReportedFact = true | { readonly silent: string };

/** Facts that a tool's output states about participants and amounts; the plan's are used for the others. */
export interface OutputFacts {
  readonly processes: ReportedFact;
  readonly machines: ReportedFact;
  readonly bytes: ReportedFact;
  /** @default - it reports each process */
  readonly stragglers?: ToolStragglers;
  /** Seconds between two times that it can print. @default - too few to matter */
  readonly clockStep?: number;
}

/** Amount of work that a command asks of each process. */
export interface AskedAmount {
  /** Bytes in one iteration; `null` if the command does not bound them, such as a read to the end of a file. */
  readonly bytesPerProcess: number | null;
  /** Time limit in seconds, after which fewer bytes are right; `null` for a command that must move all. */
  readonly seconds: number | null;
}

/** Detection of a tool on this computer, and the consequence if it is missing. */
export interface Installed {
  /** Programs that packages have, as assets/lab/needs.tsv names them. */
  readonly uses: readonly string[];
  /** Loss of local runs and the lab without it, as a clause; `null` if they need it. */
  readonly without: string | null;
  /** A command that exits with 0 if the tool is installed. @default - its program is searched on the PATH */
  readonly argv?: readonly string[];
}

/** A tool that plans can run: its part of every stage, from command to samples. Capabilities by which plans choose a tool are separate slices. */
export interface Workload extends Tool {
  /** Display name: `IOR`. */
  readonly label: string;
  readonly launch: MpiLaunch | PlainLaunch;
  readonly operations: readonly Operation[];
  readonly output: ToolOutput;
  readonly reports: OutputFacts;
  /** The values of an action from its processes' documents, one each; empty without such figures. Throughput is in MB/s (10⁶) for every tool. */
  readonly values: (action: WorkloadAction, operation: Operation, documents: readonly ParseDocument[]) => Measured[];
  /** @default - it is part of fsxbench, and plans need no version of it */
  readonly version?: VersionQuestion;
  /** @default - `doctor` does not check for it */
  readonly installed?: Installed;
  /** Script below assets/ that makes the environment of its program, which else makes it at its first use. @default - it has none */
  readonly environment?: string;
  /** @default - it does not support data plans */
  readonly data?: DataCapability;
  /** @default - it does not support metadata plans */
  readonly files?: FilesCapability;
  /** @default - it measures file systems */
  readonly baselines?: readonly Baseline[];
}
