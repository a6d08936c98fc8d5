import { byReason, listed } from '../../common/format/text';
import { bytes, counted, moment, percent, plain } from '../../common/format/units';
import { countsOf, overlap, type Period, type Window } from '../../schema/metrics';
import { armNamed, isAtServers, type Plan } from '../../schema/plan';
import { changingOf, metricInRole, storageNamed } from '../../storage/lookup';
import { DEFAULT_KIND } from '../../storage/registry';
import type { MetricRole } from '../../storage/storage';
import { workloadOrNone } from '../../workload/lookup';
import { ofArm, type RunArm } from '../arm';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { type Answer, inapplicable, judged, type RuleFinding, some, unchecked, type ValidityRule } from './rule';

interface ServiceCounter {
  readonly operation: string;
  readonly role: MetricRole;
  readonly counts: (task: MeasuredTask) => boolean;
  readonly amount: (task: MeasuredTask) => number | null;
  readonly show: (value: number) => string;
  /** Possible fate of bytes or files that the service did not count, and where to look for them. */
  readonly unseen: string;
  readonly suggestion: string;
}

/** Returns the direction in which a task moves data, if there is only one: a read writes nothing. One that is timed moves a known amount. */
function wayOf({ operation, tool }: MeasuredTask): string | undefined {
  if (operation === 'write' || operation === 'read') return operation;
  const { metric, on, verb } = workloadOrNone(tool)?.operations.find(({ id }) => id === operation) ?? {};
  if (metric !== 'seconds' || on === 'command') return undefined;
  return verb === 'read' ? 'read' : 'write';
}

const moved = (operation: 'write' | 'read', role: MetricRole): ServiceCounter => ({
  operation,
  role,
  counts: (task) => wayOf(task) === operation,
  // A loop that reads may have found some of it in the client's memory.
  amount: (task) => (operation === 'read' && task.operation !== 'read' ? null : task.bytes),
  show: bytes,
  unseen: 'a cache served or kept the rest',
  suggestion: 'check whether caches were dropped, and whether the metrics of the whole run were collected',
});

const done = (operation: string, role: MetricRole, what: string): ServiceCounter => ({
  operation,
  role,
  counts: (task) => task.operation === operation,
  amount: (task) => task.operations,
  show: (value) => `${plain(value)} ${what}`,
  unseen: 'the rest did not happen on this file system',
  suggestion: 'check whether it was mounted on every client, and whether the metrics of the whole run were collected',
});

const BYTES = [moved('write', 'bytes_written'), moved('read', 'bytes_read')];
const FILES = done('file_create', 'file_creates', 'files');
const CREATES = [FILES, done('dir_create', 'dir_creates', 'directories')];
// Changes of a directory always reach a metadata server; a client may answer looks and opens from its cache.
const REMOVES = [done('file_remove', 'file_deletes', 'files'), done('dir_remove', 'dir_deletes', 'directories')];

/** True for a task next to an operation on data that may have moved data as well. */
const mayMove = (task: MeasuredTask, counter: ServiceCounter): boolean =>
  BYTES.includes(counter) && wayOf(task) === undefined;

interface BothCounts {
  readonly arm: string;
  readonly metric: string;
  readonly clients: number;
  readonly service: number;
  /** Amount of tasks left out, of which the service may have counted some in the same periods. */
  readonly beside: number;
  readonly steps: readonly string[];
  /** ` in 1 of 4 groups of phases`; empty if it is about all of them. */
  readonly part: string;
}

/** Both counts of an arm in one operation: a few foreign bytes of one phase are many times less of all. */
interface ArmCounts {
  /** Over the time in which both counts are known. */
  readonly all: BothCounts;
  /** Counts of each stretch of phases that can be separated from the others and is long enough to be judged. */
  readonly stretches: readonly BothCounts[];
}

type Lasting = (tasks: readonly Window[]) => number;

/** Steps whose work the arm's servers do by themselves, past the counts of the service, or so that it counts part of it. */
const atServers = (plan: Plan | null): Set<string> => {
  const steps = (plan?.steps ?? []).filter(({ tasks }) =>
    tasks.some(({ action }) => action.kind === 'workload' && isAtServers(action)),
  );
  return new Set(steps.map(({ id }) => id));
};

