import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** No answer that is read as a whole is longer: a million directories of `lfs getdirstripe -m` are about 2 MB. */
const MOST_ANSWER_BYTES = 32e6;

/**
 * The end of a file that a tool wrote: a tool that never stops talking may fill a disk, and text of more than 512 MB can't be in memory.
 *
 * @param most bytes; an answer and the reason of a failure come last
 * @returns the whole text of a smaller file; of a larger one its last whole lines, or the end of a line that is longer than that
 */
export function readEnd(file: string, most = MOST_ANSWER_BYTES): string {
  const opened = openSync(file, 'r');
  try {
    const { size } = fstatSync(opened);
    const bytes = Math.min(size, most);
    const end = Buffer.alloc(bytes);
    const text = end.toString('utf8', 0, readSync(opened, end, 0, bytes, size - bytes));
    return size > most ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    closeSync(opened);
  }
}
