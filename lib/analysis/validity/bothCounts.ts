import { armNamed, isAtServers, type Plan } from '../../schema/plan';
import { countsOf, overlap, type Period, type Window } from '../../schema/series';
import { metricInRole } from '../../storage/lookup';
import type { RunArm } from '../arm';
import { ofArm } from '../ofArm';
import type { Subject } from '../subject';
import type { MeasuredTask } from '../task';
import { mayMove, type ServiceCounter } from './counters';

/** Counts by the clients and by the service for one operation of an arm. */
export interface BothCounts {
  readonly arm: string;
  /** Name of the metric in the service. */
  readonly metric: string;
  readonly clients: number;
  readonly service: number;
  /** Amount of tasks left out, of which the service may have counted some in the same periods. */
  readonly beside: number;
  /** Steps of the phases that it is about. */
  readonly steps: readonly string[];
  /** ` in 1 of 4 stretches of phases`; empty where it is about all of them. */
  readonly part: string;
}

/** Both counts of an arm in one operation: a few foreign bytes of one phase are many times less of all. */
export interface ArmCounts {
  /** Over the time in which both counts are known. */
  readonly all: BothCounts;
  /** Counts of each stretch of phases that can be told from the others and is long enough to be judged. */
  readonly stretches: readonly BothCounts[];
}

/** Returns the milliseconds of tasks over which their counts can be told from those of others. */
export type Lasting = (tasks: readonly Window[]) => number;

/** Steps whose work the arm's servers do by themselves, past the counts of the service, or so that it counts part of it. */
const atServers = (plan: Plan | null): Set<string> =>
  new Set(
    (plan?.steps ?? []).flatMap(({ id, tasks }) =>
      tasks.some(({ action }) => action.kind === 'workload' && isAtServers(action)) ? [id] : [],
    ),
  );

/** Periods that a publisher may miss in a row, such as the lab's on a busy machine: what it counts meanwhile is in its next one. */
const MOST_MISSED = 3;

/** Periods with those before them that were not published. */
const withMissed = (periods: readonly Period[], period: number): Period[] =>
  periods.map((one, index) => {
    const before = periods[index - 1]?.to ?? one.from;
    return before < one.from ? { ...one, from: Math.max(before, one.from - MOST_MISSED * period) } : one;
  });

/** Milliseconds of the longest task: only that stands out of the work before and after it, in which somebody else's load would be looked for. */
export const longestTask: Lasting = (tasks) => Math.max(...tasks.map(({ from, to }) => to - from));

/** Milliseconds from the first task to the last end. */
export const wholeStretch: Lasting = (tasks) =>
  Math.max(...tasks.map(({ to }) => to)) - Math.min(...tasks.map(({ from }) => from));

/** Tasks whose counts run together: what each moved at its ends may stand a period further, and a period that two of them reach has both. */
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

/**
 * From the last sample before each interruption to the next session: the service counted what was under way, of which there is no sample.
 * A run that still works, or was not resumed, has one without an end.
 */
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

/** Both counts of every arm, or why there is none of one. @param lasting must be a period at least */
export function bothCountsOf(subject: Subject, counter: ServiceCounter, lasting: Lasting): (ArmCounts | string)[] {
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
 * Both counts of an arm, or why there are none.
 *
 * @param group tasks that the counter counts
 * @param others time in which some of the same may have been moved: a program of the user's, work on the servers, an interrupted task
 */
function countsOfArm(
  { name: arm, storage, series }: RunArm,
  { operation, role, amount }: ServiceCounter,
  group: readonly MeasuredTask[],
  others: readonly Window[],
  lasting: Lasting,
): ArmCounts | string {
  const metric = metricInRole(storage, role)?.name;
  if (metric === undefined) return `${arm}: its service has no metric that counts ${operation}`;
  const { periods: published, reason } = countsOf(series, metric);
  if (reason !== null) return `${arm}: ${reason}`;
  const period = (published[0] as Period).to - (published[0] as Period).from;
  const periods = withMissed(published, period);
  const widened = ({ from, to }: Window): Window => ({ from: from - period, to: to + period });
  // A failed task moved something that only the service has counted: its time is left out, and whatever shares its minutes.
  const unknown = [...group.filter((task) => amount(task) === null), ...others].map(widened);
  const isClean = (window: Window): boolean => !unknown.some((one) => overlap(window, one));
  const known = group.filter(
    // What it moved at its ends may stand a period further.
    (task) => amount(task) !== null && [task, ...periods.filter((one) => overlap(one, widened(task)))].every(isClean),
  );
  if (known.length === 0) return `${metric} of ${arm}: no task of a known amount to compare with`;
  const long = stretchesOf(known, periods, period).filter((stretch) => lasting(stretch) >= period);
  if (long.length === 0) return `${metric} of ${arm}: tasks of a known amount are shorter than a period of it`;
  const amountOf = (tasks: readonly MeasuredTask[]): number =>
    tasks.reduce((sum, task) => sum + (amount(task) ?? 0), 0);
  const countsIn = (own: readonly MeasuredTask[]): BothCounts => {
    const windows = own.map(widened);
    const counted = periods.filter((one) => windows.some((window) => overlap(one, window))).filter(isClean);
    const leftOut = group.filter((task) => !known.includes(task) && counted.some((one) => overlap(one, widened(task))));
    return {
      arm,
      metric,
      clients: amountOf(own),
      service: counted.reduce((sum, { value }) => sum + value, 0),
      beside: amountOf(leftOut),
      steps: [...new Set(own.map(({ step }) => step))],
      part: '',
    };
  };
  return { all: countsIn(known), stretches: long.map(countsIn) };
}
