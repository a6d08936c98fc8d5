import * as z from 'zod';
import { type Measure, measured, NUMBER } from '../../kit/quantity';

/** Accepts only decimal numbers, since JavaScript would parse an empty text as 0 and `0x10` as 16. */
export const written = (schema: z.ZodNumber, { units }: Pick<Measure, 'units'> = NUMBER) =>
  z.preprocess((value) => (typeof value === 'string' ? measured(value, units) : value), schema);
export const whole = (min: number, max: number, measure = NUMBER) => {
  const error = `must be a whole number from ${min} to ${max}${measure.form}`;
  return written(z.number({ error }).int({ error }).min(min, { error }).max(max, { error }), measure);
};
export const flag = () => z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' });
export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** Compression ratios of a workload's data, each once. */
export const compressionRatios = (most: number) => {
  const error = `must be compression ratios from 1 to ${most}, separated by commas, each once`;
  return z
    .array(written(z.number({ error }).min(1, { error }).max(most, { error })))
    .min(1, { error })
    .refine((ratios) => new Set(ratios).size === ratios.length, { error });
};

const SHARE = 'must be from 0 to 50';
const PRECISION = 'must be from 0.1% to 50%';
/** Percent, with its sign or without. */
const IN_PERCENT = { units: { '': 1, '%': 1 } };

/** Parameters that every plan has beside its own: how its results are judged. */
export const judging = {
  /** A difference below this does not matter: a comparison whose whole interval lies closer to equality shows that there is none that does. */
  smallestDifferencePercent: written(z.number({ error: SHARE }).min(0, { error: SHARE }).max(50, { error: SHARE })),
  /**
   * Percent. A comparison gets no more repeats once its interval is no wider than this on either side; `repeats` are the most.
   * @default - every comparison gets all repeats
   */
  precision: written(
    z.number({ error: PRECISION }).min(0.1, { error: PRECISION }).max(50, { error: PRECISION }),
    IN_PERCENT,
  ).nullish(),
};
export const JUDGING_DEFAULTS = { smallestDifferencePercent: 2 };

/**
 * Parameters from defaults and `key=value` texts.
 *
 * @throws one line for the first invalid text, with the value and what is allowed
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
