import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compressor } from '../../lib/estimate/compressor';
import { lz4Inputs } from './lz4Inputs';

const ROOT = join(__dirname, '../..');

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

test('knows a record of zeros', () => {
  const compressor = new Compressor(131_072);
  expect(compressor.isZero(0, 131_072)).toBe(true);
  compressor.buffer[131_071] = 1;
  expect(compressor.isZero(0, 131_072)).toBe(false);
  expect(compressor.isZero(0, 131_064)).toBe(true);
});

test('the committed WebAssembly is what its source builds to', () => {
  const built = execFileSync(process.execPath, [join(ROOT, 'scripts/wasm.mjs'), '--print'], { encoding: 'utf8' });
  expect(readFileSync(join(ROOT, 'lib/estimate/lz4Wasm.ts'), 'utf8')).toBe(built);
});
