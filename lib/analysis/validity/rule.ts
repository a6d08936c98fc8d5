import { keyOf } from '../../common/collections';
import type { Issue } from '../../schema/issue';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';

export type RuleFinding = Omit<Issue, 'id'>;

export interface ValidityRule {
  readonly id: string;
  /** Description of the check for people: a sentence without a full stop. */
  readonly checks: string | ((subject: Subject) => string);
  check(subject: Subject): Answer;
}

/** Verdict of a rule on a run. A rule cannot pass without saying what it would have found. */
export type Answer =
  | {
      readonly state: 'judged';
      readonly findings: readonly RuleFinding[];
      /** Problem that the check could have found in this run, with its figures: completes "would have found …". */
      readonly couldFind: string;
    }
  | {
      /** `inconclusive`: too little data. `not checked`: the needed data were not recorded. `does not apply`: the run has no subject. */
      readonly state: 'inconclusive' | 'not checked' | 'does not apply';
      readonly reason: string;
    };

export const judged = (findings: readonly RuleFinding[] | RuleFinding | false, couldFind: string): Answer => ({
  state: 'judged',
  findings: [findings || []].flat(),
  couldFind,
});
export const inconclusive = (reason: string): Answer => ({ state: 'inconclusive', reason });
export const unchecked = (reason: string): Answer => ({ state: 'not checked', reason });
export const inapplicable = (reason: string): Answer => ({ state: 'does not apply', reason });

export type RuleOutcome = Pick<Issue, 'id'> & { readonly checks: string } & (
    | {
        readonly state: 'passed' | 'found';
        readonly reason: null;
        readonly couldFind: string;
        readonly issues: readonly Issue[];
      }
    | {
        readonly state: 'inconclusive' | 'not checked' | 'does not apply';
        /** Why; for an inconclusive rule, also the data that it needs. */
        readonly reason: string;
        readonly couldFind: null;
        readonly issues: readonly [];
      }
  );

/** A finding for each arm and operation, about the worst of its phases. @param badness higher is worse */
export const perWork = <T extends { readonly task: MeasuredTask }>(
  found: readonly T[],
  badness: (one: T) => number,
  finding: (worst: T, own: readonly T[]) => RuleFinding,
  workOf = ({ task }: T): string => keyOf(task.arm, task.name),
): RuleFinding[] =>
  [...Map.groupBy(found, workOf).values()].map((own) => {
    const worst = own.reduce((a, b) => (badness(a) > badness(b) ? a : b));
    return { ...finding(worst, own), where: some(own.map(({ task }) => task.step)) };
  });
export function some(items: readonly string[]): string {
  const unique = [...new Set(items)];
  return unique.slice(0, 3).join(', ') + (unique.length > 3 ? `, and ${unique.length - 3} more` : '');
}

/** `none, write at 2.6:1` */
export const place = (arm: string, operation: string, target: number | null): string =>
  `${arm}, ${operation}${target === null ? '' : ` at ${target}:1`}`;
