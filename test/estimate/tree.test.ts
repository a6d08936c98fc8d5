import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { estimateCompression, makeRandom } from '../../lib/estimate';
import { Work } from '../../lib/estimate/measure/work';
import type { EstimateProgress } from '../../lib/estimate/options';
import { renderBytes, renderEstimate } from '../../lib/estimate/render';
import type { Estimate } from '../../lib/estimate/result';
import { Survey } from '../../lib/estimate/source/survey';
import { randomBytes, wordsText } from './random';

let folder: string;
let socket: Server;
const words = wordsText(makeRandom(5), 3_000_000);
const at = (name: string): string => join(folder, name);
const estimate = (options: object = {}): Promise<Estimate> =>
  estimateCompression({ paths: [folder], recordBytes: [131_072], workers: 0, ...options });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-tree-'));
  socket = createServer();
});
afterEach(() => {
  socket.close();
  rmSync(folder, { recursive: true });
});

test('names what is no file, and neither waits for it nor follows it', async () => {
  mkdirSync(at('sub'));
  writeFileSync(at('sub/data.txt'), words);
  symlinkSync(at('sub'), at('link-to-folder'));
  symlinkSync(at('sub/data.txt'), at('link-to-file'));
  symlinkSync('/nowhere', at('broken-link'));
  execFileSync('mkfifo', [at('pipe')]);
  await new Promise<void>((resolve) => socket.listen(at('socket'), resolve));
  const { files, logicalBytes, symbolicLinks, skipped, unreadable } = await estimate();
  expect([files, logicalBytes, symbolicLinks, unreadable]).toEqual([1, words.length, 3, []]);
  expect([...skipped].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: at('pipe'), reason: 'named pipe' },
    { path: at('socket'), reason: 'socket' },
  ]);
});

test('a path that is given may itself be a symbolic link', async () => {
  mkdirSync(at('real'));
  writeFileSync(at('real/data.txt'), words);
  symlinkSync(at('real'), at('link'));
  expect((await estimate({ paths: [at('link')] })).logicalBytes).toBe(words.length);
});

test('counts a file with several names once, and a path inside another once', async () => {
  mkdirSync(at('sub'));
  writeFileSync(at('a.txt'), words);
  linkSync(at('a.txt'), at('sub/b.txt'));
  const once = await estimate({ paths: [folder, at('sub'), folder] });
  expect(once).toMatchObject({ files: 1, hardLinks: 1, logicalBytes: words.length });
  // The beginning of a name is not a folder.
  mkdirSync(at('sub2'));
  writeFileSync(at('sub2/c.txt'), words);
  expect(await estimate({ paths: [at('sub'), at('sub2')] })).toMatchObject({ files: 2 });
});

test('measures files whose names are no text', async () => {
  const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff, 0xe9, 0x0a, 0x78])]);
  writeFileSync(name, words);
  writeFileSync(at('größe.txt'), words);
  const { files, unreadable, perFile } = await estimate({ perFile: true });
  expect({ files, unreadable }).toEqual({ files: 2, unreadable: [] });
  expect(perFile?.map(({ path }) => path)).toContain(at('größe.txt'));
});

const SCANS = [['all that is there', undefined] as const, ['a sample', { share: 0.2 }] as const];

test.each(SCANS)('the headline of %s is about data: holes of sparse files make it no better', async (_, sample) => {
  const size = 40_000_000;
  const data = Buffer.concat(Array.from({ length: Math.ceil(size / words.length) }, () => words));
  // Written back: the file system then allocates no more blocks, such as for extents, during the scan.
  writeFileSync(at('data'), data, { flush: true });
  const options = { sample };
  const headline = (text: string): number => Number(/LZ4 would store .*? at ([\d.]+):1/.exec(text)?.[1]);
  const without = await estimate(options);
  const before = headline(renderEstimate(without));
  expect(without.holeBytes).toBe(0);
  const { size: written } = statSync(at('data'));
  truncateSync(at('data'), written + 400_000_000);
  const sparse = await estimate(options);
  const text = renderEstimate(sparse);
  expect(sparse.holeBytes / 400_000_000).toBeCloseTo(1, 3);
  expect((sparse.ratio ?? 0) / before).toBeGreaterThan(sample ? 0.8 : 0.97);
  expect((sparse.ratio ?? 0) / before).toBeLessThan(sample ? 1.2 : 1.03);
  expect(headline(text) / before).toBeGreaterThan(sample ? 0.8 : 0.97);
  expect(headline(text) / before).toBeLessThan(1.03);
  expect(text).toContain('LZ4 would store the data of these files at');
  expect(text).toContain('Holes of sparse files: 400 MB, no data, and no space with or without LZ4\n');
});

