import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateCompression } from '../../lib/estimate';
import { assumedOf } from '../../lib/estimate/assumed';
import { BTRFS_LAYOUT, isCodec } from '../../lib/estimate/measure/btrfs';
import type { EstimateOptions } from '../../lib/estimate/options';
import { renderEstimate } from '../../lib/estimate/render';
import { byName } from './random';

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
  const codec = options.replace('compress-force=', '');
  const isQuick = (file: string) => codec !== 'zstd:15' || statSync(join(folder, file)).size <= MOST_BYTES_AT_15;
  const some = [...allocated].filter(([file]) => isQuick(file));
  const paths = pathsOf(some.map(([file]) => file));
  const found = await estimateCompression({ paths, perFile: true, workers: 0, on: 'btrfs', codec });
  expect(found.unreadable).toEqual([]);
  expect(byName(found, 'allocatedBytes')).toEqual(Object.fromEntries(some));
  expect(allocated.size).toBe(readdirSync(folder).length);
});

test('without compression a file takes what it took on Btrfs, to the byte', () => {
  const layout = BTRFS_LAYOUT;
  const taken = (file: string) => layout.ofUncompressed(statSync(join(folder, file)).size);
  const figures = [...uncompressed.keys()].map((file) => [file, taken(file)]);
  expect(Object.fromEntries(figures)).toEqual(Object.fromEntries(uncompressed));
  expect(layout.ofUncompressed(2 ** 30, [])).toBe(0);
});

test('the report names the codec and its extents, and the mount option', async () => {
  const paths = pathsOf(['words_0060000.txt']);
  const estimate = await estimateCompression({ paths, on: 'btrfs', codec: 'zstd:3', workers: 0 });
  expect(estimate).toMatchObject({
    on: 'btrfs',
    codec: 'zstd:3',
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

test.each(['lzo', 'zstd:1', 'zstd:9', 'zstd:10', 'zstd:15'])('%j is a compression of Btrfs', (codec) =>
  expect(isCodec(codec)).toBe(true),
);
test.each(['', 'LZO', 'lzo:1', 'xlzo', 'zstd', 'zstd:0', 'zstd:16', 'zstd:150', 'xzstd:1'])('%j is none', (codec) =>
  expect(isCodec(codec)).toBe(false),
);

test.each([
  [0, 0],
  [2048, 2048],
  [2049, 4096],
  [4096, 4096],
  [4097, 8192],
])('%s bytes take %s in Btrfs without compression', (bytes, taken) => {
  expect(BTRFS_LAYOUT.ofUncompressed(bytes)).toBe(taken);
});

test.each<[Partial<EstimateOptions>, string]>([
  [{ codec: 'lzo' }, "'codec' needs 'on' btrfs, since lustre has LZ4, got 'lzo'"],
  [{ on: 'zfs', stripeCount: 2 }, "'stripe-count' cannot be combined with 'on' zfs"],
  [{ recordBytes: [] }, "'record' must be a size such as 128K, got none"],
  [{ on: 'xfs' as never }, "got 'xfs'"],
  [{ on: 'btrfs', codec: 'lzo', exact: true }, "'exact' cannot be combined with 'on' btrfs"],
])('assumptions %j are refused', (options, message) => {
  expect(() => assumedOf({ paths: [], ...options })).toThrow(message);
});

test('records are assumed from the smallest, each once, with a small one to sample by', () => {
  const [small, large] = [2 ** 17, 2 ** 20];
  const records = (options: Partial<EstimateOptions>) => {
    const { target, records: asked, first } = assumedOf({ paths: [], ...options });
    return [asked, first, 'zfs' in target ? target.zfs.map(({ recordBytes }) => recordBytes) : null];
  };
  const told = (recordBytes: number[]) => assumedOf({ paths: [], recordBytes }).described.assumption;
  expect(told([small, large])).toContain('1 MiB, taken as the bounds');
  expect(told([small])).not.toContain('bounds');
  expect(records({ recordBytes: [large, small, large] })).toEqual([[small, large], 0, [small, large]]);
  expect(records({ recordBytes: [large], sample: {} })).toEqual([[large], 1, [small, large]]);
  expect(records({ recordBytes: [large] })).toEqual([[large], 0, [large]]);
  expect(records({ recordBytes: [small], sample: {} })).toEqual([[small], 0, [small]]);
});
