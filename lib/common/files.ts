import { execFile } from 'node:child_process';
import { closeSync, existsSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** No answer that is read as a whole is longer: a million directories of `lfs getdirstripe -m` are about 2 MB. */
const MOST_ANSWER_BYTES = 32e6;

/**
 * The end of a tool's file, which may fill a disk: an answer and the reason of a failure come last.
 * @param max bytes; of a larger file, the last whole lines are returned, or the end of a longer line
 */
export function readEnd(file: string, max = MOST_ANSWER_BYTES): string {
  const opened = openSync(file, 'r');
  try {
    const { size } = fstatSync(opened);
    const bytes = Math.min(size, max);
    const end = Buffer.alloc(bytes);
    const text = end.toString('utf8', 0, readSync(opened, end, 0, bytes, size - bytes));
    return size > max ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    closeSync(opened);
  }
}

/** Text in memory takes several times its bytes; the largest document of a run, the plan, has about 200 kB. */
export const MOST_BYTES = 64e6;

/** Refuses a file that is too large to be read as a whole. @throws RangeError with the size and what is allowed */
export function boundedSize(bytes: number, max = MOST_BYTES): void {
  if (bytes > max) throw new RangeError(`it has ${bytes / 1e6} MB, and at most ${max / 1e6} MB are read as a whole`);
}

/** Bytes read at a time from a file without a size, such as a pipe. */
const PIECE = 2 ** 16;

/** The text of a file or an open one. @throws RangeError above `max` bytes: before reading, or, for a pipe, once more has come */
export const readWhole = (file: string | number, max?: number): string => readBytes(file, max).toString('utf8');

/** The bytes of a file, for text in another encoding, within the bounds of {@link readWhole}. */
export function readBytes(file: string | number, max = MOST_BYTES): Buffer {
  const opened = typeof file === 'number' ? file : openSync(file, 'r');
  try {
    const { size } = fstatSync(opened);
    boundedSize(size, max);
    const pieces: Buffer[] = [];
    for (let bytes = 0, read = 1; read > 0; bytes += read) {
      // A pipe and the files of /proc have no size.
      if (bytes > max) throw new RangeError(`more than ${max / 1e6} MB have come, and no more are read as a whole`);
      const piece = Buffer.allocUnsafe(Math.max(size - bytes, PIECE));
      read = readSync(opened, piece);
      pieces.push(piece.subarray(0, read));
    }
    return Buffer.concat(pieces);
  } finally {
    if (opened !== file) closeSync(opened);
  }
}

/**
 * Joins a folder and a relative path of unknown origin. Any code that opens, moves or removes such a path must use it.
 * @throws unless the path, with each link on its way, stays below the folder
 */
export function inside(root: string, path: string): string {
  const parts = path.split('/');
  const refuse = (why: string): never => {
    throw new Error(
      `a path below '${root}' must stay there, got ${JSON.stringify(path.slice(0, 200))}, ${why}; nothing was touched`,
    );
  };
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\0\\]/.test(part)))
    refuse("which has a part that is empty, '.', '..' or no name");
  let at = root;
  for (const part of parts) {
    at = join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) refuse(`and '${at}' is a link`);
  }
  return at;
}

/**
 * The command that removes paths below a root that others can write to: it follows no link and crosses no mount (assets/client/bin/remove-below).
 * @param home folder with the clients' scripts @param identity of the one path when its removal was decided, from {@link identityOf}
 */
export const removeBelow = (home: string, root: string, paths: readonly string[], identity?: string): string[] => [
  `${home}/bin/remove-below`,
  ...(identity === undefined ? [] : ['--is', identity]),
  root,
  ...paths,
];

/** `device:inode` of a directory; `null` for anything else, and if it cannot be read. */
export function identityOf(directory: string): string | null {
  try {
    // Lustre and NFS inode numbers have 64 bits.
    const found = lstatSync(directory, { bigint: true });
    return found.isDirectory() ? `${found.dev}:${found.ino}` : null;
  } catch {
    return null;
  }
}

/** Runs {@link removeBelow}. @returns why not all of it is gone; `null` if it is */
export function remove(...what: Parameters<typeof removeBelow>): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('bash', removeBelow(...what), (error, _, stderr) => {
      if (error === null) resolve(null);
      else resolve((stderr.trim().split('\n').at(-1) || error.message).replace(/^remove-below: /, ''));
    });
  });
}

/** Path of something in assets/, the folder of what runs elsewhere: from this file, or from a bundle in dist/. A browser has no `__dirname`. */
export const assetPath = (path: string): string =>
  join(['../../assets', '../assets'].map((near) => join(__dirname, near)).find(existsSync) ?? '', path);
