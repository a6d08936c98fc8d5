import * as z from 'zod';

const scalar = z.union([z.string(), z.number()]);
/** Several values: the figure covers all of them together, or each. */
const condition = z.union([scalar, z.array(scalar).min(1)]);

/** Conditions of figures as text, in the plural where they are a list. */
export const CONDITION_WORDS = {
  ...{ storage: 'storage', deploymentType: 'deployment type', storageType: 'storage type' },
  ...{ capacityGiB: 'capacity in GiB', perUnitMBps: 'throughput in MB/s per TiB', metadataIops: ['metadata IOPS'] },
  ...{ compression: 'compression', clients: 'number of clients', instanceType: 'instance type' },
  ...{ ranks: 'number of processes', ranksPerClient: 'number of processes on a client', threads: 'number of threads' },
  ...{ tool: 'tool', toolVersion: "tool's version", arguments: ['arguments'], operation: 'operation' },
  // Name of the pattern in samples: `ior-default`; `whole`, `burst` or `baseline` part of the run.
  ...{ pattern: 'data pattern', stripeCount: 'stripe count', dataSet: 'data set', window: 'part of the run' },
  ...{ region: 'region', network: 'network', lustreVersion: 'Lustre version', zfsVersion: 'ZFS version' },
  os: 'operating system',
} as const;

/** Conditions of a figure. A missing key was not stated or is irrelevant. */
const conditions = z
  .strictObject(
    Object.fromEntries(Object.keys(CONDITION_WORDS).map((name) => [name, condition])) as Record<
      keyof typeof CONDITION_WORDS,
      typeof condition
    >,
  )
  .partial();

export type Conditions = z.infer<typeof conditions>;
export type ConditionName = keyof Conditions;

const figure = z.strictObject({ quantity: z.string(), value: z.number(), unit: z.string() });

const claim = z
  .strictObject({
    id: z.string().min(1),
    quantity: z.string(),
    /** Verbatim as published. */
    quoted: z.string(),
    value: z.number().nullable(),
    /** The rounding interval of the published precision, or the range published instead of a value. */
    range: z.strictObject({ low: z.number(), high: z.number() }).optional(),
    relation: z.enum(['equal', 'up to', 'more than']).default('equal'),
    /** Why there is no value to compare with, or no run has one. */
    reason: z.string().optional(),
    unit: z.string().nullable(),
    /** Source: a measurement, the service's documentation, arithmetic with other figures, or a price. */
    kind: z.enum(['measured', 'documented', 'calculated', 'price']),
    conditions: conditions.extend({ use: z.string().optional() }),
    /** Layer below the file system that was measured: judged by the baseline of that id, such as `raw`. @default - a file system */
    layer: z.string().optional(),
    /** Further figures of the same row. */
    figures: z.array(figure).default([]),
    errata: z.array(z.string()).default([]),
    corrected: z.strictObject({ value: z.number(), unit: z.string(), how: z.string() }).optional(),
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
  remarks: z.array(z.string()),
  /** Conditions shared by several figures; a claim names one with `use` and adds its own. */
  conditions: z.record(z.string(), conditions),
  claims: z.array(claim).min(1),
});

/** A published figure with its expanded conditions. */
export type Claim = Omit<z.infer<typeof claim>, 'conditions'> & {
  readonly study: string;
  readonly source: { readonly title: string; readonly publisher: string };
  readonly conditions: Conditions;
};

export type Study = Readonly<Pick<z.infer<typeof studySchema>, 'study' | 'title' | 'publisher' | 'remarks'>> & {
  readonly claims: readonly Claim[];
};
