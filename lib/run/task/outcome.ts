import type { ClientLoad } from '../../schema/environment';
import type { RecordedTarget } from '../../schema/sample';
import type { Readout } from '../../storage/filesystem';
import type { Measured } from '../../workload/common/measured';
import { failureOf, type Outcome } from '../clients/process';

export interface TaskResult {
  readonly measured: readonly Measured[];
  /** Why the task failed; `null` if it succeeded. Values of a failed task are `null`. */
  readonly failure: string | null;
  /** Raw files in the run's folder, without extension. */
  readonly raw: string | null;
  /** Planned number of processes; each value has the tool's own count. */
  readonly plannedRanks: number | null;
  readonly clients: number;
  /** Load of the clients while they measured. @default - not recorded */
  readonly load?: readonly ClientLoad[];
  readonly targets?: readonly RecordedTarget[];
  /** From the start of the first process that measured to the end of the last. @default - the time of the whole task */
  readonly span?: Span;
}

interface Span {
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** The time of the tool's processes, without what the driver writes and asks before and after them. */
export const spanOf = (outcomes: readonly Span[]): Span => ({
  startedAt: new Date(Math.min(...outcomes.map(({ startedAt }) => startedAt.getTime()))),
  endedAt: new Date(Math.max(...outcomes.map(({ endedAt }) => endedAt.getTime()))),
});

/** The result of a task that was not carried out, or of which nothing is known but its end. */
export const failed = (failure: string): TaskResult => ({
  measured: [],
  failure,
  raw: null,
  plannedRanks: null,
  clients: 0,
});

/** A result without values, for a measurement in an unknown place; its raw output is kept. */
export const withoutValues = (result: TaskResult): TaskResult => ({
  ...result,
  measured: result.measured.map((each) => ({ ...each, value: null })),
});

/** A result that failed for a reason that the tool could not know. */
export const failedBy = (result: TaskResult, failure: string): TaskResult => ({
  ...result,
  failure,
  measured: result.measured.map((each) => (each.value === null ? { ...each, reason: failure } : each)),
});

export const firstFailure = (outcomes: readonly Outcome[]): string | null =>
  outcomes.map(failureOf).find((failure) => failure !== null) ?? null;

/** Replaces non-finite values, and those computed with them (same operation and iteration), with `null` and a reason, since JSON has only finite numbers. Fails the task. */
export function finiteOnly<Result extends Readout>(result: Result): Result {
  const place = ({ operation, iteration }: Measured): string => `${operation}\n${iteration ?? ''}`;
  const reasons = new Map(
    result.measured
      .filter(({ value }) => value !== null && !Number.isFinite(value))
      .map((each) => [place(each), `${each.operation} ${each.metric} must be a finite number, got ${each.value}`]),
  );
  if (reasons.size === 0) return result;
  const measured = result.measured.map((each) => {
    const reason = reasons.get(place(each));
    return reason === undefined || each.value === null ? each : { ...each, value: null, reason };
  });
  return { ...result, measured, failure: result.failure ?? ([...reasons.values()][0] as string) };
}
