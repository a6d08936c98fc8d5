import type { Access } from './common/lint/access';
import type { LintedFile, LintRule, Options } from './common/lint/rule';
import type { Launched, ShellWord } from './common/lint/shell';
import type { CommandFile } from './common/parse/command';
import type { ParserFinding } from './common/parse/finding';
import type { Lines } from './common/parse/lines';

/** One output format of a tool. */
export interface OutputFormat {
  /** @param text the output, or a part of a large one after a newline */
  readonly recognizes: (text: string) => boolean;
  /** Never throws: faults of an output become problems of the finding. */
  readonly parse: (input: Lines, command: CommandFile) => ParserFinding;
  /**
   * `json`: it may be the whole output, and is then looked for alone; the tool's text in the same output is ignored. `last-line`: one line of JSON behind
   * the output of an arbitrary program, which is ignored. @default - text
   */
  readonly form?: 'json' | 'last-line';
}

/** A tool's rules for the command linter. */
export interface ToolLint {
  readonly options: (words: readonly ShellWord[]) => Options;
  readonly rules: readonly LintRule[];
  /** A file that the tool takes; `null` for another text. @default - it does not use files */
  readonly file?: (text: string) => LintedFile | null;
  /** The data that a command accesses; `null` if it is not on a file system. @default unknown */
  readonly access?: (launched: Launched) => Access | null;
}

/** A program with known output, options, or both. A program that plans can run is a `Workload`. */
export interface Tool {
  /** Id in documents, plans and samples. */
  readonly id: string;
  /** Formats of its output in order of detection. @default - its output is not parsed */
  readonly formats?: readonly OutputFormat[];
  /** A pattern of the program in a command line. @default the tool's id */
  readonly program?: string;
  /** A line that only this tool prints instead of results: usage or errors. @default - there is no such line */
  readonly complaint?: RegExp;
  /** @default - its options are unknown */
  readonly lint?: ToolLint;
}