test.each(SCANS)('of a sparse file of two tebibytes only the data are read: %s', async (_, sample) => {
  const data = Buffer.concat(Array.from({ length: Math.ceil(20_000_000 / words.length) }, () => words));
  writeFileSync(at('dense'), data, { flush: true });
  const dense = await estimate({ sample: sample && { ...sample, seed: 1 } });
  rmSync(at('dense'));
  writeFileSync(at('disk.img'), '');
  truncateSync(at('disk.img'), 2 ** 41);
  const file = openSync(at('disk.img'), 'r+');
  // In two places, far apart.
  writeSync(file, data.subarray(0, 10_000_000), 0, 10_000_000, 2 ** 30);
  writeSync(file, data.subarray(10_000_000), 0, data.length - 10_000_000, 2 ** 40);
  fsyncSync(file);
  closeSync(file);
  const sparse = await estimate({ sample: sample && { ...sample, seed: 1 } });
  expect(sparse.bytesRead).toBeLessThan(80_000_000);
  expect((sparse.ratio ?? 0) / (dense.ratio ?? 1)).toBeGreaterThan(0.9);
  expect((sparse.ratio ?? 0) / (dense.ratio ?? 1)).toBeLessThan(1.1);
  expect(sparse.uncompressedBytes).toBeLessThan(1.1 * dense.uncompressedBytes);
  expect(sparse.savings?.toFixed(1)).toBe(dense.savings?.toFixed(1));
});

test('files that are nothing but holes have no headline', async () => {
  writeFileSync(at('hole'), '');
  truncateSync(at('hole'), 50_000_000);
  expect(renderEstimate(await estimate())).toContain('These files are holes: they have no data to compress.\n');
});

test('a short file without blocks may be in its inode: it counts as data', async () => {
  writeFileSync(at('short'), '');
  truncateSync(at('short'), 60_000);
  expect(await estimate()).toMatchObject({ logicalBytes: 60_000, holeBytes: 0 });
});

test('types with as many bytes are in the order of their names, and ends without compression are over all record sizes', async () => {
  for (const name of ['a.y', 'b.x', 'c.z']) writeFileSync(at(name), words.subarray(0, 200_000));
  const { byType, uncompressedInterval } = await estimate({ recordBytes: [131_072, 2 ** 20] });
  expect(byType.map(({ type }) => type)).toEqual(['x', 'y', 'z']);
  // 200,704 in one block of 1 MiB without its zeros, and two blocks of 128 KiB with theirs and two pointers of 4 KiB; each with its object.
  expect(uncompressedInterval).toEqual({ low: 3 * (200_704 + 8704), high: 3 * (262_144 + 8192 + 8704) });
});

