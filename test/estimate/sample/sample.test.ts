import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateCompression } from '../../../lib/estimate';
import { layoutsOf, type Target } from '../../../lib/estimate/measure/meter';
import { makePool } from '../../../lib/estimate/measure/pool';
import type { Estimate, RecordBound } from '../../../lib/estimate/result';
import { quantileT975, stratifiedMean } from '../../../lib/estimate/sample/mean';
import { makeRandom } from '../../../lib/estimate/sample/random';
import { type Point, Reservoir } from '../../../lib/estimate/sample/reservoir';
import type { Found } from '../../../lib/estimate/source/found';
import { Survey } from '../../../lib/estimate/source/survey';
import { walk } from '../../../lib/estimate/source/walk';
import { INVENTED } from '../inventedTrees';
import { writeMixedTree } from '../mixedTree';
import { allocatorsOf, memoised, type Tree, tryOut, tryOutDraws } from '../trial';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-mixed-'));
const empty = mkdtempSync(join(tmpdir(), 'fsxbench-empty-'));
beforeAll(() => writeMixedTree(folder));
afterAll(() => {
  for (const each of [folder, empty]) rmSync(each, { recursive: true });
});

const estimate = (options: object): Promise<Estimate> =>
  estimateCompression({ paths: [folder], workers: 0, ...options });

/** The mixed tree, each record of which is measured once however many samples are drawn. */
async function mixedTree(records: readonly number[]): Promise<Tree> {
  return mixedTreeOn({ zfs: allocatorsOf(records).map(({ geometry }) => geometry) });
}

async function mixedTreeOn(target: Target): Promise<Tree> {
  const files: Found[] = [];
  for await (const batch of walk([folder], new Survey(undefined))) files.push(...batch);
  return { files, allocators: layoutsOf(target), pool: memoised(makePool(target, 0, undefined)) };
}

test('the 95 % interval covers what a full scan finds in at least 93 % of 200 samples, which read under 5 %', async () => {
  const { held, widths, mostRead } = await tryOut(await mixedTree([131_072]), 200);
  expect(held[0]).toBeGreaterThanOrEqual(0.93);
  expect(mostRead).toBeLessThan(0.05);
  // An interval that says nothing would hold, too.
  expect(widths[0]).toBeLessThan(0.5);
});

test('so it does for both record sizes at once', async () => {
  const { held, widths } = await tryOut(await mixedTree([131_072, 1_048_576]), 200);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(0.93);
  expect(Math.max(...widths)).toBeLessThan(0.6);
});

test('so it does on Btrfs, of whose files larger parts are drawn', async () => {
  const { held, widths } = await tryOut(await mixedTreeOn({ btrfs: { codec: 'lzo', force: true } }), 200);
  expect(held[0]).toBeGreaterThanOrEqual(0.93);
  expect(widths[0]).toBeLessThan(0.5);
});

test.each(Object.entries(INVENTED))('it holds where sampling is hard: %s', async (_, make) => {
  const { held, mostRead } = await tryOut(make(), 40);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(0.9);
  expect(mostRead).toBeLessThan(0.05);
});

test('what a full scan draws of further record sizes tells the rest in at least 93 % of 200 scans', async () => {
  const { held, width, share } = await tryOutDraws(await mixedTree([131_072, 1_048_576]), 200);
  expect(held).toBeGreaterThanOrEqual(0.93);
  expect(width).toBeLessThan(0.04);
  expect(share).toBeLessThan(0.5);
});

test.each([
  'files of one type, each with a ratio of its own',
  'a few files of one type, half of each compresses and half does not',
  'sparse files, nine tenths holes',
  'almost all compresses alike, one in fifty does not at all',
])('so it does where that is hard: %s', async (name) => {
  const { held, width, share } = await tryOutDraws((INVENTED[name] as () => Tree)(), 40);
  expect(held).toBeGreaterThanOrEqual(0.9);
  expect(width).toBeLessThan(0.12);
  expect(share).toBeLessThan(0.2);
});

test('samples as the command does, and one record size above 128 KiB leans on a smaller one', async () => {
  for (const recordBytes of [[131_072, 1_048_576], [1_048_576]]) {
    const full = await estimate({ recordBytes, exact: true });
    const sampled = await estimate({ recordBytes, sample: { seed: 3 } });
    expect(sampled).toMatchObject({
      mode: 'sample',
      files: full.files,
      logicalBytes: full.logicalBytes,
      uncompressedBytes: full.uncompressedBytes,
    });
    expect(sampled.bytesRead).toBeLessThan(0.07 * full.logicalBytes);
    sampled.bounds.forEach(({ interval }, index) => {
      const ratio = full.bounds[index]?.ratio as number;
      expect(interval.low).toBeLessThanOrEqual(ratio);
      expect(interval.high).toBeGreaterThanOrEqual(ratio);
    });
  }
});

