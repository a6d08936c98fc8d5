import * as z from 'zod';

/** Place of a value in a document: `steps.0.tasks.0.arm`. */
export type Path = readonly (string | number)[];

/** Values that somebody might write into a field to reach a file, a command, an option, a page or a terminal. */
export const HOSTILE: readonly unknown[] = [
  '../../../outside',
  '/outside',
  '..',
  'a/../../../outside',
  '-oProxyCommand=touch outside',
  '--prefix=/outside',
  '$(touch outside)',
  '; touch outside #',
  'a\nb: c',
  'a\0b',
  '\u001b]0;owned\u0007\u001b[2J',
  '<hostile-tag onload="x">\'"&',
  'x'.repeat(5000),
  -1,
  1e308,
  {},
  ['sh', '-c', 'touch outside'],
];

/** Every scalar value of a document, one of each field: of a list, those of its first and last element. */
export function leavesOf(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) {
    const ends = value.length > 1 ? [0, value.length - 1] : value.length === 1 ? [0] : [];
    return [at, ...ends.flatMap((index) => leavesOf(value[index], [...at, index]))];
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...at, key]));
  return [at];
}

/** A copy of a document with another value in one place. */
export function withValue<T>(document: T, [first, ...rest]: Path, value: unknown): T {
  if (first === undefined) return value as T;
  const copy = (Array.isArray(document) ? [...document] : { ...document }) as Record<string | number, unknown>;
  copy[first] = withValue(copy[first], rest, value);
  return copy as T;
}

/** The fields that a schema names, as `steps.tasks.arm`. */
export function fieldsOf(schema: z.ZodType, at = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return fieldsOf(schema.unwrap() as z.ZodType, at);
  if (schema instanceof z.ZodDiscriminatedUnion)
    return [...new Set(schema.options.flatMap((option) => fieldsOf(option as z.ZodType, at)))];
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType, at);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, item]) =>
      fieldsOf(item as z.ZodType, at === '' ? key : `${at}.${key}`),
    );
  return [at];
}

/** The same of places in a document. */
export const fieldNames = (paths: readonly Path[]): string[] =>
  paths.map((path) => path.filter((part) => typeof part === 'string').join('.'));
