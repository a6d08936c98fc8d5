import * as z from 'zod';
import { count, moment, number, type Of, text, word } from './document';
import { clientLoadSchema } from './environment';
import { name, relativePath } from './names';
import type { Phase } from './plan';

/** State of a target, as one client sees it. `evicted`: the target evicted the client during its work, and serves it again. */
const TARGET_STATES = ['active', 'nearly full', 'inactive', 'disconnected', 'evicted'] as const;
export type TargetState = (typeof TARGET_STATES)[number];

const state = z.enum(TARGET_STATES);

/** A target of the file system under a measured task: OST or MDT. */
const targetSchema = z.object({
  /** `lz4-OST0001` */
  name: text,
  before: state,
  after: state,
  /** Objects with the data that the task left; `null` for a metadata target, or if nobody counted them. */
  objects: count.nullable(),
});
export type RecordedTarget = Of<typeof targetSchema>;

/** Larger values are invalid, and their sums may overflow. */
const measured = number.refine((value) => Math.abs(value) < 1e100, 'is beyond any measurement');

/** One raw measured value: a line of `samples.jsonl`. Append-only; a failure is a sample whose value is `null`. */
export const sampleSchema = z.object({
  schema: z.literal('fsxbench.sample/1'),
  run: name,
  arm: name,
  step: name,
  phase: word<Phase>(),
  repeat: count,
  /** Number of the attempt from 1; a step that is repeated after a failure counts on. The highest attempt is the one that counts. */
  attempt: count,
  /** Compressibility target, `null` where it does not apply. */
  compressibility: number.nullable(),
  /** Size of each file where files are the workload. @default - does not apply */
  fileBytes: number.optional(),
  /** Processes of each client where the plan varies them. @default - it does not */
  threads: number.optional(),
  /** Clients that take part where the plan varies their number. @default - it does not */
  plannedNodes: number.optional(),
  operation: text,
  metric: text,
  value: measured.nullable(),
  /** Why there is no value. Present exactly when `value` is `null`. */
  reason: text.optional(),
  unit: text,
  /** The tool's own iteration, from 0. */
  iteration: number.nullable(),
  /** Origin of the value: `client`, `driver`, or the tool that read space: `du`, `compsize`, `lfs df`, `statfs` … */
  source: text,
  tool: text.nullable(),
  toolVersion: text.nullable(),
  pattern: text.nullable(),
  group: text,
  clients: number,
  /** Processes by the tool's own count; `null` where it printed none. */
  ranks: number.nullable(),
  /** Processes that were to be started. */
  plannedRanks: number.nullable(),
  /** Machines by the tool's own count; `null` where it printed none. */
  nodes: number.nullable(),
  /** ISO 8601, UTC, with milliseconds. */
  startedAt: moment,
  endedAt: moment,
  /** The raw output below the run's folder, without ending: `raw/lz4/measure/1-c1.65-write`. */
  raw: relativePath.nullable(),
  /** Load of each client, next to the time that a measured task took. @default - no measured task */
  load: z.array(clientLoadSchema).optional(),
  /** Targets of the file system, in the sample of a measured task's time. @default - none, or not recorded */
  targets: z.array(targetSchema).optional(),
  /** Codes of the parser, and of the driver's own checks. */
  problems: z.array(text),
  cautions: z.array(text),
});
export type Sample = Of<typeof sampleSchema>;

export const reasonsOf = (
  samples: readonly { readonly value: number | null; readonly reason?: string | null | undefined }[],
): string[] => [...new Set(samples.flatMap(({ value, reason }) => (value === null ? [reason ?? 'unknown'] : [])))];
