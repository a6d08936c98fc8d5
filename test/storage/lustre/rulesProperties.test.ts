import fc from 'fast-check';
import type { LustreConfiguration } from '../../../lib/storage/lustre/configuration';
import { checkLustre } from '../../../lib/storage/lustre/rules';
import { MIN } from './configurations';

const accepted = (configuration: LustreConfiguration) => checkLustre(configuration).errors.length === 0;
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const KEYS = [
  'deploymentType',
  'storageType',
  'storageCapacityGiB',
  'perUnitStorageThroughput',
  'throughputCapacity',
  'metadata',
  'efaEnabled',
  'driveCacheType',
  'dataReadCache',
  'version',
] as const;

/** Values that some kind of file system accepts, and some that none does. */
const strangers = fc.record({
  deploymentType: fc.constantFrom('SCRATCH_2', 'PERSISTENT_1', 'PERSISTENT_2'),
  storageType: maybe(fc.constantFrom('SSD', 'HDD', 'INTELLIGENT_TIERING')),
  storageCapacityGiB: maybe(
    fc.oneof(
      fc.integer({ min: 1, max: 40 }).map((n) => n * 1200),
      fc.constantFrom(600, 1800, 6000, 1300),
    ),
  ),
  perUnitStorageThroughput: maybe(fc.constantFrom(12, 40, 50, 100, 125, 200, 250, 500, 1000, 300)),
  throughputCapacity: maybe(fc.constantFrom(1000, 2000, 4000, 8000, 5000, 3000)),
  metadata: maybe(
    fc.oneof(
      fc.constant({ mode: 'AUTOMATIC' as const }),
      fc.constantFrom(1500, 6000, 12_000, 24_000, 5000).map((iops) => ({ mode: 'USER_PROVISIONED' as const, iops })),
    ),
  ),
  efaEnabled: maybe(fc.boolean()),
  driveCacheType: maybe(fc.constantFrom('NONE', 'READ')),
  dataReadCache: maybe(fc.constant({ sizingMode: 'NO_CACHE' as const })),
  version: maybe(fc.constantFrom('2.10', '2.12', '2.15')),
});

/** A valid file system of any kind with up to four of its values taken from {@link strangers}. */
const mixtures: fc.Arbitrary<LustreConfiguration> = fc
  .record({
    base: fc.constantFrom<LustreConfiguration>(...Object.values(MIN)),
    stranger: strangers,
    taken: fc.subarray([...KEYS], { maxLength: 4 }),
  })
  .map(({ base, stranger, taken }) => ({ ...base, ...Object.fromEntries(taken.map((key) => [key, stranger[key]])) }));

/** What AUTOMATIC gives to the capacities of {@link strangers}. */
function fewest(gib: number): number {
  const [, iops = 0] =
    [
      [48_000, 24_000],
      [12_000, 12_000],
      [4800, 6000],
      [2400, 3000],
      [0, 1500],
    ].find(([from = 0]) => gib >= from) ?? [];
  return iops;
}

