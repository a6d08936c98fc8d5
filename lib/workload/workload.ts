import type { ParseDocument } from '../schema/parse';
import type { FileOperation, WorkloadAction } from '../schema/plan';
import type { Measured } from './kit/measured';
import type { Order } from './kit/recorded';
import type { Operation } from './operation';
import type { Tool, ToolOutput } from './tool';

/** Launch of a tool on the clients of a group. */
export type LaunchKind =
  /** Once, by MPI, with ranks on all of them. */
  | {
      readonly by: 'mpi';
      /** True if ranks are placed round-robin over the clients and may be shifted by a client. @default - a client's ranks are consecutive */
      readonly ranksInTurn?: boolean;
      /** True if the ranks start in the data directory. @default false */
      readonly inDataDirectory?: boolean;
    }
  /** Once on each of them, at the same time. */
  | { readonly by: 'each-client' }
  /** Once, on the first of them. */
  | { readonly by: 'once' };

/** Query of a tool's version. */
export interface VersionQuestion {
  /** Run in an empty folder, since some tools print their version only when they write something. */
  readonly argv: readonly string[];
  /** Its first group is the version; if empty, the tool exists but has no version. */
  readonly version: RegExp;
}

/** The data pattern of a command, with its known compression ratio. */
export interface Pattern {
  /** Id in every sample: `ior-default`, `ior-random`, `fio-43`. */
  readonly id: string;
  /** LZ4 ratio on 128 KiB records and 4 KiB sectors, measured on the tool's output. */
  readonly expectedRatio: number;
  /** The same on 1 MiB records. Amazon does not publish FSx's record size; the ratio lies between the two (docs/estimate.md). */
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
  /**
   * Data with a compression ratio; `null` if the tool cannot write them.
   * @param release the tool's release, if releases have different patterns
   */
  readonly ofRatio: (target: number, release: string | undefined) => DataCommands | null;
  /** A pattern by its id in samples; `null` for one that was never measured. */
  readonly knownPattern: (id: string, release: string | null) => Pattern | null;
  /** False if it reads only files that have their full size, which a write with O_DIRECT that time ended does not leave. @default true */
  readonly readsCutFiles?: false;
  /** The command of the AWS compression blog, for a number of minutes. @default - the study did not use this tool */
  readonly study?: (minutes: number, release: string | undefined) => { pattern: Pattern; command: string[] };
  /** The command of the blog about ParallelCluster, which writes and reads. @default - the study did not use this tool */
  readonly clusterStudy?: (release: string | undefined) => { pattern: Pattern; command: string[] };
}

/** Files or directories. */
export type Items = 'files' | 'directories';

/** Reads or writes as a recorded program made them. */
export interface ImitatedPhase {
  readonly operation: 'write' | 'read';
  readonly order: Order;
  /** Files of all processes together, or of each of its own. */
  readonly files: 'shared' | 'own';
  /** Files of all, or of each process, one after the other. */
  readonly count: number;
  /** Of a process in a file. */
  readonly bytes: number;
  readonly transferBytes: number;
  /** Sync each file before the clock stops. */
  readonly sync: boolean;
  readonly processesPerClient: number;
}

/** Doing what a recorded program did. */
export interface ImitationCapability {
  /** Why it cannot do so; `null` where it can. */
  readonly refuses: (phase: Omit<ImitatedPhase, 'operation' | 'processesPerClient'>) => string | null;
  readonly ofPhase: (
    phase: ImitatedPhase,
    release: string | undefined,
  ) => { readonly pattern: Pattern; readonly command: string[] };
}

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
  /** File sizes are multiples of this, bytes. @default 1 */
  readonly fileBytesStep?: number;
  readonly command: (phase: FilesPhase) => string[];
  /** Loss if it replaces the preferred tool. @default - none */
  readonly standsIn?: { readonly as: string; readonly message: string };
  /** The command of the AWS metadata blog. @default - the study did not use this tool */
  readonly study?: (filesPerRank: number, iterations: number, items: Items | 'both') => string[];
}

/** One loop of a study's over large or small files, in several copies at the same time. */
export interface LoopPhase {
  readonly loop: 'create_large_file' | 'read_large_file' | 'create_small_files' | 'read_small_files';
  /** Copies, each on files of its own. */
  readonly threads: number;
  /** Blocks of a large file, or small files. */
  readonly count: number;
  /** Size of a block or of a file, in the tool's notation: `100M`, `500kB`. */
  readonly size: string;
}

/** The loops of the Cloud Pipeline comparison: the command, and the line that the study printed. */
export type LoopCapability = (phase: LoopPhase) => { readonly command: string[]; readonly published: string };

/** A stream of data that is compressed on the client before it is written. */
export interface StreamPhase extends Pick<DataPhase, 'seconds' | 'maxBytesPerProcess'> {
  /** `lz4`, `zstd`. */
  readonly algorithm: string;
  readonly level: number;
  /** Makes the data, a file for each process, in `{input}`. */
  readonly input: readonly string[];
}

/** Compression on the client: the algorithms with their levels, and the command. */
export interface StreamCapability {
  readonly levels: Readonly<Record<string, number>>;
  readonly command: (phase: StreamPhase) => string[];
}

