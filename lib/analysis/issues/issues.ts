import { entryOf, keyOf, ownValue } from '../../common/collections';
import { firstThree } from '../../common/format/text';
import { counted, duration, moment, plain, toMBps } from '../../common/format/units';
import type { Issue } from '../../schema/issue';
import { SETTLED } from '../../schema/plan';
import { type Session, timesOf } from '../../store/readRun';
import { betterOf } from '../../workload/lookup';
import type { Cell } from '../figures/cells';
import { isSameWork, mainRates } from '../figures/operationKind';
import type { Subject } from '../subject';
import { issuesOf, type RuleOutcome } from '../validity';

function unitIssues({ cells }: Subject): Issue[] {
  return cells.flatMap((cell): Issue | [] => {
    if (cell.metric !== 'throughput' || toMBps(1, cell.unit) !== null) return [];
    return {
      id: 'unknown-unit',
      severity: 'error',
      message: `${cell.arm}, ${cell.operation}${ofTarget(cell.compressibility)}: throughput in ${cell.unit}, which cannot be compared with anything.`,
      expected: 'MB/s, MiB/s or another unit of bytes per second',
      actual: cell.unit,
      suggestion: 'compare figures of a tool that prints bytes per second',
      where: cell.arm,
    };
  });
}

function rateValueIssues({ cells }: Subject): Issue[] {
  return mainRates(cells).flatMap((cell): Issue[] => {
    const without = cell.samples.filter(({ value }) => value === null);
    const wrong = rateIssues(cell);
    if (without.length === 0) return wrong;
    const none = cell.count === 0;
    const others = cells.filter((one) => one.metric === cell.metric && isSameWork(one, { ...cell, arm: one.arm }));
    // An arm that is lost takes nothing from a comparison of the others.
    const lost = none && others.filter(({ count }) => count > 0).length >= 2;
    const missing: Issue = {
      id: none ? 'no-value' : 'missing-values',
      severity: none && !lost ? 'error' : 'warning',
      message: `${cell.arm}, ${cell.operation}${ofTarget(cell.compressibility)}: ${none ? 'no value at all' : `${without.length} of ${cell.samples.length} values ${without.length === 1 ? 'is' : 'are'} missing`}.`,
      expected: counted(cell.samples.length, 'value'),
      actual: `${cell.count}; ${[...new Set(without.map(({ reason }) => reason))].join('; ')}`,
      suggestion: 'remove the cause named here, then repeat the steps with `npx fsxbench run --resume`',
      where: cell.arm,
    };
    return [...wrong, missing];
  });
}

/** A value below zero is a fault of what measured or of the file; nothing moved in a whole phase is hardly a rate. */
function rateIssues({ arm, operation, kind, compressibility, metric, unit, samples }: Cell): Issue[] {
  const timed = betterOf(kind.id, metric) === 'lower';
  const values = samples.flatMap(({ repeat, value }) => (value === null ? [] : [{ repeat, value }]));
  const of = (id: string, severity: Issue['severity'], words: string, found: typeof values): Issue | [] =>
    found.length === 0
      ? []
      : {
          id,
          severity,
          where: arm,
          message: `${arm}, ${operation}${ofTarget(compressibility)}: ${counted(found.length, 'value')} ${words}.`,
          expected: `${timed ? 'times' : 'rates'} above 0 ${unit}`,
          actual: firstThree(found.map(({ repeat, value }) => `${plain(value)} in repeat ${repeat}`)),
          suggestion: 'look into the raw output of these repeats',
        };
  const below = values.filter(({ value }) => value < 0);
  const still = values.filter(({ value }) => value === 0);
  const one = { below: below.length === 1 ? 'is' : 'are', still: still.length === 1 ? 'says' : 'say' };
  return [
    of('negative-rate', 'error', `${one.below} below zero`, below),
    of('nothing-moved', 'warning', `${one.still} that ${timed ? 'it took no time' : 'nothing moved'}`, still),
  ].flat();
}

/** Measured steps that were done, by plan and status, and left nothing in samples.jsonl: a file that lost lines says so nowhere else. */
function absentIssues({ plan, samples, steps }: Subject): Issue[] {
  if (samples.length === 0) return [];
  const sampled = new Set(samples.map(({ step, arm }) => keyOf(step, arm)));
  const reached = new Set(steps.filter(({ state }) => state !== 'not reached').map(({ id }) => id));
  const wanted = (plan?.steps ?? [])
    .filter(({ id, phase }) => phase === 'measure' && reached.has(id))
    .flatMap(({ id, compressibility, tasks }) =>
      tasks.flatMap(({ arm, action }) =>
        action.kind === 'workload' ? { id, compressibility, arm, operation: action.operation } : [],
      ),
    );
  const groups = Map.groupBy(wanted, ({ arm, operation, compressibility }) => keyOf(arm, operation, compressibility));
  return [...groups.values()].flatMap((group): Issue | [] => {
    const absent = group.filter(({ id, arm }) => !sampled.has(keyOf(id, arm)));
    const [first] = absent;
    if (first === undefined) return [];
    const all = absent.length === group.length;
    return {
      id: 'missing-samples',
      severity: all ? 'error' : 'warning',
      message: `${first.arm}, ${first.operation}${ofTarget(first.compressibility)}: no sample of ${all ? 'any measured step' : `${absent.length} of ${group.length} measured steps`} that the run did.`,
      expected: `samples of ${counted(group.length, 'step')}`,
      actual: `none of ${firstThree(absent.map(({ id }) => id))}`,
      suggestion: 'restore samples.jsonl from the results bucket, or repeat the steps with `npx fsxbench run --resume`',
      where: first.arm,
    };
  });
}

