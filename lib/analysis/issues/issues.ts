import { firstThree } from '../../common/format/strings';
import { counted } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import type { Issue } from '../../schema/issue';
import { SETTLED } from '../../schema/plan';
import type { Subject } from '../subject';
import { issuesOf, type RuleOutcome } from '../validity';
import { sessionIssues } from './sessionIssues';
import { valueIssues } from './valueIssues';

/**
 * The plan's issues, then what the run folder itself shows: files that cannot be read, an early end, values that are missing, codes
 * of the parsers. Judgements that need statistics or the service's counters come from the rules of lib/analysis.
 */
export function findIssues(subject: Subject, outcomes: readonly RuleOutcome[]): Issue[] {
  return [
    ...issuesOf(subject.plan?.issues ?? [], outcomes),
    ...readIssues(subject),
    ...endIssues(subject),
    ...sessionIssues(subject),
    ...valueIssues(subject),
    ...stepIssues(subject),
    ...codeIssues(subject),
    ...tuningIssues(subject),
    ...supersededIssue(subject),
  ];
}

/** Files without which numbers can still be right, though less is known about them. */
const HELPFUL = /^(status\.json|metrics\/|environment\/|manifest\.json)/;

const readIssues = ({ problems }: Subject): Issue[] =>
  problems.map(({ file, message }) => ({
    id: 'run-file-unreadable',
    severity: HELPFUL.test(file) || file === 'samples.jsonl' ? 'warning' : 'error',
    message: `${file} ${message}.`,
    expected: 'a complete file',
    actual: message,
    where: file,
  }));

function endIssues({ status, samples, steps }: Subject): Issue[] {
  const issues: Issue[] = [];
  if (samples.length === 0)
    issues.push({
      id: 'no-samples',
      severity: 'error',
      message: 'The run holds no sample: nothing was measured.',
      expected: 'at least one sample',
      actual: status?.message ? `none; the driver said: ${status.message}` : 'none',
      suggestion: 'look into the driver’s log, then resume the run',
    });
  const left = steps.filter(({ state }) => state === 'not reached').length;
  if (status !== null && status.state !== 'done' && status.state !== 'failed')
    issues.push({
      id: 'run-incomplete',
      severity: 'warning',
      message: `The run is ${status.state}: ${counted(left, 'step')} of ${steps.length} ${left === 1 ? 'was' : 'were'} not reached.`,
      expected: 'state done',
      actual: `state ${status.state}, ${status.stepsDone} of ${status.stepsTotal} steps done`,
      suggestion: 'finish it with `npx fsxbench run --resume`, then make the report again',
    });
  return issues;
}

/** Failures of steps that give no rate, those that prepare or read space back: one issue for each reason. */
function stepIssues({ steps }: Subject): Issue[] {
  const failed = steps.filter(({ state, phase }) => state === 'failed' && phase !== 'measure');
  const withoutArm = (reason: string): string => reason.replace(/^[^:]*: /, '');
  const groups = Map.groupBy(failed, ({ reasons }) => withoutArm(reasons[0] ?? 'arm: no reason was recorded'));
  return [...groups].map(([reason, group]) => ({
    id: 'step-failed',
    severity: 'warning',
    message: `${counted(group.length, 'step')} beside the measured phases failed.`,
    expected: 'every step done',
    actual: reason,
    where: firstThree(group.map(({ id }) => id)),
  }));
}

/** Settings of clients that are not in effect as they were wanted: one issue for all clients that say the same. */
function tuningIssues({ environment }: Subject): Issue[] {
  const nodes = environment.map(({ node, facts: { tuning } }) => ({
    node,
    missed: (tuning?.settings ?? []).filter(({ applied }) => !applied),
  }));
  const groups = Map.groupBy(nodes, ({ missed }) =>
    keyOf(...missed.flatMap(({ name, wanted, effective }) => [name, wanted, effective.join(', ')])),
  );
  return [...groups.values()].flatMap((group): Issue[] => {
    const [{ node, missed }] = group as [(typeof nodes)[number]];
    if (missed.length === 0) return [];
    const of = group.length === 1 ? node : `each of ${counted(group.length, 'client')}`;
    return [
      {
        id: 'client-setting-not-in-effect',
        severity: 'warning',
        message: `${counted(missed.length, 'setting')} of ${of} ${missed.length === 1 ? 'is' : 'are'} not in effect as requested.`,
        expected: firstThree(missed.map(({ name, wanted }) => `${name} = ${wanted}`)),
        actual: firstThree(missed.map(({ effective }) => effective.join(', ') || 'nothing')),
        where: firstThree(group.map((one) => one.node)),
      },
    ];
  });
}

/** Cautions that make a figure doubtful, in words; any other caution is a note. */
const DOUBTS: Readonly<Record<string, string>> = {
  caches_not_dropped: 'Caches were not dropped before a read, so it may have been answered from memory',
  buffered_write_no_fsync:
    'A write did not wait until its data had reached the storage, so it may have measured memory',
  removal_still_freeing:
    'A phase began while the file system was still freeing removed data, which takes some of its throughput',
  clients_apart: 'Clients did not work at the same time, so what each of them did alone counts as done together',
  process_stopped: 'A process was stopped during the measurement, so its rate is too low',
  phase_too_short: 'A phase was shorter than requested, so one-minute metrics may not show it',
  size_mismatch: 'A tool moved a different amount of data than it was told to',
};

/** One issue for each code that parsers or the driver put on samples that do have a value. */
function codeIssues({ samples }: Subject): Issue[] {
  const issues = new Map<string, { severity: Issue['severity']; steps: Set<string> }>();
  for (const { problems, cautions, value, step, phase } of samples) {
    if (phase === 'warm-up' || value === null) continue;
    const add = (code: string, severity: Issue['severity']): void => {
      const entry = issues.get(code) ?? { severity, steps: new Set() };
      entry.steps.add(step);
      issues.set(code, entry);
    };
    for (const code of problems) add(code, 'warning');
    for (const code of cautions.filter((each) => each !== SETTLED))
      add(code, Object.hasOwn(DOUBTS, code) ? 'warning' : 'note');
  }
  return [...issues].map(([code, { severity, steps }]) => ({
    id: code,
    severity,
    message: `${Object.hasOwn(DOUBTS, code) ? DOUBTS[code] : `The tools’ output says “${code}”`}, in ${counted(steps.size, 'step')}.`,
    expected: 'output without this code',
    actual: firstThree([...steps]),
  }));
}

function supersededIssue({ superseded: { length: count } }: Subject): Issue[] {
  if (count === 0) return [];
  return [
    {
      id: 'superseded-attempts',
      severity: 'note',
      message: `${counted(count, 'sample')} of earlier attempts ${count === 1 ? 'is' : 'are'} shown but not counted.`,
      expected: 'one attempt a step',
      actual: 'steps were repeated after a failure or an interruption',
    },
  ];
}
