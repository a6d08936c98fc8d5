import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { compressionBench } from '../../lib/benchmark/compression';
import { resolveBenchmark } from '../../lib/config/benchmark';
import { priceBook, readPriceFile } from '../../lib/cost/priceFile';
import { mergedPrices, offered, refreshPrices } from '../../lib/cost/refresh';
import { priceOfStack } from '../../lib/deploy/price';
import { PriceBook, type PriceFile, PUBLISHED_PRICES } from '../../lib/price/prices';
import { fsxbenchIn } from '../cli/support';
import { stacksWith } from '../support/cdk';

const LISTS = join(__dirname, '../fixtures/prices');
const EC2 = '/offers/v1.0/aws/AmazonEC2/20261118203441/eu-west-1/index.csv';

/** AWS's server of price lists; `change` spoils one of its files. */
let server: Server;
let change: (path: string, text: string) => string | null = (_, text) => text;
let from: string;
/** Requests whose connection it closes instead of an answer. */
let dropped = 0;

beforeAll(async () => {
  server = createServer(({ url = '', socket }, answer) => {
    if (dropped > 0) {
      dropped -= 1;
      socket.destroy();
      return;
    }
    const path = normalize(url);
    const file = join(LISTS, path);
    const text = existsSync(file) ? change(path, readFileSync(file, 'utf8')) : null;
    answer.writeHead(text === null ? 404 : 200).end(text ?? '');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((closed) => server.close(closed)));

let root: string;
beforeEach(() => {
  dropped = 0;
  change = (_, text) => text;
  root = mkdtempSync(join(tmpdir(), 'fsxbench-prices-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const cli = (argv: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  fsxbenchIn({ root, environment: { AWS_ENDPOINT_URL_PRICING: from, ...environment } }, argv);

test('takes from the lists of a Region what is needed, and nothing that looks like it', async () => {
  const { file, ambiguous } = await refreshPrices('eu-west-1', { from });
  expect(ambiguous).toEqual([]);
  expect(file.prices.map(({ item, price, unit }) => `${item} ${price} ${unit}`).join('\n')).toMatchSnapshot();
  const prices = { 'c5.9xlarge': 1.728, 'c5n.9xlarge': 2.196, 'c5n.large': 0.122, 'c6in.32xlarge': 8.1648 };
  const origin = { region: 'eu-west-1', asOf: '2026-11-18', confidence: 'aws' };
  const source = 'AWS price list AmazonEC2 (on demand, Linux)';
  expect(file.instances).toEqual([{ ...origin, source, prices }]);
  for (const each of file.prices) expect(each).toMatchObject(origin);
});

test('takes none of two prices of one thing', async () => {
  change = (path, text) =>
    path.includes('AmazonFSx') ? text.replace('"EU-Storage.SSD.125","Cre', '"EU-Storage.SSD.250","Cre') : text;
  const { file, ambiguous } = await refreshPrices('eu-west-1', { from });
  expect(ambiguous).toEqual(['fsx/PERSISTENT_2_SSD/250']);
  expect(file.prices.map(({ item }) => item)).not.toContain('fsx/PERSISTENT_2_SSD/250');
});

test('refreshing replaces the price of every Region, and keeps one that no list has', () => {
  const more = { region: '*', unit: 'month', source: 's', asOf: '2026', confidence: 'aws' as const };
  const price = (item: string, each: number) => ({ ...more, item, price: each });
  const of = (...prices: ReturnType<typeof price>[]): PriceFile => ({ ...PUBLISHED_PRICES, prices, instances: [] });
  const merged = mergedPrices(of(price('dashboard', 3), price('other', 1)), of(price('dashboard', 4)), 'eu-west-1');
  expect(merged.prices.map(({ item, price: each }) => `${item} ${each}`)).toEqual(['other 1', 'dashboard 4']);
  expect(mergedPrices({ ...of(), asOf: '2999-01-01' }, of(), 'eu-west-1').asOf).toBe('2999-01-01');
});

test('knows the usage types of us-east-1, which name no Region or USE1, and dashboards of all Regions', () => {
  const usage = { unit: 'Hrs', priceperunit: '0.045', usagetype: 'NatGateway-Hours' };
  const row = { termtype: 'OnDemand', currency: 'USD', ...usage };
  expect(offered('AmazonEC2', row)).toMatchObject({ item: 'vpc/nat-gateway', price: 0.045 });
  expect(offered('AmazonEC2', { ...row, usagetype: 'USE1-NatGateway-Hours' })?.item).toBe('vpc/nat-gateway');
  expect(offered('AmazonEC2', { ...row, currency: 'CNY' })).toBeNull();
  expect(offered('AmazonEC2', { ...row, startingrange: '10240' })).toBeNull();
  const dashboard = { ...row, unit: 'Dashboards', priceperunit: '3', usagetype: 'DashboardsUsageHour' };
  expect(offered('AmazonCloudWatch', dashboard)).toMatchObject({ item: 'cloudwatch/dashboard', region: '*' });
});

test.each([
  ['another unit', 'AmazonEC2', { usagetype: 'EU-EBS:VolumeUsage.gp3', unit: 'Hrs' }],
  ['another unit of IOPS', 'AmazonEC2', { usagetype: 'EU-EBS:VolumeP-IOPS.gp3', unit: 'GB-Mo' }],
  ['IOPS of another volume', 'AmazonEC2', { usagetype: 'EU-EBS:VolumeP-IOPS.io9', unit: 'IOPS-Mo' }],
  ['throughput of another volume', 'AmazonEC2', { usagetype: 'EU-EBS:VolumeP-Throughput.gp4', unit: 'GiBps-mo' }],
  ['a reservation that nobody uses', 'AmazonEC2', { capacitystatus: 'UnusedCapacityReservation' }],
  ['a dedicated host', 'AmazonEC2', { tenancy: 'Dedicated' }],
  ['an instance by the second', 'AmazonEC2', { unit: 'Second' }],
  ['an endpoint by the byte', 'AmazonVPC', { usagetype: 'EU-VpcEndpoint-Hours', unit: 'GB' }],
  ['nothing', 'AmazonEC2', { priceperunit: '0' }],
])('takes no price of %s for one that it needs', (_, code, other) => {
  const row = {
    ...{ termtype: 'OnDemand', currency: 'USD', unit: 'Hrs', priceperunit: '0.1', usagetype: 'EU-BoxUsage:c5.large' },
    ...{ operatingsystem: 'Linux', preinstalleds_w: 'NA', tenancy: 'Shared', capacitystatus: 'Used' },
    instancetype: 'c5.large',
  };
  expect(offered('AmazonEC2', row)).toMatchObject({ item: 'c5.large', price: 0.1 });
  expect(offered(code, { ...row, ...other })).toBeNull();
});

test('a price has the date of its own list, and the file that of the newest', async () => {
  change = (path, text) => (path === EC2 ? text.replace('2026-11-18', '2026-10-02') : text);
  const { file } = await refreshPrices('eu-west-1', { from });
  const dateOf = (item: string) => file.prices.find((price) => price.item === item)?.asOf;
  expect([file.asOf, dateOf('fsx/SCRATCH_2')]).toEqual(['2026-11-18', '2026-11-18']);
  expect([dateOf('ebs/gp3'), file.instances[0]?.asOf]).toEqual(['2026-10-02', '2026-10-02']);
});

test('lists without a price of Lustre, and without a date, are refused', async () => {
  change = (path, text) => (path.includes('AmazonFSx') ? text.replaceAll('"USD"', '"CNY"') : text);
  await expect(refreshPrices('eu-west-1', { from })).rejects.toThrow('AmazonFSx for eu-west-1 has no Lustre price');
  change = (path, text) => (path === EC2 ? text.replace('Publication Date', 'Day') : text);
  await expect(refreshPrices('eu-west-1', { from })).rejects.toThrow('it lacks a date');
});

test('cost --refresh writes prices, and cost, plan, advise and the announcement reckon with them', async () => {
  const refreshed = await cli(['cost', 'CompressionBench', '--refresh', '--region', 'eu-west-1', '--json']);
  expect([refreshed.status, refreshed.err]).toEqual([0, expect.stringContaining('prices.json: 25 prices')]);
  const hourly = (2 * 14_400 * 0.319 + 240 * 0.088 + 56 * 0.3 + 3 + 59 * 0.1 + 3 * 0.5) / 730 + 8 * 2.196 + 0.053;
  const document = JSON.parse(refreshed.out);
  expect(document.hourly).toBeCloseTo(hourly, 9);
  expect(document.lines[0]).toMatchObject({ unitPrice: 0.319, asOf: '2026-11-18', confidence: 'aws' });
  // The dashboard's price is not in the Region's list.
  expect(document.basis).toMatchObject({ region: 'eu-west-1', newest: '2026-11-18', thirdParty: 1, assumed: 0 });

  const words = 'list prices of eu-west-1, 2026-06-13 to 2026-11-18; of 11 prices 1 third-party';
  expect((await cli(['cost', 'CompressionBench'], { AWS_REGION: 'eu-west-1' })).out).toContain(words);
  const plan = await cli(['plan', 'CompressionBench', '--region', 'eu-west-1', '--json']);
  const { totals } = JSON.parse(plan.out);
  expect(totals.costUsd).toBeCloseTo((hourly * totals.expectedSeconds) / 3600, 6);
  expect(totals.costBasis).toContain(words);
  const advice = await cli(['advise', '--write', '1', '--region', 'eu-west-1', '--json']);
  expect(JSON.parse(advice.out).options[0]).toMatchObject({ monthlyUsd: expect.any(Number), basis: { assumed: 0 } });

  const book = priceBook(root);
  const configuration = resolveBenchmark(compressionBench, {});
  const { announcement, hourlyUsd } = priceOfStack(configuration, 'eu-west-1', book);
  expect(hourlyUsd).toBeCloseTo(hourly, 3);
  expect(announcement).toContain(`costs ${hourly.toFixed(2)} USD/h (${words})`);
});

const pricedAt = (price: unknown) =>
  JSON.stringify({ ...PUBLISHED_PRICES, prices: [{ ...PUBLISHED_PRICES.prices[0], price }] });

test.each([
  ['no JSON', '{', /^\S.* in JSON at position 1/],
  ['another schema', '{"schema":"fsxbench.cost/1"}', /expected "fsxbench\.prices\/1" → at schema ✖ /],
  ['a price that is none', pricedAt('1'), /expected number, received string → at prices\[0\]\.price\. Write/],
  ['something for nothing', pricedAt(0), /expected number to be >0 → at prices\[0\]\.price\. Write/],
])('refuses a file of prices that has %s, names the fault and says how to write one', async (_, text, fault) => {
  const file = join(root, 'prices.json');
  writeFileSync(file, text);
  for (const command of ['cost CompressionBench', 'plan CompressionBench', 'advise --write 1']) {
    const { status, out, err } = await cli(command.split(' '));
    expect([status, out]).toEqual([2, '']);
    const [before, reason] = err.split(', got ');
    expect(before).toContain(`'${file}' must be a price file (fsxbench.prices/1)`);
    expect(reason).toMatch(fault);
    expect(err).toContain('npx fsxbench cost --refresh');
  }
});

describe('without a price', () => {
  const STEP = 'npx fsxbench cost --refresh --region sa-east-1';

  test('cost is an error that names the price and the next step', async () => {
    for (const json of [[], ['--json']]) {
      const { status, err } = await cli(['cost', 'CompressionBench', '--region', 'sa-east-1', ...json]);
      expect([status, err]).toEqual([1, expect.stringContaining('the price of fsx/PERSISTENT_1_SSD/200, c5n.9xlarge')]);
      expect(err).toContain(STEP);
    }
  });

  test('advise ranks nothing', async () => {
    const { status, out, err } = await cli(['advise', '--write', '1', '--region', 'sa-east-1']);
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain(STEP);
  });

  test('plan says why it has no cost', async () => {
    const { out } = await cli(['plan', 'CompressionBench', '--region', 'sa-east-1']);
    expect(out).toContain(STEP);
  });

  test('a synth announces no “more than 0.00 USD/h”', () => {
    const { bench } = stacksWith({}, { env: { region: 'sa-east-1' } });
    Annotations.fromStack(bench).hasInfo('/CompressionBench', Match.stringLikeRegexp(`the price of .*${STEP}`));
    Annotations.fromStack(bench).hasNoInfo('*', Match.stringLikeRegexp('more than'));
  });
});

test('a connection that the server closes meanwhile is made anew, and not for ever', async () => {
  dropped = 1;
  expect((await refreshPrices('eu-west-1', { from })).ambiguous).toEqual([]);
  dropped = 1000;
  await expect(refreshPrices('eu-west-1', { from })).rejects.toThrow(
    /cannot be reached: .*: (?:ECONNRESET|UND_ERR_SOCKET)$/,
  );
});

describe('lists that cannot be read change nothing', () => {
  const ofEc2 =
    (spoil: (text: string) => string | null): typeof change =>
    (path, text) =>
      path === EC2 ? spoil(text) : text;
  const spoilt: [string, typeof change, RegExp][] = [
    ['absent', ofEc2(() => null), /answered 404 to .*AmazonEC2/],
    ['of another form', ofEc2((text) => text.replace('"usageType"', '"kind"')), /no column usagetype/],
    ['cut off in a field', ofEc2((text) => text.slice(0, 2000)), /is truncated/],
    ['empty', ofEc2(() => ''), /is not a price list/],
    [
      'an index that leads elsewhere',
      (path, text) => (path.includes('region_index') ? text.replaceAll('"/offers', '"//elsewhere') : text),
      /is not a price list index/,
    ],
  ];

  test.each(spoilt)('%s', async (_, spoil, message) => {
    change = spoil;
    const { status, err } = await cli(['cost', '--refresh', '--region', 'eu-west-1']);
    expect(status).toBe(1);
    expect(err).toMatch(message);
    expect(err).toContain('No price was changed');
    expect(existsSync(join(root, 'prices.json'))).toBe(false);
  });

  test('a server that is not there, a Region that is not listed, and nothing asked for', async () => {
    const away = await cli(['cost', '--refresh'], { AWS_ENDPOINT_URL_PRICING: 'http://127.0.0.1:1' });
    expect([away.status, away.err]).toEqual([1, expect.stringMatching(/cannot be reached: http:\/\/127\.0\.0\.1:1/)]);
    const other = await cli(['cost', '--refresh', '--region', 'ap-east-1']);
    expect([other.status, other.err]).toEqual([1, expect.stringContaining('no prices of AmazonFSx in ap-east-1')]);
    const nothing = await cli(['cost']);
    expect(nothing).toMatchObject({ status: 2, err: expect.stringContaining("missing required argument 'benchmark'") });
  });
});

test('the prices that come with fsxbench are a file of that form', () => {
  expect(readPriceFile(join(__dirname, '../../lib/price/prices.json'))).toEqual(PUBLISHED_PRICES);
});

test('refreshing one Region keeps the others of a file, and nothing old of its own', async () => {
  const { file } = await refreshPrices('eu-west-1', { from });
  const origin = { source: 's', asOf: '2020', confidence: 'assumed' } as const;
  const old: PriceFile = {
    ...file,
    asOf: '2026-01-01',
    prices: ['eu-west-1', 'us-east-1'].map((region) => ({
      item: 'fsx/old',
      region,
      unit: 'month',
      ...origin,
      price: 1,
    })),
    instances: ['eu-west-1', 'us-east-1'].map((region) => ({ region, prices: { 'c5.large': 1 }, ...origin })),
  };
  const merged = mergedPrices(old, file, 'eu-west-1');
  const book = new PriceBook([merged]);
  expect(book.asOf).toBe('2026-11-18');
  expect(book.priceOf('fsx/old', 'eu-west-1')).toBeNull();
  expect(book.priceOf('fsx/old', 'us-east-1')?.price).toBe(1);
  expect(book.priceOf('fsx/SCRATCH_2', 'eu-west-1')?.price).toBe(0.154);
  expect(book.instancePriceOf('c5.large', 'us-east-1')?.price).toBe(1);
  expect(book.instancePriceOf('c5.large', 'eu-west-1')).toBeNull();
  expect(book.instancePriceOf('c5n.large', 'eu-west-1')?.price).toBe(0.122);
  expect(mergedPrices({ ...old, asOf: '2026-12-01' }, file, 'eu-west-1').asOf).toBe('2026-12-01');
  writeFileSync(join(root, 'prices.json'), JSON.stringify(merged));
  expect(readPriceFile(join(root, 'prices.json'))).toEqual(merged);
});