test.each([
  [999, '999 B'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [1.25e12, '1.3 TB'],
])('%d bytes are written as %s', (bytes, words) => {
  expect(renderBytes(bytes)).toBe(words);
});

test('holes take nothing but their object, however long', async () => {
  writeFileSync(at('sparse'), words.subarray(0, 100_000));
  truncateSync(at('sparse'), 600_000_000);
  writeFileSync(at('hole'), '');
  truncateSync(at('hole'), 50_000_000);
  const { perFile } = await estimate({ perFile: true });
  const [hole, sparse] = [...(perFile ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1));
  expect(hole?.allocatedBytes).toBe(8704);
  expect(sparse?.allocatedBytes).toBeLessThan(100_000);
});

test('a file of a tebibyte that was never written to is not read', async () => {
  writeFileSync(at('data.txt'), words);
  writeFileSync(at('never.img'), '');
  truncateSync(at('never.img'), 2 ** 40);
  for (const sample of [undefined, { seed: 1 }]) {
    const { logicalBytes, bytesRead, bySize, interval } = await estimate({ sample });
    expect(logicalBytes).toBe(2 ** 40 + words.length);
    expect(bytesRead).toBe(words.length);
    expect(bySize.find(({ sizeClass }) => sizeClass === 'over 1 GiB')?.allocatedBytes).toBe(8704);
    expect(interval.low).toBe(interval.high);
  }
});

test('a file that vanished, shrank or became something else is an outcome, not an end', async () => {
  const work = new Work({ zfs: [{ recordBytes: 131_072, sectorBytes: 4096 }] });
  writeFileSync(at('short'), words.subarray(0, 1000));
  writeFileSync(at('grown'), words.subarray(0, 300_000));
  execFileSync('mkfifo', [at('pipe')]);
  const piece = (name: string, bytes: number) => ({ path: at(name), fileBytes: bytes, offset: 0, length: bytes });
  const pieces = [piece('gone', 10), piece('short', 2000), piece('pipe', 10), piece('grown', 200_000)];
  expect(await work.measure(pieces)).toMatchObject([
    ...['deleted during the scan', 'became shorter while it was read', 'is no longer a regular file'],
    [{ pointers: 2 }],
  ]);
});

test('a path that is not there is named as what it is, and the others are measured', async () => {
  writeFileSync(at('a.txt'), words);
  symlinkSync('nowhere', at('to nothing'));
  symlinkSync('loop', at('loop'));
  const given = ['missing', 'a.txt/below', 'a.txt', 'to nothing', 'loop'].map(at);
  const { files, unreadable, unreadableFiles } = await estimate({ paths: given });
  expect({ files, unreadableFiles }).toEqual({ files: 1, unreadableFiles: 4 });
  expect(unreadable).toEqual([
    { path: at('missing'), reason: 'no such file or folder' },
    { path: at('a.txt/below'), reason: 'no such file or folder' },
    { path: at('to nothing'), reason: 'a symbolic link to nothing' },
    { path: at('loop'), reason: 'a loop of symbolic links' },
  ]);
});

test('threads give what one thread gives, for files of many pieces too', async () => {
  const workerFile = at('worker.cjs');
  const entryPoints = [join(__dirname, '../../bin/estimateWorker.ts')];
  buildSync({ entryPoints, bundle: true, platform: 'node', packages: 'external', outfile: workerFile });
  mkdirSync(at('data'));
  const parts = [...new Array(14).fill(words), randomBytes(makeRandom(1), 70_000)];
  writeFileSync(at('data/large.bin'), Buffer.concat(parts));
  for (let file = 0; file < 300; file += 1) writeFileSync(at(`data/${file}.txt`), words.subarray(file, file * 300));
  const options = { paths: [at('data')], recordBytes: [4096, 131_072, 1_048_576] };
  const alone = await estimate(options);
  const together = await estimate({ ...options, workers: 3, workerFile });
  expect({ ...together, seconds: 0 }).toEqual({ ...alone, seconds: 0 });
});

test('it says how long it took, in seconds', async () => {
  writeFileSync(at('a.txt'), words);
  const began = performance.now();
  const { seconds } = await estimate({ paths: [at('a.txt')] });
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual((performance.now() - began) / 1000);
});

test('stopped, it says what was known, and that it is not all', async () => {
  for (let file = 0; file < 200; file += 1) writeFileSync(at(`${file}.txt`), words.subarray(0, 1_000_000));
  const stop = new AbortController();
  const onProgress = ({ bytesDone }: EstimateProgress) => bytesDone > 0 && stop.abort();
  const stopped = await estimate({ signal: stop.signal, onProgress });
  expect(stopped.complete).toBe(false);
  expect(stopped.bytesRead).toBeLessThan(200_000_000);
  expect(stopped.files).toBeGreaterThan(0);
  expect(stopped.ratio).toBeGreaterThan(1);
});

test('stopped before anything was read, it knows no ratio and says why', async () => {
  writeFileSync(at('a.bin'), Buffer.alloc(40_000_000, 'fsxbench'));
  for (const sample of [undefined, {}]) {
    const stopped = await estimate({ sample, signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ complete: false, ratio: null, savings: null });
    expect(stopped.ratioReason).toBe('stopped before any file was measured');
  }
});

test('a sample that is stopped while it lists knows the files and their size', async () => {
  for (let file = 0; file < 1000; file += 1) writeFileSync(at(`${file}.txt`), words.subarray(0, 1000));
  const stop = new AbortController();
  const sampling = estimate({ sample: {}, signal: stop.signal });
  // The list is made in slices of 256 files.
  setImmediate(() => stop.abort());
  const stopped = await sampling;
  expect(stopped).toMatchObject({ complete: false, allocatedBytes: null, ratio: null, savings: null });
  expect(stopped.interval).toMatchObject({ low: null, high: null });
  expect(stopped.files).toBeGreaterThanOrEqual(1);
  expect(stopped.files).toBeLessThan(1000);
  expect(stopped.logicalBytes).toBe(1000 * stopped.files);
  expect(stopped.ratioReason).toBe('stopped before anything was read');
  expect(renderEstimate(stopped)).toMatch(/ files? is unknown: stopped before anything was read\.\n/);
});

test('stopped, it does not tell people that all was read', async () => {
  for (let file = 0; file < 1000; file += 1) writeFileSync(at(`${file}.txt`), words.subarray(0, 1000));
  const stop = new AbortController();
  const onProgress = ({ filesDone }: EstimateProgress) => filesDone > 0 && stop.abort();
  const stopped = await estimate({ signal: stop.signal, onProgress });
  const text = renderEstimate({ ...stopped, complete: false });
  expect(text).toContain('Stopped early: LZ4 would store the files measured so far at');
  expect(text).not.toContain('(all ');
  expect(renderEstimate({ ...stopped, complete: true })).toContain('(all ');
  expect(renderEstimate({ ...stopped, complete: true, unreadableFiles: 1 })).not.toContain('(all ');
});

test('what failed is no progress beyond the end', () => {
  const seen: EstimateProgress[] = [];
  const survey = new Survey((progress) => seen.push(progress));
  survey.bytesListed = 100;
  survey.bytesDone = 60;
  survey.failed('a', 60, 'permission denied');
  survey.close();
  expect(seen.at(-1)).toMatchObject({ bytesListed: 40, bytesDone: 40 });
});

test('a file that cannot be read leaves the progress with its bytes, each once', async () => {
  writeFileSync(at('a.txt'), words);
  const denied = jest
    .spyOn(Work.prototype, 'measure')
    .mockImplementation(async (pieces) => pieces.map(() => 'permission denied'));
  const seen: EstimateProgress[] = [];
  await estimate({ onProgress: (progress: EstimateProgress) => seen.push(progress) }).finally(() =>
    denied.mockRestore(),
  );
  expect(seen.at(-1)).toMatchObject({ filesListed: 0, bytesListed: 0, bytesDone: 0 });
});

test('tells early and often how far it is', async () => {
  for (let file = 0; file < 60; file += 1) writeFileSync(at(`${file}.txt`), words);
  // On no machine is it done sooner: a fast one would end before a second word is due.
  const leastMs = 40;
  const measure = Work.prototype.measure;
  let batches = 0;
  const slow = jest.spyOn(Work.prototype, 'measure').mockImplementation(function (this: Work, pieces) {
    batches += 1;
    for (const end = performance.now() + leastMs; performance.now() < end; );
    return measure.call(this, pieces);
  });
  const seen: EstimateProgress[] = [];
  await estimate({ onProgress: (progress: EstimateProgress) => seen.push(progress) }).finally(() => slow.mockRestore());
  // By its first word there is still something to do.
  expect(seen[0]?.filesDone).toBeLessThan(60);
  // At least every half second of the work, and at its end.
  expect(batches * leastMs).toBeGreaterThan(1000);
  expect(seen.length).toBeGreaterThan((batches * leastMs) / 500);
  const last = seen.at(-1);
  expect(last).toMatchObject({ listed: true, filesDone: 60, filesListed: 60, bytesDone: 180_000_000 });
});

test.each([
  [{ recordBytes: [100_000] }, "'record' must be a power of two from 512 to 16M, got 100000"],
  [{ sectorBytes: 100 }, "'sector' must be a power of two from 512 to 16K, got 100"],
  [{ raidz: { disks: 2, parity: 2 } }, "'raidz' disks must be more than the parity of 2 and at most 255, got 2"],
  [{ raidz: { disks: 9, parity: 4 } }, "'raidz' parity must be 1, 2 or 3, got 4"],
  [{ sample: { share: 0 } }, "'share' must be above 0 and at most 1, got 0"],
  [{ sample: { seed: -1 } }, "'seed' must be a whole number from 0 to 4294967295, got -1"],
  [{ workers: -1 }, "'workers' must be a whole number from 0 to 256, got -1"],
  [{ workers: Number.NaN }, "'workers' must be a whole number from 0 to 256, got NaN"],
  [{ workers: 1.5 }, "'workers' must be a whole number from 0 to 256, got 1.5"],
  [{ paths: [] }, "'paths' must name a file, a folder or an s3:// prefix, got none"],
])('refuses %j', async (options, message) => {
  await expect(estimate(options)).rejects.toThrow(message);
});

test.each([
  ['empty', 0],
  ['holes', 1_000_000],
])('a ratio that is not known has an interval that is not known: %s', async (_, size) => {
  writeFileSync(at('a.bin'), '');
  truncateSync(at('a.bin'), size);
  for (const sample of [undefined, {}]) {
    const { ratio, interval, bounds } = await estimate({ sample });
    const ends = ratio === null ? { low: null, high: null } : { low: expect.any(Number), high: expect.any(Number) };
    expect([interval, ...bounds.map((bound) => bound.interval)]).toEqual([interval, interval]);
    expect(interval).toMatchObject(ends);
    if (size === 0) expect(ratio).toBeNull();
  }
});
