import type { ShellCommand, ShellWord } from './shell';

/** A command without what starts it. */
export interface Launched {
  readonly command: ShellCommand;
  /** The program, without its folder; `''` when a launcher starts nothing that is known. */
  readonly program: string;
  readonly programWord: ShellWord;
  /** The tool that it belongs to; `null` for a program that is not known here. */
  readonly tool: string | null;
  /** What follows the program. */
  readonly args: readonly ShellWord[];
  readonly sudo: boolean;
  readonly launcher: Launcher | null;
}

/** An MPI launcher and how many processes it was asked for; `null` where it was not said, or with a variable. */
export interface Launcher {
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
