import { toMBps } from '../kit/format/units';
import { groupBy, keyOf } from '../kit/groupBy';
import { type Change, findChanges, type Levels } from '../kit/statistics';
import { countsOf, inside, type Window } from '../observe/service';
import type { Sample } from '../schema/sample';
import { metricInRole } from '../storage/lookup';
import type { RunRecord } from '../store/record';
import type { AnalysedArm } from './arm';
import { statistics } from './figures/statistics';
import type { MeasuredTask } from './task';

/** A lasting change of an arm's throughput. */
export interface LevelChange {
  /** When the second level began; `null` where only the order of the values is known. */
  readonly at: string | null;
  /** The earliest and the latest moment at which it may have begun, with 95 % confidence. */
  readonly between: readonly [string, string] | null;
  /** Hours from the beginning of the first value to the change. */
  readonly hours: number | null;
  /** MB/s, or multiples of the median where values of several kinds were looked at together. */
  readonly before: number;
  readonly after: number;
  /** after ÷ before − 1 */
  readonly relative: number;
  readonly probability: number;
}

/** Whether an operation of an arm kept its level. */
export interface Level {
  readonly arm: string;
  readonly operation: string;
  readonly target: number | null;
  /** Where the values come from: the service's minutes within one phase, a tool's iterations, or the order of all repeats. */
  readonly source: 'service' | 'iterations' | 'repeats';
  readonly unit: 'MB/s' | 'x';
  readonly values: number;
  /** Empty where the level was kept. `null` with a reason where too few values tell. */
  readonly changes: readonly LevelChange[] | null;
  readonly reason?: string;
  /** A slow change without a step, from its beginning to its end; the largest, where there are several. `null` where there is none. */
  readonly drift: { readonly from: number; readonly to: number; readonly relative: number } | null;
  /** Mean of the first level and of the last one, when there are two. */
  readonly burst: number | null;
  readonly baseline: number | null;
}

/** Fewer values do not show a change for certain. */
const FEWEST = 20;
/** More say nothing more: values next to each other are put together. */
const MOST = 1440;
/** Changes smaller than this are of no consequence, however certain. */
const SMALLEST = 0.03;

/** Levels of each arm: within a phase where it is long enough, else over the repeats. */
export function levelsOf(
  record: RunRecord,
  arms: readonly AnalysedArm[],
  measured: readonly MeasuredTask[],
  counted: readonly Sample[],
): Level[] {
  const groups = groupBy(
    measured.filter(({ operation }) => operation === 'write' || operation === 'read'),
    ({ arm, name }) => keyOf(arm, name),
  );
  return [...groups.values()].flatMap((tasks) => {
    const within = groupBy(tasks, ({ target }) => keyOf(target));
    const long = [...within.values()].flatMap((own) => levelWithin(record, arms, own, counted) ?? []);
    return long.length > 0 ? long : [levelOverRepeats(tasks)];
  });
}

interface Series {
  readonly source: Level['source'];
  readonly values: readonly number[];
  /** When each value began; `null` where that is not known. */
  readonly times: readonly number[] | null;
}

function levelWithin(
  record: RunRecord,
  arms: readonly AnalysedArm[],
  tasks: readonly MeasuredTask[],
  counted: readonly Sample[],
): Level | null {
  const first = tasks[0] as MeasuredTask;
  const longest = tasks.reduce((best, task) => (task.to - task.from > best.to - best.from ? task : best), first);
  const series = fromService(record, arms, longest) ?? fromIterations(longest, counted);
  return series === null ? null : levelOf(first, first.target, 'MB/s', series);
}

/** The service's own count, minute by minute. */
function fromService(record: RunRecord, arms: readonly AnalysedArm[], task: MeasuredTask): Series | null {
  const { storage = null } = arms.find(({ name }) => name === task.arm) ?? {};
  const metric = metricInRole(storage, task.operation === 'write' ? 'bytes_written' : 'bytes_read')?.name;
  if (metric === undefined) return null;
  const { periods } = countsOf(
    record.metrics.flatMap(({ series }) => series),
    task.arm,
    metric,
  );
  const own = periods.filter((period) => inside(period, [task]));
  if (own.length < FEWEST) return null;
  const rate = ({ from, to, value }: Window & { value: number }): number => (value / ((to - from) / 1000)) * 1e-6;
  return { source: 'service', values: own.map(rate), times: own.map(({ from }) => from) };
}

