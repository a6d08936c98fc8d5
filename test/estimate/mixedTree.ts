import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '../../lib/estimate';
import { randomBytes, wordsText } from './random';

// Read from the global object once, since Jest makes each access slow.
const { floor } = Math;

const MIB = 2 ** 20;

/** A tree of about 170 MB whose files differ in type, size and in themselves: what compresses stands in front, what does not behind. */
export function writeMixedTree(folder: string): void {
  const random = makeRandom(42);
  const below = (end: number): number => floor(random() * end);
  const noise = randomBytes(random, 4 * MIB);
  const words = wordsText(random, 2 * MIB);
  const part = (source: Buffer, length: number): Buffer => {
    const from = below(source.length - Math.min(length, source.length));
    return source.subarray(from, from + length);
  };
  const write = (name: string, parts: readonly Buffer[]): void =>
    writeFileSync(join(folder, name), Buffer.concat(parts));
  for (const name of ['sim', 'log', 'src', 'img']) mkdirSync(join(folder, name), { recursive: true });
  for (let file = 0; file < 5; file += 1) {
    const parts: Buffer[] = [];
    const end = 12 + below(12);
    for (let size = 0; size < end * MIB; ) {
      const length = 50_000 + below(900_000);
      parts.push(
        random() < size / MIB / end ? part(noise, length) : random() < 0.3 ? Buffer.alloc(length) : part(words, length),
      );
      size += length;
    }
    write(`sim/step${file}.h5`, parts);
  }
  for (let file = 0; file < 20; file += 1) write(`img/${file}.jpg`, [part(noise, MIB + below(2 * MIB))]);
  for (let file = 0; file < 30; file += 1) write(`log/${file}.log`, [part(words, 10_000 + below(1_500_000))]);
  for (let file = 0; file < 400; file += 1) write(`src/${file}.c`, [part(words, 100 + below(60_000 * random() ** 3))]);
  for (let file = 0; file < 60; file += 1)
    write(`img/${file}.tif`, [part(noise, 100_000), Buffer.alloc(below(400_000))]);
}
