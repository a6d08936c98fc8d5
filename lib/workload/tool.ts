import type { ParseDocument } from '../schema/parse';
import type { Access } from './common/lint/access';
import type { LintFinding, LintRule, Options } from './common/lint/rule';
import type { Launched, ShellWord } from './common/lint/shell';
import type { RecordedWork } from './common/measured';
import type { CommandFile } from './common/parse/command';
import type { ParserFinding } from './common/parse/finding';
import type { Lines } from './common/parse/lines';

/** One output format of a tool. */
export interface OutputFormat {
  /** @param text the output, or a part of a large one after a newline */
  readonly recognizes: (text: string) => boolean;
  /** Another format of the tool that takes the whole output if both are recognized. @default none */
  readonly unless?: (text: string) => boolean;
  /** Never throws: faults of an output become problems of the finding. */
  readonly parse: (input: Lines, command: CommandFile) => ParserFinding;
  /** True if the rest of the text is the output of an arbitrary program and must be ignored: only the end of a large one is read. @default false */
  readonly ofWhole?: boolean;
  /** True if an output may be one JSON document, in which only such formats are looked for. @default false */
  readonly ofJson?: boolean;
  /** True for a parser of documents that reads them element by element: what begins as one is parsed first, as it may fill the output. @default false */
  readonly byElement?: boolean;
}

/** A binary form of a tool's output, which a program of the tool prints as text. */
export interface BinaryOutput {
  /** Names of such files: they are not opened to look. */
  readonly names: RegExp;
  readonly command: (path: string) => readonly [string, ...string[]];
  /** Name of the package with that program, and how it is installed. */
  readonly package: string;
}

/** Detection and parsing of a tool's output, for `fsxbench parse` and the driver. */
export interface ToolOutput {
  /** Formats in order of detection. */
  readonly formats: readonly OutputFormat[];
  /** A pattern of the program in a command line. @default the tool's id */
  readonly program?: string;
  /** Alias of the tool in `.cmd` files. @default none */
  readonly aliases?: readonly string[];
  /** A line that only this tool prints instead of results: usage or errors. @default - there is no such line */
  readonly complaint?: RegExp;
  /** @default - it has none */
  readonly binary?: BinaryOutput;
  /** Adds the figures of the tool's result files `X.json`, `X.0.json` … to the document of `X.out`. @default - the log has all figures */
  readonly withSideFiles?: (log: ParseDocument, sides: readonly ParseDocument[]) => ParseDocument;
}

/** A command that a part of a tool's file stands for. */
export interface FileCommand {
  readonly command: string;
  /** Line of the file where that part begins, from 1. @default - it is the whole file */
  readonly line?: number;
}

/** A tool's rules for the command linter. */
export interface ToolLint {
  readonly options: (words: readonly ShellWord[]) => Options;
  /** Rules in the order of their findings. */
  readonly rules: readonly LintRule[];
  /** A file of the tool, as the commands in it; `null` for another text. @default - it does not use files */
  readonly commandsOf?: (text: string) => FileCommand[] | null;
  /** Problems of the file as a whole, rather than of one of its commands. @default - nothing is checked */
  readonly fileFindings?: (text: string) => readonly LintFinding[];
  /** True if no better file can be made of better commands. @default false */
  readonly isParsedOnly?: boolean;
  /** True if sites put versions in the program's name: `fio-3.33`. @default false */
  readonly versionedName?: boolean;
  /** The version of IOR and mdtest in a program's path, such as `/opt/ior-4.0.0/bin/ior`: its first group. @default none */
  readonly versionInPath?: RegExp;
  /** The option with the data's location, such as `o` for `-o`, which is ignored when commands are compared. @default none */
  readonly place?: string;
  /** True if that location is a directory in which the tool chooses file names. @default false */
  readonly placeIsDirectory?: boolean;
  /** The data that a command accesses; `null` if it is not on a file system. @default unknown */
  readonly access?: (launched: Launched) => Access | null;
}

/** A program with known output, options, or both. A program that plans can run is a `Workload`. */
export interface Tool {
  /** Id in documents, plans and samples. */
  readonly id: string;
  /** @default - its output is not parsed */
  readonly output?: ToolOutput;
  /** @default - its options are unknown */
  readonly lint?: ToolLint;
  /** Work of a user's own program that an output describes. @default - it measures storage itself @throws Error saying what the output lacks */
  readonly recorded?: (output: Lines) => RecordedWork;
}
