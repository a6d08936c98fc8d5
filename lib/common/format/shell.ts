/** One word for a POSIX shell: bare where that is safe, in single quotes elsewhere. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** argv as a command line that can be typed. */
export const commandLine = (argv: readonly string[]): string => argv.map(shellWord).join(' ');

/** Variables as words of env(1), as far as they have a value. */
export const assignments = (variables: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
