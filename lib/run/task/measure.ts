import type { Readout } from '../../storage/filesystem';
import type { Measured } from '../../workload/common/measured';
import { failureOf, type Outcome } from '../clients/process';

/** The first failure among outcomes, as text; `null` if all succeeded. */
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
