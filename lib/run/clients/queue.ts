import type { QueueStatus } from '../../schema/queue';
import type { RunStatus } from '../../schema/run';
import type { RunReference } from '../../store/reference';

/** squeue(1), "JOB STATE CODES": states of a job before its driver starts. */
const WAITS = new Set(['PENDING', 'CONFIGURING', 'REQUEUED', 'REQUEUE_HOLD', 'SUSPENDED', 'COMPLETING', 'SIGNALING']);

/**
 * A run's status where its driver is a job of a scheduler: the driver cannot say that it waits for its nodes, that it will be started again,
 * or that it was killed.
 */
export function withQueue(
  { benchmark, run }: RunReference,
  status: RunStatus | null,
  queue: QueueStatus | null,
): RunStatus | null {
  // The last word of a driver that came to its end.
  if (queue === null || status?.state === 'done' || status?.state === 'failed') return status;
  const { job, state, ended, reason, restarts, updatedAt } = queue;
  const base: RunStatus = status ?? {
    schema: 'fsxbench.status/1',
    run,
    benchmark,
    state: 'starting',
    step: null,
    failedSteps: [],
    message: '',
    stepsDone: 0,
    stepsTotal: 0,
    startedAt: updatedAt,
    updatedAt,
    endedAt: null,
    sessions: [],
  };
  // ISO 8601 sorts as text.
  const later = [base.updatedAt, updatedAt].sort()[1] as string;
  const again = restarts > 0 ? `, put back into the queue ${restarts} ${restarts === 1 ? 'time' : 'times'}` : '';
  if (ended) {
    if (base.endedAt !== null || base.updatedAt > updatedAt) return base;
    const message = `the job ${job} ended as ${state} before the run was done`;
    return { ...base, state: 'interrupted', endedAt: updatedAt, updatedAt, message };
  }
  const waiting = { ...base, state: 'starting' as const, step: null, phase: null, endedAt: null, updatedAt: later };
  if (WAITS.has(state)) {
    const why = reason === '' || reason === 'None' ? '' : ` (${reason})`;
    return { ...waiting, message: `the job ${job} waits for its nodes: ${state}${why}${again}` };
  }
  // It was interrupted, but its job is still there: it runs again, or the queue will say that it has ended.
  if (base.state === 'interrupted' || status === null)
    return { ...waiting, message: `the job ${job} is ${state}${again}; waiting for its driver` };
  return base;
}
