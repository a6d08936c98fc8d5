/** The command line: reads the world once, calls, sets the exit status. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import * as context from '../lib/cli/context';
import * as options from '../lib/cli/input/options';
import { runProgram } from '../lib/cli/program';
import { showsColour } from '../lib/cli/render/styled';
import { readLikeCdk } from '../lib/common/aws/environment';

// Of a job that has ended, or of another machine.
if (!existsSync(tmpdir())) delete process.env.TMPDIR;

readLikeCdk(process.env);

const world: context.CliContext = {
  // Bundled into dist/, one folder below the project's.
  root: dirname(__dirname),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  environment: process.env,
  command: [process.execPath, ...process.argv.slice(1)],
  interactive: process.stderr.isTTY === true,
  colour: showsColour(process.stdout.isTTY === true, process.env),
};

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // `fsxbench list | head`
  process.stderr.write(`fsxbench: cannot write the output: ${error.message}\n`);
  process.exit(1);
});

// Nobody reads the progress any more: the answer is still wanted.
process.stderr.on('error', () => {});

runProgram(world, process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});

// Shared with commands.js (scripts/build.mjs): classes of errors, and what would have commander in both.
export { context, options };