test('a full scan measures the first record size everywhere and further ones on a part, unless it is to be exact', async () => {
  const [small, large] = await Promise.all(
    [131_072, 1_048_576].map(async (size) => (await estimate({ recordBytes: [size] })).bounds[0] as RecordBound),
  );
  const exact = await estimate({ exact: true });
  expect(exact.bounds).toEqual([small, large]);
  const { bounds, byType, bySize, interval } = await estimate({});
  const [first, further] = bounds as [RecordBound, RecordBound];
  expect(first).toEqual({ ...small, measuredShare: 1 });
  expect(further.measuredShare).toBeGreaterThan(0.1);
  expect(further.measuredShare).toBeLessThan(0.5);
  expect(further.interval.low).toBeLessThan(large?.ratio as number);
  expect(further.interval.high).toBeGreaterThan(large?.ratio as number);
  expect(interval).toEqual({
    low: Math.min(first.ratio as number, further.interval.low as number),
    high: further.interval.high,
    confidence: 0.95,
  });
  for (const groups of [byType, bySize])
    for (const [index, bound] of bounds.entries()) {
      const sum = groups.reduce((total, group) => total + (group.bounds[index]?.allocatedBytes ?? Number.NaN), 0);
      expect(Math.abs(sum - (bound.allocatedBytes as number))).toBeLessThanOrEqual(groups.length);
    }
});

test('the same seed gives the same sample, another seed another', async () => {
  const figures = async (seed: number) => (await estimate({ sample: { seed } })).allocatedBytes;
  expect(await figures(7)).toBe(await figures(7));
  expect(await figures(7)).not.toBe(await figures(8));
});

test('by type and by size the estimates add up to the whole', async () => {
  const { allocatedBytes, byType, bySize } = await estimate({ sample: {} });
  for (const groups of [byType, bySize]) {
    const sum = groups.reduce((total, group) => total + (group.allocatedBytes ?? Number.NaN), 0);
    expect(Math.abs(sum - (allocatedBytes ?? Number.NaN))).toBeLessThanOrEqual(groups.length);
  }
});

test('where a sample would read most of it, everything is read and the interval is a point', async () => {
  const small = { paths: [join(folder, 'src')] };
  const [full, sampled] = [await estimate(small), await estimate({ ...small, sample: {} })];
  expect(sampled).toMatchObject({ mode: 'sample', allocatedBytes: full.allocatedBytes, interval: full.interval });
});

test('an empty folder has no ratio', async () => {
  for (const sample of [undefined, {}]) {
    const nothing = await estimate({ paths: [empty], sample });
    expect(nothing).toMatchObject({ files: 0, ratio: null, savings: null, interval: { low: null, high: null } });
  }
});

test('a line for each file needs a full scan', async () => {
  await expect(estimate({ sample: {}, perFile: true })).rejects.toThrow(
    "'files' needs a full scan and cannot be combined with 'sample'",
  );
  await expect(estimate({ sample: {}, exact: true })).rejects.toThrow(
    "'exact' measures everything and cannot be combined with 'sample'",
  );
});

test('a reservoir draws every part of the line as often as its weight says', () => {
  const random = makeRandom(3);
  const reservoir = new Reservoir<number>(20_000, random);
  for (let item = 0; item < 10; item += 1) reservoir.add(item, item + 1);
  const drawn = new Array<number>(10).fill(0);
  const points = Array.from({ length: 20_000 }, (_, slot) => reservoir.point(slot) as Point<number>);
  for (const { item, fraction } of points) {
    drawn[item] = (drawn[item] as number) + 1;
    if (!(fraction >= 0 && fraction < 1)) throw new Error(`a fraction of ${fraction}`);
  }
  for (const [item, count] of drawn.entries()) expect(Math.abs(count / 20_000 - (item + 1) / 55)).toBeLessThan(0.012);
  const halves = points.filter(({ item, fraction }) => item === 9 && fraction < 0.5).length;
  expect(halves / (drawn[9] as number)).toBeCloseTo(0.5, 1);
});

test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [5, 2.571],
  [10, 2.228],
  [30, 2.042],
  [1000, 1.962],
])("Student's t at 97.5 %% with %d degrees of freedom is %d", (degrees, t) => {
  expect(Math.abs(quantileT975(degrees) / t - 1)).toBeLessThan(0.008);
});

test('values that are all alike are not a certainty', () => {
  expect(stratifiedMean([{ weight: 1, values: [0.3, 0.3, 0.3, 0.3] }], 1).margin).toBeGreaterThan(0.25);
});
