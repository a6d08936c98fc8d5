import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const LF = 10;
const CR = 13;

/**
 * The bytes of an open file in pieces of whole lines; the last one may end within a line. Each piece overwrites the one before.
 * @param size bytes to read, even if the file grows @param part bytes to read at a time
 * @param longest a longer line is cut; of one that is overwritten (CR), the last state is kept
 */
export function* linePieces(file: number, size: number, part: number, longest = part): Generator<Buffer> {
  let buffer = Buffer.alloc(2 * part);
  let kept = 0;
  for (let at = 0; at < size; ) {
    if (kept + part > buffer.length) buffer = Buffer.concat([buffer.subarray(0, kept)], 2 * (kept + part));
    const read = readSync(file, buffer, kept, Math.min(part, size - at), at);
    if (read === 0) break;
    at += read;
    const filled = buffer.subarray(0, kept + read);
    const end = filled.lastIndexOf(LF) + 1;
    if (end > 0) yield filled.subarray(0, end);
    const rest = end > 0 ? filled.subarray(end) : shortened(filled, longest);
    kept = rest.length;
    buffer.set(rest);
  }
  if (kept > 0) yield buffer.subarray(0, kept);
}

function shortened(line: Buffer, max: number): Buffer {
  if (line.length <= max) return line;
  const overwritten = line.lastIndexOf(CR, line.length - 2) + 1;
  return line.subarray(overwritten, overwritten + max);
}

/** The lines of a piece. Each is its own string, because a slice keeps the whole piece in memory. */
export function* linesIn(piece: Buffer): Generator<string> {
  let start = 0;
  for (let end = piece.indexOf(LF); end >= 0; end = piece.indexOf(LF, start)) {
    yield piece.toString('utf8', start, end);
    start = end + 1;
  }
  if (start < piece.length) yield piece.toString('utf8', start);
}

/** Bytes of a file that are read at a time. */
const PART = 2 ** 20;

/** The lines of a file of any size, one after the other. */
export function* fileLines(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    for (const piece of linePieces(file, fstatSync(file).size, PART)) yield* linesIn(piece);
  } finally {
    closeSync(file);
  }
}
