import fc from 'fast-check';
import { type Advice, advise, type Requirement } from '../../lib/advise';
import { BENCHMARKS } from '../../lib/benchmark/all';
import { resolveAll } from '../../lib/config/app';
import { lustreLines, sumOf } from '../../lib/cost/cost';
import { predict } from '../../lib/predict';
import { LUSTRE_DASHBOARD_STACK } from '../../lib/stack/lustreDashboard';
import type { LustreConfiguration } from '../../lib/storage/configuration';
import { checkLustre } from '../../lib/storage/rules';

/** What people ask for, from nothing much to what no file system does. */
const REQUIREMENTS: fc.Arbitrary<Requirement> = fc
  .record(
    {
      readMBps: fc.double({ min: 1, max: 40_000, noNaN: true }),
      writeMBps: fc.double({ min: 1, max: 40_000, noNaN: true }),
      capacityTB: fc.double({ min: 0.01, max: 120, noNaN: true }),
      createsPerSecond: fc.integer({ min: 1, max: 400_000 }),
      ratio: fc.double({ min: 1, max: 12, noNaN: true }),
      together: fc.boolean(),
      workingSetGiB: fc.double({ min: 1, max: 5000, noNaN: true }),
      maxMonthlyUsd: fc.integer({ min: 100, max: 200_000 }),
      clients: fc.record({
        count: fc.integer({ min: 1, max: 64 }),
        instanceType: fc.constantFrom('c6in.16xlarge', 'c6in.32xlarge'),
        efa: fc.constant(false),
      }),
      region: fc.constantFrom('us-east-1', 'us-east-2', 'eu-central-1'),
    },
    { requiredKeys: [] },
  )
  .filter(({ readMBps, writeMBps, capacityTB, createsPerSecond }) =>
    [readMBps, writeMBps, capacityTB, createsPerSecond].some((value) => value !== undefined),
  )
  .chain((requirement) =>
    fc
      .boolean()
      .map((efa) =>
        requirement.clients === undefined || requirement.clients.instanceType !== 'c6in.32xlarge'
          ? requirement
          : { ...requirement, clients: { ...requirement.clients, efa } },
      ),
  );

const all = ({ options, rejected }: Advice): readonly LustreConfiguration[] => [
  ...options.flatMap(({ configuration, cheaper }) => [configuration, ...cheaper.map((one) => one.configuration)]),
  ...rejected.map(({ configuration }) => configuration),
];

/** Judged here once more, from the prediction and the documented capacity alone. */
function meets(configuration: LustreConfiguration, requirement: Requirement): boolean {
  const { readMBps = 0, writeMBps = 0, together, capacityTB = 0, createsPerSecond = 0, clients, region } = requirement;
  const lz4 = configuration.dataCompressionType === 'LZ4';
  const ratio = lz4 ? (requirement.ratio ?? 1) : 1;
  const elastic = configuration.storageCapacityGiB === undefined;
  const data = (capacityTB * 1e12) / 2 ** 30;
  const at = (readShare: number) =>
    predict({
      configuration,
      readShare,
      region,
      ratio: lz4 ? requirement.ratio : undefined,
      workingSetGiB: requirement.workingSetGiB ?? (elastic && data > 0 ? data : undefined),
      clients: clients && { ...clients, efa: clients.efa === true && configuration.efaEnabled === true },
    });
  const reaches = (readShare: number, MBps: number) => {
    if (MBps === 0) return true;
    const { throughputMBps, undocumented } = at(readShare);
    return undocumented.length === 0 && throughputMBps.baseline >= MBps * (1 - 1e-9);
  };
  const bytes = elastic ? at(0).servers.oss * 512 * 2 ** 40 : (configuration.storageCapacityGiB ?? 0) * 2 ** 30;
  const rates =
    together && readMBps > 0 && writeMBps > 0
      ? reaches(readMBps / (readMBps + writeMBps), readMBps + writeMBps)
      : reaches(1, readMBps) && reaches(0, writeMBps);
  const creates = at(0).metadataPerSecond?.file_create ?? 0;
  return rates && bytes * ratio >= capacityTB * 1e12 * (1 - 1e-9) && creates >= createsPerSecond;
}

function monthly(configuration: LustreConfiguration, { region = 'us-east-1' }: Requirement): number | null {
  const { hourlyUsd } = sumOf(lustreLines(configuration, region));
  return hourlyUsd === null ? null : Math.round(hourlyUsd * 730 * 100) / 100;
}

