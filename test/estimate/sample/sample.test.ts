import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { studentQuantile } from '../../../lib/common/statistics';
import { estimateCompression, makeRandom, scanAll } from '../../../lib/estimate';
import { makePool, type Pool } from '../../../lib/estimate/measure/pool';
import { layoutsOf, type PieceOutcome, type Target } from '../../../lib/estimate/measure/work';
import type { Estimate, RecordBound } from '../../../lib/estimate/result';
import { stratifiedMean } from '../../../lib/estimate/sample/mean';
import { scanSample } from '../../../lib/estimate/sample/sample';
import { type Point, Reservoir } from '../../../lib/estimate/sample/strata';
import { type Found, Survey } from '../../../lib/estimate/source/survey';
import { walk } from '../../../lib/estimate/source/walk';
import { drawn, draws } from '../../support/drawn';
import { INVENTED } from '../inventedTrees';
import { writeMixedTree } from '../mixedTree';
import { allocatorsOf, inventedTree, memoised, type Tree, tryOut, tryOutDraws } from '../trial';

const folder = mkdtempSync(join(tmpdir(), 'fsxbench-mixed-'));
const empty = mkdtempSync(join(tmpdir(), 'fsxbench-empty-'));
beforeAll(() => writeMixedTree(folder));
afterAll(() => {
  for (const each of [folder, empty]) rmSync(each, { recursive: true });
});

const estimate = (options: object): Promise<Estimate> =>
  estimateCompression({ paths: [folder], workers: 0, ...options });

const zfs = (records: readonly number[]): Target => ({ zfs: allocatorsOf(records).map(({ geometry }) => geometry) });

/** The mixed tree, each record of which is measured once however many samples are drawn. */
async function mixedTreeOn(target: Target): Promise<Tree> {
  const files: Found[] = [];
  for await (const batch of walk([folder], new Survey(undefined))) files.push(...batch);
  return { files, allocators: layoutsOf(target), pool: memoised(makePool(target, 0, undefined)) };
}

test.each(
  drawn<[what: string, target: Target, width: number, read: number]>([
    ['records of 128 KiB', zfs([131_072]), 0.5, 0.05],
    ['both record sizes at once', zfs([131_072, 1_048_576]), 0.6, 0.08],
    ['Btrfs, of whose files larger parts are drawn', { btrfs: { codec: 'lzo' } }, 0.5, 0.15],
  ]),
)(
  'the 95 % interval covers what a full scan finds in at least 93 % of 200 samples, which read a part: %s',
  async (_, target, width, read) => {
    const { held, widths, mostRead } = await tryOut(await mixedTreeOn(target), 200);
    expect(Math.min(...held)).toBeGreaterThanOrEqual(0.93);
    expect(mostRead).toBeLessThan(read);
    // Useless wide intervals would also hold.
    expect(Math.max(...widths)).toBeLessThan(width);
  },
);

test.each(drawn(Object.entries(INVENTED)))('it holds where sampling is hard: %s', async (_, make) => {
  const { held, mostRead } = await tryOut(make(), 40);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(0.9);
  expect(mostRead).toBeLessThan(0.05);
});

test('small files, which no larger record compresses better, leave the interval of large records right', async () => {
  const files = Array.from({ length: 3020 }, (_, n) => ({ path: `${n}`, bytes: n < 20 ? 20 * 2 ** 20 : 100_000 }));
  const tree = inventedTree(files, [131_072, 1_048_576], (_, at, bytes) =>
    Math.ceil(bytes * (bytes > 131_072 ? 0.3 : 0.8 + 0.1 * ((at / 131_072) % 2))),
  );
  const { held } = await tryOut(tree, 20);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(0.9);
});

test('what a full scan draws of further record sizes tells the rest in at least 93 % of 200 scans', async () => {
  const { held, width, share } = await tryOutDraws(await mixedTreeOn(zfs([131_072, 1_048_576])), 200);
  expect(held).toBeGreaterThanOrEqual(0.93);
  expect(width).toBeLessThan(0.04);
  expect(share).toBeLessThan(0.5);
});

test.each(
  drawn([
    'files of one type, each with a ratio of its own',
    'a few files of one type, half of each compresses and half does not',
    'sparse files, nine tenths holes',
    'almost all compresses alike, one in fifty does not at all',
  ]),
)('so it does where that is hard: %s', async (name) => {
  const { held, width, share } = await tryOutDraws((INVENTED[name] as () => Tree)(), 40);
  expect(held).toBeGreaterThanOrEqual(0.9);
  expect(width).toBeLessThan(0.12);
  expect(share).toBeLessThan(0.2);
});

