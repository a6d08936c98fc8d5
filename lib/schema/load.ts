import * as z from 'zod';
import { number, type Of, text } from './document';

const share = number.nullable();

/** What `client-load` prints: counters since the boot of a client, and who worked in the half second in which it watched. */
export const loadReadingSchema = z.object({
  schema: z.literal('fsxbench.load/1'),
  /** Seconds since boot, by a clock that nobody sets. */
  uptime: number,
  processors: number,
  busySeconds: number,
  /** Taken by the hypervisor for others. */
  stealSeconds: number,
  loadAverage: number,
  cpuStallSeconds: share,
  memoryStallSeconds: share,
  /** Bytes of the devices below the arm; `null` where it is on none of this client. */
  device: z.object({ read: number, written: number }).nullable(),
  kernelSeconds: number,
  /** By pid, start and name. */
  processSeconds: z.record(text, number),
  others: z.array(z.object({ name: text, processors: number })),
  /** `null` of an answer without watching. */
  othersProcessors: number.nullable(),
  /** Of servers that stand in for a service beside the client: none on AWS. Older readings counted them among the others. */
  serviceProcessors: number.nullish(),
});
export type LoadReading = Of<typeof loadReadingSchema>;

/** How busy a client was while it worked on a task. Shares are of all its processors, or of the time. */
export const clientLoadSchema = z.object({
  /** Its address; `null` for this machine. */
  client: text.nullable(),
  seconds: number,
  processors: number,
  /** Of everybody, the kernel's threads included. */
  busy: number,
  /** Of what began and ended with the task: the tool, and whatever else was short. */
  tool: number,
  /** Of processes that were there before and after. */
  lasting: number,
  /** Of others just before or just after the task, when the tool does not work: the larger. */
  others: number,
  /** Of the lab's own servers just after the task, which are none of the others; older runs have none. */
  service: number.optional(),
  /** Who the others are, the busiest first. */
  names: z.array(text),
  steal: number,
  /** The mean over the last minute, at the end. */
  loadAverage: number,
  /** Of the time, some process waited for a processor, or all for memory; `null` where the kernel does not tell. */
  cpuStall: share,
  memoryStall: share,
  /** Of the devices below the arm; `null` where it is on none of this client. */
  device: z.object({ read: number, written: number }).nullable(),
});
export type ClientLoad = Of<typeof clientLoadSchema>;
