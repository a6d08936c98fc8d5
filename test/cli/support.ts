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
