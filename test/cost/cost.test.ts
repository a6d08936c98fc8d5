import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCALES } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { resolveBenchmark } from '../../lib/config/benchmark';
import { armLines, deploymentCost, deploymentLines, fleetCost, partsAt, partsOf } from '../../lib/cost/deployment';
import { ownPrices, priceBook } from '../../lib/cost/priceFile';
import {
  basisOf,
  builderLine,
  costDocument,
  countedLines,
  describeBasis,
  instanceLines,
  knownUsd,
  lowUsd,
  sumOf,
} from '../../lib/price/cost';
import { costLine, unknownQuantity } from '../../lib/price/line';
import { bookWith, HOURS_PER_MONTH, PriceBook, type PriceFile, PUBLISHED } from '../../lib/price/prices';
import prices from '../../lib/price/prices.json';
import type { CostLine } from '../../lib/schema/cost';
import { gp3Lines } from '../../lib/storage/common/ebs';
import { fsxBackupLines } from '../../lib/storage/common/fsx';
import type { LustreConfiguration } from '../../lib/storage/lustre/configuration';
import { extraMetadataIops, lustreLines } from '../../lib/storage/lustre/cost';
import { LUSTRE_TYPES, perUnitsOf } from '../../lib/storage/lustre/types';
import { MIN } from '../storage/lustre/configurations';

const STUDY: LustreConfiguration = {
  deploymentType: 'PERSISTENT_1',
  storageCapacityGiB: 14_400,
  perUnitStorageThroughput: 200,
};
const EAST = { region: 'us-east-1' };
const LISTED = { price: 2, unit: 'hour', source: 'list', asOf: '2026-11-01', confidence: 'aws' } as const;
const NONE = { unitPrice: null, hourly: null, source: 'none', asOf: null, confidence: null };
const hourly = (configuration: LustreConfiguration, region = 'us-east-1') =>
  sumOf(lustreLines(configuration, { region })).hourlyUsd;

test('the compression study costs what was worked out by hand', () => {
  // Two file systems of 14,400 GB at 0.29 a month: 137 USD in 12 hours; eight c5n.9xlarge: 187 USD.
  expect((hourly(STUDY) ?? 0) * 2 * 12).toBeCloseTo(137.3, 1);
  const [instances] = instanceLines({ instanceType: 'c5n.9xlarge', clients: 8 }, 'us-east-1');
  expect((instances?.hourly ?? 0) * 12).toBeCloseTo(186.6, 1);
});

test('the largest file system of the metadata study costs what was worked out by hand', () => {
  const configuration: LustreConfiguration = {
    deploymentType: 'PERSISTENT_2',
    storageCapacityGiB: 12_000,
    perUnitStorageThroughput: 1000,
    metadata: { mode: 'USER_PROVISIONED', iops: 192_000 },
  };
  expect(extraMetadataIops(configuration)).toBe(180_000);
  expect((hourly(configuration) ?? 0) * HOURS_PER_MONTH).toBeCloseTo(7200 + 9900, 6);
});

test.each<[string, LustreConfiguration, number]>([
  ['SCRATCH_2', MIN.scratch2, 168],
  ['P1-50', MIN.persistent1, 168],
  ['P2-125', MIN.persistent2, 174],
  ['HDD-12 with cache', MIN.hdd12, 246],
  ['HDD-12 without cache', { ...MIN.hdd12, driveCacheType: 'NONE' }, 150],
  ['HDD-40 with cache', MIN.hdd40, 178.2],
])('a month of the smallest %s costs its capacity times its rate', (_, configuration, usd) => {
  expect((hourly(configuration) ?? 0) * HOURS_PER_MONTH).toBeCloseTo(usd, 6);
});

test('compression and included metadata IOPS change nothing in the price', () => {
  expect(hourly({ ...STUDY, dataCompressionType: 'LZ4' })).toBe(hourly(STUDY));
  const automatic = { ...MIN.persistent2, metadata: { mode: 'AUTOMATIC' } } as const;
  expect(hourly(automatic)).toBe(hourly(MIN.persistent2));
});

