import { endOfSizeClass, SIZE_CLASSES, sizeClassOf, Types } from '../../lib/estimate/classes';
import { takenBySize } from '../../lib/estimate/measure/geometry';
import { emptyTally, groupOf } from '../../lib/estimate/result';

test.each([
  [0, 'empty'],
  [1, 'to 4 KiB'],
  [4096, 'to 4 KiB'],
  [4097, '4 to 128 KiB'],
  [131_072, '4 to 128 KiB'],
  [131_073, '128 KiB to 1 MiB'],
  [2 ** 20, '128 KiB to 1 MiB'],
  [2 ** 20 + 1, '1 to 16 MiB'],
  [2 ** 24, '1 to 16 MiB'],
  [2 ** 24 + 1, '16 MiB to 1 GiB'],
  [1e9, '16 MiB to 1 GiB'],
  [2 ** 30, '16 MiB to 1 GiB'],
  [2 ** 30 + 1, 'over 1 GiB'],
])('a file of %i bytes is of the class: %s', (bytes, name) => {
  const index = sizeClassOf(bytes);
  expect(SIZE_CLASSES[index]).toBe(name);
  expect(endOfSizeClass(index)).toBeGreaterThanOrEqual(bytes);
  if (index > 0) expect(endOfSizeClass(index - 1)).toBeLessThan(bytes);
});

test.each([
  ['/data/a.txt', 'txt'],
  ['/data/A.TXT', 'txt'],
  ['/data.d/a', '(none)'],
  ['/data/archive.tar.gz', 'gz'],
  ['/data/.profile', '(none)'],
  ['/data/.cache.db', 'db'],
  ['/data/ends.', '(none)'],
  ['/data/output.000123', '(numbered)'],
  ['/data/a.r00', 'r00'],
  ['/data/a.c++', 'c++'],
  ['/data/a.txt~', 'txt~'],
  ['/data/a.sixteen_letters1', 'sixteen_letters1'],
  ['/data/a.seventeen_letters', '(none)'],
  ['/data/Dr. Who', '(none)'],
  ['a.nc', 'nc'],
])('%s is of the type %s', (path, type) => {
  expect(new Types().of(path)).toBe(type);
});

test('a thousand types have their names, further ones are counted together', () => {
  const types = new Types();
  const named = Array.from({ length: 1001 }, (_, at) => types.of(`a.t${at}`));
  expect(named.slice(-2)).toEqual(['t999', '(others)']);
  expect([types.of('b.t0'), types.of('b.t999'), types.of('b.new')]).toEqual(['t0', 't999', '(others)']);
});

// Blocks of up to 128 KiB in sectors of 4 KiB, and 8,704 bytes for the object: a compressed block has 4 bytes more, and has to save an eighth.
test.each([
  ['a byte takes a page', 1, 1, 4096 + 8704, 8704],
  ['zeros behind the data compress', 100_000, 1, 131_072 + 8704, 102_400 + 8704],
  ['what saves no eighth is stored as it is', 114_685, 1, 131_072 + 8704, 131_072 + 8704],
  ['what saves one is compressed', 114_684, 1, 131_072 + 8704, 114_688 + 8704],
  ['half', 100_000, 2, 131_072 + 8704, 53_248 + 8704],
  ['three blocks and their pointers', 300_000, 2, 3 * 131_072 + 8192 + 8704, 2 * 69_632 + 20_480 + 8192 + 8704],
] as const)('space by size: %s', (_, bytes, ratio, uncompressed, compressed) => {
  const taken = takenBySize(bytes, ratio);
  expect([taken.uncompressed * bytes, taken.compressed * bytes]).toEqual([
    expect.closeTo(uncompressed, 6),
    expect.closeTo(compressed, 6),
  ]);
});

// 1,000 bytes, of which 100 are holes; without compression they take 1,000 to 1,200. No ratio is above 255.
test.each([
  ['measured', 600, undefined, [0.4, 0.5], [900 / 600, 900 / 600]],
  ['extrapolated', 600, 60, [0.34, 0.55], [900 / 660, 900 / 540]],
  ['extrapolated, and perhaps no less than uncompressed', 1000, 300, [0, 1 - 700 / 1200], [900 / 1300, 900 / 700]],
  ['extrapolated, and perhaps next to nothing', 100, 99, [0.801, 1 - 1 / 1200], [900 / 199, 255]],
] as const)('both ends of what is saved and of the ratio: %s', (_, allocated, margin, saved, ratios) => {
  const sums = { files: 1, logicalBytes: 1000, holeBytes: 100, allocatedBytes: [1, allocated] };
  const space = { unpaddedBytes: [1, 1000], uncompressedBytes: [1, 1200] };
  const marginBytes = margin === undefined ? undefined : [1, margin];
  const { savingsInterval, savings, ratio, interval } = groupOf(
    { ...emptyTally(2), ...sums, ...space, marginBytes },
    1,
  );
  const ends = ({ low, high }: { low: number | null; high: number | null }) => [low, high];
  expect(ends(savingsInterval)).toEqual(saved.map((end) => expect.closeTo(end, 9)));
  expect(ends(interval)).toEqual(ratios.map((end) => expect.closeTo(end, 9)));
  expect([savings, ratio]).toEqual([expect.closeTo(1 - allocated / 1200, 9), expect.closeTo(900 / allocated, 9)]);
});
