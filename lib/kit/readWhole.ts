import { fstatSync, readFileSync, statSync } from 'node:fs';

/** Text in memory takes several times its bytes; the largest document of a run, the plan, has some 200 kB. */
export const MOST_BYTES = 64e6;

/** Refuses by its size what would be read as a whole. @throws RangeError with the size and what is allowed */
export function boundedSize(bytes: number, most = MOST_BYTES): void {
  if (bytes > most) throw new RangeError(`it has ${bytes / 1e6} MB, and at most ${most / 1e6} MB are read as a whole`);
}

/** The text of a file or an open one. @throws RangeError for a larger one than is read as a whole, before it is read */
export function readWhole(file: string | number, most = MOST_BYTES): string {
  boundedSize((typeof file === 'number' ? fstatSync(file) : statSync(file)).size, most);
  return readFileSync(file, 'utf8');
}