/** Every configuration with a capacity that AWS sells, up to a size. */
function grid(mostGiB: number): LustreConfiguration[] {
  const levels = [1500, 3000, 6000, ...Array.from({ length: 16 }, (_, index) => (index + 1) * 12_000)];
  const metadata: LustreConfiguration['metadata'][] = [
    undefined,
    { mode: 'AUTOMATIC' },
    ...levels.map((iops) => ({ mode: 'USER_PROVISIONED', iops }) as const),
  ];
  const tiers: Omit<LustreConfiguration, 'storageCapacityGiB'>[] = [
    { deploymentType: 'SCRATCH_2' },
    ...[50, 100, 200].map(
      (perUnitStorageThroughput) => ({ deploymentType: 'PERSISTENT_1', perUnitStorageThroughput }) as const,
    ),
    ...[12, 40].flatMap((perUnitStorageThroughput) =>
      (['NONE', 'READ'] as const).map(
        (driveCacheType) =>
          ({ deploymentType: 'PERSISTENT_1', storageType: 'HDD', perUnitStorageThroughput, driveCacheType }) as const,
      ),
    ),
    ...[125, 250, 500, 1000].flatMap((perUnitStorageThroughput) =>
      [false, true].flatMap((efaEnabled) =>
        metadata.map((one) => ({
          deploymentType: 'PERSISTENT_2' as const,
          perUnitStorageThroughput,
          ...(efaEnabled && { efaEnabled }),
          ...(one && { metadata: one }),
        })),
      ),
    ),
  ];
  const capacities = Array.from({ length: mostGiB / 600 }, (_, index) => (index + 1) * 600);
  return (['NONE', 'LZ4'] as const).flatMap((dataCompressionType) =>
    tiers.flatMap((tier) =>
      capacities
        .map((storageCapacityGiB) => ({ ...tier, storageCapacityGiB, dataCompressionType }))
        .filter((one) => checkLustre(one).errors.length === 0),
    ),
  );
}

const kind = ({
  deploymentType,
  storageType,
  perUnitStorageThroughput,
  driveCacheType,
  dataCompressionType,
}: LustreConfiguration) =>
  [deploymentType, storageType ?? 'SSD', perUnitStorageThroughput, driveCacheType, dataCompressionType ?? 'NONE'].join(
    ' ',
  );

test('nothing is proposed that synth would refuse, nor that misses what is required', () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const advice = advise(requirement);
      for (const configuration of all(advice)) expect(checkLustre(configuration).errors).toEqual([]);
      for (const { configuration } of advice.options) expect(meets(configuration, requirement)).toBe(true);
      for (const { cheaper } of advice.options)
        for (const one of cheaper) {
          expect(meets(one.configuration, requirement)).toBe(false);
          expect(one.misses).not.toEqual([]);
        }
    }),
    { numRuns: 150 },
  );
}, 120_000);

test('no cheaper configuration of the whole grid meets the requirement', () => {
  const MOST_GIB = 76_800;
  const configurations = grid(MOST_GIB);
  expect(configurations.length).toBeGreaterThan(5000);
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const { maxMonthlyUsd: _, ...free } = requirement;
      const found = new Map<string, number>();
      for (const configuration of configurations) {
        const usd = monthly(configuration, free);
        const name = kind(configuration);
        if (usd === null || usd >= (found.get(name) ?? Number.POSITIVE_INFINITY)) continue;
        if (configuration.dataCompressionType === 'LZ4' && (free.ratio ?? 1) <= 1) continue;
        if (configuration.efaEnabled && !free.clients?.efa) continue;
        if (meets(configuration, free)) found.set(name, usd);
      }
      const { options } = advise(free);
      for (const [name, usd] of found) {
        const proposed = options.filter(({ configuration }) => kind(configuration) === name);
        const best = Math.min(...proposed.map(({ monthlyUsd }) => monthlyUsd ?? Number.POSITIVE_INFINITY));
        expect([name, best]).toEqual([name, usd]);
      }
      // And what it proposes in that range, brute force finds as well.
      for (const { configuration, monthlyUsd } of options) {
        const { storageCapacityGiB = Number.POSITIVE_INFINITY } = configuration;
        if (monthlyUsd !== null && storageCapacityGiB <= MOST_GIB)
          expect(found.get(kind(configuration))).toBeLessThanOrEqual(monthlyUsd);
      }
    }),
    // Where a larger capacity, with its metadata IOPS, costs less than a smaller one with the same: too rare to be met by chance.
    {
      numRuns: 25,
      examples: [[{ createsPerSecond: 48_000, capacityTB: 48 }], [{ createsPerSecond: 70_000, capacityTB: 75 }]],
    },
  );
}, 120_000);

