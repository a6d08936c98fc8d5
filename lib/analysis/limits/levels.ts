import { chunks, keyOf } from '../../common/collections';
import { counted, toMBps } from '../../common/format/units';
import { type Change, findChanges, firstAgainstLast, type Levels, valuesToFind } from '../../common/statistics';
import { countsOf, inside, type Window } from '../../schema/metrics';
import { armNamed } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import { metricInRole } from '../../storage/lookup';
import { ofArm, type RunArm } from '../arm';
import { statistics } from '../figures/statistics';
import type { MeasuredTask } from '../task';

/** Fewer values do not show a change for certain. */
const FEWEST_VALUES = 20;

interface ThroughputSeries {
  readonly task: MeasuredTask;
  readonly compressibility: number | null;
  /** MB/s, or multiples of the median where repeats on several targets are in one series. */
  readonly unit: 'MB/s' | 'x';
  /** Origin of the values: the service's minutes within one phase, a tool's iterations, or the order of all repeats. */
  readonly source: 'service' | 'iterations' | 'repeats';
  readonly values: readonly number[];
  /** Values of different kinds are compared with their own. @default - all are of one kind */
  readonly kinds?: readonly string[];
  readonly times: readonly number[];
}

/** Series of each arm: within a phase where it is long enough, and over the repeats, since credits may end between two of them. */
function throughputSeries(
  arms: readonly RunArm[],
  measured: readonly MeasuredTask[],
  counted: readonly Sample[],
): ThroughputSeries[] {
  const data = measured.filter(({ operation }) => operation === 'write' || operation === 'read');
  const groups = Map.groupBy(data, ({ arm, name }) => keyOf(arm, name));
  return [...groups.values()].flatMap((tasks) => {
    const byTarget = [...Map.groupBy(tasks, ({ compressibility }) => compressibility).values()];
    const within = byTarget.flatMap((own) => seriesWithin(arms, own, counted) ?? []);
    const isRepeated = byTarget.some((own) => own.length > 1);
    return within.length === 0 || isRepeated ? [...within, seriesOverRepeats(tasks)] : within;
  });
}

function seriesWithin(
  arms: readonly RunArm[],
  tasks: readonly MeasuredTask[],
  counted: readonly Sample[],
): ThroughputSeries | null {
  const first = tasks[0] as MeasuredTask;
  const longest = tasks.reduce((best, task) => (task.to - task.from > best.to - best.from ? task : best), first);
  const found = fromService(armNamed(arms, first.arm), longest) ?? fromIterations(longest, counted);
  return found && { task: first, compressibility: first.compressibility, unit: 'MB/s', ...found };
}

type Found = Pick<ThroughputSeries, 'source' | 'values' | 'times'>;

function fromService({ storage, series }: RunArm, task: MeasuredTask): Found | null {
  const metric = metricInRole(storage, task.operation === 'write' ? 'bytes_written' : 'bytes_read')?.name;
  if (metric === undefined) return null;
  const { periods } = countsOf(series, metric);
  const own = periods.filter((period) => inside(period, [task]));
  if (own.length < FEWEST_VALUES) return null;
  const rate = ({ from, to, value }: Window & { value: number }): number => (value / ((to - from) / 1000)) * 1e-6;
  return { source: 'service', values: own.map(rate), times: own.map(({ from }) => from) };
}

/** Rates of a tool's own repetitions, which follow one another within a step; `null` if there are too few. */
function fromIterations(task: MeasuredTask, counted: readonly Sample[]): Found | null {
  const own = ofArm(counted, task.arm).filter(
    ({ step, operation, iteration }) => step === task.step && operation === task.operation && iteration !== null,
  );
  const values: number[] = [];
  const times: number[] = [];
  let clock = task.from;
  for (const samples of Map.groupBy(own, ({ iteration }) => iteration).values()) {
    const rate = samples.find(({ metric }) => metric === 'throughput');
    const perSecond = rate?.value == null ? null : toMBps(rate.value, rate.unit);
    const seconds = samples.find(({ metric }) => metric === 'total_time')?.value ?? null;
    if (perSecond === null || seconds === null) continue;
    values.push(perSecond);
    times.push(clock);
    clock += seconds * 1000;
  }
  return values.length < FEWEST_VALUES ? null : { source: 'iterations', values, times };
}

/** Repeats of all compressibilities in their order, each as a multiple of the median of its compressibility. */
function seriesOverRepeats(tasks: readonly MeasuredTask[]): ThroughputSeries {
  const rates = tasks.flatMap((task) => (task.rateMBps ? { task, rate: task.rateMBps } : []));
  const byTarget = [...Map.groupBy(rates, ({ task }) => task.compressibility)];
  const usual = new Map(byTarget.map(([target, own]) => [target, statistics(own.map(({ rate }) => rate)).median ?? 1]));
  const ordered = [...rates].sort((a, b) => a.task.from - b.task.from);
  return {
    task: tasks[0] as MeasuredTask,
    compressibility: null,
    unit: 'x',
    source: 'repeats',
    values: ordered.map(({ task, rate }) => rate / (usual.get(task.compressibility) ?? 1)),
    kinds: ordered.map(({ task }) => keyOf(task.compressibility)),
    times: ordered.map(({ task }) => task.from),
  };
}

