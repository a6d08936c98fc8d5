import { listed } from '../../common/format/strings';
import { counted, percent } from '../../common/format/units';
import { metricInRole, storageOf } from '../../storage/lookup';
import type { Subject } from '../subject';
import { type ArmCounts, type BothCounts, bothCountsOf, type Lasting, longestTask, wholeStretch } from './bothCounts';
import { BYTES, CREATES, FILES, REMOVES, type ServiceCounter } from './counters';
import { type Answer, inapplicable, judged, type RuleFinding, some, unchecked, type ValidityRule } from './rule';

/** Allowed difference between the clients' count and the service's: minutes at the edges, retries, metadata. */
const TOLERANCE = 0.05;
/** Excess from which there must have been a foreign load. */
const FOREIGN = 0.1;

/** The counters as the arms' services call them; as in the time before there were kinds where none of them counts. */
function metricsOf(arms: Subject['arms'], counters: readonly ServiceCounter[]): string {
  const counted = arms.flatMap(({ storage }) => (storage?.account.metrics === undefined ? [] : [storage]));
  const storages = counted.length > 0 ? counted : [storageOf({})];
  const names = counters.flatMap(({ role }) => storages.flatMap((storage) => metricInRole(storage, role)?.name ?? []));
  return names.length === 0 ? 'no metric of the service' : listed([...new Set(names)]);
}

/** Findings over all counters of a kind, or why nothing could be compared. */
function compare(
  subject: Subject,
  counters: readonly ServiceCounter[],
  finds: string,
  judge: (counts: BothCounts, counter: ServiceCounter) => RuleFinding | null,
  lasting: Lasting = wholeStretch,
): Answer {
  if (!subject.tasks.some((task) => counters.some(({ counts }) => counts(task))))
    return inapplicable('the run did no such operation');
  const none = subject.elsewhere?.service ?? null;
  if (none !== null) return unchecked(none);
  const answers = counters.flatMap((counter) =>
    bothCountsOf(subject, counter, lasting).map((ofArm) => ({ ofArm, counter })),
  );
  const reasons = answers.flatMap(({ ofArm }) => (typeof ofArm === 'string' ? ofArm : []));
  const silent = [...new Set(reasons)].join('; ');
  if (reasons.length === answers.length) return unchecked(silent);
  const known = answers.flatMap(({ ofArm, counter }) => (typeof ofArm === 'string' ? [] : [{ ...ofArm, counter }]));
  const stretches = known.flatMap((one) => one.stretches);
  const most = Math.max(...stretches.map(({ steps }) => steps.length));
  const metrics = [...new Set(known.map(({ all: { arm, metric } }) => `${metric} of ${arm}`))].join(', ');
  return judged(
    known.flatMap(({ counter, ...ofArm }) => findingOf(ofArm, (counts) => judge(counts, counter)) ?? []),
    `${finds} in any of ${counted(stretches.length, 'stretch', 'stretches')} of ${most === 1 ? 'one phase' : `up to ${counted(most, 'phase')}`}: ${metrics}${silent === '' ? '' : `; not compared: ${silent}`}`,
  );
}

/** One finding for an arm: of the stretches that have it, or of all phases where every stretch has it, or only the sum. */
function findingOf(
  { all, stretches }: ArmCounts,
  judge: (counts: BothCounts) => RuleFinding | null,
): RuleFinding | null {
  const found = stretches.filter((counts) => judge(counts) !== null);
  if (found.length === 0 || found.length === stretches.length) return judge(all);
  const sum = (of: (counts: BothCounts) => number): number => found.reduce((total, counts) => total + of(counts), 0);
  return judge({
    ...all,
    clients: sum(({ clients }) => clients),
    service: sum(({ service }) => service),
    beside: sum(({ beside }) => beside),
    steps: found.flatMap(({ steps }) => steps),
    part: ` in ${found.length} of ${stretches.length} stretches of phases`,
  });
}

const whereOf = (arm: string, part: string, steps: readonly string[]): string =>
  part === '' ? arm : `${arm}: ${some(steps)}`;

/** Discrepancy that a count by the service can reveal. */
const MISSING = `more than ${percent(TOLERANCE)} that the service did not see`;

function missing(
  { arm, metric, clients, service, steps, part }: BothCounts,
  { operation, show, unseen, suggestion }: ServiceCounter,
): RuleFinding | null {
  if (service >= clients * (1 - TOLERANCE)) return null;
  return {
    severity: 'error',
    message: `${arm}: the service counted ${percent(1 - service / clients)} less of ${operation} than the clients${part}; ${unseen}.`,
    expected: `${show(clients)} in ${metric}, as the clients count it, within ${percent(TOLERANCE)}`,
    actual: show(service),
    suggestion,
    where: whereOf(arm, part, steps),
  };
}

/** Bytes that clients say they moved must have passed the service. */
export const bytesNotCounted: ValidityRule = {
  id: 'bytes-not-counted-by-service',
  checks: ({ arms }) => `bytes of the clients stand in ${metricsOf(arms, BYTES)}`,
  check: (subject) => compare(subject, BYTES, MISSING, missing),
};

/** Files that clients say they created must have been created. */
export const createsNotCounted: ValidityRule = {
  id: 'creates-not-counted-by-service',
  checks: ({ arms }) => `files and directories that the clients created stand in ${metricsOf(arms, CREATES)}`,
  check: (subject) => compare(subject, CREATES, MISSING, missing),
};

/** Files that clients say they removed must have been removed. */
export const removesNotCounted: ValidityRule = {
  id: 'removes-not-counted-by-service',
  checks: ({ arms }) => `files and directories that the clients removed stand in ${metricsOf(arms, REMOVES)}`,
  check: (subject) => compare(subject, REMOVES, MISSING, missing),
};

/** Load that the service counted beyond the clients' own is foreign. Directories are not compared: the tools make some for themselves. */
export const foreignLoad: ValidityRule = {
  id: 'foreign-load',
  checks: 'nobody else used the file systems',
  check: (subject) =>
    compare(
      subject,
      [...BYTES, FILES],
      `a load of others above ${percent(FOREIGN)}`,
      ({ arm, metric, clients, beside, service, steps, part }, { operation, show }) =>
        service <= (clients + beside) * (1 + FOREIGN)
          ? null
          : {
              severity: 'error',
              message: `${arm}: the service counted ${percent(service / (clients + beside) - 1)} more of ${operation} than the clients of this run${part}.`,
              expected: `${show(clients + beside)} in ${metric}, at most ${percent(FOREIGN)} more`,
              actual: show(service),
              suggestion: 'find out who else used the file system, and measure again without',
              where: whereOf(arm, part, steps),
            },
      longestTask,
    ),
};
