import { counted } from '../../kit/format/units';
import type { Issue } from '../../schema/issue';
import type { Subject } from '../subject';
import { exceedsMemory, withinNetwork } from './cache';
import { withinDocumented } from './documented';
import { compressibility, noDrift, oneLevel, outlying, steadyEnough } from './figures';
import { everybodyThere, sameImage, sameTools } from './fleet';
import { longEnough, wearOut } from './length';
import { outsideMaintenance } from './maintenance';
import type { RuleOutcome, ValidityRule } from './rule';
import { bytesReachService, createsReachService, noForeignLoad, removesReachService } from './service';
import { freeSpaceAgrees } from './space';
import { together } from './stragglers';

export type { RuleOutcome } from './rule';

/** Every check of a finished run. To add one is to add it here. */
export const RULES: readonly ValidityRule[] = [
  longEnough,
  exceedsMemory,
  withinNetwork,
  withinDocumented,
  bytesReachService,
  createsReachService,
  removesReachService,
  noForeignLoad,
  outsideMaintenance,
  compressibility,
  freeSpaceAgrees,
  everybodyThere,
  sameImage,
  wearOut,
  together,
  steadyEnough,
  oneLevel,
  noDrift,
  sameTools,
  outlying,
];

/** How a run does by every rule. */
export function checkRun(subject: Subject, rules: readonly ValidityRule[] = RULES): RuleOutcome[] {
  return rules.map(({ id, checks: words, check }): RuleOutcome => {
    const checks = typeof words === 'string' ? words : words(subject);
    const found = check(subject);
    if (typeof found === 'string') return { id, checks, state: 'not checked', reason: found, issues: [] };
    if ('inapplicable' in found) return { id, checks, state: 'does not apply', reason: found.inapplicable, issues: [] };
    const issues = found.map((finding): Issue => ({ id, ...finding }));
    return { id, checks, state: issues.length === 0 ? 'passed' : 'found', reason: null, issues };
  });
}

/**
 * The plan's issues with what the run itself shows: a rule that looked at the run replaces what the plan feared under the same id, and
 * the rules that could not look are a note.
 */
export function issuesOf(planned: readonly Issue[], outcomes: readonly RuleOutcome[]): Issue[] {
  const looked = new Set(outcomes.filter(({ state }) => state === 'passed' || state === 'found').map(({ id }) => id));
  const unchecked = outcomes.filter(({ state }) => state === 'not checked');
  return [
    ...planned.filter(({ id }) => !looked.has(id)),
    ...outcomes.flatMap(({ issues }) => issues),
    ...uncheckedIssue(unchecked),
  ];
}

function uncheckedIssue(unchecked: readonly RuleOutcome[]): Issue[] {
  if (unchecked.length === 0) return [];
  return [
    {
      id: 'not-checked',
      severity: 'note',
      message: `${counted(unchecked.length, 'check')} could not be made.`,
      expected: unchecked.map(({ checks }) => checks).join('; '),
      actual: [...new Set(unchecked.map(({ reason }) => reason))].join('; '),
      where: unchecked.map(({ id }) => id).join(', '),
    },
  ];
}
