import { REGIONS } from '../../../lib/common/aws/regions';
import { PUBLISHED, PUBLISHED_PRICES } from '../../../lib/price/prices';
import { CONFIDENCES } from '../../../lib/schema/cost';
import { REDUCED_BURST_REGIONS } from '../../../lib/storage/lustre/types';
import { fsxbenchIn } from '../../cli/support';

/** Sold to everybody in USD, and not known to be dearer than the range found: see docs/cost.md. */
const ESTIMATED = REGIONS.filter((name) => !/^(cn-|us-iso|eu-isoe-|eusc-|sa-east-1$)/.test(name));
const ITEMS = [
  'fsx/SCRATCH_2',
  ...[50, 100, 200].map((tier) => `fsx/PERSISTENT_1_SSD/${tier}`),
  ...[125, 250, 500, 1000].map((tier) => `fsx/PERSISTENT_2_SSD/${tier}`),
  ...['12/NONE', '12/READ', '40/NONE', '40/READ'].map((tier) => `fsx/PERSISTENT_1_HDD/${tier}`),
  'fsx/metadata-iops',
];

test.each(ESTIMATED)(
  '%s has a price or a range of each kind of FSx for Lustre, with source, date and confidence',
  (region) => {
    for (const item of ITEMS) {
      const price = PUBLISHED.priceOf(item, region);
      expect([item, price]).toEqual([
        item,
        expect.objectContaining({ source: expect.any(String), asOf: expect.any(String) }),
      ]);
      expect(CONFIDENCES).toContain(price?.confidence);
      if (price?.confidence === 'estimated') expect(price.low).toBeLessThan(price.price);
    }
  },
);

test('Regions with another currency or dearer storage have neither, and the next step', async () => {
  for (const region of ['cn-north-1', 'sa-east-1']) {
    expect(REDUCED_BURST_REGIONS).toContain(region);
    expect(ITEMS.map((item) => PUBLISHED.priceOf(item, region))).toEqual(ITEMS.map(() => null));
    const { status, err } = await fsxbenchIn({}, ['advise', '--write', '1', '--region', region]);
    expect([status, err]).toEqual([1, expect.stringContaining(`npx fsxbench cost --refresh --region ${region}`)]);
  }
});

test('no known price lies outside the range that its Region would be given', () => {
  const [rule] = PUBLISHED_PRICES.estimates ?? [];
  const known = PUBLISHED_PRICES.prices.filter(({ item }) => ITEMS.includes(item));
  expect(known.length).toBeGreaterThan(30);
  for (const { item, price } of known) {
    const cheapest = Math.min(
      ...known.filter((other) => other.item === item && !other.low).map((other) => other.price),
    );
    expect(price / cheapest).toBeGreaterThanOrEqual(rule?.low ?? Number.NaN);
    expect(price / cheapest).toBeLessThanOrEqual(rule?.high ?? Number.NaN);
  }
});

test("every price of us-east-1's SSD storage has a date", () => {
  const prices = PUBLISHED_PRICES.prices.filter(
    ({ item, region }) => /^fsx.*(SCRATCH|SSD)/.test(item) && region === 'us-east-1',
  );
  expect(prices.length).toBe(8);
  for (const { asOf } of prices) expect(asOf).toMatch(/^20\d\d/);
});

test('what is estimated is called so, from end to end, with the command that fetches the list', async () => {
  const { out } = await fsxbenchIn({}, ['advise', '--capacity', '20', '--read', '4', '--region', 'eu-central-1']);
  expect(out).toMatch(/PERSISTENT_2 SSD 24000 GiB.*: 5,040–7,308 USD/);
  expect(out.replaceAll(/\n +/g, ' ')).toContain('prices of eu-central-1, 2022-09-03; estimated from other Regions');
  expect(out).toContain("for AWS's own list: npx fsxbench cost --refresh --region eu-central-1");
  const json = JSON.parse(
    (await fsxbenchIn({}, ['advise', '--capacity', '20', '--read', '4', '--region', 'eu-central-1', '--json'])).out,
  );
  expect(json.options[0]).toMatchObject({ monthlyUsd: 7308, lowUsd: 5040, basis: { estimated: 1, thirdParty: 0 } });
});

test('a price that was read, if only as a range, stands before an estimate', () => {
  expect(PUBLISHED.priceOf('fsx/PERSISTENT_2_SSD/125', 'ap-northeast-1')).toMatchObject({
    low: 0.1856,
    price: 0.1926,
    asOf: '2022-09-03',
    confidence: 'third-party',
  });
  expect(PUBLISHED.priceOf('fsx/SCRATCH_2', 'us-west-2')).toMatchObject({ price: 0.14, asOf: '2026-07-14' });
});