test('samples as the command does, and one record size above 128 KiB leans on a smaller one', async () => {
  const shares = new Set<number | undefined>();
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
    shares.add(sampled.bounds.at(-1)?.measuredShare);
    sampled.bounds.forEach(({ interval }, index) => {
      const ratio = full.bounds[index]?.ratio as number;
      expect(interval.low).toBeLessThanOrEqual(ratio);
      expect(interval.high).toBeGreaterThanOrEqual(ratio);
    });
  }
  expect(shares.size).toBe(1);
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

describe('a sample of which a part cannot be read', () => {
  const MIB = 2 ** 20;
  const files: Found[] = ['npy', 'csv', 'log'].flatMap((type, kind) =>
    Array.from({ length: 300 }, (_, index) => ({ path: `/${type}/${index}.${type}`, bytes: (4 + 8 * kind) * MIB })),
  );
  /** Each type compresses to a different share. */
  const sizeOf = (path: string, _: number, bytes: number): number =>
    bytes * (path.endsWith('npy') ? 0.75 : path.endsWith('csv') ? 0.5 : 0.25);
  const tree = inventedTree(files, [131_072, 1_048_576], sizeOf);
  const sampled = async (isReadable: (path: string, asked: number) => boolean, signal?: AbortSignal) => {
    let asked = 0;
    const pool: Pool = {
      ...tree.pool,
      measure: async (pieces) => {
        const outcomes = await tree.pool.measure(pieces);
        return pieces.map(({ path }, index) =>
          isReadable(path, ++asked) ? (outcomes[index] as PieceOutcome) : 'permission denied',
        );
      },
    };
    const survey = new Survey(undefined);
    async function* listed() {
      yield files;
    }
    const scan = { pool, allocators: tree.allocators, survey, signal };
    const found = await scanSample(listed(), scan, { share: 0.02, random: makeRandom(5) });
    if (found === null) throw new Error('it would read all');
    const ratios = found.total.allocatedBytes.map((bytes) => found.total.logicalBytes / bytes);
    return { ...found, ratios, survey };
  };

  test('takes the rest for all of it, and names each file once', async () => {
    const whole = await sampled(() => true);
    const part = await sampled((path) => !path.endsWith('log'));
    expect(whole.survey.unreadableFiles).toBe(0);
    expect(part.total).toMatchObject({ files: 900, logicalBytes: whole.total.logicalBytes });
    const { unreadableFiles, unreadableNamed } = part.survey;
    expect(unreadableFiles).toBeGreaterThan(20);
    expect(unreadableFiles).toBeLessThanOrEqual(300);
    for (const { path, reason } of unreadableNamed)
      expect([path, reason]).toEqual([expect.stringMatching(/log$/), 'permission denied']);
    // The files that compress best are not among what was read.
    part.ratios.forEach((ratio, index) => {
      const { low, high } = part.intervals[index] ?? {};
      expect(ratio).toBeGreaterThan(1);
      expect(ratio).toBeLessThan((whole.ratios[index] ?? 0) * 0.95);
      expect([low, high].every((end) => Number.isFinite(end))).toBe(true);
      expect(low ?? 0).toBeLessThan(ratio);
      expect(high ?? 0).toBeGreaterThan(ratio);
    });
    // Nothing is known of the type, so it has no figures; the others keep theirs.
    expect([...part.byType.keys()].sort()).toEqual(['csv', 'npy']);
    expect(part.unsampledTypes).toBe(1);
    for (const type of ['csv', 'npy'])
      expect(part.byType.get(type)?.allocatedBytes[0]).toBeCloseTo(whole.byType.get(type)?.allocatedBytes[0] ?? 0, -3);
  });

  test('has no ratio where nothing was read', async () => {
    const { ratios, intervals } = await sampled(() => false);
    expect(ratios).toEqual([Number.NaN, Number.NaN]);
    for (const interval of intervals) expect(interval).toEqual({ low: null, high: null, confidence: 0.95 });
  });

  test('stopped early knows all types by what was read until then, less surely', async () => {
    const stop = new AbortController();
    const early = await sampled((_, asked) => {
      if (asked === 40) stop.abort();
      return true;
    }, stop.signal);
    const whole = await sampled(() => true);
    expect(early.survey.bytesDone).toBeLessThan(whole.survey.bytesDone / 2);
    early.intervals.forEach(({ low, high }, index) => {
      const full = whole.ratios[index] ?? 0;
      expect(low ?? Number.NaN).toBeLessThan(full);
      expect(high ?? Number.NaN).toBeGreaterThan(full);
      const { low: from, high: to } = whole.intervals[index] ?? {};
      expect((high ?? 0) - (low ?? 0)).toBeGreaterThan((to ?? 0) - (from ?? 0));
      expect(early.shares[index]).toBeLessThan(whole.shares[index] ?? 0);
    });
    for (const { allocatedBytes } of early.byType.values()) expect(allocatedBytes.every(Number.isFinite)).toBe(true);
  });
});

test('the same seed gives the same sample, another seed another', async () => {
  const figures = async (seed: number) => (await estimate({ sample: { seed } })).allocatedBytes;
  expect(await figures(7)).toBe(await figures(7));
  expect(await figures(7)).not.toBe(await figures(8));
});

test('the interval of each type holds its truth in at least 95 % of drawn trees', async () => {
  const trees = draws(200, 40);
  const [held, shown] = await coverage(trees);
  expect(shown).toBeGreaterThan(2 * trees);
  expect(held / shown).toBeGreaterThanOrEqual(0.95);
});

/** Random trees of a few types, each with its compressibility and files of all sizes: numbers of type intervals that hold, and of all. */
async function coverage(trees: number): Promise<[held: number, shown: number]> {
  let [held, shown] = [0, 0];
  for (let seed = 1; seed <= trees; seed += 1) {
    const random = makeRandom(seed);
    const types = Array.from({ length: 3 + Math.floor(5 * random()) }, (_, at) => ({
      name: `t${at}`,
      files: Math.ceil(2000 ** random()),
      bytes: 4000 * 20_000 ** random(),
      kept: 0.1 + random(),
    }));
    const files = types.flatMap(({ name, files: count, bytes }) =>
      Array.from(
        { length: count },
        (_, at): Found => ({ path: `/${name}/${at}.${name}`, bytes: Math.ceil(bytes * 2 * random()) }),
      ),
    );
    const keptOf = new Map(types.map(({ name, kept }) => [name, kept]));
    const tree = inventedTree(files, [131_072], (path, at, bytes) => {
      const noise = makeRandom(seed * 1_000_003 + path.length * 7919 + at)() - 0.5;
      const size = bytes * ((keptOf.get(path.split('/')[1] ?? '') ?? 1) + 0.2 * noise);
      return size > bytes * 0.875 ? 0 : Math.ceil(size);
    });
    const scan = { pool: memoised(tree.pool), allocators: tree.allocators, signal: undefined };
    async function* listed() {
      yield files;
    }
    const sample = await scanSample(
      listed(),
      { ...scan, survey: new Survey(undefined) },
      { share: 0.02, random: makeRandom(seed) },
    );
    if (sample === null) continue;
    const truth = await scanAll(listed(), { ...scan, survey: new Survey(undefined) });
    for (const [type, { allocatedBytes, marginBytes }] of sample.byType) {
      shown += 1;
      const off = Math.abs(
        (truth.byType.get(type)?.allocatedBytes[0] ?? Number.NaN) - (allocatedBytes[0] ?? Number.NaN),
      );
      if (off <= (marginBytes?.[0] ?? 0)) held += 1;
    }
  }
  return [held, shown];
}

test('where a sample would read most of it, everything is read and the interval is a point', async () => {
  const small = { paths: [join(folder, 'src')] };
  const [full, sampled] = [await estimate(small), await estimate({ ...small, sample: {} })];
  expect(sampled).toMatchObject({ mode: 'sample', allocatedBytes: full.allocatedBytes, interval: full.interval });
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

test('parts count by their weights, in the mean, its variance and its degrees of freedom, as worked out by hand', () => {
  const parts = [
    { weight: 3, values: [0, 1] },
    { weight: 1, values: [2, 4] },
  ];
  // Means 0.5 and 3; variances 0.5 and 2, of which the mean of two values has half.
  const [first, second] = [0.75 ** 2 * 0.25, 0.25 ** 2];
  const freedom = (first + second) ** 2 / (first ** 2 + second ** 2);
  expect(stratifiedMean(parts, 0)).toEqual({
    mean: 0.75 * 0.5 + 0.25 * 3,
    margin: expect.closeTo(studentQuantile(0.95, freedom) * Math.sqrt(first + second), 9),
  });
  // One more value, not drawn in four, may be away by 2: a part as free as the draws.
  const unseen = 0.5 ** 2;
  const free = (first + second + unseen) ** 2 / (first ** 2 + second ** 2 + unseen ** 2 / 3);
  expect(stratifiedMean(parts, 2).margin).toBeCloseTo(
    studentQuantile(0.95, free) * Math.sqrt(first + second + unseen),
    9,
  );
});

test('values that are all alike are not a certainty', () => {
  expect(stratifiedMean([{ weight: 1, values: [0.3, 0.3, 0.3, 0.3] }], 1).margin).toBeGreaterThan(0.25);
});