/** Intelligent-Tiering in every size and with every kind of read cache, up to a throughput. */
function tieringGrid(servers: number, sizesGiB: readonly number[]): LustreConfiguration[] {
  const caches = (count: number): LustreConfiguration['dataReadCache'][] => [
    { sizingMode: 'NO_CACHE' },
    { sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' },
    ...[32 * count, 131_072 * count, ...sizesGiB].map(
      (sizeGiB) => ({ sizingMode: 'USER_PROVISIONED', sizeGiB: Math.ceil(sizeGiB) }) as const,
    ),
  ];
  return Array.from({ length: servers }, (_, index) => index + 1)
    .flatMap((count) =>
      caches(count).flatMap((dataReadCache) =>
        ([6000, 12_000] as const).flatMap((iops) =>
          (['NONE', 'LZ4'] as const).map(
            (dataCompressionType): LustreConfiguration => ({
              deploymentType: 'PERSISTENT_2',
              storageType: 'INTELLIGENT_TIERING',
              throughputCapacity: count * 4000,
              metadata: { mode: 'USER_PROVISIONED', iops },
              dataReadCache,
              dataCompressionType,
            }),
          ),
        ),
      ),
    )
    .filter((one) => checkLustre(one).errors.length === 0);
}

test('no Intelligent-Tiering of the whole grid meets the requirement for less of what is known of its price', () => {
  const SERVERS = 24;
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const { maxMonthlyUsd: _, region: __, ...free } = requirement;
      const { capacityTB = 0, workingSetGiB = (capacityTB * 1e12) / 2 ** 30 } = free;
      const stored = (capacityTB * 1e12) / 2 ** 30;
      const configurations = tieringGrid(SERVERS, [workingSetGiB, workingSetGiB / 2, stored]).filter(
        ({ dataCompressionType }) => dataCompressionType === 'NONE' || (free.ratio ?? 1) > 1,
      );
      expect(configurations.length).toBeGreaterThan(SERVERS * 4);
      const known = (configuration: LustreConfiguration) => {
        const storedGiB = stored / (configuration.dataCompressionType === 'LZ4' ? (free.ratio ?? 1) : 1);
        const lines = lustreLines(configuration, 'us-east-1', { storedGiB });
        return Math.round(lines.reduce((sum, { hourly }) => sum + (hourly ?? 0), 0) * 730 * 100) / 100;
      };
      const { options } = advise(free);
      for (const type of ['NONE', 'LZ4'] as const) {
        const best = Math.min(
          ...configurations.filter((one) => one.dataCompressionType === type && meets(one, free)).map(known),
        );
        const proposed = options.find(
          ({ configuration }) =>
            configuration.storageType === 'INTELLIGENT_TIERING' && configuration.dataCompressionType === type,
        );
        if (Number.isFinite(best)) expect([type, proposed?.atLeastUsd]).toEqual([type, best]);
        else if (proposed !== undefined)
          expect(proposed.configuration.throughputCapacity).toBeGreaterThan(SERVERS * 4000);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('an answer takes less than a second, however much is asked for', () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const once = (): number => {
        const from = process.hrtime.bigint();
        advise(requirement);
        return Number(process.hrtime.bigint() - from) / 1e6;
      };
      const first = once();
      // Whatever else the machine does only makes it longer.
      expect(first < 1000 ? first : Math.min(once(), once())).toBeLessThan(1000);
    }),
    {
      numRuns: 100,
      examples: [
        [{ readMBps: 10_000_000, writeMBps: 10_000_000, together: true, capacityTB: 20_000, ratio: 1.01 }],
        [{ createsPerSecond: 1e9, capacityTB: 20_000 }],
        [{ capacityTB: 20_000, workingSetGiB: 18_000_000, readMBps: 1, ratio: 255 }],
      ],
    },
  );
}, 120_000);

test('cheapest first, of the same price the one with more room, without a price last', () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      const { options } = advise(requirement);
      const prices = options.map(({ monthlyUsd }) => monthlyUsd ?? Number.POSITIVE_INFINITY);
      expect(prices).toEqual([...prices].sort((a, b) => a - b));
      options.forEach((option, index) => {
        const next = options[index + 1];
        if (next !== undefined && next.monthlyUsd === option.monthlyUsd) {
          // Those of unknown price: by what is known of it.
          expect(option.atLeastUsd).toBeLessThanOrEqual(next.atLeastUsd);
          if (next.atLeastUsd === option.atLeastUsd)
            expect(option.headroom ?? 0).toBeGreaterThanOrEqual(next.headroom ?? 0);
        }
        expect(option.monthlyUsd === null).toBe(option.reason !== null);
        expect(option.monthlyUsd ?? option.atLeastUsd).toBe(option.atLeastUsd);
        expect(option.headroom ?? 0).toBeGreaterThanOrEqual(0);
      });
    }),
    { numRuns: 60 },
  );
}, 60_000);

