import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateCompression, makeRandom } from '../../lib/estimate';
import { BtrfsLayout } from '../../lib/estimate/btrfs/layout';
import { FileInWork } from '../../lib/estimate/measure/file';
import { renderEstimate } from '../../lib/estimate/render';

const FIXTURES = join(__dirname, '../fixtures');
/** Level 15 takes its time: it is compared on smaller files. */
const MOST_BYTES_AT_15 = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-btrfs-'));
beforeAll(() => {
  for (const set of ['zfs-lz4', 'btrfs']) execFileSync('python3', [join(FIXTURES, set, 'make_samples.py'), folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Space that Btrfs of Linux 6.18 allocated, as compsize counts it, by mount option and file (fixtures/btrfs/measure). */
const measured = new Map<string, Map<string, number>>();
for (const line of readFileSync(join(FIXTURES, 'btrfs/allocated.csv'), 'utf8').trim().split('\n').slice(1)) {
  const [options, file, , allocated] = line.split(',') as [string, string, string, string];
  if (!measured.has(options)) measured.set(options, new Map());
  measured.get(options)?.set(file, Number(allocated));
}
const uncompressed = measured.get('compress=no') as Map<string, number>;
measured.delete('compress=no');

const pathsOf = (files: Iterable<string>): string[] => [...files].map((file) => join(folder, file));

test.each([...measured])('allocates what Btrfs allocated, to the byte: %s', async (options, allocated) => {
  const [option, codec] = options.split('=') as [string, string];
  const some = [...allocated].filter(
    ([file]) => codec !== 'zstd:15' || statSync(join(folder, file)).size <= MOST_BYTES_AT_15,
  );
  const { perFile, unreadable } = await estimateCompression({
    paths: pathsOf(some.map(([file]) => file)),
    perFile: true,
    workers: 0,
    on: 'btrfs',
    codec,
    force: option === 'compress-force',
  });
  expect(unreadable).toEqual([]);
  expect(
    Object.fromEntries((perFile ?? []).map(({ path, allocatedBytes }) => [path.split('/').at(-1), allocatedBytes])),
  ).toEqual(Object.fromEntries(some));
  expect(allocated.size).toBe(readdirSync(folder).length);
});

test('without compression a file takes what it took on Btrfs, to the byte', () => {
  const layout = new BtrfsLayout();
  const figures = [...uncompressed.keys()].map((file) => [
    file,
    layout.ofUncompressed(statSync(join(folder, file)).size),
  ]);
  expect(Object.fromEntries(figures)).toEqual(Object.fromEntries(uncompressed));
  expect(layout.ofUncompressed(2 ** 30, [])).toBe(0);
});

test('a piece that Btrfs gave up on leaves those after it uncompressed, in whichever order they were measured', () => {
  const pieces = 16 * 2 ** 20;
  const file = new FileInWork('/a', 4 * pieces, [new BtrfsLayout()]);
  const given = [1, 2, 3, 4].map(() => file.nextPiece());
  const half = { allocatedBytes: pieces / 2, pointers: 0 };
  // The last first: it ends the file, the second ends the first writeback.
  const until = [0, 3 * pieces, 0, 0];
  for (const at of [3, 2, 1, 0])
    file.add(given[at] as NonNullable<(typeof given)[number]>, [{ ...half, rawUntil: until[at] as number }]);
  expect(file.space().allocatedBytes).toEqual([(0.5 + 0.5 + 1 + 0.5) * pieces]);
});

test('the beginning of a file decides about what is written back with it, and its end about nothing', async () => {
  const path = join(folder, 'long.bin');
  const noise = Buffer.from(Uint8Array.from({ length: 2 ** 20 }, makeRandomByte()));
  const text = Buffer.alloc(32 * 2 ** 20, 'a line of text that repeats itself\n');
  const bytesOf = async (parts: Buffer[]): Promise<number | null> => {
    writeFileSync(path, Buffer.concat(parts));
    return (await estimateCompression({ paths: [path], on: 'btrfs', codec: 'lzo', force: false, workers: 0 }))
      .allocatedBytes;
  };
  expect(await bytesOf([noise, text])).toBe(noise.length + text.length);
  expect(await bytesOf([text, noise])).toBeLessThan(noise.length + text.length / 8);
  rmSync(path);
});

function makeRandomByte(): () => number {
  const random = makeRandom(7);
  return () => random() * 256;
}

test('the report names the codec and its extents, and the document the mount option', async () => {
  const paths = pathsOf(['words_0060000.txt']);
  const estimate = await estimateCompression({ paths, on: 'btrfs', codec: 'zstd:3', workers: 0 });
  expect(estimate).toMatchObject({
    on: 'btrfs',
    codec: 'zstd:3',
    force: true,
    recordBytes: 131_072,
    sectorBytes: 4096,
    stripeCount: null,
    raidz: null,
    assumption: expect.stringContaining('mounted with compress-force=zstd:3'),
    interval: { low: estimate.ratio, high: estimate.ratio, confidence: 1 },
  });
  const text = renderEstimate(estimate);
  expect(text).toMatch(/uncompressed, 128 KiB extents +zstd:3 +saved/);
  expect(text).toContain('zstd:3 would store these files at');
  expect(text).not.toContain('LZ4');
});
