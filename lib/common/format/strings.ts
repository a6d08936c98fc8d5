/** Capitalises the first letter. */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Puts the first letter in lower case: `FileSystemId` as the name of a property or of a metric in an expression. */
export const camelCase = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** More in one error is a page of noise. */
const MOST_NAMED = 5;

/** The first five of a list, and how many more there are. */
export const firstOf = (list: readonly string[], separator = '; '): string =>
  list.length <= MOST_NAMED
    ? list.join(separator)
    : `${list.slice(0, MOST_NAMED).join(separator)} and ${list.length - MOST_NAMED} more`;

/** The first three of a list: `a, b, c, …`. */
export const firstThree = (list: readonly string[]): string =>
  list.slice(0, 3).join(', ') + (list.length > 3 ? ', …' : '');

/** `a`, `a and b`, `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** `i-0a1b and 7 more`: the first of so many. */
export const andMore = (first: string, count: number): string =>
  count === 1 ? first : `${first} and ${count - 1} more`;
