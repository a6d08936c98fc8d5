import { basename } from 'node:path';
import type { Estimate } from '../../lib/estimate/result';

// Read from the global object once, since Jest makes each access slow.
const { floor } = Math;

export function randomBytes(random: () => number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) bytes[at] = floor(random() * 256);
  return bytes;
}

/** Words of a small invented vocabulary: compresses about as prose does. */
export function wordsText(random: () => number, length: number): Buffer {
  const vocabulary = Array.from({ length: 2000 }, () =>
    Array.from({ length: 2 + floor(random() * 8) }, () =>
      String.fromCharCode(97 + floor(26 * random() * random())),
    ).join(''),
  );
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const word = `${vocabulary[floor(2000 * random() ** 3)]} `;
    parts.push(word);
    size += word.length;
  }
  return Buffer.from(parts.join('').slice(0, length), 'latin1');
}

/** A figure of each file of an estimate, by the file's name. */
export const byName = ({ perFile = [] }: Estimate, figure: 'allocatedBytes' | 'uncompressedBytes') =>
  Object.fromEntries(perFile.map((file) => [basename(file.path), file[figure]]));
