import { keyOf } from '../common/collections';
import type { Plan } from '../schema/plan';
import type { Sample } from '../schema/sample';
import { workloadOrNone } from '../workload/lookup';
import { statistics } from './figures/statistics';
import type { MeasuredTask } from './task';

/** When the first and the last of those who worked together were done, in one iteration of a phase. */
export interface StragglerReading {
  readonly step: string;
  readonly repeat: number;
  readonly iteration: number | null;
  /** Seconds from the start of the tool's clock; `null` if the tool reports only the last. */
  readonly firstSeconds: number | null;
  readonly lastSeconds: number | null;
  /** Bytes moved by the slowest and by the fastest at the time limit; `null` if the tool does not report them. */
  readonly leastBytes: number | null;
  readonly mostBytes: number | null;
}

const METRICS = {
  first_done: 'firstSeconds',
  last_done: 'lastSeconds',
  least_bytes: 'leastBytes',
  most_bytes: 'mostBytes',
} as const;
type Metric = keyof typeof METRICS;

const isMetric = (metric: string): metric is Metric => Object.hasOwn(METRICS, metric);

/** Time between the first and the last process to finish on an arm. The aggregate rate is over the time of the last. */
export type Stragglers = ReturnType<typeof stragglersOf>[number];

export function stragglersOf(plan: Plan | null, measured: readonly MeasuredTask[], counted: readonly Sample[]) {
  const marks = counted.filter(({ phase, metric, value }) => phase === 'measure' && value !== null && isMetric(metric));
  const byTask = Map.groupBy(marks, ({ step, arm, operation }) => keyOf(step, arm, operation));
  const groups = Map.groupBy(
    measured.filter(({ failed }) => !failed),
    ({ arm, name, compressibility }) => keyOf(arm, name, compressibility),
  );
  return [...groups.values()].map((tasks) => {
    const { arm, name, operation, compressibility, fileBytes, tool } = tasks[0] as MeasuredTask;
    const readings = tasks.flatMap((task) => readingsOf(byTask.get(keyOf(task.step, arm, operation)) ?? []));
    const waits = readings.flatMap(({ firstSeconds: first, lastSeconds: last }) =>
      first === null || last === null ? [] : last - first,
    );
    const { median, max } = statistics(waits);
    const ratios = readings.flatMap(({ firstSeconds: first, lastSeconds: last }) =>
      first === null || last === null || first <= 0 ? [] : last / first,
    );
    const amounts = readings.flatMap(({ leastBytes: min, mostBytes: largest }) =>
      min === null || largest === null || min <= 0 ? [] : largest / min,
    );
    const isOfClients = workloadOrNone(tool)?.launch.by === 'each-client';
    return {
      arm,
      operation,
      compressibility,
      fileBytes,
      /** Operation with its file size and its number of threads or nodes: `write on 2 nodes`. */
      work: name,
      /** Unit of comparison: each process, or each client as a whole; `null` without a reading. */
      of: readings.length === 0 ? null : isOfClients ? ('clients' as const) : ('processes' as const),
      readings,
      /** Last − first, seconds: what the first waited for the last. */
      waited: { median, max },
      /** Last ÷ first in the worst reading; 1 is all at once. */
      ratio: statistics(ratios).max,
      /** Fastest ÷ slowest amount at the time limit in the worst reading. */
      bytesRatio: statistics(amounts).max,
      reason: readings.length === 0 ? reasonOf(plan, tasks) : null,
    };
  });
}

const readingsOf = (samples: readonly Sample[]): StragglerReading[] =>
  [...Map.groupBy(samples, ({ iteration }) => iteration).values()].map((group) => {
    const { step, repeat, iteration } = group[0] as Sample;
    const none = { firstSeconds: null, lastSeconds: null, leastBytes: null, mostBytes: null };
    const known = Object.fromEntries(group.map(({ metric, value }) => [METRICS[metric as Metric], value]));
    return { step, repeat, iteration, ...none, ...known };
  });

/** Returns why there is no reading: a gap in the tool's output, or nothing was measured. */
function reasonOf(plan: Plan | null, [task]: readonly MeasuredTask[]): string {
  if (task === undefined) return 'nothing was measured';
  const { tool, clients, step } = task;
  const action = plan?.steps.find(({ id }) => id === step)?.tasks.find(({ arm }) => arm === task.arm)?.action;
  const command = action?.kind === 'workload' ? action.command : [];
  const silence = workloadOrNone(tool)?.stragglers?.({ command, clients });
  return silence ?? 'the tool’s output has no time at which the first process finished';
}
