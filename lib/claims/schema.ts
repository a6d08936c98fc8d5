import * as z from 'zod';

const scalar = z.union([z.string(), z.number()]);
/** Several values: the figure was taken over all of them, or holds for each. */
const condition = z.union([scalar, z.array(scalar).min(1)]);

/** What a figure was measured under. A key that is absent was not stated, or does not matter to the figure. */
const conditions = z.strictObject({
  storage: condition.optional(),
  deploymentType: condition.optional(),
  storageType: condition.optional(),
  capacityGiB: condition.optional(),
  /** MB/s per TiB. */
  perUnitMBps: condition.optional(),
  compression: condition.optional(),
  metadataIops: condition.optional(),
  clients: condition.optional(),
  instanceType: condition.optional(),
  ranks: condition.optional(),
  ranksPerClient: condition.optional(),
  threads: condition.optional(),
  tool: condition.optional(),
  toolVersion: condition.optional(),
  arguments: condition.optional(),
  operation: condition.optional(),
  /** As samples name it: `ior-default`. */
  pattern: condition.optional(),
  stripeCount: condition.optional(),
  dataSet: condition.optional(),
  /** `whole`, `burst` or `baseline` part of the run. */
  window: condition.optional(),
  region: condition.optional(),
  network: condition.optional(),
  lustreVersion: condition.optional(),
  zfsVersion: condition.optional(),
  os: condition.optional(),
});

export type Conditions = z.infer<typeof conditions>;
export type ConditionName = keyof Conditions;

const figure = z.strictObject({ quantity: z.string(), value: z.number(), unit: z.string() });

const claim = z
  .strictObject({
    id: z.string().min(1),
    quantity: z.string(),
    /** Character by character as published. */
    quoted: z.string(),
    value: z.number().nullable(),
    /** What the published precision leaves open, or the range that was published instead of a value. */
    range: z.strictObject({ low: z.number(), high: z.number() }).optional(),
    relation: z.enum(['equal', 'up to', 'more than']).default('equal'),
    /** Why there is nothing to compare with. */
    reason: z.string().optional(),
    unit: z.string().nullable(),
    /** Of a measurement, of the service's documentation, of arithmetic with other figures, or a price. */
    kind: z.enum(['measured', 'documented', 'calculated', 'price']),
    conditions: conditions.extend({ use: z.string().optional() }),
    /** Further figures of the same row. */
    figures: z.array(figure).default([]),
    /** What is wrong with the figure as published. */
    errata: z.array(z.string()).default([]),
    /** What it would be without the error. */
    corrected: z.strictObject({ value: z.number(), unit: z.string(), how: z.string() }).optional(),
    /** What a reader must know before comparing with it. */
    remarks: z.array(z.string()).default([]),
  })
  .refine((each) => each.value !== null || each.range !== undefined || each.reason !== undefined, {
    message: 'a claim without a value and without a range needs a reason',
  });

/** A file of `claims/`: one study. */
export const studySchema = z.strictObject({
  schema: z.literal('fsxbench.claims/1'),
  study: z.string(),
  title: z.string(),
  publisher: z.string(),
  /** About the study as a whole. */
  remarks: z.array(z.string()),
  /** Conditions that several figures share; a claim names one with `use` and adds its own. */
  conditions: z.record(z.string(), conditions),
  claims: z.array(claim).min(1),
});

/** A published figure with its conditions in full. */
export type Claim = Omit<z.infer<typeof claim>, 'conditions'> & {
  readonly study: string;
  readonly source: { readonly title: string; readonly publisher: string };
  readonly conditions: Conditions;
};

/** A study with all its figures. */
export interface Study {
  readonly study: string;
  readonly title: string;
  readonly publisher: string;
  readonly remarks: readonly string[];
  readonly claims: readonly Claim[];
}
