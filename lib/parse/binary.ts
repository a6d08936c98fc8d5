import { spawnSync } from 'node:child_process';
import { RECORDER } from '../workload/registry';

/** The most that a program may print of a binary file. */
const MOST_PRINTED = 2 ** 28;
const MOST_MINUTES = 10;

/** The text of a binary log, as its tool's program prints it; `null` for any other file. @throws Error naming the package that is missing, or in the words of the program */
export function printedBinary(path: string): string | null {
  if (!RECORDER.names.test(path)) return null;
  const [program, ...args] = RECORDER.command(path);
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: process.env,
    maxBuffer: MOST_PRINTED,
    timeout: MOST_MINUTES * 60_000,
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw new Error(
      `'${path}' is binary, and there is no ${program} on the PATH to read it: install ${RECORDER.package}`,
    );
  if (error !== undefined || status !== 0)
    throw new Error(
      `${program} cannot read '${path}': ${stderr.trim().split('\n')[0] || error?.message || `exit status ${status}`}`,
    );
  return stdout;
}
