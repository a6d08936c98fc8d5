import { spawnSync } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A user without rights, as whom a test runs what others could make root do: this one, unless that is root. */
export interface User {
  readonly prefix: readonly string[];
  /** Gives the user a folder with everything in it. */
  readonly own: (folder: string) => void;
}

/** @param reaches a file that the user must be able to read, such as a built program; else the test runs as who runs it */
export function userNumber(id: number, reaches: string): User {
  const prefix = ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
  const [program, ...rest] = [
    ...prefix,
    process.execPath,
    '-e',
    `require('fs').readFileSync(${JSON.stringify(reaches)})`,
  ];
  if (process.getuid?.() !== 0 || spawnSync(program as string, rest).status !== 0) return { prefix: [], own: () => {} };
  const own = (folder: string): void => {
    chownSync(folder, id, id);
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
      chownSync(join(entry.parentPath, entry.name), id, id);
  };
  return { prefix, own };
}
