import type { Advice, Requirement } from '../../lib/advise';
import { budgetCheck } from '../../lib/advise/checks';
import { resolve } from '../../lib/advise/requirement';
import { type Candidate, caveatsOf, searchFamily } from '../../lib/advise/search';
import { describePrice } from '../../lib/advise/wording';
import { PUBLISHED } from '../../lib/price/prices';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { advise } from './requirements';

test('compression buys throughput and space: the cheapest file system of the study', () => {
  const requirement = { writeMBps: 10_800, capacityTB: 15 };
  const of = (options: Advice<LustreStorage>['options'], type: string) =>
    options.find(
      ({ configuration }) =>
        configuration.perUnitStorageThroughput === 200 && configuration.dataCompressionType === type,
    );
  const { options } = advise({ ...requirement, ratio: 3.75 });
  expect(of(options, 'LZ4')).toMatchObject({
    configuration: { storageCapacityGiB: 14_400 },
    monthlyUsd: 4176,
    throughputMBps: { baseline: 10_800, burst: 12_960 },
    headroom: 0,
  });
  expect(of(options, 'NONE')?.configuration.storageCapacityGiB).toBe(55_200);
  expect(advise(requirement).options.every(({ configuration }) => configuration.dataCompressionType === 'NONE')).toBe(
    true,
  );
});

test.each<[string, object, string, number]>([
  ['a scan', { scanMBps: 2000 }, 'opens', 4000],
  ['a scan faster than reads', { readMBps: 1000, scanMBps: 2000 }, 'opens', 4000],
  ['reads faster than a scan', { readMBps: 3000, scanMBps: 2000 }, 'opens', 6000],
  ['writes', { writeMBps: 1500 }, 'creates', 3000],
  ['both at the same time', { readMBps: 1000, writeMBps: 500, together: true }, 'creates and opens', 3000],
])('files of 500 kB are opened or created by %s', (_, rates, demand, perSecond) => {
  const { options } = advise({ capacityTB: 10, files: 20_000_000, ...rates });
  expect(options[0]?.checks.filter(({ unit }) => unit === '/s')).toMatchObject([{ demand, asked: perSecond }]);
});

test('head-room is that of the direction with less of it', () => {
  const { options } = advise({ writeMBps: 1000, readMBps: 1000, capacityTB: 1 });
  expect(options.some(({ flows }) => new Set(flows.map(({ headroom }) => headroom)).size > 1)).toBe(true);
  for (const { headroom, flows } of options) expect(headroom).toBe(Math.min(...flows.map((flow) => flow.headroom)));
});

test('of sizes that cost the same, the smallest is bought', () => {
  const requirement = { writeMBps: 1000, capacityTB: 1 };
  const { configuration } = advise(requirement).options[0] as Advice['options'][number];
  const sizes = [{ ...configuration }, { ...configuration }, { ...configuration }];
  const family = { sizes: 3, at: (size: number) => sizes[size] ?? configuration, better: () => [1, 2] };
  expect(searchFamily(family, resolve(requirement), PUBLISHED).meets?.configuration).toBe(sizes[0]);
});

test('metadata is promised only where AWS publishes a rate, and more capacity is bought where its IOPS are cheaper', () => {
  const { options, rejected } = advise({ createsPerSecond: 48_000, capacityTB: 48, maxFill: 1 });
  expect(new Set(options.map(({ configuration }) => configuration.deploymentType))).toEqual(new Set(['PERSISTENT_2']));
  expect(rejected.find(({ configuration }) => configuration.deploymentType === 'SCRATCH_2')?.reason).toContain(
    'reach 24,000 of 48,000 per second, all that AWS documents for its one metadata server',
  );
  // 45,600 GiB would hold it, and 12,000 IOPS more for it cost more than the 2,400 GiB that include them.
  expect(options[0]).toMatchObject({
    configuration: { storageCapacityGiB: 48_000, metadata: { iops: 24_000 } },
    monthlyUsd: 6960,
  });
  expect(advise({ createsPerSecond: 400_000 }).options).toEqual([]);
});

test('what a cheaper one would miss is said, and why others are out', () => {
  const { options, rejected } = advise({ writeMBps: 1500, createsPerSecond: 10_000, maxMonthlyUsd: 1700 });
  const p1000 = options.find(({ configuration }) => configuration.perUnitStorageThroughput === 1000);
  expect(p1000?.configuration).toMatchObject({ storageCapacityGiB: 2400, metadata: { iops: 6000 } });
  expect(p1000?.cheaper.map(({ misses }) => misses)).toEqual([
    ['writes reach 1.2 of 1.5 GB/s (disk)'],
    ['file creates reach 6,000 of 10,000 per second'],
  ]);
  expect(rejected.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(/^it costs more than 1700 USD per month$/),
  );
});