test('metadata IOPS above the included ones are a line of their own', () => {
  const metadata = { mode: 'USER_PROVISIONED', iops: 12_000 } as const;
  const lines = lustreLines({ ...MIN.persistent2, metadata }, { region: 'us-east-2' });
  expect(lines.map(({ item, quantity, unitPrice }) => `${item}: ${quantity} at ${unitPrice}`)).toEqual([
    'FSx for Lustre: storage (PERSISTENT_2 SSD 1200 GiB, 125 MB/s/TiB, 12000 metadata IOPS, no compression): 1200 at 0.145',
    'FSx for Lustre: metadata IOPS above the included ones: 10500 at 0.055',
  ]);
});

test('volumes of gp3 cost by their size and by what is above what it includes', () => {
  const lines = gp3Lines({ sizeGiB: 100, iops: 4000, throughputMiBps: 637 }, 2, { region: 'us-east-1' });
  expect(lines.map(({ item, quantity, unit }) => [item, quantity, unit])).toEqual([
    ['EBS: 2 × gp3 100 GiB', 200, 'GB-month'],
    ['EBS: gp3 IOPS above 3,000', 2000, 'IOPS-month'],
    ['EBS: gp3 throughput above 125 MiB/s', 1, 'GiBps-month'],
  ]);
  expect(gp3Lines({ sizeGiB: 100 }, 1, { region: 'us-east-1' })).toHaveLength(1);
});

test('a backup costs at most what its file system had; of unknown size it has a price, no quantity, and the reason', () => {
  const options = { ...EAST, book: PUBLISHED, stacks: [] };
  expect(fsxBackupLines(options, 730 * 2 ** 30)).toMatchObject([
    { item: 'backup, at most', quantity: 730, unit: 'GB-month', hourly: expect.closeTo(0.05, 9) },
  ]);
  const reason = 'FSx does not say how much a backup stores';
  const unitPrice = PUBLISHED.priceOf('fsx/backup', 'us-east-1')?.price;
  const unknown = [{ item: 'backup', quantity: null, hourly: null, reason, unitPrice }];
  expect(fsxBackupLines(options, undefined)).toMatchObject(unknown);
});

test('an unknown price is null with its reason, and so is every sum with it', () => {
  const item = 'FSx for Lustre: storage (PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, no compression)';
  const missing = { missingPrice: 'fsx/PERSISTENT_1_SSD/200' };
  const reason = 'the price of fsx/PERSISTENT_1_SSD/200 in sa-east-1 is unknown';
  const lines = lustreLines(STUDY, { region: 'sa-east-1' });
  expect(lines).toEqual([{ item, quantity: 14_400, unit: 'GB-month', ...NONE, ...missing, reason }]);
  const told = { hourly: null, reason: expect.stringContaining(reason) };
  expect(costDocument('sa-east-1', lines)).toMatchObject(told);
});

test('a line tells its source with the date of its price, and the unit even without a price', () => {
  const book = { priceOf: (item: string) => (item === 'vpc/nat-gateway' ? LISTED : null) } as unknown as PriceBook;
  const counts = { 'vpc/nat-gateway': 2, 'vpc/public-ipv4': 1, 'cloudwatch/dashboard': 1, 'cloudwatch/metric': 0 };
  const missing = (item: string, title: string, unit: string) => ({
    ...{ item: title, quantity: 1, unit, ...NONE, missingPrice: item },
    reason: `the price of ${item} in us-east-1 is unknown`,
  });
  const { price: unitPrice, asOf, confidence } = LISTED;
  const known = { unitPrice, hourly: 4, source: 'list (2026-11-01); aws', asOf, confidence };
  expect(countedLines(counts, 'us-east-1', book)).toStrictEqual([
    { item: 'NAT gateway', quantity: 2, unit: 'hour', ...known },
    missing('vpc/public-ipv4', 'public IPv4 address', 'hour'),
    missing('cloudwatch/dashboard', 'CloudWatch dashboard', 'month'),
  ]);
  expect(costLine('disk', 1, { ...LISTED, asOf: null }, { reason: '' }).source).toBe('list; aws');
  expect(costLine('disk', 1, null, { reason: 'why' })).not.toHaveProperty('missingPrice');
});

test.each([
  ['hour', { hourly: 8 }],
  ['month', { hourly: 8 / 730 }],
  ['GB-month', { hourly: 8 / 730 }],
  ['1000 requests', { hourly: 0, onceUsd: 8 }],
  ['GB', { hourly: 0, onceUsd: 8 }],
])('4 at 2 USD a %s: what is paid by use costs nothing by the hour', (unit, expected) => {
  const { hourly, onceUsd } = costLine('x', 4, { ...LISTED, unit }, { reason: '' });
  expect({ hourly, ...(onceUsd !== undefined && { onceUsd }) }).toEqual(expected);
});

