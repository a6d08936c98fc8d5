import * as z from 'zod';
import { address, bucketName, name, relativePath } from '../schema/names';
import { PHASES } from '../schema/plan';
import { executableOf } from '../workload/lookup';

/**
 * The shapes that the report relies on. Files can be cut off, edited or from another version, so each is checked before it is
 * believed; fields that are not named here pass through, since formats may grow.
 */

const text = z.string();
const number = z.number();
const severity = z.enum(['error', 'warning', 'note']);
const record = z.record(text, z.unknown());
/** A time that is none would put a sample at no place of the run. */
const moment = text.refine((value) => Number.isFinite(Date.parse(value)), 'is no date');

const issue = z.looseObject({ id: text, severity, message: text, expected: text, actual: text });

const count = z.int().min(0);
const action = z
  .looseObject({
    kind: text,
    tool: name.optional(),
    command: z.array(text).optional(),
    ranksPerClient: z.int().min(1).optional(),
    rounds: z.looseObject({ seconds: number.min(0), most: z.int().min(1) }).optional(),
    stripeCount: z.int().min(-1).nullable().optional(),
  })
  .refine((value) => value.kind !== 'workload' || value.command !== undefined, 'a workload needs a command')
  .refine(
    ({ tool, command }) => tool === undefined || command === undefined || command[0] === executableOf(tool),
    'a command begins with its tool',
  );

export const planSchema = z.looseObject({
  schema: z.literal('fsxbench.plan/1'),
  benchmark: name,
  plan: name,
  scale: name,
  arms: z.array(z.looseObject({ name, description: text })),
  fleet: z.looseObject({ clients: number, instanceType: text.nullable(), ranksPerClient: number }),
  parameters: record,
  steps: z.array(
    z.looseObject({
      id: name,
      phase: z.enum(PHASES),
      repeat: count,
      unit: name,
      deadlineSeconds: number.min(0),
      target: number.nullable(),
      tasks: z.array(z.looseObject({ arm: name, group: name, action })),
      expectedSeconds: number,
    }),
  ),
  totals: z.looseObject({ expectedSeconds: number, costUsd: number.nullable() }),
  issues: z.array(issue),
});

export const manifestSchema = z.looseObject({
  schema: z.literal('fsxbench.manifest/1'),
  run: name,
  benchmark: name,
  lab: z.boolean(),
  stack: z
    .looseObject({ name: text, id: text, hourlyUsd: number.nullable().optional(), priceBasis: text.optional() })
    .nullable(),
  region: text.nullable(),
  arms: z.array(
    z.looseObject({
      name,
      description: text,
      kind: text,
      fileSystemId: name.nullable(),
      describe: record.nullable(),
      hourlyUsd: number.nullable(),
      actually: text.nullable(),
    }),
  ),
  fleet: z.looseObject({
    instanceType: text.nullable(),
    image: text.nullable(),
    clients: z.array(z.looseObject({ instanceId: name, privateIp: address })),
    hourlyUsd: number.nullable(),
  }),
  bucket: bucketName.nullable().optional(),
  document: name.nullable().optional(),
  tools: z.record(text, text),
  notices: z.array(text),
});

export const statusSchema = z.looseObject({
  schema: z.literal('fsxbench.status/1'),
  run: name,
  benchmark: name,
  state: z.enum(['starting', 'running', 'interrupted', 'failed', 'done']),
  step: text.nullable(),
  stepsDone: number,
  stepsTotal: number,
  failedSteps: z.array(text),
  startedAt: text,
  updatedAt: text,
  endedAt: text.nullable(),
  sessions: z.array(z.looseObject({ startedAt: moment, endedAt: moment.nullable() })).optional(),
  message: text,
});

export const metricsSchema = z.looseObject({
  schema: z.literal('fsxbench.metrics/1'),
  run: text,
  window: z.looseObject({ from: text, to: text }),
  series: z.array(
    z.looseObject({
      arm: text,
      namespace: text,
      metric: text,
      dimensions: z.record(text, text),
      statistic: text,
      unit: text.nullable(),
      periodSeconds: number,
      points: z.array(z.tuple([text, number])),
      reason: text.optional(),
    }),
  ),
});

/** Larger ones are no measurement, and their sums no numbers. */
const measured = number.refine((value) => Math.abs(value) < 1e100, 'is beyond any measurement');

export const sampleSchema = z.looseObject({
  schema: z.literal('fsxbench.sample/1'),
  run: name,
  arm: name,
  step: name,
  phase: text,
  repeat: count,
  attempt: count,
  target: number.nullable(),
  operation: text,
  metric: text,
  value: measured.nullable(),
  reason: text.optional(),
  unit: text,
  iteration: number.nullable(),
  source: text,
  tool: text.nullable(),
  toolVersion: text.nullable(),
  pattern: text.nullable(),
  group: text,
  clients: number,
  ranks: number.nullable(),
  plannedRanks: number.nullable().optional(),
  nodes: number.nullable().optional(),
  startedAt: moment,
  endedAt: moment,
  raw: relativePath.nullable(),
  problems: z.array(text),
  cautions: z.array(text),
});

export const factsSchema = record;
