import * as z from 'zod';
import { clientSchema } from './client';
import { type Of, text } from './document';
import { name } from './names';

/**
 * The record of a started run, in a place where the run's clients cannot write. Nothing in a run's folder decides
 * where something runs, since anyone who can write to the results bucket can modify it (docs/decisions/known-by-hash.md).
 */
export const startSchema = z.object({
  schema: z.literal('fsxbench.start/1'),
  benchmark: name,
  run: name,
  /** SHA-256 of `plan.json`, byte for byte. */
  planSha256: text.regex(/^[0-9a-f]{64}$/),
  /** Id of the stack whose fleet it runs on; `null` for a local run. */
  stack: text.nullable(),
  /** This machine, or machines that the user named, as the clients of a local run, with the directory of each arm; `null` for a run on a fleet. */
  client: clientSchema
    .refine(({ launch, machines }) => launch === 'local' || machines, 'must be launched locally, or on named machines')
    .nullable(),
  /** Results folder of a local run, with the lock of its driver. @default - not recorded */
  folder: text.optional(),
});
export type StartRecord = Of<typeof startSchema>;
