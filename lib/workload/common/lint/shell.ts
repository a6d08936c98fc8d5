/** One word of a command, with its position in the source. */
export interface ShellWord {
  /** Without quotes. Expansions are kept as written: `$i`. */
  readonly value: string;
  readonly pos: number;
  readonly end: number;
}

/** A command with its arguments, from a list, a loop, a pipe or a substitution. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly redirections: readonly { readonly operator: string; readonly target: string }[];
  /** The text to which the positions refer. */
  readonly source: string;
  readonly pos: number;
  readonly end: number;
  /** True in the body of a loop, which may run it more than once. */
  readonly looped: boolean;
}

/** A parsed command line. */
export interface ShellScript {
  readonly source: string;
  readonly commands: readonly ShellCommand[];
  /** The shell's error: `expected 'done'`. */
  readonly errors: readonly string[];
}

/** A word quoted for the shell. */
export const quote = (value: string): string =>
  /^[\w@%+=:,./{}-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
