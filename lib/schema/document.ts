import * as z from 'zod';

/**
 * Common parts of all schemas. Each stored or sent document has one schema, from which its type follows. A file may be truncated, edited, or of
 * another version, so each is checked (lib/store); unnamed fields pass, since formats grow.
 */

export type Of<S extends z.ZodType> = ReadOnly<z.infer<S>>;

type ReadOnly<T> = T extends object ? { readonly [K in keyof T]: ReadOnly<T[K]> } : T;

export const text = z.string();
export const number = z.number();
export const count = z.int().min(0);
/** Any object, kept as it is. */
export const record = z.record(text, z.unknown());

/** A time; a value with an invalid one would have no place in a run. */
export const moment = text.refine((value) => Number.isFinite(Date.parse(value)), 'is not a date');

/** A word of a list that later versions may extend: the type names the known ones, and no word is refused. */
export const word = <T extends string>() => z.custom<T>((value) => typeof value === 'string', 'must be text');

/** `{ kind, … }` of a plug-in, which checks the content when it is used. */
export const objectOf = <T extends { readonly kind: string }>() =>
  z.custom<T>((value) => typeof (value as Partial<T> | null)?.kind === 'string', "must be an object with a 'kind'");

/** A document, or what is wrong with it: ` (field: why)`, of the first field. */
type Examined<S extends z.ZodType> = { readonly document: Of<S> } | { readonly fault: string };

/** Checks a document and returns it as it was written: zod's own result would lack the fields that the schema does not name. */
export function read<S extends z.ZodType>(schema: S, value: unknown): Examined<S> {
  const { success, error } = schema.safeParse(value);
  if (success) return { document: value as Of<S> };
  const newer = newerThan(error, value);
  if (newer !== null) return { fault: ` (${newer})` };
  const { path, message } = error.issues[0] as z.core.$ZodIssue;
  return { fault: ` (${[path.join('.'), message].filter(Boolean).join(': ')})` };
}

/** Returns what to do about a document of a later version than its schema's; `null` for any other document. */
function newerThan({ issues }: z.ZodError, value: unknown): string | null {
  const known = issues.flatMap((one) =>
    one.code === 'invalid_value' && one.path.join('.') === 'schema' ? one.values.map(String) : [],
  )[0];
  const found = (value as { readonly schema?: unknown } | null)?.schema;
  if (known === undefined || typeof found !== 'string') return null;
  const [kind, version = ''] = known.split('/');
  const [foundKind, foundVersion = ''] = found.split('/');
  return foundKind === kind && /^[1-9]\d{0,8}$/.test(foundVersion) && Number(foundVersion) > Number(version)
    ? `it is ${found}, and this fsxbench knows ${known}: update fsxbench`
    : null;
}

/** A text of JSON as a value; `undefined` if it is not JSON. */
export function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** The document in a text of JSON. @throws Error with what is wrong with it */
export function readText<S extends z.ZodType>(schema: S, content: string): Of<S> {
  const found = read(schema, JSON.parse(content));
  if ('document' in found) return found.document;
  throw new Error(`it does not have the expected form${found.fault}`);
}

/** The document in a text; `null` if it cannot be read. */
export function readTextOrNull<S extends z.ZodType>(schema: S, content: string): Of<S> | null {
  const found = read(schema, parseJson(content));
  return 'document' in found ? found.document : null;
}
