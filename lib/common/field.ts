import * as z from 'zod';
import { type Measure, measured, NUMBER, type Units } from './quantity';
import type { Violation } from './violation';

/** A value that a user can set, from JSON or as text, with words for what is allowed and for the next step. */
export interface Field<T extends z.ZodType = z.ZodType> {
  readonly schema: T;
  /** Completes "'key' must be …". */
  readonly allowed: string;
  /** The next step, as a sentence. @default - what is allowed says it */
  readonly next?: string | undefined;
}

export const field = <T extends z.ZodType>(schema: T, allowed: string, next?: string): Field<T> => ({
  schema,
  allowed,
  next,
});

/** A parameter of a plan: the schema, which says itself what is allowed. */
export const described = <T extends z.ZodType>({ schema, allowed }: Field<T>): T => schema.describe(allowed);

/** The field that a parameter is, whether or not it can be left out. */
export function fieldOf(schema: z.ZodType): Field {
  const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : null;
  return { schema, allowed: inner === null ? (schema.description ?? '') : fieldOf(inner as z.ZodType).allowed };
}

/** Reads a value. @param property named in the violation if the value is not allowed */
export function valueIn<T>(
  { schema, allowed, next }: Field<z.ZodType<T>>,
  property: string,
  got: unknown,
): { readonly value: T } | { readonly violation: Violation } {
  const { success, data } = schema.safeParse(got);
  return success ? { value: data } : { violation: { property, must: allowed, got, next } };
}

/** One of a closed set of words, in capitals or not. A version may stand in cdk.json as a number. */
export function oneOfWords<const T extends string>(words: readonly T[], next?: string): Field<z.ZodType<T>> {
  const schema = z.preprocess((value) => {
    const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.trim().toLowerCase() : null;
    return words.find((word) => word.toLowerCase() === text) ?? value;
  }, z.enum(words));
  return field(schema, words.length < 3 ? words.join(' or ') : `one of ${words.join(', ')}`, next);
}

/** `-c clients=8` arrives as text. Anything that is not a number stays as it is, and is refused as such. */
export const numeric = (schema: z.ZodNumber, { units }: Pick<Measure, 'units'> = NUMBER) =>
  z.preprocess((value) => {
    const number = typeof value === 'string' ? measured(value, units) : Number.NaN;
    return Number.isNaN(number) ? value : number;
  }, schema);

/** A value, or one of a few words in its place. */
export const orWords = <const W extends string, T extends z.ZodType>(words: readonly W[], schema: T) =>
  z.union([oneOfWords(words).schema, schema]);

/** A number within bounds, in one of some units. */
export const amount = (allowed: string, { min, max, units }: { min: number; max: number; units: Units }) =>
  field(numeric(z.number().min(min).max(max), { units }), allowed);

/** A whole number; `of` says of what: ` of GiB`. */
export const whole = (min: number, max: number, of = '', next?: string, measure = NUMBER) =>
  field(
    numeric(z.number().int().min(min).max(max), measure),
    `a whole number${of} from ${min} to ${max}${measure.form}`,
    next,
  );

export const wholeFrom = (min: number) => field(numeric(z.number().int().min(min)), `a whole number from ${min}`);

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

export const flag = (next?: string) =>
  field(
    z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean()),
    'true or false',
    next,
  );

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