test('a price that is a range has both ends, of the whole quantity, and a sum of lower ends keeps those that are exact', () => {
  const price = { ...LISTED, price: 0.21, low: 0.14, unit: 'GB-month', confidence: 'estimated' } as const;
  const line = costLine('x', 730, price, { reason: '' });
  expect(line).toMatchObject({
    hourly: expect.closeTo(0.21, 9),
    hourlyLow: expect.closeTo(0.14, 9),
    range: 'estimated between 0.14 and 0.21',
  });
  const exact = costLine('y', 2, { ...price, unit: 'hour', price: 1, low: undefined }, { reason: '' });
  const unknown = costLine('z', 2, null, { reason: 'why' });
  expect([knownUsd([line, exact, unknown]), lowUsd([line, exact, unknown])]).toEqual([
    expect.closeTo(2.21, 9),
    expect.closeTo(2.14, 9),
  ]);
  // One-time costs do not count per hour, at either end.
  const once = { ...price, unit: 'GB', confidence: 'third-party' } as const;
  expect(costLine('x', 10, once, { reason: '' })).toMatchObject({
    hourly: 0,
    hourlyLow: 0,
    onceUsd: expect.closeTo(2.1, 9),
    range: 'between 0.14 and 0.21',
  });
});

const ASSUMED = { confidence: 'assumed' } as const;
const ESTIMATED = { confidence: 'estimated' } as const;
const THIRD = { confidence: 'third-party' } as const;
const UNDATED = { asOf: null };
test.each<[string, ...lines: Partial<CostLine>[]]>([
  ["list prices of us-east-1, 2026-10-09; all AWS's own", {}, {}],
  ["list prices of us-east-1, 2020 to 2026-10-09; all AWS's own", {}, { asOf: '2020' }],
  ["list prices of us-east-1, without a date; all AWS's own", UNDATED],
  ["list prices of us-east-1, 2026-10-09; all AWS's own", {}, { unitPrice: null, asOf: '2020', ...ASSUMED }],
  ['list prices of us-east-1, 2026-10-09; third-party', THIRD],
  ['list prices of us-east-1, 2026-10-09; all third-party', THIRD, THIRD],
  ['list prices of us-east-1, 2026-10-09; of 2 prices 1 third-party', THIRD, {}],
  ['list prices of us-east-1, 2026-10-09; of 2 prices 1 estimated from other Regions', ESTIMATED, {}],
  ['prices of us-east-1, 2026-10-09; estimated from other Regions', ESTIMATED],
  [
    'list prices of us-east-1, 2026-10-09; of 4 prices 1 third-party, 2 assumed, 1 without a date',
    ...[THIRD, ASSUMED, { ...ASSUMED, ...UNDATED }, {}],
  ],
  [
    'list prices of us-east-1, 2026-10-09; of 2 prices 2 assumed, 1 without a date',
    ...[ASSUMED, { ...ASSUMED, ...UNDATED }],
  ],
])('a total says whose its prices are and of when: %s', (words, ...lines) => {
  const line = { unitPrice: 1, asOf: '2026-10-09', confidence: 'aws' } as CostLine;
  const all = lines.map((each) => ({ ...line, ...each }));
  expect(describeBasis(basisOf(all, 'us-east-1'))).toBe(words);
});

const fileOf = (asOf: string, more: object = {}): PriceFile => ({
  ...{ schema: 'fsxbench.prices/1', currency: 'USD', prices: [], instances: [] },
  ...{ asOf, ...more },
});

test('a document has the date of the prices that it was reckoned with, and a reason only where it has no sum', () => {
  const document = costDocument('us-east-1', [], new PriceBook([fileOf('2031-01-01')]));
  expect(document.pricesAsOf).toBe('2031-01-01');
  expect(document).not.toHaveProperty('reason');
});

test('what is billed by use has a unit price, its date and no quantity', () => {
  const { price: unitPrice, source, asOf, confidence } = LISTED;
  const known = { quantity: null, hourly: null, unitPrice, source, asOf, confidence };
  expect(unknownQuantity('storage', LISTED)).toMatchObject(known);
  expect(unknownQuantity('storage', null)).toMatchObject({ unitPrice: null, source: 'none', asOf: null });
});

