import * as z from 'zod';
import { count, number, type Of, text } from './document';
import { validitySchema } from './issue';
import { planSchema } from './plan';

/** One side of a comparison of two runs: the part of `fsxbench.report/1` that a comparison needs. */
const sideSchema = z.object({
  run: text,
  benchmark: text,
  plan: text.nullable(),
  scale: text.nullable(),
  /** Parameters of the plan. @default - a report of an older release */
  parameters: planSchema.shape.parameters.nullable().optional(),
  /** Work that the plan measures. @default - a report of an older release */
  planned: z
    .array(z.object({ arm: text, operation: text, compressibility: number.nullable() }))
    .nullable()
    .optional(),
  lab: z.boolean(),
  /** Location of the run. @default - a report of an older release */
  place: text.optional(),
  validity: validitySchema,
  arms: z.array(z.object({ name: text, description: text })),
  analysis: z.object({ checks: z.array(z.object({ id: text, checks: text, state: text, reason: text.nullable() })) }),
  cells: z.array(
    z.object({
      arm: text,
      compressibility: number.nullable(),
      operation: text,
      /** The operation without its axes. @default - it has none */
      kind: z.object({ id: text }).optional(),
      metric: text,
      unit: text,
      tools: z.array(text),
      samples: z.array(
        z.object({
          repeat: count,
          value: number.nullable(),
          reason: text.nullable(),
          /** Clients that took part. @default - not recorded */
          clients: count.optional(),
        }),
      ),
    }),
  ),
});
export type Side = Of<typeof sideSchema>;

/** A baseline, which is a file printed by `fsxbench report RUN --json`. */
export const baselineSchema = sideSchema.extend({ schema: z.literal('fsxbench.report/1') });

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