/** Periods that a publisher may miss in a row, such as the lab's on a busy machine: what it counts meanwhile is in its next one. */
const MOST_MISSED = 3;

/** Periods with those before them that were not published. */
const withMissed = (periods: readonly Period[], period: number): Period[] =>
  periods.map((one, index) => {
    const before = periods[index - 1]?.to ?? one.from;
    return before < one.from ? { ...one, from: Math.max(before, one.from - MOST_MISSED * period) } : one;
  });

/** Milliseconds of the longest task: only that stands out of the work before and after it, in which somebody else's load would be looked for. */
const longestTask: Lasting = (tasks) => Math.max(...tasks.map(({ from, to }) => to - from));

/** Milliseconds from the first task to the last end. */
const wholeStretch: Lasting = (tasks) =>
  Math.max(...tasks.map(({ to }) => to)) - Math.min(...tasks.map(({ from }) => from));

/** Tasks whose counts overlap: the service may count a task's ends one period late, and a period that two tasks reach counts both. */
function stretchesOf<T extends Window>(tasks: readonly T[], periods: readonly Period[], period: number): T[][] {
  const stretches: T[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const task of [...tasks].sort((a, b) => a.from - b.from)) {
    const start = task.from - period;
    if (start > end && !periods.some((one) => one.from < end && one.to > start)) stretches.push([]);
    stretches.at(-1)?.push(task);
    end = Math.max(end, task.to + period);
  }
  return stretches;
}

/** From the last sample before each interruption to the next session, or without an end. The service counted tasks then that have no sample. */
function unsampled({ sessions, status, tasks }: Subject): Window[] {
  const isUnderWay = status?.endedAt === null;
  return sessions.flatMap(({ startedAt, end }, index) => {
    const next = sessions[index + 1];
    const isWhole = end === undefined ? next === undefined && !isUnderWay : end === 'done' || end === 'failed';
    if (isWhole) return [];
    const to = next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next.startedAt);
    const ends = tasks.flatMap((task) => (task.from < to ? task.to : []));
    return [{ from: Math.max(Date.parse(startedAt), ...ends), to }];
  });
}

/** Why an arm has no count to compare. */
type Uncounted = Parameters<typeof byReason>[0][number];

/** Both counts of every arm, or why there is none of one. @param lasting must be a period at least */
function bothCountsOf(subject: Subject, counter: ServiceCounter, lasting: Lasting): (ArmCounts | Uncounted)[] {
  const { plan, tasks, arms } = subject;
  const interrupted = unsampled(subject);
  const served = atServers(plan);
  const own = tasks.filter((task) => counter.counts(task) && !served.has(task.step));
  return [...Map.groupBy(own, ({ arm }) => arm)].map(([arm, group]) => {
    const others = ofArm(tasks, arm).filter((task) => mayMove(task, counter) || served.has(task.step));
    return countsOfArm(armNamed(arms, arm), counter, group, [...others, ...interrupted], lasting);
  });
}

/**
 * Both counts of an arm, or why they are missing. @param group tasks that the counter counts
 * @param others times in which other work may have been counted: a user's program, work on the servers, an interrupted task
 */
