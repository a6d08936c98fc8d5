import type { ParseDocument } from '../schema/parse';
import type { Access } from './kit/lint/access';
import type { Launched } from './kit/lint/launched';
import type { Options } from './kit/lint/options';
import type { Rule, Subject } from './kit/lint/rule';
import type { ShellWord } from './kit/lint/shell';
import type { CommandFile } from './kit/parse/command';
import type { Finding } from './kit/parse/finding';
import type { Lines } from './kit/parse/lines';

/** One form in which a tool prints what it did. */
export interface OutputFormat {
  readonly recognizes: (text: string) => boolean;
  /** Never throws: what is wrong with an output is among the finding's problems. */
  readonly parse: (input: Lines, command: CommandFile) => Finding;
  /** True where all the rest of the text is the output of a program that nothing is known of, and says nothing of the run. @default false */
  readonly ofWhole?: boolean;
}

/** A tool's output: how `fsxbench parse` and the driver find and read it. */
export interface ToolOutput {
  /** In the order in which they are looked for. */
  readonly formats: readonly OutputFormat[];
  /** A pattern of the program in a command line. @default the tool's id */
  readonly program?: string;
  /** What a `.cmd` file may call the tool instead. @default none */
  readonly aliases?: readonly string[];
  /** A line that only this tool prints, and prints instead of results: its usage, its errors. @default it has no such line */
  readonly complaint?: RegExp;
  /** Adds the figures of the tool's own result files `X.json`, `X.0.json` … to the document of `X.out`. @default the log has all figures */
  readonly withSideFiles?: (log: ParseDocument, sides: readonly ParseDocument[]) => ParseDocument;
}

/** What the command linter knows of a tool. */
export interface ToolLint {
  readonly options: (words: readonly ShellWord[]) => Options;
  /** In the order of their findings. */
  readonly rules: readonly Rule<Subject>[];
  /** True where sites put versions into the program's name: `fio-3.33`. @default false */
  readonly versionedName?: boolean;
  /** The version of IOR and mdtest in a program's path, such as `/opt/ior-4.0.0/bin/ior`: its first group. @default none is looked for */
  readonly versionInPath?: RegExp;
  /** The option that names the place of the data, `o` of `-o`: it makes no two commands different. @default none */
  readonly place?: string;
  /** True where that place is a directory, in which the tool makes names of its own. @default false */
  readonly placeIsDirectory?: boolean;
  /** What a command reads or writes; `null` where that is no data of a file system. @default not known */
  readonly access?: (launched: Launched) => Access | null;
}

/** A program that is known here by its output, by its options, or by both. One that plans can run is a `Workload`. */
export interface Tool {
  /** As it stands in documents, plans and samples. */
  readonly id: string;
  /** @default its output is not read */
  readonly output?: ToolOutput;
  /** @default its options are not known */
  readonly lint?: ToolLint;
}
