import { counted } from '../../common/format/units';
import { type Issue, titleOf } from '../../schema/issue';
import type { Subject } from '../subject';
import * as clients from './clients';
import * as documented from './documented';
import * as figures from './figures';
import * as phases from './phases';
import * as repeats from './repeats';
import type { RuleOutcome, ValidityRule } from './rule';
import * as service from './service';
import * as targets from './targets';

export type { RuleOutcome } from './rule';

/** Every check of a finished run. To add one is to add it here. */
export const RULES: readonly ValidityRule[] = [
  phases.phaseTooShort,
  documented.dataFitInMemory,
  documented.fasterThanNetwork,
  documented.fasterThanDocumented,
  service.bytesNotCounted,
  service.createsNotCounted,
  service.removesNotCounted,
  service.backgroundLoad,
  clients.busyClient,
  clients.otherWriters,
  clients.readFromCache,
  service.maintenanceWindow,
  service.changingFileSystem,
  figures.compressibilityOffTarget,
  targets.freeSpaceDisagrees,
  clients.missingRanks,
  phases.missingBytes,
  targets.missingTargets,
  targets.targetChanged,
  clients.mixedImages,
  phases.stonewallWearOut,
  clients.stragglers,
  phases.coarseClock,
  figures.spreadHidesDifference,
  repeats.dependentRepeats,
  repeats.burstCredits,
  repeats.throughputDrift,
  clients.mixedToolVersions,
  figures.outlyingRepeats,
];

export const checkRun = (subject: Subject): RuleOutcome[] =>
  RULES.map(({ id, checks: words, check }): RuleOutcome => {
    const checks = typeof words === 'string' ? words : words(subject);
    const answer = check(subject);
    if (answer.state !== 'judged') return { id, checks, ...answer, couldFind: null, issues: [] };
    const { findings, couldFind } = answer;
    const state = findings.length === 0 ? 'passed' : 'found';
    return { id, checks, state, reason: null, couldFind, issues: findings.map((finding) => ({ id, ...finding })) };
  });

/** Issues of plan and run: a rule that judged the run replaces the plan's issue of its id; unchecked rules become one note, inconclusive ones another. */
export function issuesOf(planned: readonly Issue[], outcomes: readonly RuleOutcome[]): Issue[] {
  const looked = new Set(outcomes.filter(({ state }) => state === 'passed' || state === 'found').map(({ id }) => id));
  // The plan's issues already name these rules.
  const unwarned = outcomes.filter((one) => !planned.some(({ id }) => id === one.id));
  return [
    ...planned.filter(({ id }) => !looked.has(id)),
    ...outcomes.flatMap(({ issues }) => issues),
    ...openIssue(unwarned, 'not checked', 'could not be made'),
    ...openIssue(outcomes, 'inconclusive', 'had too little data'),
  ];
}

function openIssue(outcomes: readonly RuleOutcome[], state: 'not checked' | 'inconclusive', words: string): Issue[] {
  const open = outcomes.filter((one) => one.state === state).map(({ id }) => id);
  if (open.length === 0) return [];
  const [id, missing] = state === 'inconclusive' ? ['inconclusive-checks', 'too little'] : ['not-checked', 'none'];
  const message = `${counted(open.length, 'check')} ${words}; “What was checked” says why.`;
  const actual = `${missing} for ${open.map((one) => `“${titleOf(one)}”`).join(', ')}`;
  return [{ id, severity: 'note', message, expected: 'data for every check', actual, where: open.join(', ') }];
}
