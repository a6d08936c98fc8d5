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

/** A lint rule about a tool; returns `null` if it does not apply. */
export type LintRule = (subject: LintedTool) => LintFinding | null;

/** Fault of a command, and what to type instead; the severity where it depends on the command. */
type Judgement = Pick<LintFinding, 'message' | 'suggestion'> & Partial<Pick<LintFinding, 'severity'>>;

/** A rule by its id and severity; the judgement is false or `null` where it does not apply. */
export const rule =
  (id: string, severity: LintFinding['severity'], judge: (subject: LintedTool) => Judgement | false | null): LintRule =>
  (subject) => {
    const found = judge(subject);
    return found ? { id, severity, ...found } : null;
  };
