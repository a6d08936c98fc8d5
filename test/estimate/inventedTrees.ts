import { makeRandom } from '../../lib/estimate';
import { compressionLimit } from '../../lib/estimate/measure/geometry';
import type { Found } from '../../lib/estimate/source/survey';
import { inventedTree, type Tree } from './trial';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const GIB = 2 ** 30;
const UNIT = 128 * KIB;

// Read from the global object once, since Jest makes each access slow.
const { ceil, floor, imul, max, min } = Math;

/** From 0 up to 1, decided by a name and a number. */
function even(name: string, number: number): number {
  let hash = 2166136261 ^ number;
  for (let at = 0; at < name.length; at += 1) hash = imul(hash ^ name.charCodeAt(at), 16777619);
  hash = imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Share of its bytes that a file keeps at a position: below 0 for a hole. */
type Kept = (path: string, at: number, fileBytes: number) => number;

/** A large block keeps what its parts of 128 KiB keep, and a little less: it finds more that is alike. */
function grown(files: readonly Found[], keptAt: Kept): Tree {
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  return inventedTree(files, [UNIT, MIB], (path, at, bytes) => {
    const fileBytes = sizes.get(path) as number;
    let sum = 0;
    let holes = 0;
    const parts = max(1, ceil(bytes / UNIT));
    for (let part = 0; part < parts; part += 1) {
      // Behind the file's end a record is filled with zeros.
      const full = min(1, max(0, (fileBytes - at) / UNIT - part));
      const kept = full > 0 ? keptAt(path, at + part * UNIT, fileBytes) : -1;
      if (kept < 0) holes += 1;
      else sum += kept * (bytes < UNIT ? 1 : full);
    }
    if (holes === parts) return -1;
    const size = ceil((sum / parts) * bytes * (parts > 1 ? 0.93 + 0.06 * even(path, at) : 1));
    return size > compressionLimit(bytes) ? 0 : size;
  });
}

/** Paths have their number for `#`. */
function many(count: number, path: string, bytes: (random: () => number) => number): Found[] {
  const random = makeRandom(count);
  return Array.from({ length: count }, (_, n) => ({ path: path.replace('#', `${n}`), bytes: floor(bytes(random)) }));
}

const ended = (files: readonly Found[], end: (index: number) => string): readonly Found[] =>
  files.map(({ path, bytes }, index) => ({ path: path + end(index), bytes }));

/** Trees whose shape makes sampling hard: their files, and what these keep. */
export const INVENTED: Readonly<Record<string, () => Tree>> = {
  'one huge file that compresses among thousands of small ones that do not': () =>
    grown(
      [{ path: 'a/huge.out', bytes: 2 * GIB }, ...many(8000, 'a/#.jpg', (random) => 500 + 60_000 * random())],
      (path, at) => (path.endsWith('.out') ? 0.2 + 0.2 * even(path, at) : 1),
    ),
  'one huge file that does not compress among thousands of small ones that do': () =>
    grown(
      [{ path: 'a/huge.gz', bytes: GIB }, ...many(8000, 'a/#.c', (random) => 200 + 90_000 * random() ** 3)],
      (path, at) => (path.endsWith('.gz') ? 1 : 0.25 + 0.3 * even(path, at)),
    ),
  'files of one type, each with a ratio of its own': () =>
    grown(
      many(900, 'b/#.dat', (random) => 4 * MIB * random()),
      (path) => 0.02 + 1.1 * even(path, 0),
    ),
  'a few files of one type, half of each compresses and half does not': () =>
    grown(
      many(6, 'c/#.h5', (random) => 128 * MIB + 256 * MIB * random()),
      (path, at, bytes) => (at < bytes / 2 ? 0.1 + 0.1 * even(path, at) : 1),
    ),
  'sparse files, nine tenths holes': () =>
    grown(
      many(60, 'd/#.img', (random) => 16 * MIB + 32 * MIB * random()),
      (path, at) => (even(path, floor(at / (4 * MIB))) < 0.9 ? -1 : 0.3 + 0.9 * even(path, at)),
    ),
  'holes but for one part in a hundred': () =>
    grown(
      many(40, 'e/#.img', () => 50 * MIB),
      (path, at) => (even(path, floor(at / MIB)) < 0.99 ? -1 : 0.6),
    ),
  'almost all compresses alike, one in fifty does not at all': () =>
    grown(
      many(4000, 'f/#.bin', (random) => 100_000 + 900_000 * random()),
      (path, at) => (even(path, 7) < 0.02 ? 1 : 0.27 + 0.01 * even(path, at)),
    ),
  'forty types, sizes from bytes to megabytes': () =>
    grown(
      ended(
        many(6000, 'g/#.', (random) => 50 * 10 ** (5.7 * random() ** 1.5)),
        (n) => `t${n % 40}`,
      ),
      (path, at) => min(1, 0.1 + even(path.slice(path.lastIndexOf('.')), 3) + 0.3 * even(path, at)),
    ),
  'very small files only': () =>
    grown(
      ended(
        many(20_000, 'h/#.', (random) => 1 + 12_000 * random()),
        (n) => (n % 3 ? 'txt' : 'png'),
      ),
      (path, at) => (path.endsWith('png') ? 1 : 0.3 + 0.4 * even(path, at)),
    ),
};