/** Two values for one measurement: nobody knows which is right, and what is made of both is neither. */
function contradictions({ samples }: Subject): Issue[] {
  const measured = samples.filter(({ phase, source }) => phase === 'measure' && source === 'client');
  const groups = Map.groupBy(measured, ({ step, arm, attempt, operation, metric, iteration, fileBytes = null }) =>
    keyOf(step, arm, attempt, operation, metric, iteration, fileBytes),
  );
  const twice = [...groups.values()].filter(({ length }) => length > 1);
  const [first] = twice;
  if (first === undefined) return [];
  return [
    {
      id: 'contradicting-samples',
      severity: 'error',
      message: `samples.jsonl has ${counted(twice.length, 'measurement')} more than once, with different samples.`,
      expected: 'one sample of each metric in an attempt of a step',
      actual: `${first.length} of ${first[0]?.metric} in ${first[0]?.step} on ${first[0]?.arm}`,
      suggestion: 'restore samples.jsonl from the results bucket',
      where: firstThree([...new Set(twice.flatMap(([one]) => one?.step ?? []))]),
    },
  ];
}

const ofTarget = (compressibility: number | null): string =>
  compressibility === null ? '' : ` at ${compressibility}:1`;

const unknownOr = (seconds: number | null): string => (seconds === null ? 'an unknown time' : duration(seconds));

/** Warns that measurements before and after an interruption may not be comparable, and that the deployment cost money meanwhile. */
function interruptionIssue(sessions: readonly Session[]): Issue[] {
  const { worked, between } = timesOf(sessions);
  if (sessions.length < 2) return [];
  const spans = sessions.map(
    ({ startedAt, endedAt, end }) =>
      `${moment(startedAt)} to ${moment(endedAt)}${end === undefined ? '' : ` (${end})`}`,
  );
  return [
    {
      id: 'run-resumed',
      severity: 'note',
      message: `The run was interrupted and resumed: ${sessions.length} sessions${worked === null ? '' : ` of ${duration(worked)} in all`}, with ${unknownOr(between)} between them.`,
      expected: 'one session',
      actual: spans.join('; '),
      suggestion: 'look for a difference between the sessions before you compare their figures',
    },
  ];
}

/** Reports what disturbed the driver. Metrics are looked up by time of day, so those of a task during which the clock was set may be another's. */
function disturbanceIssues(sessions: readonly Session[]): Issue[] {
  const events = sessions.flatMap((session) => session.events ?? []);
  return [...Map.groupBy(events, ({ kind }) => kind)].flatMap(([kind, all]): Issue[] => {
    const disturbance = ownValue(DISTURBANCES, kind) ?? OTHER_DISTURBANCE;
    const actual = firstThree(all.map((event) => `${moment(event.at)}: ${event.message}`));
    return [{ id: `run-disturbed-${kind}`, ...disturbance, actual }];
  });
}

type Disturbance = Pick<Issue, 'message' | 'expected' | 'severity' | 'suggestion'>;

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  stopped: {
    severity: 'note',
    message: 'The driver was stalled during the run.',
    expected: 'a driver that is never stalled',
    suggestion: 'keep the computer of the driver awake and free of other work, and repeat the phases of that time',
  },
  clock: {
    severity: 'warning',
    message:
      'The clock was set during the run: durations are right, but metrics that were queried by time of day may belong to another time.',
    expected: 'a clock that is not set during a run',
    suggestion: 'synchronise the clock before a run, and repeat the phases of that time',
  },
  leftovers: {
    severity: 'note',
    message: 'Processes of a killed driver were still running; they were ended before anything was measured.',
    expected: 'none',
    suggestion: 'end a run with Ctrl-C instead of kill -9, which leaves its processes running',
  },
  'other-run': {
    severity: 'warning',
    message: 'Another run worked on the same clients, so each may have slowed the other down.',
    expected: 'one run at a time',
    suggestion: 'wait until the other has ended, and run this again',
  },
  'other-data': {
    severity: 'note',
    message: 'Data of another run were on a file system under test: they take space, and somebody may have used them.',
    expected: 'no data but those of this run',
    suggestion: 'resume those runs with run --resume, or remove their directories',
  },
};
const OTHER_DISTURBANCE: Disturbance = { severity: 'note', message: 'The run was disturbed.', expected: 'none' };