/** A tool that repeats itself within one step says how long each repetition took: they follow each other. */
function fromIterations(task: MeasuredTask, counted: readonly Sample[]): Series | null {
  const own = counted.filter(
    ({ arm, step, operation, iteration }) =>
      arm === task.arm && step === task.step && operation === task.operation && iteration !== null,
  );
  const values: number[] = [];
  const times: number[] = [];
  let clock = task.from;
  for (const samples of groupBy(own, ({ iteration }) => keyOf(iteration)).values()) {
    const rate = samples.find(({ metric }) => metric === 'throughput');
    const perSecond = rate?.value == null ? null : toMBps(rate.value, rate.unit);
    const seconds = samples.find(({ metric }) => metric === 'total_time')?.value ?? null;
    if (perSecond === null || seconds === null) continue;
    values.push(perSecond);
    times.push(clock);
    clock += seconds * 1000;
  }
  return values.length < FEWEST ? null : { source: 'iterations', values, times };
}

/** Repeats of all targets in their order, each as a multiple of the median of its own kind. */
function levelOverRepeats(tasks: readonly MeasuredTask[]): Level {
  const rates = tasks.flatMap((task) =>
    task.rateMBps !== null && task.rateMBps > 0 ? [{ task, rate: task.rateMBps }] : [],
  );
  const usual = new Map(
    [...groupBy(rates, ({ task }) => keyOf(task.target))].map(([key, own]) => [
      key,
      statistics(own.map(({ rate }) => rate)).median ?? 1,
    ]),
  );
  const ordered = [...rates].sort((a, b) => a.task.from - b.task.from);
  const values = ordered.map(({ task, rate }) => rate / (usual.get(keyOf(task.target)) ?? 1));
  const times = ordered.map(({ task }) => task.from);
  return levelOf(tasks[0] as MeasuredTask, null, 'x', { source: 'repeats', values, times });
}

function levelOf(
  { arm, name: operation }: MeasuredTask,
  target: number | null,
  unit: Level['unit'],
  series: Series,
): Level {
  const { values, times } = thinned(series);
  const base = { arm, operation, target, source: series.source, unit, values: series.values.length };
  if (values.length < FEWEST) {
    const reason = `${values.length} values are too few to tell a lasting change, ${FEWEST} are needed`;
    return { ...base, changes: null, reason, drift: null, burst: null, baseline: null };
  }
  const { changes, segments } = findChanges(values);
  const found = changes.flatMap((change) => changeOf(change, times) ?? []);
  const [first, last] = [segments[0], segments.at(-1)];
  const fell = found.length > 0 && first && last && last.mean < first.mean;
  return {
    ...base,
    changes: found,
    drift: driftOf(segments),
    burst: fell ? first.mean : null,
    baseline: fell ? last.mean : null,
  };
}

/** The largest drift within a level, where it is of consequence. */
function driftOf(segments: Levels['segments']): Level['drift'] {
  const drifts = segments.flatMap(({ line }) => {
    if (line === null || line[0] <= 0) return [];
    const [from, to] = line;
    const relative = to / from - 1;
    return Math.abs(relative) < SMALLEST ? [] : [{ from, to, relative }];
  });
  return drifts.sort((a, b) => Math.abs(b.relative) - Math.abs(a.relative))[0] ?? null;
}

function changeOf({ index, interval, before, after, relative, probability }: Change, times: readonly number[] | null) {
  if (relative === null || Math.abs(relative) < SMALLEST) return null;
  const iso = (at: number): string | null => {
    const time = times?.[Math.min(at, times.length - 1)];
    return time === undefined ? null : new Date(time).toISOString();
  };
  const [at, from, to] = [iso(index), iso(interval.from), iso(interval.to)];
  const start = times?.[0];
  const hours = at === null || start === undefined ? null : (Date.parse(at) - start) / 3_600_000;
  return {
    at,
    between: from === null || to === null ? null : ([from, to] as const),
    hours,
    before,
    after,
    relative,
    probability,
  };
}

function thinned({ values, times }: Series): { values: number[]; times: number[] | null } {
  const size = Math.ceil(values.length / MOST);
  if (size < 2) return { values: [...values], times: times && [...times] };
  const starts = Array.from({ length: Math.ceil(values.length / size) }, (_, index) => index * size);
  const mean = (part: readonly number[]): number => part.reduce((sum, value) => sum + value, 0) / part.length;
  return {
    values: starts.map((at) => mean(values.slice(at, at + size))),
    times: times && starts.map((at) => times[at] as number),
  };
}
