import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '../../../lib/estimate';
import { Compressor } from '../../../lib/estimate/measure/compressor';
import { lz4Inputs } from '../lz4Inputs';
import { randomBytes } from '../random';

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
  expect(readFileSync(join(ROOT, 'lib/estimate/measure/lz4Wasm.ts'), 'utf8')).toBe(built);
});
