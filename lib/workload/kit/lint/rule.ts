import type { LintContext, LintFinding } from './finding';
import type { Launched } from './launched';
import type { Options } from './options';
import type { ShellScript } from './shell';

/** Input of a rule about a tool. */
export interface LintedTool extends Launched {
  readonly options: Options;
  readonly context: LintContext;
  /** Total number of processes; `null` if unknown. */
  readonly ranks: number | null;
  /** All commands of the line, for rules about earlier ones. */
  readonly line: readonly Launched[];
}

/** Input of a rule about the whole line. */
export interface LintedLine {
  readonly script: ShellScript;
  readonly commands: readonly Launched[];
  readonly context: LintContext;
}

/** A lint rule; returns `null` if it does not apply. */
export type LintRule<T> = (subject: T) => LintFinding | null;
