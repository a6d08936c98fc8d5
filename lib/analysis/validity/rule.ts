import type { Issue } from '../../schema/issue';
import type { Subject } from '../subject';

/** What a rule found: its id stands with the rule. */
export type RuleFinding = Omit<Issue, 'id'>;

/** One check of a finished run. */
export interface ValidityRule {
  readonly id: string;
  /** What is checked, for people: a sentence without a full stop. */
  readonly checks: string | ((subject: Subject) => string);
  /** What was found, nothing when all is as it should be, or why it could not be checked. */
  check(subject: Subject): Answer;
}

/** A sentence stands for what should have been checked and could not. */
export type Answer = readonly RuleFinding[] | string | Inapplicable;

/** The run has nothing that the rule is about. */
export interface Inapplicable {
  readonly inapplicable: string;
}

export function inapplicable(reason: string): Inapplicable {
  return { inapplicable: reason };
}

/** How one rule went. */
export interface RuleOutcome {
  readonly id: string;
  readonly checks: string;
  readonly state: 'passed' | 'found' | 'not checked' | 'does not apply';
  /** Why it was not checked, or does not apply. */
  readonly reason: string | null;
  readonly issues: readonly Issue[];
}

/** The first few of a list. */
export function some(items: readonly string[]): string {
  const unique = [...new Set(items)];
  return unique.slice(0, 3).join(', ') + (unique.length > 3 ? `, and ${unique.length - 3} more` : '');
}

/** `none, write at 2.6:1` */
export function place(arm: string, operation: string, target: number | null): string {
  return `${arm}, ${operation}${target === null ? '' : ` at ${target}:1`}`;
}
