import * as z from 'zod';
import { number, type Of, text } from './document';

/** State of a driver that is a job of a scheduler: `queue.json`, written next to the run by assets/client/lib/watch-queue.mjs. */
export const queueSchema = z.object({
  schema: z.literal('fsxbench.queue/1'),
  job: text,
  /** State in squeue's words, such as `PENDING`; `GONE` once the scheduler has forgotten the job. */
  state: text,
  /** True once the job has left the queue, and will not come back. */
  ended: z.boolean(),
  /** Why it waits, in the scheduler's word; empty if it does not. */
  reason: text,
  /** Number of times that it was put back into the queue. */
  restarts: number,
  nodes: text,
  updatedAt: text,
});
export type QueueStatus = Of<typeof queueSchema>;
