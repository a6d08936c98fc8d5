import type { TaskResult } from './task';

/** The result of a task that was not carried out, or of which nothing is known but its end. */
export const failed = (failure: string): TaskResult => ({
  ...{ measured: [], failure, raw: null, plannedRanks: null, clients: 0 },
});

/** A result of which nobody knows where it was measured; its raw output is kept. */
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
