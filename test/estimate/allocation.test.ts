import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryOf } from '../../lib/common/collections';
import { estimateCompression, makeRandom } from '../../lib/estimate';
import { Allocator, compressionLimit } from '../../lib/estimate/measure/geometry';
import { byName, randomBytes } from './random';

const FIXTURES = join(__dirname, '../fixtures/zfs-lz4');
const RECORDS: Readonly<Record<string, number>> = { '128K': 131_072, '256K': 262_144, '1M': 1_048_576 };

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-zfs-'));
beforeAll(() => {
  execFileSync('python3', [join(FIXTURES, 'make_samples.py'), folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Space that a real OpenZFS 2.1 allocated: st_blocks × 512 after the pool was synced, by pool and file, without compression and with LZ4. */
const measured = new Map<string, Record<'off' | 'lz4', Map<string, number>>>();
for (const line of readFileSync(join(FIXTURES, 'zfs_lz4.csv'), 'utf8').trim().split('\n').slice(1)) {
  const [layout, ashift, record, compression, file = '', , allocated] = line.split(',');
  const pool = entryOf(measured, `${layout} ${ashift} ${record}`, () => ({ off: new Map(), lz4: new Map() }));
  pool[compression as 'off' | 'lz4'].set(file, Number(allocated));
}

/** The pool's layout as options. */
function optionsOf(pool: string) {
  const [layout, ashift, record] = pool.split(' ') as [string, string, string];
  return {
    on: 'zfs' as const,
    recordBytes: [RECORDS[record] as number],
    sectorBytes: 2 ** Number(ashift),
    ...(layout === 'single' ? {} : { raidz: { disks: 3, parity: 1 } }),
  };
}

test.each([...measured])('allocates what OpenZFS allocated, to the byte: %s', async (pool, { lz4 }) => {
  const found = await estimateCompression({ paths: [folder], perFile: true, ...optionsOf(pool) });
  expect(byName(found, 'allocatedBytes')).toEqual(Object.fromEntries(lz4));
  expect(lz4.size).toBe(readdirSync(folder).length);
});

test.each([...measured])(
  'without compression a file takes what it took on OpenZFS, to the byte: %s',
  (pool, { off }) => {
    const { recordBytes, ...geometry } = optionsOf(pool);
    const allocator = new Allocator({ recordBytes: recordBytes[0] as number, ...geometry });
    // Node.js cannot query the holes of a file, so they count as zeros that were written.
    off.delete('sparse_holes.bin');
    const figures = [...off.keys()].map((file) => [file, allocator.ofUncompressed(statSync(join(folder, file)).size)]);
    expect(Object.fromEntries(figures)).toEqual(Object.fromEntries(off));
    expect(off.size).toBe(readdirSync(folder).length - 1);
  },
);

// lz4_compress_zfs of https://github.com/openzfs/zfs/blob/zfs-2.1.11/module/zfs/lz4.c, and BPE_PAYLOAD_SIZE of its include/sys/spa.h.
test.each([
  [512, 444],
  [4096, 3580],
  [131_072, 114_684],
  [1_048_576, 917_500],
])(
  'LZ4 of a block of %i bytes is stored up to %i: an eighth is saved, the length header of 4 bytes included',
  (block, most) => {
    expect(compressionLimit(block)).toBe(most);
  },
);

test('a block of up to 112 bytes, its header included, takes no sector, and one byte more a whole one', () => {
  const allocator = new Allocator({ recordBytes: 131_072, sectorBytes: 4096 });
  expect([107, 108, 109, 4092, 4093].map((lz4) => allocator.ofBlock(131_072, lz4))).toEqual([0, 0, 4096, 4096, 8192]);
  expect(allocator.ofBlock(512, 0)).toBe(4096);
});

// Each indirect block holds 1,024 pointers in 550 + 46 bytes for each of them, in whole sectors of 4 KiB, twice: 8,192 bytes for up to 77
// pointers, 98,304 for a full one.
test.each([
  [1, 0],
  [2, 8192],
  [77, 8192],
  [78, 16_384],
  [1024, 98_304],
  // One full block and one of a single pointer, below a block of two.
  [1025, 98_304 + 8192 + 8192],
  [64 * 1024, 64 * 98_304 + 8192],
  [64 * 1024 + 1, 64 * 98_304 + 8192 + 8192],
  [65 * 1024, 65 * 98_304 + 8192],
  [65 * 1024 + 1, 65 * 98_304 + 8192 + 8192],
  [1024 * 1024, 1024 * 98_304 + 98_304],
  // 1,024 full ones and one of a single pointer; a full one and one of a single pointer above these; one of two on top.
  [1024 * 1024 + 1, 1024 * 98_304 + 8192 + (98_304 + 8192) + 8192],
])('the pointers to %i blocks take %i bytes', (blocks, bytes) => {
  const allocator = new Allocator({ recordBytes: 4096, sectorBytes: 4096 });
  expect(allocator.ofFullPointers(blocks * 4096)).toBe(bytes);
  expect(allocator.ofUncompressed(blocks * 4096)).toBe(blocks * 4096 + bytes + 512);
  // As one run of data they take the same, counted another way.
  expect(allocator.ofUncompressed(blocks * 4096, [[0, blocks * 4096]])).toBe(blocks * 4096 + bytes + 512);
});

const M = 2 ** 20;
const run = (from: number, to: number) => [from, to] as const;
test.each([
  ['nothing but a hole', 10 * M, [], 0, 0],
  // 2,560 blocks below three indirect blocks, of which those with data exist, and one above these.
  ['one byte', 10 * M, [[5, 6]], 1, 2 * 8192],
  ['two bytes of one block', 10 * M, [run(5, 6), run(100, 101)], 1, 2 * 8192],
  ['two bytes on both sides of the end of a block', 10 * M, [[4095, 4097]], 2, 2 * 8192],
  // 2,560 blocks below three first-level indirect blocks, of which those with data exist.
  ['the first and the last block', 10 * M, [run(0, 4096), run(10 * M - 4096, 10 * M)], 2, 3 * 8192],
  ['a run over the end of an indirect block', 10 * M, [[1023 * 4096, 1025 * 4096]], 2, 3 * 8192],
  ['a run before it', 10 * M, [[1022 * 4096, 1024 * 4096]], 2, 2 * 8192],
] as const)(
  'a sparse file takes its data, their pointers and nothing for holes: %s',
  (_, bytes, data, blocks, pointers) => {
    const allocator = new Allocator({ recordBytes: 4096, sectorBytes: 4096 });
    expect(allocator.ofUncompressed(bytes, data)).toBe(blocks * 4096 + pointers + 512);
  },
);

test('both record sizes at once give what each gives alone', async () => {
  const both = await estimateCompression({ paths: [folder] });
  const alone = await Promise.all(
    [131_072, 1_048_576].map((size) => estimateCompression({ paths: [folder], recordBytes: [size] })),
  );
  expect(both.bounds.map(({ allocatedBytes }) => allocatedBytes)).toEqual(alone.map((each) => each.allocatedBytes));
  expect(both.interval).toEqual({ low: alone[0]?.ratio, high: alone[1]?.ratio, confidence: 1 });
});

/** `du` of files of fourteen sizes, random (r) and compressible (c), on a Lustre 2.15.8 over OpenZFS with sectors of 4 KiB. */
const ON_LUSTRE = readFileSync(join(__dirname, '../fixtures/lustre/small-files-du.out'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, bytes, allocated, kind] = /^(\d+) (\d+) .*\/([cr])\d+$/.exec(line) ?? [];
    return kind === undefined ? [] : [{ kind, bytes: Number(bytes), allocated: Number(allocated) }];
  });

/** `du` of 57 files on a Lustre 2.15.8 over OpenZFS, RAID-Z1 of nine, without compression and with LZ4: random (r), text (t), half of each (m). */
const ON_RAIDZ = readFileSync(join(__dirname, '../fixtures/lustre/du-raidz1-none-lz4.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [arm, , name, bytes, units] = line.split(' ') as [string, string, string, string, string];
    return { arm, name, bytes: Number(bytes), allocated: Number(units) * 512 };
  });
const RAIDZ_OF_NINE = { recordBytes: 1_048_576, sectorBytes: 4096, raidz: { disks: 9, parity: 1 } };

describe('on Lustre without compression', () => {
  const takenBy = (arm: string) => ON_RAIDZ.filter((file) => file.arm === arm);

  test('a file takes what it took on a RAID-Z of nine, to the byte', () => {
    const allocator = new Allocator({ ...RAIDZ_OF_NINE, stripeCount: 1 });
    const files = takenBy('none');
    expect(files).toHaveLength(57);
    expect(files.map(({ name, bytes }) => [name, allocator.ofUncompressed(bytes)])).toEqual(
      files.map(({ name, allocated }) => [name, allocated]),
    );
  });

  test('noise takes with LZ4 what it took there, to the byte: the zeros behind it compress, and LZ4 has its own overhead', async () => {
    const noise = mkdtempSync(join(tmpdir(), 'fsxbench-noise-'));
    const files = takenBy('lz4').filter(({ name }) => name.startsWith('r'));
    const random = makeRandom(57);
    for (const { name, bytes } of files) writeFileSync(join(noise, name), randomBytes(random, bytes));
    const options = { ...RAIDZ_OF_NINE, recordBytes: [RAIDZ_OF_NINE.recordBytes], perFile: true, workers: 0 };
    const found = await estimateCompression({ ...options, paths: [noise] });
    rmSync(noise, { recursive: true });
    expect(files).toHaveLength(19);
    const recorded = files.map(({ name, allocated }) => [name, allocated]);
    expect(byName(found, 'allocatedBytes')).toEqual(Object.fromEntries(recorded));
  });

  test('a file takes what it took on one disk with sectors of 512 bytes, to the byte', () => {
    const allocator = new Allocator({ recordBytes: 1_048_576, sectorBytes: 512, stripeCount: 1 });
    const recorded = (name: string): string => readFileSync(join(__dirname, '../fixtures/lustre', name), 'utf8');
    const [, bytes, units] = /Size: (\d+)\s+Blocks: (\d+)/.exec(recorded('stat-off.out')) ?? [];
    expect(allocator.ofUncompressed(Number(bytes))).toBe(Number(units) * 512);
    // `du -k` of four files of 8 MiB, whatever is in them, and of one of 1,000 bytes: a page.
    for (const [, kib, name] of recorded('du-off.out').matchAll(/^(\d+)\t\/fsx\/off\/(\S+)$/gm)) {
      const bytes = allocator.ofUncompressed(name === 'small1000' ? 1000 : 2 ** 23);
      expect([name, Math.ceil(bytes / 1024)]).toEqual([name, Number(kib)]);
    }
    // Two more of the same recording: 651,018 bytes of gzip took 1,050,112, and 1.2 MB of text 2,100,736.
    expect(allocator.ofUncompressed(651_018)).toBe(1_050_112);
    expect(allocator.ofUncompressed(1_200_000)).toBe(2_100_736);
  });

  test('each file has both ends, between which it lay on a plain disk, where its last writes arrive in any order', async () => {
    // `du` of a Lustre 2.15.8 on a plain disk, brw_size 1 MiB: slightly more than a record took twice as much.
    const recorded = { 3: 12_800, 513: 12_800, 131073: 270_848, 1048577: 2_114_048, 3145735: 4_211_200 };
    const files = mkdtempSync(join(tmpdir(), 'fsxbench-plain-'));
    for (const bytes of Object.keys(recorded))
      writeFileSync(join(files, bytes), randomBytes(makeRandom(3), Number(bytes)));
    const plain = { paths: [files], recordBytes: [1_048_576], perFile: true, workers: 0 };
    const [lustre, zfs] = await Promise.all([estimateCompression(plain), estimateCompression({ ...plain, on: 'zfs' })]);
    rmSync(files, { recursive: true });
    expect(byName(lustre, 'uncompressedBytes')).toEqual(recorded);
    for (const { logicalBytes, uncompressedBytes, uncompressedInterval: ends } of lustre.perFile ?? []) {
      expect(ends.high).toBe(uncompressedBytes);
      expect(ends.low).toBeGreaterThanOrEqual(logicalBytes);
      if (logicalBytes === 1_048_577) expect(ends.high / ends.low).toBeGreaterThan(1.9);
    }
    for (const { uncompressedBytes, uncompressedInterval: ends } of zfs.perFile ?? [])
      expect(ends).toEqual({ low: uncompressedBytes, high: uncompressedBytes });
    const sum = (of: (file: (typeof all)[number]) => number) => all.reduce((total, file) => total + of(file), 0);
    const all = lustre.perFile ?? [];
    expect(sum(({ uncompressedBytes }) => uncompressedBytes)).toBe(lustre.uncompressedBytes);
    expect(sum(({ uncompressedInterval }) => uncompressedInterval.low)).toBe(lustre.uncompressedInterval.low);
  });

  test('over several objects each is padded by itself', () => {
    const one = { recordBytes: 1_048_576, sectorBytes: 4096, stripeCount: 1 };
    const inOne = (bytes: number): number => new Allocator(one).ofUncompressed(bytes);
    const inFour = (bytes: number): number => new Allocator({ ...one, stripeCount: 4 }).ofUncompressed(bytes);
    const mebi = 2 ** 20;
    expect(inFour(0)).toBe(4 * 512);
    expect(inFour(5)).toBe(inOne(5) + 3 * 512);
    expect(inFour(3 * mebi + 5)).toBe(3 * inOne(mebi) + inOne(5));
    expect(inFour(9 * mebi + 300_000)).toBe(inOne(3 * mebi) + inOne(2 * mebi + 300_000) + 2 * inOne(2 * mebi));
  });

  test('what FSx does is not documented: both ends are given, and the sentence that says so', async () => {
    const path = join(folder, '..', `${folder.split('/').at(-1)}-padded`);
    writeFileSync(path, randomBytes(makeRandom(5), 131_073));
    const options = { paths: [path], recordBytes: [1_048_576], workers: 0 };
    const [lustre, zfs, sampled] = await Promise.all([
      estimateCompression(options),
      estimateCompression({ ...options, on: 'zfs' }),
      estimateCompression({ ...options, sample: {} }),
    ]);
    rmSync(path);
    // One byte in the thirty-third sector: the block is 256 KiB with its zeros, and 33 sectors without; LZ4 stores these.
    const ends = { low: 33 * 4096 + 8704, high: 262_144 + 8704 };
    const savingsInterval = { low: 0, high: 1 - ends.low / ends.high };
    for (const figures of [lustre, sampled, ...lustre.bounds, ...lustre.byType, ...lustre.bySize])
      expect(figures).toMatchObject({
        allocatedBytes: ends.low,
        uncompressedBytes: ends.high,
        uncompressedInterval: ends,
        savings: savingsInterval.high,
        savingsInterval,
      });
    expect(lustre.uncompressedAssumption).toMatch(/^Amazon does not document how FSx for Lustre stores files without/);
    // ZFS itself is known.
    expect(zfs.uncompressedAssumption).toBeNull();
    expect(zfs.uncompressedInterval).toEqual({ low: zfs.uncompressedBytes, high: zfs.uncompressedBytes });
    expect(zfs.uncompressedBytes).toBe(33 * 4096 + 512);
  });
});

describe('on Lustre', () => {
  const small = join(folder, '..', `${folder.split('/').at(-1)}-small`);
  // The compressible data were not kept; they were short, since 9,000 bytes of them and the zeros behind them fit into a block pointer.
  const sentence = 'the same again\n';
  beforeAll(() => {
    mkdirSync(small);
    const random = makeRandom(14);
    for (const { kind, bytes } of ON_LUSTRE)
      writeFileSync(
        join(small, `${kind}${bytes}`),
        kind === 'r' ? randomBytes(random, bytes) : sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes),
      );
  });
  afterAll(() => rmSync(small, { recursive: true }));

  const allocatedOf = async (options: object) =>
    byName(await estimateCompression({ paths: [small], perFile: true, workers: 0, ...options }), 'allocatedBytes');

  test('a small file takes what it took on a real one, to the byte', async () => {
    expect(ON_LUSTRE).toHaveLength(28);
    const recorded = ON_LUSTRE.map(({ kind, bytes, allocated }) => [`${kind}${bytes}`, allocated]);
    expect(await allocatedOf({ recordBytes: [1_048_576] })).toEqual(Object.fromEntries(recorded));
  });

  test('on sectors of 512 bytes and over several objects, too', async () => {
    const ashift9 = { recordBytes: [1_048_576], sectorBytes: 512 };
    // Measured on another Lustre 2.15.8 (ashift 9): 60 bytes take 1,536 in one object, and 3,072 where three more stay empty.
    expect((await allocatedOf(ashift9)).r60).toBe(1536);
    expect((await allocatedOf({ ...ashift9, stripeCount: 4 })).r60).toBe(3072);
  });

  test('eight records and their indirect block stand beside what the object takes', async () => {
    // test/fixtures/lustre/du-B1-lz4.out: rand8m, ashift 9.
    const path = join(small, 'rand8m');
    writeFileSync(path, randomBytes(makeRandom(8), 2 ** 23));
    const options = { paths: [path], recordBytes: [1_048_576], sectorBytes: 512, workers: 0 };
    expect((await estimateCompression(options)).allocatedBytes).toBe(8_392_192);
    rmSync(path);
  });

  test('is the default, and says so; a sample counts the objects as well', async () => {
    const many = join(small, 'many');
    mkdirSync(many);
    const random = makeRandom(3);
    // More than a sample reads as a whole.
    for (let file = 0; file < 300; file += 1) {
      writeFileSync(join(many, `s${file}`), randomBytes(random, 1000));
      writeFileSync(join(many, `l${file}`), randomBytes(random, 300_000));
    }
    const [lustre, zfs] = await Promise.all(
      (['lustre', 'zfs'] as const).map((on) => estimateCompression({ paths: [many], on, workers: 0, sample: {} })),
    );
    expect(lustre).toMatchObject({ mode: 'sample', on: 'lustre', stripeCount: 1 });
    expect(lustre?.assumption).toMatch(/, in one Lustre object for each file$/);
    expect(zfs).toMatchObject({ on: 'zfs', stripeCount: null });
    expect((lustre?.bytesRead ?? 0) / (lustre?.logicalBytes ?? 1)).toBeLessThan(0.5);
    expect((lustre?.allocatedBytes ?? 0) - (zfs?.allocatedBytes ?? 0)).toBe(600 * 8192);
    const [full, fullZfs] = await Promise.all(
      [{}, { on: 'zfs' } as const].map((on) => estimateCompression({ paths: [many], workers: 0, ...on })),
    );
    expect((full?.allocatedBytes ?? 0) - (fullZfs?.allocatedBytes ?? 0)).toBe(600 * 8192);
    rmSync(many, { recursive: true });
  });
});
