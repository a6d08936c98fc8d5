import { Aws } from 'aws-cdk-lib';
import { compressionBench } from '../../lib/benchmark/compression';
import { resolveBenchmark } from '../../lib/config/benchmark';
import { lifeOf, priceOfStack } from '../../lib/deploy/price';

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