test('no size helps where the clients are the limit', () => {
  const { options, rejected } = advise({ readMBps: 10_000, clients: { count: 1, instanceType: 'c5n.9xlarge' } });
  expect(options).toEqual([]);
  expect(rejected[0]?.reason).toContain('reads reach 6.25 of 10 GB/s (client_nic)');
});

test('head-room is of the storage: clients that reach what is asked for need none', () => {
  const clients = { count: 1, instanceType: 'c5n.9xlarge' };
  // They reach 6.25 GB/s.
  const { options } = advise({ readMBps: 6000, clients, headroom: 0.5 });
  expect(options).not.toEqual([]);
  for (const { throughputMBps, flows } of options) {
    expect(throughputMBps.baseline).toBeGreaterThanOrEqual(6000);
    expect(flows[0]?.storageMBps).toBeGreaterThanOrEqual(9000);
  }
  const small = advise({ readMBps: 6000, clients }).options;
  expect(Math.min(...small.map(({ flows: [flow] }) => flow?.storageMBps ?? 0))).toBeLessThan(9000);
});

test('what a Region lacks a price of is told with that Region', () => {
  const [first] = advise({ writeMBps: 1000, region: 'sa-east-1' }).options;
  expect(first?.missing).toMatch(/^the price of fsx\/\S+.* in sa-east-1 is unknown\. .*--refresh --region sa-east-1;/);
  expect(first?.basis.region).toBe('sa-east-1');
});

test('a file system without a known price is listed, and says what is not known', () => {
  const { options } = advise({ writeMBps: 1000, capacityTB: 10 });
  const tiering = options.at(-1);
  expect(tiering).toMatchObject({
    configuration: { storageType: 'INTELLIGENT_TIERING', throughputCapacity: 1000 },
    monthlyUsd: null,
    reason: expect.stringContaining('metadata IOPS'),
    pareto: null,
  });
  expect(advise({ writeMBps: 1000, region: 'sa-east-1' }).options.every(({ monthlyUsd }) => monthlyUsd === null)).toBe(
    true,
  );
});

test('a price that is a range or not known in full is over a budget only if its lower end is, and within it only if all is', () => {
  const tieringOf = (maxMonthlyUsd: number) =>
    advise({ capacityTB: 1, maxMonthlyUsd }).rejected.find(
      ({ configuration }) => configuration.storageType === 'INTELLIGENT_TIERING',
    )?.reason;
  // 1,000 MB/s at 0.52, and 931.3 GiB at 0.004 to 0.023 and 0.0006.
  expect(tieringOf(10)).toBe('it costs more than 10 USD per month');
  expect(tieringOf(600)).toBe('it may cost more than 600 USD per month');
  expect(advise({ capacityTB: 1, maxMonthlyUsd: 10 })).toMatchObject({ options: [], nearest: expect.any(Array) });
});

test('reads and writes at the same time take more than one after the other', () => {
  const rates = { readMBps: 2000, writeMBps: 2000 };
  const cheapest = (together: boolean) => advise({ ...rates, together }).options[0]?.monthlyUsd ?? 0;
  expect(cheapest(true)).toBeGreaterThan(1.5 * cheapest(false));
});

test.each<[string, Requirement, string]>([
  ['nothing', {}, "must be at least one of 'readMBps', 'writeMBps', 'capacityTB'"],
  ['less than nothing', { readMBps: -1 }, "'readMBps' must be above 0"],
  ['no number', { capacityTB: Number.NaN }, "'capacityTB' must be above 0"],
  ['more than there is', { writeMBps: 1e9 }, "'writeMBps' must be above 0 and at most"],
  ['a ratio below 1', { readMBps: 1, ratio: 0.5 }, "'ratio' must be from 1 to 255"],
  ['more than full', { capacityTB: 1, maxFill: 1.2 }, "'maxFill' must be above 0 and at most 1, got 1.2"],
  ['a longer month', { capacityTB: 1, hoursPerMonth: 800 }, "'hoursPerMonth' must be above 0 and at most 730, got 800"],
  ['head-room below none', { readMBps: 1, headroom: -0.1 }, "'headroom' must be a share from 0 to 10, got -0.1"],
  ['a Region that there is not', { readMBps: 1, region: 'atlantis' }, "'region' must be the name of a Region"],
  ['an unknown storage', { readMBps: 1, storages: ['lustre', 'tape'] }, "'storages' must be one or more of lustre"],
  ['no storage', { readMBps: 1, storages: [] }, "'storages' must be one or more of lustre"],
  [
    'an unknown type',
    { readMBps: 1, clients: { count: 1, instanceType: 'c9.huge' } },
    'got c9.huge. Use one such as c5n.9xlarge.',
  ],
])('%s is refused', (_, requirement, message) => {
  expect(() => advise(requirement)).toThrow(message);
});

