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

export interface ShellScript {
  readonly source: string;
  readonly commands: readonly ShellCommand[];
  /** The shell's error: `expected 'done'`. */
  readonly errors: readonly string[];
}

/** A word quoted for the shell. */
export const quote = (value: string): string =>
  /^[\w@%+=:,./{}-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;

/** A command without its launchers. */
export interface Launched {
  readonly command: ShellCommand;
  /** The program, without its folder; `''` if a launcher starts no known program. */
  readonly program: string;
  readonly programWord: ShellWord;
  /** Its tool; `null` for an unknown program. */
  readonly tool: string | null;
  readonly args: readonly ShellWord[];
  readonly sudo: boolean;
  readonly launcher: LauncherOptions | null;
}

/** An MPI launcher and its number of processes; `null` if not given, or a variable. */
export interface LauncherOptions {
  readonly word: ShellWord;
  readonly name: string;
  readonly options: readonly ShellWord[];
  readonly ranks: number | null;
  readonly ranksWord: ShellWord | null;
  readonly perNode: number | null;
  readonly perNodeWord: ShellWord | null;
  readonly nodes: number | null;
  readonly allowRoot: boolean;
  readonly oversubscribe: boolean;
}

/** A section of a file of `[name]` and `key=value` lines. */
export interface IniSection {
  readonly name: string;
  /** Line of its name, from 1. */
  readonly line: number;
  readonly options: readonly (readonly [key: string, value: string | null])[];
}

/** The sections of such a file, comments left out; `null` for a text that does not begin with one. */
export function iniSections(text: string): IniSection[] | null {
  const sections: { name: string; line: number; options: [string, string | null][] }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/^\s*[;#].*$/, '').trim();
    if (content === '') continue;
    const name = /^\[([^\]]+)\]$/.exec(content)?.[1];
    if (name !== undefined) sections.push({ name, line: index + 1, options: [] });
    else {
      const [, key, value] = /^([\w.-]+)\s*(?:=\s*(.*))?$/.exec(content) ?? [];
      if (key === undefined || sections.length === 0) return null;
      sections.at(-1)?.options.push([key, value ?? null]);
    }
  }
  return sections.length === 0 ? null : sections;
}
