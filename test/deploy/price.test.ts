import { Aws } from 'aws-cdk-lib';
import { compressionBench } from '../../lib/benchmark/compression';
import { resolveBenchmark } from '../../lib/config/benchmark';
import { lifeOf, priceOfStack } from '../../lib/deploy/price';
import { bookWith } from '../../lib/price/prices';

const PRICES = { schema: 'fsxbench.prices/1', currency: 'USD' } as const;

const configuration = resolveBenchmark(compressionBench, {}, 'us-east-1');

test('a stack costs what all of it costs, and each arm what its file system does, by the hour in us-east-1', () => {
  const { hourlyUsd, arms, announcement } = priceOfStack(configuration, 'us-east-1');
  expect(hourlyUsd).toBeCloseTo(27.1067, 4);
  // Two of 14,400 GiB at 0.29 USD per GB-month.
  const arm = (14_400 * 0.29) / 730;
  expect(Object.keys(arms)).toEqual(['none', 'lz4']);
  for (const usd of Object.values(arms)) expect(usd).toBeCloseTo(arm, 3);
  expect(announcement).toMatch(
    /^Deploying CompressionBench at scale published costs 27\.11 USD\/h \(.+\), with or without an active run$/,
  );
});

test('prices of one’s own count for arms as for the stack', () => {
  const item = 'fsx/PERSISTENT_1_SSD/200';
  const own = { source: 'a contract', asOf: null, confidence: 'aws', region: 'us-east-1', unit: 'GB-month' } as const;
  const book = bookWith({ ...PRICES, asOf: '2020-01-01', instances: [], prices: [{ item, price: 2.9, ...own }] });
  const [own10, listed] = [book, undefined].map((of) => priceOfStack(configuration, 'us-east-1', of));
  expect(own10?.arms.lz4).toBeCloseTo(10 * (listed?.arms.lz4 ?? 0), 2);
  expect((own10?.hourlyUsd ?? 0) - (listed?.hourlyUsd ?? 0)).toBeCloseTo(2 * 9 * (listed?.arms.lz4 ?? 0), 2);
});

test('without a Region or its prices nobody knows it, and no arm has a price that is invented', () => {
  expect(priceOfStack(configuration, Aws.REGION)).toEqual({
    ...{ hourlyUsd: null, arms: { none: null, lz4: null }, basis: null },
    announcement: expect.stringContaining('costs what its Region charges: set AWS_REGION to see it'),
  });
  const nowhere = priceOfStack(configuration, 'xx-nowhere-1');
  expect([nowhere.hourlyUsd, Object.values(nowhere.arms)]).toEqual([null, [null, null]]);
  expect(nowhere.announcement).toContain('costs nobody knows how much: ');
});

// A budget ends a stack at the hundredth of an hour before it is spent.
test.each([
  [{ expiresAfterHours: 24 }, 27, { hours: 24 }],
  [{ expiresAfterHours: 24, maxCostUsd: 100 }, 27, { hours: 24, budgetHours: 3.7 }],
  [{ expiresAfterHours: 24, maxCostUsd: 100 }, 3, { hours: 24, budgetHours: 33.33 }],
  [{ expiresAfterHours: 24, maxCostUsd: 100 }, 6, { hours: 24, budgetHours: 16.66 }],
  [{ expiresAfterHours: null }, 27, null],
  [{ expiresAfterHours: null, maxCostUsd: 100 }, 27, null],
  [{ expiresAfterHours: 24 }, null, { hours: 24 }],
])('with %j at %p USD per hour a stack lives for %j', (settings, hourlyUsd, life) => {
  expect(lifeOf({ ...configuration, ...settings } as never, { hourlyUsd, announcement: 'A.' })).toEqual(life);
});

test('a budget needs a known price', () => {
  const budget = { ...configuration, expiresAfterHours: 24, maxCostUsd: 100 };
  expect(() => lifeOf(budget as never, { hourlyUsd: null, announcement: 'nobody knows' })).toThrow(
    "'maxCostUsd' requires known prices, but one is missing for CompressionBench: nobody knows. Use 'expiresAfterHours'.",
  );
});