test('data fill four fifths of what is proposed, or as much as is said', () => {
  const sizeOf = (maxFill?: number) =>
    advise({ capacityTB: 9.3, writeMBps: 100, ...(maxFill === undefined ? {} : { maxFill }) }).options.map(
      ({ fill, capacityTB }) => ({ fill, capacityTB }),
    );
  for (const { fill } of sizeOf()) expect(fill).toBeLessThanOrEqual(0.8);
  expect(Math.max(...sizeOf(1).map(({ fill }) => fill ?? 0))).toBeGreaterThan(0.9);
  const [one] = sizeOf();
  expect(one?.fill).toBeCloseTo(9.3 / (one?.capacityTB ?? 0), 3);
});

test('a budget alone buys the largest of each kind, the fastest first, and half of it buys less', () => {
  const { options, rejected } = advise({ maxMonthlyUsd: 2000 });
  expect(options.length).toBeGreaterThan(5);
  const clear = options.filter(({ configuration }) => caveatsOf(configuration).length === 0);
  expect(options.slice(0, clear.length)).toEqual(clear);
  const rates = clear.map(({ throughputMBps }) => throughputMBps.baseline);
  expect(rates).toEqual([...rates].sort((a, b) => b - a));
  for (const { monthlyUsd } of options) expect(monthlyUsd).toBeLessThanOrEqual(2000);
  for (const { reason } of rejected) expect(reason).toMatch(/more than 2000|price/);
  const [best] = options;
  const less = advise({ maxMonthlyUsd: (best?.monthlyUsd ?? 0) / 2 }).options[0];
  expect(less?.throughputMBps.baseline).toBeLessThan(best?.throughputMBps.baseline ?? 0);
  expect(advise({ maxMonthlyUsd: 1 }).options).toEqual([]);
});

test('data must be loaded in half of the time for which the file system exists; a bucket has them', () => {
  const of = (hoursPerDay: number, more: object = {}) =>
    advise({ capacityTB: 36, writeMBps: 1000, hoursPerMonth: (hoursPerDay * 730) / 24, ...more });
  const loads = (hoursPerDay: number, more: object = {}) =>
    of(hoursPerDay, more).options.flatMap(({ checks }) => checks.filter(({ demand }) => demand === 'load'));
  for (const { offered } of loads(8)) expect(offered).toBeLessThanOrEqual(4);
  expect(loads(8).length).toBeGreaterThan(0);
  expect(loads(24)).toEqual([]);
  expect(of(8, { files: 1e8 }).rejected[0]?.reason).toMatch(
    /loading 36 TB takes [\d.]+ to [\d.]+ h, as others measured, and it exists for 8 h per day, of which loading may take half/,
  );
  for (const { offered } of loads(24, { loadHours: 2 })) expect(offered).toBeLessThanOrEqual(2);
  expect(loads(0.1, { writeMBps: undefined, storages: ['mountpoint-s3'] })).toEqual([]);
});

test('a file system for eight hours a day costs a third, and its data must live elsewhere', () => {
  const whole = advise({ writeMBps: 1000 }).options[0];
  const part = advise({ writeMBps: 1000, hoursPerMonth: 730 / 3 });
  expect(part.options[0]?.monthlyUsd).toBeCloseTo((whole?.monthlyUsd ?? 0) / 3, 1);
  const scratch = part.options.find(({ configuration }) => configuration.deploymentType === 'SCRATCH_2');
  expect(scratch?.warnings.map(({ id }) => id)).toContain('fsxbench:scratch-not-replicated');
});

const USD = 'USD per month';
test.each<[number | null, number, number, boolean | null, string]>([
  [100, 100, 100, true, `it costs 100 ${USD}`],
  [100.01, 100.01, 100.01, false, `it costs more than 100 ${USD}`],
  [120, 100, 120, null, `it may cost more than 100 ${USD}`],
  [100, 90, 100, true, `it costs 90 to 100 ${USD}`],
  [120, 100.01, 120, false, `it costs more than 100 ${USD}`],
  [null, 90, 90, null, `it may cost more than 100 ${USD}`],
  [null, 101, 101, false, `it costs more than 100 ${USD}`],
])('a budget of 100 USD for a price of %s, known from %s to %s', (usd, lowUsd, knownUsd, met, reason) => {
  const check = { demand: 'budget', unit: USD, asked: 100, offered: usd, met, reason };
  const need = resolve({ capacityTB: 1, maxMonthlyUsd: 100 });
  expect(budgetCheck(usd, { lowUsd, knownUsd }, need)).toEqual([check]);
});

test('what is priced by its data costs nothing without any, and says so', () => {
  const [first] = advise({ readMBps: 1000, storages: ['lustre', 'mountpoint-s3'] }).options;
  expect([first?.configuration, describePrice(first as Candidate)]).toEqual([
    expect.objectContaining({ kind: 'mountpoint-s3' }),
    '0 USD per month without data (--capacity adds them)',
  ]);
});
