import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateCompression } from '../../lib/estimate';
import { quantileT975, stratifiedMean } from '../../lib/estimate/mean';
import { makeRandom } from '../../lib/estimate/random';
import { Reservoir } from '../../lib/estimate/reservoir';
import type { Estimate } from '../../lib/estimate/result';
import { writeMixedTree } from './mixedTree';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-mixed-'));
const empty = mkdtempSync(join(tmpdir(), 'fsxbench-empty-'));
beforeAll(() => writeMixedTree(folder));
afterAll(() => {
  for (const each of [folder, empty]) rmSync(each, { recursive: true });
});

const estimate = (options: object): Promise<Estimate> =>
  estimateCompression({ paths: [folder], workers: 0, ...options });

function holds(sampled: Estimate, full: Estimate): boolean[] {
  return sampled.bounds.map(({ interval }, index) => {
    const ratio = full.bounds[index]?.ratio as number;
    return (interval.low as number) <= ratio && ratio <= (interval.high as number);
  });
}

test('the 95 % interval covers what a full scan finds in at least 93 % of 200 samples, which read under 5 %', async () => {
  const full = await estimate({ recordBytes: [131_072] });
  let held = 0;
  let width = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const sampled = await estimate({ recordBytes: [131_072], sample: { seed } });
    if (holds(sampled, full)[0]) held += 1;
    expect(sampled.bytesRead).toBeLessThan(0.05 * full.logicalBytes);
    expect(sampled).toMatchObject({ files: full.files, logicalBytes: full.logicalBytes });
    width += ((sampled.interval.high as number) - (sampled.interval.low as number)) / (full.ratio as number) / 200;
  }
  expect(held / 200).toBeGreaterThanOrEqual(0.93);
  // An interval that says nothing would hold, too.
  expect(width).toBeLessThan(0.5);
}, 300_000);

test('both record sizes are covered, and one above 128 KiB alone', async () => {
  const both = await estimate({});
  const large = await estimate({ recordBytes: [1_048_576] });
  const held = [0, 0, 0];
  for (let seed = 1; seed <= 60; seed += 1) {
    const sampled = [
      await estimate({ sample: { seed } }),
      await estimate({ recordBytes: [1_048_576], sample: { seed } }),
    ];
    const inside = [...holds(sampled[0] as Estimate, both), ...holds(sampled[1] as Estimate, large)];
    inside.forEach((yes, index) => {
      if (yes) held[index] = (held[index] as number) + 1;
    });
  }
  for (const each of held) expect(each / 60).toBeGreaterThanOrEqual(0.9);
}, 300_000);

test('the same seed gives the same sample, another seed another', async () => {
  const figures = async (seed: number) => (await estimate({ sample: { seed } })).allocatedBytes;
  expect(await figures(7)).toBe(await figures(7));
  expect(await figures(7)).not.toBe(await figures(8));
});

test('by type and by size the estimates add up to the whole', async () => {
  const { allocatedBytes, byType, bySize } = await estimate({ sample: {} });
  for (const groups of [byType, bySize]) {
    const sum = groups.reduce((total, group) => total + group.allocatedBytes, 0);
    expect(Math.abs(sum - allocatedBytes)).toBeLessThanOrEqual(groups.length);
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
    "'files' needs a full scan, got it with 'sample'",
  );
});

test('a reservoir draws every part of the line as often as its weight says', () => {
  const random = makeRandom(3);
  const reservoir = new Reservoir<number>(20_000, random);
  for (let item = 0; item < 10; item += 1) reservoir.add(item, item + 1);
  const drawn = new Array<number>(10).fill(0);
  for (const { item, fraction } of reservoir.points) {
    drawn[item] = (drawn[item] as number) + 1;
    expect(fraction).toBeGreaterThanOrEqual(0);
    expect(fraction).toBeLessThan(1);
  }
  for (const [item, count] of drawn.entries()) expect(Math.abs(count / 20_000 - (item + 1) / 55)).toBeLessThan(0.012);
  const halves = reservoir.points.filter(({ item, fraction }) => item === 9 && fraction < 0.5).length;
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
