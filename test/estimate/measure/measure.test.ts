import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRandom } from '../../../lib/estimate';
import { BTRFS_LAYOUT } from '../../../lib/estimate/measure/btrfs';
import { Compressor } from '../../../lib/estimate/measure/compressor';
import { measurePiece, type Piece } from '../../../lib/estimate/measure/measure';
import { makePool } from '../../../lib/estimate/measure/pool';
import { Draws, stretchBytes } from '../../../lib/estimate/sample/draws';
import { Strata } from '../../../lib/estimate/sample/strata';
import { lz4Inputs } from '../lz4Inputs';
import { randomBytes, wordsText } from '../random';
import { allocatorsOf } from '../trial';

const ROOT = join(__dirname, '../../..');

test('gives exactly the size that the compressor of OpenZFS gives, and refuses what it refuses', () => {
  // Sizes from OpenZFS's own lz4_zfs.c on these inputs; 0 where it gave up.
  const expected = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/zfs-lz4/sizes.json'), 'utf8')) as number[];
  const compressor = new Compressor(2 ** 21);
  const sizes = [...lz4Inputs(expected.length)].map(({ data, limit }) => {
    compressor.buffer.set(data);
    return compressor.compressedSize(0, data.length, limit);
  });
  expect(sizes).toEqual(expected);
  expect(expected.filter((size) => size === 0).length).toBeGreaterThan(30);
});

test('does not depend on where the data lie or on what lay there before', () => {
  const compressor = new Compressor(2 ** 20);
  const size = (at: number, data: Buffer): number => {
    compressor.buffer.set(data, at);
    return compressor.compressedSize(at, data.length, data.length * 2 + 64);
  };
  for (const { data } of lz4Inputs(30)) {
    if (data.length > 400_000) continue;
    const first = size(0, data);
    compressor.buffer.fill(0xa5);
    expect(size(131_072, data)).toBe(first);
    compressor.buffer.fill(0);
    expect(size(8, data)).toBe(first);
  }
});

test('measures a large block and those inside it together as it measures each alone', () => {
  const compressor = new Compressor(2 ** 22);
  const random = makeRandom(2012);
  const inside = [65_547, 70_000, 131_072, 262_144];
  let refused = 0;
  for (const { data } of lz4Inputs(60)) {
    // Noise in the middle: some blocks are refused, and the others meet again behind them.
    const noise = randomBytes(random, Math.floor(random() * 150_000));
    const length = 8 * Math.ceil((2 * data.length + noise.length + 100_000) / 8);
    compressor.buffer.fill(0, 0, length);
    for (const [at, part] of [data, noise, data].entries())
      compressor.buffer.set(part, [0, data.length, data.length + noise.length][at]);
    const block = inside[Math.floor(4 * random())] as number;
    const starts: number[] = [];
    for (let start = 0; start + block <= length; start += block) if (random() < 0.9) starts.push(start);
    const alone = [compressor.blockSize(0, length), ...starts.map((start) => compressor.blockSize(start, block))];
    compressor.startLargeBlock(0, length);
    const parts = starts.map((start) => compressor.smallBlockSize(start, block));
    expect([compressor.largeBlockSize(), ...parts]).toEqual(alone);
    refused += alone.filter((size) => size === 0).length;
  }
  expect(refused).toBeGreaterThan(20);
});

test('knows a record of zeros', () => {
  const compressor = new Compressor(131_072);
  expect(compressor.isZero(0, 131_072)).toBe(true);
  compressor.buffer[131_071] = 1;
  expect(compressor.isZero(0, 131_072)).toBe(false);
  expect(compressor.isZero(0, 131_064)).toBe(true);
});

test('the committed WebAssembly is what its source builds to', () => {
  const built = execFileSync(process.execPath, [join(ROOT, 'scripts/wasm.mjs'), '--print'], { encoding: 'utf8' });
  expect(readFileSync(join(ROOT, 'lib/estimate/measure/lz4.wasm.json'), 'utf8')).toBe(built);
});

const PIECE: Piece = { path: 'data', fileBytes: 4096, offset: 0, length: 4096 };
const TARGET = { btrfs: { codec: 'lzo' } } as const;

/** Outcomes of batches that are handed out at once: names of the threads that measured them. */
async function measured(batches: number, workers: number): Promise<string[]> {
  const workerFile = join(mkdtempSync(join(tmpdir(), 'pool-')), 'worker.js');
  writeFileSync(
    workerFile,
    "const { parentPort, threadId } = require('node:worker_threads');" +
      "parentPort.on('message', (pieces) => parentPort.postMessage(pieces.map(() => 'thread ' + threadId)));",
  );
  const pool = makePool(TARGET, workers, workerFile);
  const outcomes = await Promise.all(Array.from({ length: batches }, () => pool.measure([PIECE])));
  await pool.close();
  return outcomes.flat() as string[];
}