test('Intelligent-Tiering has no sum while nobody says how much is stored', () => {
  const lines = lustreLines(MIN.tiering, { region: 'us-east-1' });
  const reason = 'storage is elastic: stored data is billed';
  expect(lines.find(({ item }) => item.endsWith('storage'))).toMatchObject({ quantity: null, hourly: null, reason });
  expect(lines.find(({ item }) => item.endsWith('throughput'))?.hourly).toBeCloseTo((4000 * 0.52) / 730, 9);
  const stored = lustreLines(MIN.tiering, { region: 'us-east-1', storedGiB: 1000 });
  expect(stored.find(({ item }) => item.endsWith('storage'))?.hourly).toBeCloseTo((1000 * 0.023) / 730, 9);
  // No source has a price of its metadata IOPS.
  expect(stored.filter((line) => line.hourly === null).map(({ item }) => item)).toEqual([
    'FSx for Lustre: metadata IOPS',
  ]);
});

test('the price of Spot is not guessed, and the one on demand is told', () => {
  const fleet = { instanceType: 'c5n.9xlarge', clients: 2 };
  const reason = 'the price of Spot changes with demand; on demand it is 1.944 per hour';
  const [spot] = instanceLines({ ...fleet, purchase: 'spot' }, 'us-east-1');
  expect(spot).toMatchObject({ hourly: null, reason });
  const [reserved] = instanceLines({ ...fleet, purchase: 'capacity-reservation' }, 'us-east-1');
  expect(reserved?.hourly).toBeCloseTo(3.888, 9);
});

test('an instance type or Region without a price has none', () => {
  expect(PUBLISHED.instancePriceOf('hpc7a.96xlarge', 'us-east-1')).toBeNull();
  expect(PUBLISHED.instancePriceOf('c5n.9xlarge', 'eu-central-1')).toBeNull();
  expect(PUBLISHED.instancePriceOf('toString', 'us-east-1')).toBeNull();
  expect(PUBLISHED.priceOf('fsx/SCRATCH_1', 'us-east-1')).toBeNull();
  expect(fleetCost('x1.unknown', 2)).toEqual({
    hourlyUsd: null,
    reason: 'EC2 x1.unknown, on-demand: the price of x1.unknown in us-east-1 is unknown',
  });
});

