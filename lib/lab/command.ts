import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { delimiter, dirname } from 'node:path';
import { endProcesses, LAB_MARKER, processesWith } from './processes';

/** The outcome of a command. `code` is `null` if it could not be started or was killed. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Folders with administrative programs, which may be missing on a user's PATH. */
const ADMINISTRATION = ['/usr/sbin', '/sbin'];

/** PATH with the lab's own tools and the Node.js of this process first, and administrative programs last. */
export function searchPath(tools?: string): string {
  const own = [...(tools === undefined ? [] : [tools]), dirname(process.execPath)];
  return [...own, process.env.PATH ?? '', ...ADMINISTRATION].join(delimiter);
}

/** Identifies what a command started, in their own sessions as well. */
const COMMAND_MARKER = 'FSXBENCH_COMMAND';

/**
 * Runs a system program to its end; never throws. One that takes too long is ended with everything that it started.
 *
 * @param labFolder sets the lab's marker on the process, so that it can be found if this process is killed
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  { labFolder, seconds = 300 }: { labFolder?: string; seconds?: number } = {},
): Promise<CommandResult> {
  const mark = randomUUID();
  const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C', PATH: searchPath(), [COMMAND_MARKER]: mark };
  if (labFolder !== undefined) env[LAB_MARKER] = labFolder;
  let late = '';
  return new Promise((resolve) => {
    const options = { env, maxBuffer: 1 << 24, encoding: 'utf8' as const };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      clearTimeout(timer);
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      const reason = stderr || (error !== null && code === null && late === '' ? error.message : '');
      resolve({ code: late === '' ? code : null, stdout, stderr: `${reason}${late}` });
    });
    const timer = setTimeout(() => {
      late = `\n${command} was ended after ${seconds} s`;
      child.kill();
      void endProcesses(() => processesWith(COMMAND_MARKER, mark));
    }, seconds * 1000);
  });
}
