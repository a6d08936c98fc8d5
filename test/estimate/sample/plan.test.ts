import { makeRandom } from '../../../lib/estimate';
import { planSample, type SamplePlan } from '../../../lib/estimate/sample/plan';
import { Strata } from '../../../lib/estimate/sample/strata';
import type { Found } from '../../../lib/estimate/source/survey';
import { allocatorsOf } from '../trial';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** Returns what is read of files of one type and size, which are numbered below a folder. */
function planOf(
  files: readonly Found[],
  {
    records = [128 * KIB],
    share = 0.01,
    seed = 1,
  }: { records?: readonly number[]; share?: number; seed?: number } = {},
): SamplePlan | null {
  const random = makeRandom(seed);
  const allocators = allocatorsOf(records);
  const strata = new Strata(allocators, random);
  for (const file of files) strata.add(file);
  return planSample(strata.all, allocators, share, random);
}

const alike = (count: number, bytes = MIB, type = 'dat'): Found[] =>
  Array.from({ length: count }, (_, at) => ({ path: `data/${at}.${type}`, bytes }));

// Records of 128 KiB and runs of 1 MiB, so the numbers follow from the bytes that may be read.
test.each([
  ['32 MiB are read in full', alike(32), {}, null],
  ['more is sampled: the least is 48 records', alike(33), {}, 48],
  ['1 % of 12.5 GiB is 128 MiB', alike(12_800), {}, 1024],
  ['a tenth of 8 GiB would be 6,553 records, and 4,096 are enough', alike(8192), { share: 0.1 }, 4096],
  ['48 records of 1 MiB are half of 96', alike(96), { records: [MIB] }, null],
  ['48 records of 1 MiB are less than half of 97', alike(97), { records: [MIB] }, 48],
] as const)('%s', (_what, files, options, records) => {
  const plan = planOf(files, options);
  expect(plan?.single.draws.length ?? null).toBe(records);
  expect(plan?.compared.draws ?? []).toEqual([]);
});

test('two record sizes share the bytes: 60 % are single records, 40 % are runs of the larger', () => {
  // 5 % of 10 GiB are 512 MiB: 307.2 MiB in records of 128 KiB, 204.8 MiB in runs of 1 MiB.
  const plan = planOf(alike(10_240), { records: [128 * KIB, MIB], share: 0.05 });
  expect([plan?.single.draws.length, plan?.compared.draws.length]).toEqual([2457, 204]);
  expect(plan?.bytes).toBe(2457 * 128 * KIB + 204 * MIB);
  for (const { piece } of plan?.single.draws ?? [])
    expect(piece).toMatchObject({ length: 128 * KIB, fileBytes: MIB, only: 0 });
  for (const { piece } of plan?.compared.draws ?? []) expect(piece).toMatchObject({ offset: 0, length: MIB });
  // Files of one small record do not differ between the two.
  expect(planOf(alike(600, 64 * KIB), { records: [128 * KIB, MIB] })?.compared.draws).toEqual([]);
});

test('at least six runs are read, and 48 records', () => {
  const plan = planOf(alike(97), { records: [128 * KIB, MIB] });
  expect([plan?.single.draws.length, plan?.compared.draws.length]).toEqual([48, 6]);
});

test('a record begins at a multiple of its size, ends with its file, and each is drawn about as often', () => {
  const size = 2 * MIB + 300;
  const drawn = new Map<number, number>();
  for (const { piece } of planOf(alike(4000, size), { share: 0.0625 })?.single.draws ?? []) {
    expect(piece.length).toBe(Math.min(128 * KIB, size - piece.offset));
    drawn.set(piece.offset, (drawn.get(piece.offset) ?? 0) + 1);
  }
  expect([...drawn.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 17 }, (_, at) => at * 128 * KIB));
  // 4,096 draws over 17 records, the last of which takes as much space without compression as the others: 241 each.
  for (const count of drawn.values()) expect(Math.abs(count - 241)).toBeLessThan(75);
});

test('only what holds data is drawn of a sparse file, every part of it', () => {
  const data = [
    [MIB, 2 * MIB],
    [5 * MIB + 1, 5 * MIB + 200 * KIB],
  ] as const;
  const holeBytes = 10 * MIB - MIB - 200 * KIB + 1;
  const files = Array.from({ length: 500 }, (_, at) => ({ path: `${at}.dat`, bytes: 10 * MIB, data, holeBytes }));
  const plan = planOf(files, { share: 0.2 });
  const offsets = new Set(plan?.single.draws.map(({ piece }) => piece.offset / (128 * KIB)));
  expect([...offsets].sort((a, b) => a - b)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 40, 41]);
  expect(planOf([{ path: 'hole.dat', bytes: 2 ** 40, data: [], holeBytes: 2 ** 40 }])).toBeNull();
});

test('types have draws by their space; those that are due fewer than eight share at least four', () => {
  // Of 1,024 records: 768, 255, and less than one for each of the two last, together four.
  const files = [...alike(9600, MIB, 'a'), ...alike(3190, MIB, 'b'), ...alike(6, MIB, 'c'), ...alike(4, MIB, 'd')];
  const { draws, parts } = planOf(files)?.single ?? { draws: [], parts: [] };
  expect(parts.map((strata) => strata.map(({ type }) => type))).toEqual([['a'], ['b'], ['c', 'd']]);
  const ofPart = (part: number) => draws.filter((drawn) => drawn.part === part);
  expect([0, 1, 2].map((part) => ofPart(part).length)).toEqual([768, 255, 4]);
  for (const { stratum, part } of draws) expect(parts[part]).toContain(stratum);
  // A sample that is stopped early has some of each: they are not in the order of the types.
  const first = draws.slice(0, 100).map(({ part }) => part);
  expect(first.filter((part) => part === 1).length).toBeGreaterThan(10);
  expect(first.filter((part) => part === 0).length).toBeGreaterThan(50);
  // Over many samples, the two small types have draws by their space: six of ten.
  const small = Array.from({ length: 100 }, (_, seed) => planOf(files, { seed: seed + 2 })?.single.draws ?? [])
    .flat()
    .filter(({ part }) => part === 2);
  expect(small.filter(({ stratum }) => stratum.type === 'c').length / small.length).toBeCloseTo(0.6, 1);
});
