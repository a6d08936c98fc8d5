import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { renderProgress } from '../../lib/cli/estimate';
import { fsxbenchIn } from './support';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-estimate-'));
writeFileSync(join(folder, 'a.txt'), 'compressible '.repeat(100_000));
writeFileSync(join(folder, 'b.txt'), '');
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => fsxbenchIn({}, ['estimate', 'compression', ...args]);

test('prints one document for machines, and a line for each file when asked', async () => {
  const { status, out } = await run('--json', '--files', '--record', '128K', '--sector', '4K', folder);
  expect(status).toBe(0);
  const document = JSON.parse(out);
  expect(document).toMatchObject({
    schema: 'fsxbench.estimate/1',
    mode: 'full',
    recordBytes: 131_072,
    sectorBytes: 4096,
    files: 2,
    logicalBytes: 1_300_000,
    byType: [{ type: 'txt', files: 2 }],
    unreadable: [],
  });
  expect(document.ratio).toBeCloseTo(1_300_000 / document.allocatedBytes, 10);
  expect(document.interval).toEqual({ low: document.ratio, high: document.ratio, confidence: 1 });
  expect(document.perFile.map(({ path }: { path: string }) => path).sort()).toEqual([
    join(folder, 'a.txt'),
    join(folder, 'b.txt'),
  ]);
});

test('counts the objects of Lustre unless it is told of ZFS', async () => {
  const empty = join(folder, 'b.txt');
  const allocated = async (...args: string[]): Promise<unknown> => {
    const { on, stripeCount, allocatedBytes } = JSON.parse((await run('--json', ...args)).out);
    return { on, stripeCount, allocatedBytes };
  };
  expect(await allocated(empty)).toEqual({ on: 'lustre', stripeCount: 1, allocatedBytes: 512 });
  expect(await allocated(empty, '--stripe-count', '4')).toEqual({ on: 'lustre', stripeCount: 4, allocatedBytes: 2048 });
  expect(await allocated(empty, '--on', 'zfs')).toEqual({ on: 'zfs', stripeCount: null, allocatedBytes: 512 });
});

test('does not blame LZ4 for what small files take without it too', async () => {
  const small = join(folder, '..', `${basename(folder)}-small`);
  mkdirSync(small);
  try {
    // Too large to be embedded in a block pointer, and noise, which LZ4 leaves as it is.
    for (let file = 0; file < 20; file += 1) writeFileSync(join(small, `${file}.bin`), randomBytes(600));
    const document = JSON.parse((await run('--json', small)).out);
    expect(document.ratio).toBeLessThan(0.1);
    for (const figures of [document, ...document.bounds, ...document.byType, ...document.bySize])
      expect(figures).toMatchObject({ savings: 0, uncompressedBytes: document.allocatedBytes });
    // 600 bytes, in a sector, in addition to 8,704 bytes of the object.
    expect(document.uncompressedBytes).toBe(20 * (4096 + 8704));
    expect((await run(small)).out).toMatch(/^all +20 +12\.0 kB +256 kB +256 kB +0\.0 % +0\.047 /m);
  } finally {
    rmSync(small, { recursive: true });
  }
});

test('shows both ends of what is not documented of files without compression, and says so', async () => {
  const padded = join(folder, '..', `${basename(folder)}-padded`);
  writeFileSync(padded, randomBytes(20_000));
  try {
    const { out } = await run(padded, '--record', '1M');
    expect(out).toMatch(/^all +1 +20\.0 kB +29\.2 to 41\.5 kB +29\.2 kB +0\.0 to 29\.6 % +0\.69 *$/m);
    expect(out).toContain('FSx for Lustre stores files without compression. The upper bound is ');
    expect((await run(padded, '--on', 'zfs')).out).not.toContain('The upper bound is ');
  } finally {
    rmSync(padded);
  }
});

test('tells people the bounds and what they rest on', async () => {
  const { status, out } = await run(folder);
  expect(status).toBe(0);
  expect(out).toMatch(
    /type +files +logical +uncompressed, 128 KiB records +LZ4 +saved +ratio +uncompressed, 1 MiB records/,
  );
  expect(out).toMatch(/LZ4 would store these files at \d+\.\d\d:1 to \d+\.\d\d:1/);
  expect(out).toContain('Amazon does not publish how FSx for Lustre stores data');
});

test('a path that holds nothing to measure is no success, an empty folder is', async () => {
  const { status, err } = await run('/dev/null');
  expect(status).toBe(1);
  expect(err.split('\n').at(-2)).toBe('fsxbench: nothing could be measured: /dev/null: character device');
  const empty = mkdtempSync(join(folder, 'empty-'));
  expect(await run(empty)).toMatchObject({ status: 0 });
  expect(await run(folder, '/dev/null')).toMatchObject({ status: 0 });
});

test('progress tells bytes, files, rate and what is left', () => {
  const progress = { filesListed: 4000, bytesListed: 80e9, filesDone: 812, bytesDone: 12.4e9, seconds: 11 };
  expect(renderProgress({ ...progress, listed: true })).toBe(
    '12.4 GB of 80.0 GB (15 %) · 812 of 4,000 files · 1.1 GB/s · 1 min 00 s left',
  );
  expect(renderProgress({ ...progress, listed: false })).toBe(
    '12.4 GB of at least 80.0 GB · 812 of 4,000 files · 1.1 GB/s · still listing',
  );
  expect(renderProgress({ ...progress, listed: true, bytesDone: 80e9, filesDone: 4000 })).toBe(
    '80.0 GB of 80.0 GB (100 %) · 4,000 of 4,000 files · 7.3 GB/s · done',
  );
  const left = (change: object) =>
    renderProgress({ ...progress, listed: true, ...change })
      .split(' · ')
      .at(-1);
  expect([left({ bytesDone: 0 }), left({ seconds: 0.9 }), left({ seconds: 1 })]).toEqual([
    ...['no estimate yet', 'no estimate yet', '5 s left'],
  ]);
});
