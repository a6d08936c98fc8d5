import { type AdviseFlags, type FoundData, ofData, requirementOf } from '../../../lib/cli/input/requirement';

const C5N = { instance: 'c5n.9xlarge' };

// 1 GB/s is 1,000 MB/s; 1 TB 10^12 bytes, 1 GiB 2^30. A month has 730 hours.
test.each<[AdviseFlags, Readonly<Record<string, unknown>>]>([
  [{ read: '2' }, { readMBps: 2000 }],
  [{ write: '800MB/s' }, { writeMBps: 800 }],
  [
    { read: '1', write: '0.5', together: true },
    { readMBps: 1000, writeMBps: 500, together: true },
  ],
  [{ scan: '1.5GB/s', capacity: '9' }, { scanMBps: 1500 }],
  [{ capacity: '80' }, { capacityTB: 80 }],
  [{ capacity: '500GB' }, { capacityTB: 0.5 }],
  [{ capacity: '1000GiB' }, { capacityTB: 1.073741824 }],
  [{ capacity: '1TiB' }, { capacityTB: 1.099511627776 }],
  // The working set has to be stored.
  [{ workingSet: '1GiB' }, { workingSetGiB: 1, capacityTB: 0.001073741824 }],
  [
    { workingSet: '1TB', capacity: '1' },
    { workingSetGiB: 931.3225746154785, capacityTB: 1 },
  ],
  [
    { workingSet: '100GiB', capacity: '80' },
    { workingSetGiB: 100, capacityTB: 80 },
  ],
  [{ burst: '2TB/60s/30min' }, { burst: { terabytes: 2, seconds: 60, everySeconds: 1800 }, capacityTB: 2 }],
  [
    { burst: '500GB/2min/1h', capacity: '9' },
    { burst: { terabytes: 0.5, seconds: 120, everySeconds: 3600 }, capacityTB: 9 },
  ],
  [
    { files: '300M', capacity: '80' },
    { files: 300e6, capacityTB: 80 },
  ],
  [
    { files: '2k', fileSize: '4KiB' },
    { files: 2000, capacityTB: (2000 * 4096) / 1e12 },
  ],
  // One file more holds the rest.
  [
    { fileSize: '3MB', capacity: '1' },
    { files: 333_334, capacityTB: 1 },
  ],
  [{ fileSize: '1GiB', workingSet: '10GiB' }, { files: 10 }],
  [{ metadata: '20000' }, { createsPerSecond: 20_000 }],
  [{ ratio: '2.5', capacity: '1' }, { ratio: 2.5 }],
  [{ maxMonthly: '5000' }, { maxMonthlyUsd: 5000 }],
  [{ capacity: '1', headroom: '20%' }, { headroom: 0.2 }],
  [{ capacity: '1', hoursPerDay: '8' }, { hoursPerMonth: 730 / 3 }],
  [{ capacity: '1', hoursPerDay: '24' }, { hoursPerMonth: 730 }],
  [{ capacity: '1', loadWithin: '90min' }, { loadHours: 1.5 }],
  [{ capacity: '1', loadWithin: '2d' }, { loadHours: 48 }],
  [
    { read: '1', clients: '4', ...C5N, processes: '2' },
    { processes: 2, clients: { count: 4, instanceType: 'c5n.9xlarge' } },
  ],
])('%j require %j', (flags, requirement) => {
  const found = requirementOf(flags, 'eu-west-1') as unknown as Readonly<Record<string, unknown>>;
  const close = (value: unknown) => (typeof value === 'number' ? expect.closeTo(value, 9) : value);
  const right = Object.entries(requirement).map(([name, value]) => [name, close(value)]);
  expect(found).toMatchObject({ region: 'eu-west-1', ...Object.fromEntries(right) });
});

// test/cli/badInput.test.ts has others.
test.each<[AdviseFlags, string]>([
  [{ write: '1', together: true }, "'--together' needs both --read and --write"],
  [{ burst: '2TB/x/30min' }, "got '2TB/x/30min'"],
  [{ files: '9' }, "'--files' needs --capacity, or both --files and --file-size"],
  [{ files: '9', data: ['/x'] }, "'--files' cannot be combined with --data"],
  [{ files: '9', fileSize: '1MB', capacity: '1' }, "'--file-size' cannot be combined with --capacity and --files"],
])('%j are refused: %s', (flags, words) => expect(() => requirementOf(flags, 'eu-west-1')).toThrow(words));

/** 1,000 files of 2 GB, which take 2.5 GB, and 1 GB compressed; 1 % of them are logs. */
const FOUND: FoundData = {
  ...{ files: 1000, logicalBytes: 2e9, uncompressedBytes: 2.5e9, allocatedBytes: 1e9, ratio: 2.5 },
  interval: { low: 2, high: 3 } as FoundData['interval'],
  byType: [
    { type: 'csv', logicalBytes: 1.5e9, ratio: 4 },
    { type: 'gz', logicalBytes: 0.48e9, ratio: 0.9 },
    { type: 'log', logicalBytes: 0.02e9, ratio: 8 },
    { type: 'h5', logicalBytes: 0.019e9, ratio: 0.5 },
  ],
};

test.each<[string, Partial<FoundData>, object, object]>([
  [
    'is all that is stored, if nothing else is stated',
    {},
    {},
    {
      ...{ capacityTB: 0.002, files: 1000, ratio: 2.5, taken: { uncompressed: 1.25, compressed: 0.5 } },
      // The type that compresses least, of those with 1 % of the data; below 1 it counts as 1.
      estimated: { like: null, interval: { low: 2, high: 3 }, min: { type: 'gz', ratio: 1 } },
    },
  ],
  [
    'stands for as many files as the stated capacity holds',
    {},
    { capacityTB: 4 },
    { capacityTB: 4, files: 2_000_000, estimated: { like: '/a and /b' } },
  ],
  ['compresses by 1 at least', { ratio: 0.8 }, {}, { ratio: 1 }],
  ['compresses by 1 if its ratio is not known', { ratio: null }, {}, { ratio: 1 }],
  [
    'takes as much as it does uncompressed, if nothing else is known',
    { allocatedBytes: null },
    {},
    { taken: { compressed: 1.25 } },
  ],
  [
    'has no interval with one end alone',
    { interval: { low: 2, high: null } as never },
    {},
    { estimated: { like: null } },
  ],
  [
    'has no type that compresses least if it has one alone',
    { byType: FOUND.byType.slice(0, 1) },
    {},
    { estimated: { min: null } },
  ],
])('estimated data %s', (_, found, stated, requirement) => {
  const result = ofData(stated, { ...FOUND, ...found }, ['/a', '/b']);
  expect(result).toMatchObject(requirement);
  if (found.interval) expect(result.estimated).not.toHaveProperty('interval');
});
