/** One word of a command, and where it stands in the source. */
export interface ShellWord {
  /** Without quotes. An expansion stays as it is written: `$i`. */
  readonly value: string;
  readonly pos: number;
  readonly end: number;
}

/** A command with its arguments, wherever it stands: in a list, a loop, a pipe, a substitution. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** What is read from and written to by redirection. */
  readonly redirections: readonly { readonly operator: string; readonly target: string }[];
  /** The text that the positions refer to. */
  readonly source: string;
  readonly pos: number;
  readonly end: number;
}

/** A command line taken apart. */
export interface ShellScript {
  readonly source: string;
  readonly commands: readonly ShellCommand[];
  /** What the shell would say: `expected 'done'`. */
  readonly errors: readonly string[];
}

/** A word as the shell must be given it. */
export function quote(value: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
