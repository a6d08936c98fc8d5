import * as z from 'zod';
import { count, number, type Of, text } from './document';
import { validitySchema } from './issue';
import { statusSchema } from './run';

/** Result of one arm in one operation, for one kind of data. */
const figureSchema = z.object({
  arm: text,
  compressibility: number.nullable(),
  operation: text,
  metric: text,
  unit: text,
  /** Median of all samples; `null` with a reason. */
  median: number.nullable(),
  least: number.nullable(),
  most: number.nullable(),
  /** One value per repeat: several samples in one repeat are no repeats of the experiment. */
  repeats: z.array(number),
  tools: z.array(text),
  reason: text.nullable(),
});
export type Figure = Of<typeof figureSchema>;

/** Something that must be the same in two runs if their figures are to be compared. */
const conditionSchema = z.object({ name: text, value: text });
export type Condition = Of<typeof conditionSchema>;

/** The key figures of a run with the conditions that they hold under: what an index of many runs needs of each. */
const figuresSchema = z.object({
  schema: z.literal('fsxbench.summary/1'),
  run: text,
  benchmark: text,
  plan: text.nullable(),
  scale: text.nullable(),
  /** `AWS us-east-1`, `lab`, `directories of one machine`. */
  platform: text,
  /** Location of the run. @default - a summary of an older release */
  place: text.optional(),
  state: statusSchema.shape.state.nullable(),
  startedAt: text.nullable(),
  seconds: number.nullable(),
  validity: validitySchema,
  errors: count,
  warnings: count,
  /** The result in plain words, as at the top of the report. */
  findings: z.array(text),
  arms: z.array(z.object({ name: text, description: text })),
  conditions: z.array(conditionSchema),
  figures: z.array(figureSchema),
  /** Cost at list price; `null` if it is unknown, or nothing was rented. */
  costUsd: number.nullable(),
  /** Why there is no cost. @default - there is one, or a summary of an older release */
  costReason: text.optional(),
});
export type RunFigures = Of<typeof figuresSchema>;

/** `report/summary.json`: the figures, and the sizes of the files that they were made from. */
export const summarySchema = figuresSchema.extend({ inputs: z.record(text, number) });
