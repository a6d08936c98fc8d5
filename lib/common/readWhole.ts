import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Text in memory takes several times its bytes; the largest document of a run, the plan, has about 200 kB. */
export const MOST_BYTES = 64e6;

/** Refuses a file that is too large to be read as a whole. @throws RangeError with the size and what is allowed */
export function boundedSize(bytes: number, most = MOST_BYTES): void {
  if (bytes > most) throw new RangeError(`it has ${bytes / 1e6} MB, and at most ${most / 1e6} MB are read as a whole`);
}

/** Bytes read at a time from a file without a size, such as a pipe. */
const PIECE = 2 ** 16;

/**
 * The text of a file or an open one.
 * @throws RangeError for a larger one than is read as a whole, before it is read; for a pipe, as soon as more than that has come
 */
export function readWhole(file: string | number, most = MOST_BYTES): string {
  const opened = typeof file === 'number' ? file : openSync(file, 'r');
  try {
    const { size } = fstatSync(opened);
    boundedSize(size, most);
    const pieces: Buffer[] = [];
    for (let bytes = 0, read = 1; read > 0; bytes += read) {
      // A pipe and the files of /proc have no size.
      if (bytes > most) throw new RangeError(`more than ${most / 1e6} MB have come, and no more are read as a whole`);
      const piece = Buffer.allocUnsafe(Math.max(size - bytes, PIECE));
      read = readSync(opened, piece);
      pieces.push(piece.subarray(0, read));
    }
    return Buffer.concat(pieces).toString('utf8');
  } finally {
    if (opened !== file) closeSync(opened);
  }
}