/** A run that cannot find a fall of this size cannot say that the level was kept. */
export const SMALLEST_FALL = 0.1;
/** Assumed spread of repeats if too few were made to measure it: a few per cent, as in most published runs. */
const USUAL_SPREAD = 0.05;

/** More say nothing more: neighbouring values are averaged. */
const MOST_VALUES = 1440;
/** Changes smaller than this are of no consequence, however certain. */
const SMALLEST_CHANGE = 0.03;

export type Level = ReturnType<typeof levelOf>;

export function levelsOf(...run: Parameters<typeof throughputSeries>): Level[] {
  const all = throughputSeries(...run);
  return all.map((series) => levelOf(series, all.length));
}

function levelOf(series: ThroughputSeries, comparisons: number) {
  const { values, times } = thinned(series);
  const base = {
    arm: series.task.arm,
    operation: series.task.name,
    compressibility: series.compressibility,
    source: series.source,
    unit: series.unit,
    values: series.values.length,
    ...comparedEnds(values, series.kinds ?? [], comparisons),
  };
  if (values.length < FEWEST_VALUES) {
    const reason = `${counted(values.length, 'value')} ${values.length === 1 ? 'is' : 'are'} too few to show a lasting change: ${FEWEST_VALUES} are needed`;
    return { ...base, changes: null, reason, drift: null, burst: null, baseline: null };
  }
  const found = findChanges(values);
  const changes = found.changes.flatMap((change) => changeOf(change, times) ?? []);
  const [first, last] = [found.segments[0], found.segments.at(-1)];
  const fell = changes.length > 0 && first && last && last.mean < first.mean;
  return {
    ...base,
    changes,
    /** A slow change without a step, from its beginning to its end; the largest of several; `null` without one. */
    drift: driftOf(found.segments),
    /** Mean of the first level and of the last one, when there are two. */
    burst: fell ? first.mean : null,
    baseline: fell ? last.mean : null,
  };
}

function comparedEnds(values: readonly number[], kinds: readonly string[], comparisons: number) {
  // A standstill has no logarithm: it counts as a hundredth of the largest value.
  const min = values.reduce((max, value) => Math.max(max, value), 0) / 100;
  const compared = values.map((value, at) => ({ value: Math.max(value, min), kind: kinds[at] ?? '' }));
  const ends = min > 0 ? firstAgainstLast(compared, { comparisons }) : null;
  const kindCount = Math.max(1, new Set(kinds).size);
  return {
    /** The last third of the values compared with the first; `null` if too few values show their spread. */
    ends: ends && {
      relative: ends.relative,
      changed: ends.changed && Math.abs(ends.relative) >= SMALLEST_CHANGE,
      detectable: ends.detectable,
    },
    /** Values needed to find a fall of {@link SMALLEST_FALL}; `null` if more than a thousand would be needed. */
    valuesNeeded: valuesToFind(SMALLEST_FALL, ends?.spread ?? USUAL_SPREAD, kindCount, { comparisons }),
  };
}

function driftOf(segments: Levels['segments']) {
  const drifts = segments.flatMap(({ line }) => {
    if (line === null || line[0] <= 0) return [];
    const [from, to] = line;
    const relative = to / from - 1;
    return Math.abs(relative) < SMALLEST_CHANGE ? [] : [{ from, to, relative }];
  });
  return drifts.sort((a, b) => Math.abs(b.relative) - Math.abs(a.relative))[0] ?? null;
}

function changeOf({ index, interval, before, after, relative, probability }: Change, times: readonly number[]) {
  if (relative === null || Math.abs(relative) < SMALLEST_CHANGE) return null;
  const timeAt = (at: number): number => times[Math.min(at, times.length - 1)] as number;
  const iso = (at: number): string => new Date(timeAt(at)).toISOString();
  return {
    /** When the second level began, and the earliest and the latest moment at which it may have, with 95 % confidence. */
    at: iso(index),
    between: [iso(interval.from), iso(interval.to)] as const,
    /** Hours from the beginning of the first value to the change. */
    hours: (timeAt(index) - timeAt(0)) / 3_600_000,
    before,
    after,
    relative,
    probability,
  };
}

/** Means of neighbouring values if there are more than {@link MOST_VALUES}. */
function thinned({ values, times }: Pick<ThroughputSeries, 'values' | 'times'>): { values: number[]; times: number[] } {
  const size = Math.ceil(values.length / MOST_VALUES);
  if (size < 2) return { values: [...values], times: [...times] };
  const mean = (part: readonly number[]): number => part.reduce((sum, value) => sum + value, 0) / part.length;
  return { values: chunks(values, size).map(mean), times: times.filter((_, index) => index % size === 0) };
}