function countsOfArm(
  { name: arm, storage, series }: RunArm,
  { operation, role, amount }: ServiceCounter,
  group: readonly MeasuredTask[],
  others: readonly Window[],
  lasting: Lasting,
): ArmCounts | Uncounted {
  const metric = metricInRole(storage, role)?.name;
  if (metric === undefined) return { of: arm, why: `no metric of the service counts ${operation}` };
  const { periods: published, reason } = countsOf(series, metric);
  if (reason !== null) return { of: arm, why: reason };
  const period = (published[0] as Period).to - (published[0] as Period).from;
  const periods = withMissed(published, period);
  const widened = ({ from, to }: Window): Window => ({ from: from - period, to: to + period });
  // A failed task moved something that only the service has counted: its time is left out, and whatever shares its minutes.
  const unknown = [...group.filter((task) => amount(task) === null), ...others].map(widened);
  const isClean = (window: Window): boolean => !unknown.some((one) => overlap(window, one));
  const known = group.filter(
    // The service may count the ends of a task one period late.
    (task) => amount(task) !== null && [task, ...periods.filter((one) => overlap(one, widened(task)))].every(isClean),
  );
  if (known.length === 0) return { of: `${metric} of ${arm}`, why: 'no task of a known amount to compare with' };
  const long = stretchesOf(known, periods, period).filter((stretch) => lasting(stretch) >= period);
  if (long.length === 0)
    return { of: `${metric} of ${arm}`, why: 'tasks of a known amount are shorter than its period' };
  const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0);
  const countsIn = (own: readonly MeasuredTask[]): BothCounts => {
    const windows = own.map(widened);
    const counted = periods.filter((one) => windows.some((window) => overlap(one, window))).filter(isClean);
    const leftOut = group.filter((task) => !known.includes(task) && counted.some((one) => overlap(one, widened(task))));
    return {
      arm,
      metric,
      clients: sum(own, (task) => amount(task) ?? 0),
      service: sum(counted, ({ value }) => value),
      beside: sum(leftOut, (task) => amount(task) ?? 0),
      steps: [...new Set(own.map(({ step }) => step))],
      part: '',
    };
  };
  return { all: countsIn(known), stretches: long.map(countsIn) };
}

/** Allowed difference between the clients' count and the service's: minutes at the edges, retries, metadata. */
const TOLERANCE = 0.05;
/** Excess from which there must have been background load. */
const FOREIGN = 0.1;

/** Names of the counters in the arms' services, or in that of the default kind if none counts. */
function metricsOf(arms: Subject['arms'], counters: readonly ServiceCounter[]): string {
  const counted = arms.flatMap(({ storage }) => (storage?.monitoring?.metrics === undefined ? [] : [storage]));
  const storages = counted.length > 0 ? counted : [storageNamed(DEFAULT_KIND)];
  const names = counters.flatMap(({ role }) => storages.flatMap((storage) => metricInRole(storage, role)?.name ?? []));
  return names.length === 0 ? 'no metric of the service' : listed([...new Set(names)]);
}

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
  const silent = byReason(answers.flatMap(({ ofArm }) => ('why' in ofArm ? ofArm : [])));
  const known = answers.flatMap(({ ofArm, counter }) => ('why' in ofArm ? [] : { ...ofArm, counter }));
  if (known.length === 0) return unchecked(silent);
  const stretches = known.flatMap((one) => one.stretches);
  const max = Math.max(...stretches.map(({ steps }) => steps.length));
  const arms = [...Map.groupBy(known, ({ all }) => all.metric)];
  const metrics = arms.map(([metric, own]) => `${metric} of ${own.map(({ all }) => all.arm).join(', ')}`).join('; ');
  return judged(
    known.flatMap(({ counter, ...ofArm }) => findingOf(ofArm, (counts) => judge(counts, counter)) ?? []),
    `${finds} in any of ${max === 1 ? counted(stretches.length, 'phase') : `${counted(stretches.length, 'group')} of up to ${max} adjacent phases`}: ${metrics}${silent === '' ? '' : `; not compared: ${silent}`}`,
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
    part: ` in ${found.length} of ${stretches.length} groups of phases`,
  });
}

const whereOf = (arm: string, part: string, steps: readonly string[]): string =>
  part === '' ? arm : `${arm}: ${some(steps)}`;

const MISSING = `a count by the service that is more than ${percent(TOLERANCE)} too low`;

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

export const bytesNotCounted: ValidityRule = {
  id: 'bytes-not-counted-by-service',
  checks: ({ arms }) => `bytes of the clients are counted in ${metricsOf(arms, BYTES)}`,
  check: (subject) => compare(subject, BYTES, MISSING, missing),
};

export const createsNotCounted: ValidityRule = {
  id: 'creates-not-counted-by-service',
  checks: ({ arms }) => `files and directories that the clients created are counted in ${metricsOf(arms, CREATES)}`,
  check: (subject) => compare(subject, CREATES, MISSING, missing),
};

