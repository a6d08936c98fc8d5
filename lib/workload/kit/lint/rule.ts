import type { Finding, LintContext } from './finding';
import type { Launched } from './launched';
import type { Options } from './options';
import type { ShellScript } from './shell';

/** What a rule about a tool looks at. */
export interface Subject extends Launched {
  readonly options: Options;
  readonly context: LintContext;
  /** Processes in all; `null` when it is not known. */
  readonly ranks: number | null;
  /** All commands of the line, for rules about what stands before. */
  readonly line: readonly Launched[];
}

/** What a rule about the whole line looks at. */
export interface Line {
  readonly script: ShellScript;
  readonly commands: readonly Launched[];
  readonly context: LintContext;
}

/** One thing that goes wrong. It answers `null` when it does not. */
export type Rule<T> = (subject: T) => Finding | null;