/** Issues by severity: the plan's, those of the checks, then those of the run folder (files, an early end, missing values, codes). */
export function findIssues(subject: Subject, outcomes: readonly RuleOutcome[]): Issue[] {
  const issues = [
    ...issuesOf(subject.plan?.issues ?? [], outcomes),
    ...readIssues(subject),
    ...endIssues(subject),
    ...interruptionIssue(subject.sessions),
    ...disturbanceIssues(subject.sessions),
    ...unitIssues(subject),
    ...rateValueIssues(subject),
    ...absentIssues(subject),
    ...contradictions(subject),
    ...stepIssues(subject),
    ...codeIssues(subject),
    ...tuningIssues(subject),
    ...supersededIssue(subject),
  ];
  return (['error', 'warning', 'note'] as const).flatMap((severity) =>
    issues.filter((issue) => issue.severity === severity),
  );
}

/** Files without which numbers can still be right, though less is known about them. */
const HELPFUL = /^(status\.json|metrics\/|environment\/|manifest\.json)/;

const readIssues = ({ problems }: Subject): Issue[] =>
  problems.map(({ file, message }) => ({
    id: 'run-file-unreadable',
    severity: HELPFUL.test(file) || file === 'samples.jsonl' ? 'warning' : 'error',
    message: `${file} ${message}.`,
    expected: 'a complete file',
    actual: message.replace(/^is /, ''),
    suggestion: 'restore the file from the results bucket, then make the report again',
    where: file,
  }));

function endIssues({ status, samples, steps }: Subject): Issue[] {
  const issues: Issue[] = [];
  if (samples.length === 0)
    issues.push({
      id: 'no-samples',
      severity: 'error',
      message: 'The run has no sample: nothing was measured.',
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
    message: `${counted(group.length, 'step')} outside the measured phases failed.`,
    expected: 'every step done',
    actual: reason,
    suggestion: 'remove this cause, then repeat the steps with `npx fsxbench run --resume`',
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
  return [...groups.values()].flatMap((group): Issue | [] => {
    const [{ node, missed }] = group as [(typeof nodes)[number]];
    if (missed.length === 0) return [];
    const of = group.length === 1 ? node : `each of ${counted(group.length, 'client')}`;
    return {
      id: 'client-setting-not-in-effect',
      severity: 'warning',
      message: `${counted(missed.length, 'setting')} of ${of} ${missed.length === 1 ? 'is' : 'are'} not in effect as requested.`,
      expected: firstThree(missed.map(({ name, wanted }) => `${name} = ${wanted}`)),
      actual: firstThree(missed.map(({ effective }) => effective.join(', ') || 'nothing')),
      suggestion: 'look for the reason in the boot log of these clients, and repeat the run once it is in effect',
      where: firstThree(group.map((one) => one.node)),
    };
  });
}

/** Cautions that make a figure doubtful, in words, and what to do; any other caution is a note. */
const DOUBTS: Readonly<Record<string, readonly [message: string, suggestion: string]>> = {
  caches_not_dropped: [
    'Caches were not dropped before a read, so it may have been answered from memory',
    'drop the caches before each read, or read more data than fit in memory',
  ],
  buffered_write_no_fsync: [
    'A write did not wait until its data had reached the storage, so it may have measured memory',
    'end each write with fsync',
  ],
  removal_still_freeing: [
    'A phase began while the file system was still freeing removed data, which takes some of its throughput',
    'repeat these steps',
  ],
  clients_apart: [
    'Clients did not work at the same time, so the sum of their rates may be too high',
    'look for a client that starts late, and repeat these steps',
  ],
  process_stopped: ['A process was stopped during the measurement, so its rate is too low', 'repeat these steps'],
  phase_too_short: ['A phase was shorter than requested, so one-minute metrics may not show it', 'use more files'],
  size_mismatch: [
    'A tool moved a different amount of data than requested',
    'compare the command with the raw output of these steps',
  ],
};

/** One issue for each code that parsers or the driver put on samples that do have a value. */
function codeIssues({ samples }: Subject): Issue[] {
  const issues = new Map<string, { severity: Issue['severity']; steps: Set<string> }>();
  for (const { problems, cautions, value, step, phase } of samples) {
    if (phase === 'warm-up' || value === null) continue;
    const add = (code: string, severity: Issue['severity']): void => {
      entryOf(issues, code, () => ({ severity, steps: new Set() })).steps.add(step);
    };
    for (const code of problems) add(code, 'warning');
    for (const code of cautions.filter((each) => each !== SETTLED))
      add(code, Object.hasOwn(DOUBTS, code) ? 'warning' : 'note');
  }
  return [...issues].map(([code, { severity, steps }]) => {
    const other = [`The tools’ output has the code “${code}”`, 'look into the raw output of these steps'] as const;
    const [message, suggestion] = ownValue(DOUBTS, code) ?? other;
    return {
      id: code,
      severity,
      message: `${message}, in ${counted(steps.size, 'step')}.`,
      expected: 'output without this code',
      actual: firstThree([...steps]),
      suggestion,
    };
  });
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
      suggestion: 'check that the reasons of the earlier attempts no longer apply',
    },
  ];
}
