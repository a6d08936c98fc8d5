import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateCompression } from '../../lib/estimate';

const FIXTURES = join(__dirname, '../fixtures/zfs-lz4');
const RECORDS: Readonly<Record<string, number>> = { '128K': 131_072, '256K': 262_144, '1M': 1_048_576 };

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-zfs-'));
beforeAll(() => {
  execFileSync('python3', [join(FIXTURES, 'make_samples.py'), folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a real OpenZFS 2.1 allocated: st_blocks × 512 after the pool was synced. */
const measured = new Map<string, Map<string, number>>();
for (const line of readFileSync(join(FIXTURES, 'zfs_lz4.csv'), 'utf8').trim().split('\n').slice(1)) {
  const [layout, ashift, record, , file, , allocated] = line.split(',') as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const pool = `${layout} ${ashift} ${record}`;
  if (!measured.has(pool)) measured.set(pool, new Map());
  measured.get(pool)?.set(file, Number(allocated));
}

test.each([...measured])('allocates what OpenZFS allocated, to the byte: %s', async (pool, expected) => {
  const [layout, ashift, record] = pool.split(' ') as [string, string, string];
  const { perFile } = await estimateCompression({
    paths: [folder],
    recordBytes: [RECORDS[record] as number],
    sectorBytes: 2 ** Number(ashift),
    ...(layout === 'single' ? {} : { raidz: { disks: 3, parity: 1 } }),
    perFile: true,
  });
  const figures = Object.fromEntries(
    (perFile ?? []).map(({ path, allocatedBytes }) => [path.split('/').at(-1), allocatedBytes]),
  );
  expect(figures).toEqual(Object.fromEntries(expected));
  expect(expected.size).toBe(readdirSync(folder).length);
});

test('both record sizes at once give what each gives alone', async () => {
  const both = await estimateCompression({ paths: [folder] });
  const alone = await Promise.all(
    [131_072, 1_048_576].map((size) => estimateCompression({ paths: [folder], recordBytes: [size] })),
  );
  expect(both.bounds.map(({ allocatedBytes }) => allocatedBytes)).toEqual(alone.map((each) => each.allocatedBytes));
  expect(both.interval).toEqual({ low: alone[0]?.ratio, high: alone[1]?.ratio, confidence: 1 });
});
