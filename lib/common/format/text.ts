/** The compressibility of data as `2.6:1`; `–` for `null`. */
export const compressibilityLabel = (compressibility: number | null): string =>
  compressibility === null ? '–' : `${compressibility}:1`;

/** The compressibility of data in words: `all`, `incompressible` or `made for 2.6:1`. */
export function describeCompressibility(compressibility: number | null): string {
  if (compressibility === null) return 'all';
  return compressibility === 1 ? 'incompressible' : `made for ${compressibility}:1`;
}

/** Characters that a terminal would act on: control characters, line and paragraph separators, and those that change a line's direction (Unicode TR9). */
const ACTING = /\r\n|[[\p{Cc}--[\n\t]]\p{Bidi_Control}\p{Zl}\p{Zp}]/gv;

const escapeOf = (found: string): string => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Makes a text safe for a terminal: control characters become escapes such as `\u001b`, which are equivalent in JSON. Newlines and tabs are kept. */
export const printable = (text: string): string =>
  text.replace(ACTING, (found) => (found === '\r\n' ? found : escapeOf(found)));

/** Makes a page or a document safe to read: what changes a line's direction becomes an escape, which is equivalent in JSON and in scripts. */
export const withoutTurns = (text: string): string => text.replace(/\p{Bidi_Control}/gu, escapeOf);

/** A text from a file as part of a sentence: line breaks of every kind (Unicode UAX 14) become spaces, so it cannot forge a line. */
export const singleLine = (text: string): string => text.replace(/[ \t]*[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ');

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

/** `write on none, read on lz4: reason; …`: each reason once, with all that it is true of. */
export const byReason = (all: readonly { readonly of: string; readonly why: string }[]): string =>
  [...Map.groupBy(all, ({ why }) => why)]
    .map(([why, own]) => `${firstOf([...new Set(own.map(({ of }) => of))], ', ')}: ${why}`)
    .join('; ');

export const firstThree = (list: readonly string[]): string =>
  list.slice(0, 3).join(', ') + (list.length > 3 ? ', …' : '');

/** `a`, `a and b`, `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** `i-0a1b and 7 more`: the first of so many. */
export const andMore = (first: string, count: number): string =>
  count === 1 ? first : `${first} and ${count - 1} more`;

/** One word for a POSIX shell: bare where that is safe, in single quotes elsewhere. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** argv as a command line that can be typed. */
export const commandLine = (argv: readonly string[]): string => argv.map(shellWord).join(' ');

/** Variables as words of env(1), as far as they have a value. */
export const assignments = (variables: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));

/** Rows as aligned columns, two spaces apart, at any terminal width. @param isRight true for a column that is aligned right. @default - none is */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): string {
  const lines = rows.map((row) => row.map(singleLine));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...lines.map((row) => (row[column] ?? '').length)),
  );
  const padded = (cell: string, column: number): string => {
    const width = widths[column] as number;
    return isRight(column) ? cell.padStart(width) : cell.padEnd(width);
  };
  return [header, ...lines].map((cells) => `${cells.map(padded).join('  ').trimEnd()}\n`).join('');
}