test('the whole benchmark is the sum of its lines, each with unit, price and source', () => {
  const { hourlyUsd, lines } = deploymentCost(partsAt(compressionBench, 'published'));
  expect(lines.map(({ item, quantity }) => [item.replace(/ \(.*/, ''), quantity])).toEqual([
    ['arm none: storage', 14_400],
    ['arm lz4: storage', 14_400],
    ['EC2 c5n.9xlarge, on-demand', 8],
    ['metrics of detailed monitoring', 56],
    ['EBS gp3 root volumes', 240],
    ['NAT gateway', 1],
    ['public IPv4 address', 1],
    ['CloudWatch dashboard', 1],
    ['metrics that alarms watch', 59],
    ['composite alarms', 3],
    ['builder', 0.25],
  ]);
  const monthly = 2 * 14_400 * 0.29 + 240 * 0.08 + 56 * 0.3 + 3 + 5.9 + 3 * 0.5;
  expect(hourlyUsd).toBeCloseTo(monthly / 730 + 8 * 1.944 + 0.05, 9);
  expect(lines.filter(({ unit, unitPrice, source }) => unit === '' || unitPrice === null || source === '')).toEqual([]);
});

test.each(BENCHMARKS.flatMap((benchmark) => SCALES.map((scale) => [benchmark.name, scale, benchmark] as const)))(
  'a plan of %s at scale %s is priced as `cost` prices the deployment',
  (_, scale, benchmark) => {
    expect(deploymentCost(partsAt(benchmark, scale)).lines).toEqual(
      deploymentLines(partsOf(resolveBenchmark(benchmark, { scale }))),
    );
  },
);

test('endpoints cost instead of a gateway, and a network that is there costs nothing more', () => {
  const arms = compressionBench.arms('smoke');
  const fleet = compressionBench.fleet('smoke');
  const network = (egress: 'nat' | 'endpoints' | null) =>
    deploymentLines({ arms, fleet, egress, about: compressionBench.about })
      .filter(({ item }) => /gateway|address|endpoint/.test(item))
      .map(({ item, quantity }) => `${quantity} ${item}`);
  expect(network('nat')).toEqual(['1 NAT gateway', '1 public IPv4 address']);
  expect(network('endpoints')).toEqual(['5 interface endpoint']);
  expect(network(null)).toEqual([]);
});

test('a deployment is priced with its own purchase, root volumes and life', () => {
  const lines = (settings: Record<string, unknown>) =>
    new Map(deploymentLines(partsOf(resolveBenchmark(compressionBench, settings))).map((line) => [line.item, line]));
  expect(lines({ purchase: 'spot' }).get('EC2 c5n.9xlarge, spot')).toMatchObject({ quantity: 8, hourly: null });
  expect(lines({ rootVolumeGiB: 100 }).get('EBS gp3 root volumes')?.quantity).toBe(800);
  const alarms = (settings: Record<string, unknown>) => lines(settings).get('composite alarms')?.quantity;
  expect([alarms({}), alarms({ expiresAfterHours: 'never' })]).toEqual([3, 2]);
});

test('a network that exists already costs nothing', () => {
  const own = { vpcId: 'vpc-0a1b2c3d4e5f60718', subnetId: 'subnet-0a1b2c3d4e5f60718' };
  const egressWith = (network: Record<string, unknown>) => partsOf(resolveBenchmark(compressionBench, network)).egress;
  expect([egressWith({}), egressWith({ egress: 'endpoints' }), egressWith(own)]).toEqual(['nat', 'endpoints', null]);
});

test('the builder costs once a deployment, and nothing by the hour; without a price its cost is unknown, not none', () => {
  const { lines } = deploymentCost(partsAt(compressionBench, 'published'));
  const builders = lines.filter(({ item }) => item.startsWith('builder'));
  expect(builders).toMatchObject([{ hourly: 0, quantity: 0.25, unitPrice: 1.944, onceUsd: 0.486 }]);
  const unknown = { unitPrice: null, hourly: null, onceUsd: null };
  expect(builderLine('x1.unknown', 'us-east-1')).toMatchObject(unknown);
});

test('an arm and the clients have sums of their own', () => {
  const [arm] = compressionBench.arms('published');
  const lines = armLines(arm ?? { name: 'none', storage: { kind: 'lustre' } }, 'us-east-1');
  expect(sumOf(lines).hourlyUsd).toBeCloseTo((14_400 * 0.29) / 730, 9);
  expect(fleetCost('c5n.9xlarge', 8).hourlyUsd).toBeCloseTo(8 * 1.944 + (240 * 0.08 + 56 * 0.3) / 730, 9);
});

describe('a price file of its own', () => {
  const origin = { source: 'a contract', asOf: '2020-01-01', confidence: 'aws' } as const;
  const own = fileOf('2020-01-01', {
    prices: [
      { item: 'ebs/gp3', ...EAST, unit: 'GB-month', price: 0.05, ...origin },
      { item: 'cloudwatch/dashboard', ...EAST, unit: 'month', price: 1, ...origin },
    ],
    instances: [{ ...EAST, prices: { 'c5n.9xlarge': 1 }, ...origin }],
  });
  const book = bookWith(own);

  test('overrides what comes with fsxbench, of its own items in its own Regions alone', () => {
    expect(book.priceOf('ebs/gp3', 'us-east-1')).toMatchObject({ price: 0.05, source: 'a contract' });
    expect(book.instancePriceOf('c5n.9xlarge', 'us-east-1')).toMatchObject({ price: 1, source: 'a contract' });
    for (const region of ['us-east-1', 'us-west-2', 'eu-central-1'])
      for (const item of ['ebs/gp3', 'fsx/SCRATCH_2', 'fsx/backup'])
        if (item !== 'ebs/gp3' || region !== 'us-east-1')
          expect(book.priceOf(item, region)).toEqual(PUBLISHED.priceOf(item, region));
    const [other, published] = [book, PUBLISHED].map((of) => of.instancePriceOf('c5.9xlarge', 'us-east-1'));
    expect(other).toEqual(published);
  });

  test('is prices.json of the project; without it, the built-in prices hold', () => {
    const root = mkdtempSync(join(tmpdir(), 'fsxbench-prices-'));
    const prices = () => [priceBook(root).priceOf('ebs/gp3', 'us-east-1'), ownPrices(root)?.prices.length ?? null];
    expect(prices()).toEqual([PUBLISHED.priceOf('ebs/gp3', 'us-east-1'), null]);
    writeFileSync(join(root, 'prices.json'), JSON.stringify(own));
    expect(prices()).toMatchObject([{ price: 0.05 }, 2]);
    rmSync(root, { recursive: true });
  });

  test('has the price of a Region where another holds for all of them', () => {
    expect(['us-east-1', 'us-west-2'].map((one) => book.priceOf('cloudwatch/dashboard', one)?.price)).toEqual([1, 3]);
  });

  test('makes no price younger than it is, nor older', () => {
    expect(book.asOf).toBe(PUBLISHED.asOf);
    expect(bookWith({ ...own, asOf: '2031-01-01' }).asOf).toBe('2031-01-01');
  });
});

describe('a price that is known of other Regions only', () => {
  const origin = { source: 'list', asOf: '2026-11-01', confidence: 'aws' } as const;
  const estimate = { source: 'range', asOf: '2022-09-03', confidence: 'estimated' } as const;
  const known = (region: string, price: number, more: object = {}) => ({
    ...{ item: 'fsx/SCRATCH_2', unit: 'GB-month', region, price },
    ...{ ...origin, ...more },
  });
  const book = new PriceBook([
    fileOf('2026-11-01', {
      prices: [
        ...[known('us-east-1', 0.16), known('us-west-2', 0.1438)],
        ...[known('eu-west-1', 0.154), known('eu-west-3', 0.1, { low: 0.05 })],
      ],
      estimates: [{ items: 'fsx/', exceptRegions: ['cn-'], low: 1, high: 1.5, ...estimate }],
    }),
  ]);

  test('is a range from the low end of the cheapest, with the source of the range', () => {
    const range = { unit: 'GB-month', price: 0.15, low: 0.05, ...estimate };
    expect(book.priceOf('fsx/SCRATCH_2', 'eu-central-1')).toEqual(range);
    expect(book.priceOf('fsx/SCRATCH_2', 'us-east-1')).toMatchObject({ price: 0.16, confidence: 'aws' });
  });

  test.each([
    ['fsx/SCRATCH_2', 'cn-north-1'],
    ['fsx/SCRATCH_2', 'eu-nowhere-1'],
    ['fsx/SCRATCH_1', 'eu-central-1'],
    ['ebs/gp3', 'eu-central-1'],
  ])('is unknown where no range holds: %s in %s', (item, region) => {
    expect(book.priceOf(item, region)).toBeNull();
  });
});

describe('the data', () => {
  test('every price is positive, dated by its source, and told once for a Region', () => {
    const keys = prices.prices.map(({ item, region }) => `${item} ${region}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { price, source, asOf, confidence, unit } of prices.prices) {
      expect(price).toBeGreaterThan(0);
      expect(source).not.toBe('');
      expect(['aws', 'third-party', 'assumed']).toContain(confidence);
      // GB and requests: what is moved and asked, billed by use.
      expect(unit).toMatch(/^(hour|month|GB|1000 requests|(GB|IOPS|MBps|MiBps|GiBps)-month)$/);
      expect(asOf ?? '2020').toMatch(/^20\d\d(-\d\d(-\d\d)?)?$/);
    }
  });

  test('every throughput tier that can be deployed has a price where most prices are known', () => {
    const items = Object.entries(LUSTRE_TYPES).flatMap(([kind, type]) =>
      type.driveCache
        ? perUnitsOf(type).flatMap((tier) => [`fsx/${kind}/${tier}/NONE`, `fsx/${kind}/${tier}/READ`])
        : perUnitsOf(type).map((tier) => `fsx/${kind}/${tier}`),
    );
    expect(items).toHaveLength(11);
    expect(items.filter((item) => PUBLISHED.priceOf(item, 'us-east-1') === null)).toEqual([]);
  });

  test('a price that was carried over from another Region says so', () => {
    const assumed = { confidence: 'assumed', price: 0.29 };
    expect(PUBLISHED.priceOf('fsx/PERSISTENT_1_SSD/200', 'us-east-1')).toMatchObject(assumed);
    expect(lustreLines(STUDY, { region: 'us-east-1' })[0]?.source).toMatch(/us-east-2, assumed equal.*; assumed$/);
  });
});
