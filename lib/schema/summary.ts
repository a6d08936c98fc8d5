import * as z from 'zod';
import { number, type Of, text } from './document';
import { validitySchema } from './issue';

/** The result of a run in short: what a list of many runs shows of each. */
const figuresSchema = z.object({
  schema: z.literal('fsxbench.summary/1'),
  run: text,
  benchmark: text,
  plan: text.nullable(),
  scale: text.nullable(),
  /** `AWS us-east-1`, `lab`, `directories of one computer`. */
  platform: text,
  seconds: number.nullable(),
  validity: validitySchema,
  /** The result in plain words, as at the top of the report. */
  findings: z.array(text),
  /** Cost at list price in USD; `null` with a reason. */
  costUsd: number.nullable(),
  /** Why there is no cost. @default - there is one */
  costReason: text.optional(),
});
export type RunFigures = Of<typeof figuresSchema>;

/** `report/summary.json`: the figures, the version of fsxbench that made them, and the SHA-256 of each file that they were made from. */
export const summarySchema = figuresSchema.extend({ fsxbench: text, inputs: z.record(text, text) });