/** A measurement of what lies below a file system: without it nobody knows what the file system costs. */
export interface Baseline {
  /** `tcp`, `raw` … */
  readonly id: string;
  /** Label in a table: `TCP, by iperf3`. */
  readonly label: string;
  /** True where it is one of each arm's own: a data set with the arm's compression. @default - all arms have the same */
  readonly ofEachArm?: true;
  readonly command: (phase: { readonly seconds: number; readonly processes: number }) => string[];
}

/** Demands on the user's own program, and preparations for it. */
export interface ProgramPhase {
  /** Files or directories that it must leave; it failed where one is missing or empty. @default none */
  readonly outputs?: readonly string[];
  /** Ranks that an srun or mpirun in it starts on each client of the group; `null`: as its own options say. @default null */
  readonly ranksPerClient?: number | null;
}

/** Running the user's own program. */
export interface ProgramCapability {
  /** The command that runs and measures a program. */
  readonly command: (words: readonly string[], phase?: ProgramPhase) => string[];
}

/** Years of temperatures with a known trend, generated. */
export interface DataSetPhase {
  readonly years: number;
  readonly latitudes: number;
  readonly longitudes: number;
  readonly stepsPerDay: number;
  /** Kelvin per decade. */
  readonly trend: number;
  readonly seed: number;
  readonly processes: number;
}

/** One analysis by workers that the tool brings itself: jobs of the scheduler, or processes of the client. */
export interface AnalysisPhase {
  readonly nodes: number;
  readonly workersPerNode: number;
  readonly workerMiB: number;
  /** Partition of the scheduler. @default - its own */
  readonly partition?: string;
  /** Directory with the user's own files. @default - the generated ones */
  readonly source?: string;
}

/** Generating a data set and analysing it. */
export interface AnalysisCapability {
  readonly dataSet: (phase: DataSetPhase) => string[];
  readonly command: (phase: AnalysisPhase) => string[];
}

/** One phase of an import from a bucket, on the clients' parts of its files. */
export interface ImportPhase {
  readonly phase: 'metadata' | 'first' | 'second' | 'preload';
  /** Path of the bucket on the file system. */
  readonly directory: string;
  readonly processesPerClient: number;
  readonly clients: number;
  /** Until a preload is given up. */
  readonly seconds: number;
}

/** Reading files that are still in a bucket. */
export type ImportCapability = (phase: ImportPhase) => string[];

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
}

/** Amount of work that a command asks of each process. */
export interface AskedAmount {
  /** Bytes in one iteration; `null` where the command does not bound them, such as a read to the end of a file. */
  readonly bytesPerProcess: number | null;
  /** After so many seconds less is right; `null`: only when all is done. */
  readonly seconds: number | null;
}

/** Detection of a tool on this machine, and the consequence if it is missing. */
export interface Installed {
  /** Programs that packages have, as assets/lab/needs.tsv names them. */
  readonly uses: readonly string[];
  /** Loss of local runs and the lab without it, as a clause; `null` if they need it. */
  readonly without: string | null;
  /** A command that exits with 0 if the tool is installed. @default - its program is searched on the PATH */
  readonly argv?: readonly string[];
}

/** A tool that plans can run: its part of every stage, from the command to the samples. */
export interface Workload extends Tool {
  readonly output: ToolOutput;
  /** Display name: `IOR`. */
  readonly label: string;
  /** The first word of its commands. @default its id */
  readonly executable?: string;
  readonly launch: LaunchKind;
  /** Characters that it takes to separate two paths, so that no path of its data may hold one. @default none */
  readonly separators?: string;
  /** @default - it is part of fsxbench, and plans need no version of it */
  readonly version?: VersionQuestion;
  /** @default - `doctor` does not check for it */
  readonly installed?: Installed;
  /** Supported releases, with known patterns, that the clients can build, and the plan's parameter that chooses one. @default - any */
  readonly release?: { readonly parameter: string; readonly versions: readonly string[] };
  readonly operations: readonly Operation[];
  /**
   * The values of an action from the documents of its processes, one per process; empty if they have no such figures. Throughput is in
   * MB/s (10⁶) whatever the tool prints, so that arms and tools share an axis.
   */
  readonly values: (action: WorkloadAction, operation: Operation, documents: readonly ParseDocument[]) => Measured[];
  /** @default - it does not support data plans */
  readonly data?: DataCapability;
  /** @default - it does not support metadata plans */
  readonly files?: FilesCapability;
  /** @default - it cannot */
  readonly imitates?: ImitationCapability;
  /** @default - no study did so with it */
  readonly loops?: LoopCapability;
  /** @default - it analyses nothing */
  readonly analysis?: AnalysisCapability;
  /** @default - it measures file systems */
  readonly baselines?: readonly Baseline[];
  /** @default - it does not compress */
  readonly streams?: StreamCapability;
  /** @default - it knows no files that are still in a bucket */
  readonly imports?: ImportCapability;
  /** @default - it does not run user programs */
  readonly program?: ProgramCapability;
  readonly reports: OutputFacts;
  /** Returns the amount that a data command asks for; `null` if another amount is right. @default - its amounts are not compared with the plan's */
  readonly asked?: (command: readonly string[]) => AskedAmount | null;
  /** @default - it reports each process */
  readonly stragglers?: ToolStragglers;
}
