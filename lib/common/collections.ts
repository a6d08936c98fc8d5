import { singleLine } from './format/text';

/** A key of several parts that no choice of parts can make ambiguous. */
export const keyOf = (...parts: readonly (string | number | null)[]): string => JSON.stringify(parts);

/** Splits items into chunks of at most `size`, in order. */
export const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** Returns a table's own value for a key from a file: every object inherits `constructor` and `__proto__`. */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The value of a key of a map, made when it is first asked for. */
export function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The ends of an interval, or of what a figure can be. */
export interface Range<T> {
  readonly low: T;
  readonly high: T;
}

/** Without the keys whose value is `undefined`: spreading it overwrites nothing, and what is not asked for stays out of what is written down. */
export const omitUndefined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** The least of the whole numbers above `low` and up to `high` that is good, where `high` is, and so is all above a good one. */
export function binarySearch(isGood: (value: number) => boolean, low: number, high: number): number {
  if (high - low <= 1) return high;
  const middle = Math.floor((low + high) / 2);
  return isGood(middle) ? binarySearch(isGood, low, middle) : binarySearch(isGood, middle, high);
}

/** A figure, or why there is none: exactly one of `value` and `reason` is null. */
export interface ValueOrReason {
  readonly value: number | null;
  readonly reason: string | null;
}

export const known = (value: number): ValueOrReason => ({ value, reason: null });
export const unknown = (reason: string): ValueOrReason => ({ value: null, reason });

/** The part of a fleet that is a group: `all` of it, the first so many (`first2`), or one of so many equal cuts of the list, in order, named `A`, `B`, … */
export function groupOf<T>(all: readonly T[], groups: number, group: string): readonly T[] {
  if (group === 'all') return all;
  const first = /^first(\d+)$/.exec(group)?.[1];
  if (first !== undefined) return all.slice(0, Number(first));
  const size = Math.floor(all.length / groups);
  const index = group.charCodeAt(0) - 'A'.charCodeAt(0);
  return all.slice(index * size, (index + 1) * size);
}

/**
 * The member of a list that has a value in a field, such as its name. @param what the member's noun in an error: `'plan'`
 * @param next advice for a missing one, a sentence. @default - none @throws Error naming the existing values
 */
export function memberBy<K extends string, T extends Readonly<Record<K, string>>>(
  all: readonly T[],
  field: K,
  value: string,
  what: string,
  next = '',
): T {
  const found = all.find((one) => one[field] === value);
  if (found !== undefined) return found;
  throw new Error(
    `${what} must be one of ${all.map((one) => one[field]).join(', ')}, got '${singleLine(value)}'${next}`,
  );
}
