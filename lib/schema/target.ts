import * as z from 'zod';
import { count, type Of, text } from './document';

/**
 * State of a target of a file system, as one client sees it. `evicted` is said of a target that evicted the client while it worked, and serves
 * it again.
 */
export const TARGET_STATES = ['active', 'nearly full', 'inactive', 'disconnected', 'evicted'] as const;
export type TargetState = (typeof TARGET_STATES)[number];

const state = z.enum(TARGET_STATES);

/** A target of the file system under a measured task: OST or MDT. */
export const targetSchema = z.object({
  /** `lz4-OST0001` */
  name: text,
  before: state,
  after: state,
  /** Objects with the data that the task left; `null` for a metadata target, or if nobody counted them. */
  objects: count.nullable(),
});
export type RecordedTarget = Of<typeof targetSchema>;
