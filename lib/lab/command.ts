import { execFile } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { LAB_MARKER } from './processes';

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

/**
 * Runs a system program to its end; never throws.
 *
 * @param labFolder sets the lab's marker on the process, so that it can be found if this process is killed
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  { labFolder, tools, seconds = 300, cwd }: { labFolder?: string; tools?: string; seconds?: number; cwd?: string } = {},
): Promise<CommandResult> {
  const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C', PATH: searchPath(tools) };
  if (labFolder !== undefined) env[LAB_MARKER] = labFolder;
  return new Promise((resolve) => {
    const options = { env, cwd, timeout: seconds * 1000, maxBuffer: 1 << 24, encoding: 'utf8' as const };
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, stderr: stderr || (error !== null && code === null ? error.message : '') });
    });
  });
}
