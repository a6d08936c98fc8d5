import * as z from 'zod';
import { IOR_VERSIONS } from '../workload/kit/iorRelease';
import { DATA_WORKLOADS, idsOf, MAX_TARGET } from '../workload/lookup';

/** Where a plan is going to run, as far as its sizes depend on it. */
export const PLAN_SCALES = ['published', 'smoke', 'lab'] as const;
export type PlanScale = (typeof PLAN_SCALES)[number];

/** A number as people write it: JavaScript would take an empty text for 0, and `0x10` for 16. */
export const written = (schema: z.ZodNumber) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' ? (/^-?\d{1,16}(\.\d{1,12})?$/.test(value.trim()) ? Number(value) : Number.NaN) : value,
    schema,
  );
export const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return written(z.number({ error }).int({ error }).min(min, { error }).max(max, { error }));
};
export const flag = () => z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' });
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
const RATIOS = `must be compression ratios from 1 to ${MAX_TARGET}, separated by commas, each once`;

/** Every parameter of the paired plan; `run --set key=value` sets one. */
export const pairedParameters = z.strictObject({
  /** How often each pair is measured. */
  repeats: whole(1, 1000),
  /** Length of a phase: the stonewall. 300 s is what one-minute metrics need to see a phase (facts-peers, section 1, 6). */
  seconds: whole(1, 172_800),
  /** Compressibility targets, 1 = incompressible. */
  targets: z
    .array(written(z.number({ error: RATIOS }).min(1, { error: RATIOS }).max(MAX_TARGET, { error: RATIOS })))
    .min(1, { error: RATIOS })
    .refine((ratios) => new Set(ratios).size === ratios.length, { error: RATIOS }),
  /** `auto`: for each target the first workload whose data have its ratio. */
  tool: choice(['auto', ...idsOf(DATA_WORKLOADS)]),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
  /** What one arm writes at the most in a phase, MiB. Bounds the phase where it is reached before the stonewall. */
  maxMiBPerArm: whole(1, 2 ** 40),
  /** O_DIRECT. Btrfs does not compress O_DIRECT writes, so the lab and local runs are buffered, with fsync. */
  direct: flag(),
  /** -1: all OSTs, as the blog striped. `null` leaves the layout as it is. */
  stripeCount: whole(-1, 2000).nullable(),
  /** Both arms in the same minutes, on disjoint clients. One client cannot be divided: there the arms take turns. */
  simultaneous: flag(),
  /** Seconds of unmeasured work on each arm before the first measurement; 0 = none. */
  warmUpSeconds: whole(0, 3600),
});
export type PairedParameters = z.infer<typeof pairedParameters>;

/** Every parameter of the published plan. */
export const publishedParameters = z.strictObject({
  /** `-T`; the blog ran 720 minutes. */
  minutes: whole(1, 10_080),
  iorVersion: choice(IOR_VERSIONS),
  ranksPerClient: whole(1, 1024),
  stripeCount: whole(-1, 2000).nullable(),
});
export type PublishedParameters = z.infer<typeof publishedParameters>;

/**
 * Parameters from defaults and `key=value` texts.
 *
 * @throws one line for the first wrong text: the value given, what is allowed
 */
export function parseParameters<T extends z.ZodObject>(
  schema: T,
  defaults: z.input<T>,
  texts: readonly string[],
): z.infer<T> {
  const given: Record<string, unknown> = {};
  const allowed = Object.keys(schema.shape);
  for (const text of texts) {
    const match = /^([A-Za-z]+)=(.*)$/.exec(text);
    if (!match) throw new Error(`a parameter must have the form key=value, got '${text}'; keys: ${allowed.join(', ')}`);
    const [, key, value] = match as unknown as [string, string, string];
    if (!allowed.includes(key)) throw new Error(`there is no parameter '${key}'; allowed: ${allowed.join(', ')}`);
    given[key] =
      value === 'null' ? null : Array.isArray((defaults as Record<string, unknown>)[key]) ? value.split(',') : value;
  }
  const result = schema.safeParse({ ...(defaults as object), ...given });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const key = String(issue?.path[0] ?? '');
  throw new Error(
    `'${key}' ${issue?.message}, got '${texts.findLast((text) => text.startsWith(`${key}=`))?.slice(key.length + 1)}'`,
  );
}
