/** One word for a POSIX shell: bare where that is safe, in single quotes elsewhere. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** argv as a command line that can be typed. */
export function commandLine(argv: readonly string[]): string {
  return argv.map(shellWord).join(' ');
}

/** Variables as words of env(1), as far as they have a value. */
export const assignments = (variables: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
