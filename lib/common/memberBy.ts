import { singleLine } from './format/printable';

/**
 * The member of a list that has a value in a field, such as its name.
 *
 * @param what it is, as an error calls it: `'plan'`
 * @param next advice for one that is not there, in a sentence. @default - none
 * @throws Error naming the values that there are
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