export const removesNotCounted: ValidityRule = {
  id: 'removes-not-counted-by-service',
  checks: ({ arms }) => `files and directories that the clients removed are counted in ${metricsOf(arms, REMOVES)}`,
  check: (subject) => compare(subject, REMOVES, MISSING, missing),
};

/** Load that the service counted beyond the clients' own is foreign. Directories are not compared: the tools make some for themselves. */
export const backgroundLoad: ValidityRule = {
  id: 'background-load',
  checks: 'nobody else used the file systems',
  check: (subject) =>
    compare(
      subject,
      [...BYTES, FILES],
      `background load above ${percent(FOREIGN)}`,
      ({ arm, metric, clients, beside, service, steps, part }, { operation, show }) =>
        service <= (clients + beside) * (1 + FOREIGN)
          ? null
          : {
              severity: 'error',
              message: `${arm}: the service counted ${percent(service / (clients + beside) - 1)} more of ${operation} than the clients of this run${part}.`,
              expected: `${show(clients + beside)} in ${metric}, at most ${percent(FOREIGN)} more`,
              actual: show(service),
              suggestion: 'find out who else used the file system, stop that work, and measure again',
              where: whereOf(arm, part, steps),
            },
      longestTask,
    ),
};

/** A file system that was patched stood still, and answered from empty caches afterwards. */
export const maintenanceWindow: ValidityRule = {
  id: 'maintenance-window',
  checks: 'nothing was measured in a weekly maintenance window',
  check({ arms, elsewhere, measured }) {
    if (elsewhere !== null) return inapplicable(elsewhere.claims);
    const known = arms.flatMap(({ name, configuration, storage }) => {
      const words = configuration && storage?.documented.maintenance?.words(configuration);
      return words == null ? [] : [{ name, configuration, words, maintenance: storage?.documented.maintenance }];
    });
    if (known.length === 0) return inapplicable('no maintenance window is known of any arm');
    const findings = known.flatMap(({ name, configuration, words, maintenance }): RuleFinding | [] => {
      const met = measured.flatMap((task) => {
        const window = task.arm === name && configuration ? (maintenance?.within(configuration, task) ?? null) : null;
        return window === null ? [] : { step: task.step, window };
      });
      const [first] = met;
      if (first === undefined) return [];
      return {
        severity: 'warning',
        message: `${name}: ${met.length} of its measured phases ${met.length === 1 ? 'was' : 'were'} in its weekly maintenance window, during which it may have stalled.`,
        expected: 'phases outside of maintenance',
        actual: `maintenance on ${words}, from ${moment(new Date(first.window.from).toISOString())}`,
        suggestion: `look for a gap in the metrics; repeat these phases, or move the window with ${maintenance?.setting}`,
        where: some(met.map(({ step }) => step)),
      };
    });
    const without = arms.length - known.length;
    return judged(
      findings,
      `a phase in the window of ${known.map(({ name }) => name).join(' or ')}${without === 0 ? '' : `; ${counted(without, 'arm')} more without a known window`}`,
    );
  },
};

/** A service that moves data to new disks takes their throughput from whoever measures meanwhile. */
export const changingFileSystem: ValidityRule = {
  id: 'changing-file-system',
  checks: 'no service was still changing a file system when the run began',
  check({ arms, elsewhere }) {
    const asked = arms.filter(({ storage }) => storage?.documented.maintenance !== undefined);
    if (elsewhere !== null || asked.length === 0) return inapplicable('no service changes these file systems');
    const known = asked.flatMap(({ deployed }) => (deployed?.describe ? [deployed] : []));
    if (known.length === 0) return unchecked('the descriptions of the file systems were not recorded');
    const findings = known.flatMap((arm): RuleFinding | [] => {
      const changing = changingOf(arm);
      if (changing === null) return [];
      return {
        severity: 'warning',
        message: `${arm.name}: its service was still changing it when the run began, which takes throughput from the clients.`,
        expected: 'a file system at rest',
        actual: changing,
        suggestion: 'measure again once the change is complete',
        where: arm.name,
      };
    });
    return judged(findings, `a change in progress on any of ${counted(known.length, 'file system')}`);
  },
};
