import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { ConfigurationError } from '../../lib/common/configurationError';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import type { StorageConfiguration } from '../../lib/schema/deployment';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { CLIENTS_OVER_EFA } from '../support/options';

const lustre = (storage: StorageConfiguration) => storage as LustreStorage;

const resolve = (settings: Settings = {}) => resolveBenchmark(compressionBench, settings);

/** A reservation in no placement group. */
const RESERVED = {
  purchase: 'capacity-reservation',
  capacityReservationId: 'cr-0a1b2c3d4e5f60718',
  availabilityZone: 'us-east-1a',
} as const;

const TIERED = {
  deploymentType: 'PERSISTENT_2',
  storageType: 'INTELLIGENT_TIERING',
  throughputCapacity: 4000,
  metadataIops: 6000,
  dataReadCache: 'proportional',
} as const;

function problemsOf(settings: Settings): readonly string[] {
  try {
    resolve(settings);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(settings)}`);
}

test("is the study's own experiment when nothing is set", () => {
  const { scale, arms, fleet } = resolve();
  expect(scale).toBe('published');
  expect(arms.map(({ name, storage }) => [name, lustre(storage).dataCompressionType])).toEqual([
    ['none', 'NONE'],
    ['lz4', 'LZ4'],
  ]);
  for (const { storage } of arms) {
    expect(storage).toMatchObject({
      deploymentType: 'PERSISTENT_1',
      storageCapacityGiB: 14_400,
      perUnitStorageThroughput: 200,
      version: '2.15',
      stripeCount: -1,
    });
  }
  expect(fleet).toMatchObject({ instanceType: 'c5n.9xlarge', clients: 8, iorVersion: '3.3.0' });
  expect(fleet.purchase).toEqual({ kind: 'on-demand' });
});

test('keeps both arms alike but for compression, whatever is set', () => {
  const { arms } = resolve({
    deploymentType: 'PERSISTENT_2',
    perUnitStorageThroughput: 250,
    metadataIops: 6000,
    storageCapacityGiB: 4800,
  });
  const [none, lz4] = arms.map(({ storage }) => ({ ...storage, dataCompressionType: undefined }));
  expect(none).toEqual(lz4);
  expect(none).toMatchObject({ metadata: { mode: 'USER_PROVISIONED', iops: 6000 }, storageCapacityGiB: 4800 });
});

test('drops sizes of the definition that the chosen type cannot have', () => {
  expect(resolve({ deploymentType: 'SCRATCH_2' }).arms[0]?.storage).toHaveProperty(
    'perUnitStorageThroughput',
    undefined,
  );
  const { storage } = resolve(TIERED).arms[0] as { storage: object };
  expect(storage).toMatchObject({ storageCapacityGiB: undefined, perUnitStorageThroughput: undefined });
});

test('does not drop a size that the user set, and says what is wrong with it', () => {
  const [problem] = problemsOf({ deploymentType: 'SCRATCH_2', perUnitStorageThroughput: 200 });
  expect(problem).toMatch(/^'perUnitStorageThroughput' \(200\) cannot be combined with SCRATCH_2: its throughput per /);
});

test.each<[Settings, RegExp]>([
  [{ storageCapacityGiB: 1300 }, /^'storageCapacityGiB' must be .*, got 1300/],
  [{ deploymentType: 'PERSISTENT_2' }, /^'perUnitStorageThroughput' must be .*125.*, got 200/],
  [{ metadataIops: 12_000 }, /^'metadataIops' \(12000\) cannot be combined with PERSISTENT_1/],
  [
    { deploymentType: 'PERSISTENT_2', perUnitStorageThroughput: 125, metadataIops: 6000, lustreVersion: '2.12' },
    /^'lustreVersion' must be 2\.15/,
  ],
  [{ efa: true }, /^'efa' must be false/],
  [{ storageType: 'HDD' }, /^'perUnitStorageThroughput' must be .*12.*40/],
])('refuses %j once, in the words of the settings', (settings, message) => {
  const problems = problemsOf(settings);
  expect(problems.filter((problem) => message.test(problem))).toHaveLength(1);
});

test.each<Settings>([
  { purchase: 'capacity-reservation', capacityReservationId: 'cr-0a1b2c3d4e5f60718' },
  { subnetId: 'subnet-0a1b2c3d4e5f60718' },
  { ...RESERVED, placement: 'cluster' },
  { ...RESERVED, placementGroup: 'hpc', placement: 'partition' },
  { ...TIERED, import: 's3://my-data/reference' },
  { purchase: 'capacity-reservation' },
  { capacityReservationId: 'cr-0a1b2c3d4e5f60718' },
  { purchase: 'spot', placementGroup: 'mine' },
  { instanceType: 't3.large' },
  { vpcId: 'vpc-0a1b2c3d4e5f60718', egress: 'endpoints' },
  { image: 'ami-0a1b2c3d4e5f60718', kernel: '6.12' },
  { instanceType: 'mac1.metal', placement: 'none' },
  { instanceType: 'a1.metal', placement: 'none' },
  { instanceType: 'm3.xlarge' },
  { instanceType: 'hpc7g.16xlarge', purchase: 'spot' },
  { instanceType: 'm7i-flex.large', purchase: 'spot' },
])('refuses %j for one reason, in the words of the snapshot', (settings) => {
  const [problem, ...more] = problemsOf(settings);
  expect(more).toEqual([]);
  expect(problem).toMatchSnapshot();
});

test('places clients as the benchmark needs them, unless someone or a reservation says otherwise', () => {
  const placement = (settings: Settings, definition = compressionBench) =>
    resolveBenchmark(definition, settings).fleet.placement;
  expect([placement({}), placement({}, metadataBench)]).toEqual(['cluster', 'none']);
  expect([placement({ placement: 'partition' }), placement({ placement: 'cluster' }, metadataBench)]).toEqual([
    'partition',
    'cluster',
  ]);
  expect([placement(RESERVED), placement({ ...RESERVED, placementGroup: 'hpc' }, metadataBench)]).toEqual([
    'none',
    'cluster',
  ]);
});

test('takes a type that no cluster placement group takes where clients are in none', () => {
  expect(resolve({ instanceType: 't3.large', placement: 'none' }).fleet.instanceType).toBe('t3.large');
});

describe('the number of clients', () => {
  test.each([
    [7, 'use 6 or 8'],
    [1, 'use 2'],
    [999, 'use 998 or 1000'],
  ])('%i is refused where two arms are driven at once', (clients, next) => {
    expect(problemsOf({ clients })).toEqual([
      `'clients' must be a multiple of the 2 arms of CompressionBench, up to 1000, got ${clients}. Each arm is driven by an equal part of the fleet: ${next}.`,
    ]);
  });

  test('is what the chosen arms can share', () => {
    expect(resolve({ clients: 7, arms: ['lz4'] }).fleet.clients).toBe(7);
  });

  test.each([1, 7, 200, 1000])('%i will do for six arms that all clients work on one after the other', (clients) => {
    const { arms, fleet } = resolveBenchmark(metadataBench, { clients });
    expect([arms.length, fleet.clients]).toEqual([6, clients]);
  });
});

describe('clients over EFA', () => {
  test('are an option of types and file systems that have it', () => {
    expect(resolve(CLIENTS_OVER_EFA).fleet.efa).toBe(true);
    expect(resolve({ ...CLIENTS_OVER_EFA, efaClients: false }).fleet).not.toHaveProperty('efa');
  });

  test.each([
    [
      { instanceType: 'c5n.18xlarge' },
      "'instanceType' must be a type that supports FSx over EFA, got c5n.18xlarge. Use one such as",
    ],
    [
      { instanceType: 'c5.9xlarge' },
      "'instanceType' must be a type that supports FSx over EFA, got c5.9xlarge. Use one such as",
    ],
    [{ efa: false }, "'efaClients' must be false with arm none, which has no EFA, got true. Set 'efa' to true"],
  ])('are refused elsewhere: %j', (settings, message) => {
    expect(() => resolve({ ...CLIENTS_OVER_EFA, ...settings })).toThrow(message);
  });
});

describe('a stack', () => {
  const life = (settings: Settings) => {
    const { expiresAfterHours, maxCostUsd } = resolve(settings);
    return [expiresAfterHours, maxCostUsd];
  };

  test('may live for ever, but not with a budget, which ends it', () => {
    expect(life({ expiresAfterHours: 'never' })).toEqual([null, undefined]);
    expect(life({ maxCostUsd: 500 })).toEqual([24, 500]);
    expect(problemsOf({ expiresAfterHours: 'never', maxCostUsd: 500 })).toEqual([
      "'maxCostUsd' (500) cannot be combined with 'expiresAfterHours' never: a stack deletes itself at a cost limit only if it expires. Leave one of the two out.",
    ]);
  });
});

test('a reservation is placed by its zone or by a subnet there, and takes the placement that it has', () => {
  const { availabilityZone: _, ...unplaced } = RESERVED;
  const subnet = { vpcId: 'vpc-0a1b2c3d4e5f60718', subnetId: 'subnet-0a1b2c3d4e5f60718' };
  expect(resolve({ ...unplaced, ...subnet }).fleet.purchase.kind).toBe('capacity-reservation');
  expect(resolve({ ...RESERVED, placement: 'none' }).fleet.placement).toBe('none');
  expect(resolve({ ...RESERVED, placement: 'cluster', placementGroup: 'hpc' }).fleet.placement).toBe('cluster');
});

test('servers that fetch from the internet need a way there', () => {
  const arms = () => [
    { name: 'moosefs', storage: { kind: 'moosefs', chunkservers: 2, instanceType: 'c5.xlarge', volumeGiB: 600 } },
  ];
  const problems = (settings: Settings): readonly string[] => {
    try {
      resolveBenchmark({ ...compressionBench, arms }, settings);
      return [];
    } catch (error) {
      return (error as ConfigurationError).problems;
    }
  };
  expect(problems({ clients: 1 })).toEqual([]);
  expect(problems({ clients: 1, egress: 'endpoints' })).toEqual([
    expect.stringMatching(
      /^'egress' must be nat with arm moosefs, .*, got "endpoints"\. Leave it out, or leave the arm out/,
    ),
  ]);
});
