import * as z from 'zod';
import { measured, NUMBER } from './quantity';

/** A value that a user can set: what is allowed in a person's words, and what to do when it isn't that. */
export interface Field<T extends z.ZodType = z.ZodType> {
  readonly schema: T;
  /** Completes "'key' must be …". */
  readonly allowed: string;
  /** The next step, as a sentence. */
  readonly next: string;
}

export function field<T extends z.ZodType>(schema: T, allowed: string, next: string): Field<T> {
  return { schema, allowed, next };
}

/** One of a closed set of words. A version may stand in cdk.json as a number. */
export function oneOfWords<const T extends readonly [string, ...string[]]>(
  words: T,
  next: string,
): Field<z.ZodType<T[number]>> {
  const schema = z.preprocess(
    (value) => (typeof value === 'number' ? String(value) : value),
    z.enum(words as readonly string[] as [string, ...string[]]),
  ) as unknown as z.ZodType<T[number]>;
  return field(schema, words.length < 3 ? words.join(' or ') : `one of ${words.join(', ')}`, next);
}

/** `-c clients=8` arrives as text. Anything that is not a number stays as it is, and is refused as such. */
export const numeric = (schema: z.ZodNumber, { units } = NUMBER) =>
  z.preprocess((value) => {
    const number = typeof value === 'string' ? measured(value, units) : Number.NaN;
    return Number.isNaN(number) ? value : number;
  }, schema);

/** A whole number; `of` says of what: ` of GiB`. */
export const whole = (min: number, max: number, of: string, next: string, measure = NUMBER) =>
  field(
    numeric(z.number().int().min(min).max(max), measure),
    `a whole number${of} from ${min} to ${max}${measure.form}`,
    next,
  );

/** One of a few numbers. */
export const oneOfNumbers = (numbers: readonly number[], next: string, measure = NUMBER) =>
  field(
    numeric(
      z.number().refine((value) => numbers.includes(value)),
      measure,
    ),
    `one of ${numbers.join(', ')}`,
    next,
  );

/** The type of an instance by its form; whether there is one of that name, EC2 decides. */
export const instanceTypeField = (example: string, next: string) =>
  field(z.string().regex(/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/), `an instance type such as ${example}`, next);

export const flag = z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());

/** `-c arms=a,b` arrives as text; in cdk.json it may be an array. */
export const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => {
    if (typeof value === 'number') return [value];
    return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
  }, z.array(item).min(1));

/** Settings given by a user, after the checks of the fields; no defaults are filled in. */
export type SettingsOf<F extends Readonly<Record<string, Field>>> = {
  readonly [K in keyof F]?: z.output<F[K]['schema']>;
};
