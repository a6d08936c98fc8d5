import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';

/**
 * The command by which everything is removed that lies where others may write: it goes through no link and over no mount
 * (assets/client/bin/remove-below).
 *
 * @param home folder with the clients' scripts
 * @param paths below `root`
 * @param identity what the one path must be, as {@link identityOf} had it when its removal was decided
 */
export const removeBelow = (home: string, root: string, paths: readonly string[], identity?: string): string[] => [
  `${home}/bin/remove-below`,
  ...(identity === undefined ? [] : ['--is', identity]),
  root,
  ...paths,
];

/** `device:inode` of a directory; `null` where there is none, or a link, or where nothing can be seen. */
export function identityOf(directory: string): string | null {
  try {
    // Inode numbers of Lustre and NFS have 64 bits.
    const found = lstatSync(directory, { bigint: true });
    return found.isDirectory() ? `${found.dev}:${found.ino}` : null;
  } catch {
    return null;
  }
}

/** Runs {@link removeBelow}. @returns why not all of it is gone; `null` if it is */
export function remove(...what: Parameters<typeof removeBelow>): Promise<string | null> {
  const [program, ...rest] = removeBelow(...what) as [string, ...string[]];
  return new Promise((resolve) => {
    execFile('bash', [program, ...rest], (error, _, stderr) => {
      const reason = stderr.trim().split('\n').at(-1) || error?.message;
      resolve(error === null ? null : (reason ?? 'unknown').replace(/^remove-below: /, ''));
    });
  });
}
