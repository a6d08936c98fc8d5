import { toMBps } from '../../common/format/units';
import { keyOf } from '../../common/keyOf';
import { armNamed } from '../../schema/plan';
import type { Sample } from '../../schema/sample';
import { countsOf, inside, type Window } from '../../schema/series';
import { metricInRole } from '../../storage/lookup';
import type { RunArm } from '../arm';
import { statistics } from '../figures/statistics';
import { ofArm } from '../ofArm';
import type { MeasuredTask } from '../task';

/** Fewer values do not show a change for certain. */
export const FEWEST_VALUES = 20;

/** Throughput of one operation on an arm over time. */
export interface ThroughputSeries {
  readonly task: MeasuredTask;
  readonly compressibility: number | null;
  /** MB/s, or multiples of the median where repeats on several targets are in one series. */
  readonly unit: 'MB/s' | 'x';
  /** Origin of the values: the service's minutes within one phase, a tool's iterations, or the order of all repeats. */
  readonly source: 'service' | 'iterations' | 'repeats';
  readonly values: readonly number[];
  /** Values of different kinds are compared with their own. @default - all are of one kind */
  readonly kinds?: readonly string[];
  /** When each value began. */
  readonly times: readonly number[];
}

/** Series of each arm: within a phase where it is long enough, and over the repeats, since credits may end between two of them. */
export function throughputSeries(
  arms: readonly RunArm[],
  measured: readonly MeasuredTask[],
  counted: readonly Sample[],
): ThroughputSeries[] {
  const groups = Map.groupBy(
    measured.filter(({ operation }) => operation === 'write' || operation === 'read'),
    ({ arm, name }) => keyOf(arm, name),
  );
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

/** Rates from the service's own count, minute by minute; `null` if there are too few. */
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

/** Repeats of all targets in their order, each as a multiple of the median of its own kind. */
function seriesOverRepeats(tasks: readonly MeasuredTask[]): ThroughputSeries {
  const rates = tasks.flatMap((task) =>
    task.rateMBps !== null && task.rateMBps > 0 ? [{ task, rate: task.rateMBps }] : [],
  );
  const usual = new Map(
    [...Map.groupBy(rates, ({ task }) => task.compressibility)].map(([key, own]) => [
      key,
      statistics(own.map(({ rate }) => rate)).median ?? 1,
    ]),
  );
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
