import type { ShellCommand, ShellWord } from './shell';

/** A command without its launchers. */
export interface Launched {
  readonly command: ShellCommand;
  /** The program, without its folder; `''` if a launcher starts no known program. */
  readonly program: string;
  readonly programWord: ShellWord;
  /** Its tool; `null` for an unknown program. */
  readonly tool: string | null;
  /** The program's arguments. */
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
  /** `-N` of Slurm. */
  readonly nodes: number | null;
  readonly allowRoot: boolean;
  readonly oversubscribe: boolean;
}