test('a little is measured by one thread, however many there may be', async () => {
  const threads = await measured(2, 16);
  expect(threads).toHaveLength(2);
  expect(new Set(threads).size).toBe(1);
});

test('another thread starts for what those that run have no time for, up to the number asked for', async () => {
  expect(new Set(await measured(5, 16)).size).toBe(3);
  const threads = await measured(40, 4);
  expect(threads).toHaveLength(40);
  expect(new Set(threads).size).toBe(4);
});

test('a thread that ends with an error fails what it was to measure', async () => {
  const workerFile = join(mkdtempSync(join(tmpdir(), 'pool-')), 'worker.js');
  writeFileSync(workerFile, "throw new Error('no memory for a record');");
  const pool = makePool(TARGET, 2, workerFile);
  await expect(pool.measure([PIECE])).rejects.toThrow('no memory for a record');
  await pool.close();
});

const MIB = 2 ** 20;

test('small trees are drawn whole, then one stretch of each group of its type, in groups of up to sixteen', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const draws = new Draws(makeRandom(seed));
    const first = Array.from({ length: 16 }, () => draws.weightOf('a', MIB));
    expect(first).toEqual(new Array(16).fill(1));
    for (const type of ['b', 'c']) {
      const weights = Array.from({ length: 4 * (1 + 2 + 4 + 8) + 5 * 16 }, () => draws.weightOf(type, MIB));
      let at = 0;
      for (const size of [1, 2, 4, 8, 16].flatMap((size) => new Array<number>(size < 16 ? 4 : 5).fill(size))) {
        const group = weights.slice(at, at + size);
        expect(group.filter((weight) => weight > 0)).toEqual([size]);
        at += size;
      }
    }
  }
});

test('every stretch of a group is drawn as often as the others', () => {
  const draws = new Draws(makeRandom(5));
  draws.weightOf('a', 16 * MIB);
  for (let stretch = 0; stretch < 60; stretch += 1) draws.weightOf('a', MIB);
  const drawn = new Array<number>(16).fill(0);
  for (let stretch = 0; stretch < 16 * 4000; stretch += 1)
    if (draws.weightOf('a', MIB) > 0) drawn[stretch % 16] = (drawn[stretch % 16] as number) + 1;
  // Of 4,000 draws each is met 250 times, give or take 15.5.
  for (const count of drawn) expect(Math.abs(count - 250)).toBeLessThan(5 * 15.5);
});

test('a piece with weights takes what its stretches take alone, and names what was drawn', () => {
  const allocators = allocatorsOf([4096, 131_072, 1_048_576]);
  const records = allocators.map(({ geometry }) => geometry.recordBytes);
  const random = makeRandom(9);
  const data = Buffer.concat([
    wordsText(random, MIB),
    Buffer.concat([randomBytes(random, MIB / 2), wordsText(random, MIB / 2)]),
    Buffer.alloc(MIB),
    wordsText(random, 2 * MIB),
    randomBytes(random, 300_001),
  ]);
  const compressor = new Compressor(MIB);
  const measure = (offset: number, length: number, weights?: readonly number[]) =>
    measurePiece(compressor, allocators, { fileBytes: data.length, offset, length, weights }, (into, from, bytes) => {
      data.copy(into, 0, from, from + bytes);
      return bytes;
    });
  const stretch = stretchBytes(records);
  const weights = [0, 4, 2, 0, 8, 1];
  const alone = weights.map((_, at) => measure(at * stretch, Math.min(stretch, data.length - at * stretch)));
  measure(0, data.length, weights).forEach(({ allocatedBytes, pointers, drawn }, index) => {
    const blocks = alone.map((measured) => measured[index]?.allocatedBytes as number);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    expect(drawn).toEqual(blocks.filter((_, at) => weights[at] !== 0));
    expect(allocatedBytes).toBe(sum(index === 0 ? blocks : (drawn as number[])));
    expect(pointers).toBe(sum(alone.map((measured) => measured[index]?.pointers as number)));
  });
});

test('holes are part of the size, but no bytes to read', () => {
  const strata = new Strata([BTRFS_LAYOUT], makeRandom(1));
  const [bytes, written] = [2 ** 30, 2 ** 20];
  strata.add({ path: 'sparse.img', bytes, data: [[0, written]], holeBytes: bytes - written });
  strata.add({ path: 'empty.img', bytes, data: [], holeBytes: bytes });
  expect(strata.all).toMatchObject([{ files: 2, logicalBytes: 2 * bytes, readableBytes: written }]);
});