/** The documentation's tables, written a second time, in another form than the rules. */
function documented(c: LustreConfiguration): boolean {
  const { storageCapacityGiB: gib, perUnitStorageThroughput: tier, throughputCapacity, metadata } = c;
  const { driveCacheType, dataReadCache, efaEnabled = false, version = '2.15' } = c;
  const ssdCapacity = gib !== undefined && (gib === 1200 || gib % 2400 === 0);
  const plain = throughputCapacity === undefined && dataReadCache === undefined;
  const old = plain && metadata === undefined && !efaEnabled;
  const ssd = plain && driveCacheType === undefined;
  switch (`${c.deploymentType} ${c.storageType ?? 'SSD'}`) {
    case 'SCRATCH_2 SSD':
      return old && ssd && ssdCapacity && tier === undefined;
    case 'PERSISTENT_1 SSD':
      return old && ssd && ssdCapacity && [50, 100, 200].includes(tier ?? 0);
    case 'PERSISTENT_1 HDD':
      if (!old || driveCacheType === undefined || gib === undefined) return false;
      return (tier === 12 && gib % 6000 === 0) || (tier === 40 && gib % 1800 === 0);
    case 'PERSISTENT_2 SSD': {
      const smallest = new Map([
        [125, 38_400],
        [250, 19_200],
        [500, 9600],
        [1000, 4800],
      ]).get(tier ?? 0);
      if (!ssd || smallest === undefined || version === '2.10') return false;
      if (metadata !== undefined && version !== '2.15') return false;
      if (metadata?.mode === 'USER_PROVISIONED' && (metadata.iops === 5000 || metadata.iops < fewest(gib ?? 0)))
        return false;
      return efaEnabled ? metadata !== undefined && (gib ?? 1) % smallest === 0 : ssdCapacity;
    }
    case 'PERSISTENT_2 INTELLIGENT_TIERING':
      return (
        gib === undefined &&
        tier === undefined &&
        driveCacheType === undefined &&
        dataReadCache !== undefined &&
        ([1000, 2000].includes(throughputCapacity ?? 1) || (throughputCapacity ?? 1) % 4000 === 0) &&
        !(efaEnabled && (throughputCapacity ?? 0) < 4000) &&
        metadata !== undefined &&
        !(metadata.mode === 'USER_PROVISIONED' && metadata.iops === 5000) &&
        version === '2.15'
      );
    default:
      return false;
  }
}

test('whatever is accepted is in the documented tables, and whatever is in them is accepted', () => {
  fc.assert(
    fc.property(mixtures, (configuration) => accepted(configuration) === documented(configuration)),
    { numRuns: 20_000 },
  );
});

test('the mixtures hold valid file systems of every kind, so that the promise above is not empty', () => {
  const kinds = fc
    .sample(mixtures, { numRuns: 2000, seed: 7 })
    .filter(documented)
    .map(({ deploymentType, storageType = 'SSD' }) => `${deploymentType} ${storageType}`);
  expect([...new Set(kinds)].sort()).toEqual([
    'PERSISTENT_1 HDD',
    'PERSISTENT_1 SSD',
    'PERSISTENT_2 INTELLIGENT_TIERING',
    'PERSISTENT_2 SSD',
    'SCRATCH_2 SSD',
  ]);
});

test.each([
  ['SCRATCH_2', MIN.scratch2, 2400],
  ['PERSISTENT_1 SSD', MIN.persistent1, 2400],
  ['PERSISTENT_1 HDD-12', MIN.hdd12, 6000],
  ['PERSISTENT_1 HDD-40', MIN.hdd40, 1800],
  ['PERSISTENT_2 SSD', { ...MIN.persistent2, metadata: { mode: 'AUTOMATIC' } }, 2400],
  ['PERSISTENT_2 SSD with EFA', { ...MIN.efa, metadata: { mode: 'AUTOMATIC' } }, 4800],
] as [string, LustreConfiguration, number][])(
  'every multiple of the step is a capacity, its neighbours are not: %s',
  (_, base, step) => {
    const neighbour = fc.oneof(
      fc.integer({ min: 1, max: step - 1 }),
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), neighbour, (n, away) => {
        const at = (storageCapacityGiB: number) => accepted({ ...base, storageCapacityGiB });
        // 1200 is half a step, and the only capacity of its sort.
        const lone = n * step + away === 1200 || n * step - away === 1200;
        return at(n * step) && (lone || (!at(n * step + away) && !at(n * step - away))) && !at(-n * step);
      }),
    );
  },
);

test('every documented metadata rate is accepted, its neighbours are not', () => {
  const at = (iops: number) => accepted({ ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops } });
  const rates = [1500, 3000, 6000, ...Array.from({ length: 16 }, (_, i) => (i + 1) * 12_000)];
  expect(rates.filter((iops) => !at(iops))).toEqual([]);
  fc.assert(fc.property(fc.integer({ min: -1000, max: 400_000 }), (iops) => at(iops) === rates.includes(iops)));
  fc.assert(fc.property(fc.constantFrom(...rates), fc.constantFrom(-1, 1, 0.5), (iops, away) => !at(iops + away)));
});
