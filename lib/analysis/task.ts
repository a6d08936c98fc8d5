import { keyOf } from '../common/collections';
import { toMBps } from '../common/format/units';
import { meanOf } from '../common/statistics';
import type { Sample } from '../schema/sample';
import { kindOf, operationLabel } from './figures/operationKind';
import type { Run } from './run';

/** One attempt of moving data, or of one operation on files, on one arm: what the clients say of it. */
export type MeasuredTask = ReturnType<typeof tasksOf>[number];

/** Every attempt, including superseded ones and warm-up, because the service counted them all. */
export function tasksOf(samples: readonly Sample[], counted: readonly Sample[]) {
  const counts = new Set(counted);
  const times = new Map(
    samples.flatMap((sample) =>
      sample.load || sample.targets ? [[keyOf(sample.step, sample.arm, sample.attempt), sample] as const] : [],
    ),
  );
  const work = samples.filter(({ source }) => source === 'client');
  const groups = Map.groupBy(work, ({ arm, step, attempt, operation }) => keyOf(arm, step, attempt, operation));
  return [...groups.values()].map((group) => {
    const first = group[0] as Sample;
    const time = times.get(keyOf(first.step, first.arm, first.attempt));
    const kind = kindOf(first);
    const failed = group.some(({ value }) => value === null);
    const iterations = [...Map.groupBy(group, ({ iteration }) => iteration).values()];
    const sum = (of: (iteration: readonly Sample[]) => number | null): number | null => {
      if (failed) return null;
      const parts = iterations.map(of);
      return parts.some((part) => part === null) ? null : parts.reduce<number>((total, part) => total + (part ?? 0), 0);
    };
    const bytes = sum(bytesOf);
    const seconds = sum((iteration) => figureOf(iteration, 'total_time') ?? figureOf(iteration, 'seconds'));
    return {
      arm: first.arm,
      step: first.step,
      operation: first.operation,
      /** The operation with its axes, as in tables and charts. */
      name: operationLabel(kind),
      kind,
      phase: first.phase,
      repeat: first.repeat,
      compressibility: first.compressibility,
      fileBytes: first.fileBytes ?? null,
      /** Processes of each client if the plan varies them. */
      threads: first.threads ?? null,
      /** Clients that took part where the plan varies their number. */
      plannedNodes: first.plannedNodes ?? null,
      tool: first.tool,
      clients: first.clients,
      /** Processes by the tool's own count; `null` if it printed none. */
      ranks: fewest(group.map(({ ranks }) => ranks)),
      nodes: fewest(group.map(({ nodes }) => nodes)),
      group: first.group,
      /** A later attempt took its place. */
      superseded: !counts.has(first),
      // A tool may leave more samples than a call can have arguments.
      /** Milliseconds since 1970. */
      from: group.reduce((min, { startedAt }) => Math.min(min, Date.parse(startedAt)), Number.POSITIVE_INFINITY),
      to: group.reduce((max, { endedAt }) => Math.max(max, Date.parse(endedAt)), Number.NEGATIVE_INFINITY),
      /** Moved in all iterations together; `null` where the task failed or the tool did not say. */
      bytes,
      iterations: iterations.length,
      /** Operations on files that were done; `null` likewise. */
      operations: sum((iteration) => figureOf(iteration, 'operations')),
      /** By the tool's own clock, summed over all iterations; `null` likewise. */
      seconds,
      /** MB/s of all clients: over all iterations, or the mean of what the tool printed. `null` for operations on files. */
      rateMBps: bytes !== null && seconds ? bytes / seconds / 1e6 : failed ? null : printedRate(group),
      /** Its rate × its time as the tool printed both, all iterations together; `null` likewise. */
      ratedBytes: sum(rateTimesTime),
      failed,
      load: time?.load ?? [],
      targets: time?.targets ?? [],
    };
  });
}

/** Returns the smallest count over a task's iterations, to show a shortfall in any of them. */
function fewest(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((min, count) => Math.min(min, count));
}

const figureOf = (samples: readonly Sample[], metric: string): number | null =>
  samples.find((sample) => sample.metric === metric)?.value ?? null;

function printedRate(samples: readonly Sample[]): number | null {
  const rates = samples.flatMap(({ metric, value, unit }) =>
    metric === 'throughput' && value !== null ? (toMBps(value, unit) ?? []) : [],
  );
  return meanOf(rates);
}

/** Bytes as counted by the tool; IOR prints none, but its rate is bytes over total time (facts-tools, section 2). */
export const bytesOf = (samples: readonly Sample[]): number | null =>
  figureOf(samples, 'bytes') ?? rateTimesTime(samples);

function rateTimesTime(samples: readonly Sample[]): number | null {
  const rate = samples.find(({ metric }) => metric === 'throughput');
  const seconds = figureOf(samples, 'total_time');
  const perSecond = rate?.value === undefined || rate.value === null ? null : toMBps(rate.value, rate.unit);
  return perSecond === null || seconds === null ? null : perSecond * 1e6 * seconds;
}

/** The highest attempt of each arm at each step counts; what came before it is superseded. */
export function splitAttempts(samples: readonly Sample[]): { counted: Sample[]; superseded: Sample[] } {
  const highest = new Map<string, number>();
  for (const { step, arm, attempt } of samples) {
    const key = keyOf(step, arm);
    highest.set(key, Math.max(attempt, highest.get(key) ?? attempt));
  }
  const counts = ({ step, arm, attempt }: Sample): boolean => attempt === highest.get(keyOf(step, arm));
  return { counted: samples.filter(counts), superseded: samples.filter((sample) => !counts(sample)) };
}

/** Bytes that clients moved in measured phases, by arm and operation, without failed tasks: their amount is unknown. `null` with a reason if unknown. */
export function bytesMoved({ counted, arms }: Run) {
  const order = arms.map(({ name }) => name);
  const measured = counted.filter(({ phase }) => phase === 'measure');
  const rates = measured.filter(
    ({ metric, unit, value }) => metric === 'throughput' && toMBps(1, unit) !== null && value !== null,
  );
  const groups = Map.groupBy(rates, ({ arm, operation }) => keyOf(arm, operation));
  const siblings = Map.groupBy(measured, measurementKey);
  return [...groups.values()]
    .map((group) => {
      const { arm, operation } = group[0] as Sample;
      const amounts = group.map((rate) => bytesOf(siblings.get(measurementKey(rate)) ?? []));
      const known = amounts.filter((amount) => amount !== null);
      if (known.length === amounts.length)
        return { arm, operation, bytes: known.reduce((sum, amount) => sum + amount, 0) };
      return { arm, operation, bytes: null, reason: 'a tool did not say how much it moved, or for how long' };
    })
    .sort((a, b) => order.indexOf(a.arm) - order.indexOf(b.arm));
}

const measurementKey = ({ step, arm, operation, iteration }: Sample): string => keyOf(step, arm, operation, iteration);