test("what a fragment says, the application's reader takes and makes of it what was proposed", () => {
  fc.assert(
    fc.property(REQUIREMENTS, (requirement) => {
      for (const { configuration, cdkJson } of advise(requirement).options) {
        const { benchmarks, refused } = resolveAll(BENCHMARKS, cdkJson.context, LUSTRE_DASHBOARD_STACK);
        expect(refused).toEqual([]);
        for (const { definition, arms } of benchmarks) {
          if (cdkJson.context[definition.name] === undefined) continue;
          for (const { lustre } of arms) {
            const { version: _, dataCompressionType: __, storageType = 'SSD', ...made } = lustre;
            const { dataCompressionType: ___, storageType: wanted = 'SSD', ...rest } = configuration;
            const tidy = (value: object) => JSON.parse(JSON.stringify(value));
            expect({ ...tidy(made), storageType }).toEqual({ ...tidy(rest), storageType: wanted });
          }
        }
        const types = benchmarks.find(({ definition }) => definition.name === 'CompressionBench')?.arms;
        expect(types?.map(({ lustre }) => lustre.dataCompressionType)).toContain(configuration.dataCompressionType);
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);

test('compression buys throughput and space: the cheapest file system of the study', () => {
  const requirement = { writeMBps: 10_800, capacityTB: 15 };
  const of = (options: Advice['options'], type: string) =>
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

test('metadata is promised only where AWS publishes a rate, and more capacity is bought where its IOPS are cheaper', () => {
  const { options, rejected } = advise({ createsPerSecond: 48_000, capacityTB: 48 });
  expect(new Set(options.map(({ configuration }) => configuration.deploymentType))).toEqual(new Set(['PERSISTENT_2']));
  expect(rejected.find(({ configuration }) => configuration.deploymentType === 'SCRATCH_2')?.reason).toContain(
    'AWS publishes metadata rates only for',
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
    ['it creates 6000 of 10000 files a second'],
  ]);
  expect(rejected.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(/^it costs \d+(\.\d+)? USD a month, and 1700 is the most$/),
  );
});

test('no size helps where the clients are the limit', () => {
  const { options, rejected } = advise({ readMBps: 10_000, clients: { count: 1, instanceType: 'c5n.9xlarge' } });
  expect(options).toEqual([]);
  expect(rejected[0]?.reason).toContain('reads reach 6.25 of 10 GB/s (client_nic)');
});

test('a file system without a known price is listed, and says what is not known', () => {
  const { options } = advise({ writeMBps: 1000, capacityTB: 10 });
  const tiering = options.at(-1);
  expect(tiering).toMatchObject({
    configuration: { storageType: 'INTELLIGENT_TIERING', throughputCapacity: 4000 },
    monthlyUsd: null,
    reason: expect.stringContaining('metadata IOPS'),
    pareto: null,
  });
  expect(
    advise({ writeMBps: 1000, region: 'eu-central-1' }).options.every(({ monthlyUsd }) => monthlyUsd === null),
  ).toBe(true);
});

test('what costs too much by its known prices alone is out, known or not in all', () => {
  const { options, rejected } = advise({ capacityTB: 1, maxMonthlyUsd: 10 });
  expect(options).toEqual([]);
  const tiering = rejected.find(({ configuration }) => configuration.storageType === 'INTELLIGENT_TIERING');
  // 4,000 MB/s at 0.52, and 931.3 GiB at 0.023 and 0.0006.
  expect(tiering?.reason).toBe('it costs at least 2101.98 USD a month, and 10 is the most');
  expect(advise({ capacityTB: 1, maxMonthlyUsd: 2200 }).options.at(-1)?.monthlyUsd).toBeNull();
});

test('reads and writes at the same time take more than one after the other', () => {
  const rates = { readMBps: 2000, writeMBps: 2000 };
  const cheapest = (together: boolean) => advise({ ...rates, together }).options[0]?.monthlyUsd ?? 0;
  expect(cheapest(true)).toBeGreaterThan(1.5 * cheapest(false));
});

test.each<[string, Requirement, string]>([
  ['nothing', {}, 'must be given, got none'],
  ['less than nothing', { readMBps: -1 }, "'readMBps' must be above 0"],
  ['no number', { capacityTB: Number.NaN }, "'capacityTB' must be above 0"],
  ['more than there is', { writeMBps: 1e9 }, "'writeMBps' must be above 0 and at most"],
  ['a ratio below 1', { readMBps: 1, ratio: 0.5 }, "'ratio' must be from 1 to 255"],
  ['an unknown type', { readMBps: 1, clients: { count: 1, instanceType: 'c9.huge' } }, "got 'c9.huge'"],
])('%s is refused', (_, requirement, message) => {
  expect(() => advise(requirement)).toThrow(message);
});
