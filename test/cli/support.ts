import { resolve } from 'node:path';
import type { CliContext } from '../../lib/cli/context';
import { runProgram } from '../../lib/cli/program';

/** Output and end of a command. */
export interface Answer {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** The command line in this process, in a world that holds nothing unless `world` puts it there. */
export async function fsxbenchIn(world: Partial<CliContext>, argv: readonly string[]): Promise<Answer> {
  let [out, err] = ['', ''];
  const context: CliContext = {
    root: '/',
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    environment: {},
    interactive: false,
    ...world,
  };
  const status = await runProgram(context, argv);
  return { status, out, err };
}

/** The folder of the project. */
export const PROJECT = resolve(__dirname, '../..');

/** The command line in this process, in this project. */
export const fsxbench = (...argv: string[]): Promise<Answer> =>
  fsxbenchIn({ root: PROJECT, environment: process.env }, argv);
