import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { offloadBench } from '../../lib/benchmark/offload';
import { FIELDS, type Settings } from '../../lib/config/fields';
import { storageOf } from '../../lib/storage/lookup';
import { settingsOfCases, USUAL } from '../storage/cases';
import { stacksWith, templateOf } from '../support/cdk';
import { drawn } from '../support/drawn';
import { contextWithVpc, ENV, subnets, VPC_ID } from '../support/existingVpc';

/** Two arms take twice as long, and show no setting that one does not. */
const ONE_ARM: Settings = { arms: ['lz4'] };

/** For every key two settings that differ in it alone. */
const PAIRS: Readonly<Record<string, readonly [Settings, Settings]>> = (() => {
  const vary = (key: string, value: unknown, base: Settings = {}): [Settings, Settings] => [
    base,
    { ...base, [key]: value },
  ];
  const p2: Settings = {
    deploymentType: 'PERSISTENT_2',
    perUnitStorageThroughput: 1000,
    storageCapacityGiB: 4800,
    metadataIops: 6000,
  };
  const tiered: Settings = {
    deploymentType: 'PERSISTENT_2',
    storageType: 'INTELLIGENT_TIERING',
    throughputCapacity: 4000,
    metadataIops: 6000,
    dataReadCache: 'proportional',
  };
  const hdd: Settings = {
    storageType: 'HDD',
    perUnitStorageThroughput: 12,
    storageCapacityGiB: 6000,
    driveCacheType: 'NONE',
  };
  const reservation: Settings = {
    purchase: 'capacity-reservation',
    capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    availabilityZone: 'us-east-1a',
  };
  return {
    scale: vary('scale', 'smoke'),
    availabilityZone: vary('availabilityZone', 'us-east-1c'),
    vpcId: vary('vpcId', VPC_ID),
    subnetId: vary('subnetId', 'subnet-0000000b', { vpcId: VPC_ID }),
    placement: vary('placement', 'partition'),
    egress: vary('egress', 'endpoints'),
    instanceType: vary('instanceType', 'c5n.18xlarge'),
    checkOfferings: vary('checkOfferings', false),
    clients: vary('clients', 4),
    fleet: vary('fleet', 'parallelcluster'),
    efaClients: vary('efaClients', true, { ...p2, efa: true, instanceType: 'c6in.32xlarge' }),
    headNodeInstanceType: vary('headNodeInstanceType', 'm5.2xlarge', { fleet: 'parallelcluster' }),
    queues: vary('queues', ['c5.9xlarge:200'], { fleet: 'parallelcluster' }),
    mpiEfa: vary('mpiEfa', false, { fleet: 'parallelcluster' }),
    ranksPerClient: vary('ranksPerClient', 36),
    purchase: vary('purchase', 'spot'),
    capacityReservationId: vary('capacityReservationId', 'cr-0a1b2c3d4e5f60719', reservation),
    placementGroup: vary('placementGroup', 'hpc', reservation),
    image: vary('image', 'ami-0a1b2c3d4e5f60718'),
    kernel: vary('kernel', '6.12'),
    rootVolumeGiB: vary('rootVolumeGiB', 50),
    bootTimeoutMinutes: vary('bootTimeoutMinutes', 20),
    deploymentType: vary('deploymentType', 'SCRATCH_2'),
    storageType: [
      hdd,
      {
        ...hdd,
        storageType: 'SSD',
        perUnitStorageThroughput: 200,
        storageCapacityGiB: 7200,
        driveCacheType: undefined,
      },
    ],
    storageCapacityGiB: vary('storageCapacityGiB', 7200),
    perUnitStorageThroughput: vary('perUnitStorageThroughput', 100),
    throughputCapacity: vary('throughputCapacity', 8000, tiered),
    metadataIops: vary('metadataIops', 12_000, p2),
    efa: vary('efa', true, p2),
    driveCacheType: vary('driveCacheType', 'READ', hdd),
    dataReadCache: vary('dataReadCache', 'none', tiered),
    lustreVersion: vary('lustreVersion', '2.12'),
    weeklyMaintenanceStartTime: vary('weeklyMaintenanceStartTime', '7:03:30'),
    logLevel: vary('logLevel', 'WARN_ERROR'),
    import: vary('import', 's3://my-data/reference'),
    stripeCount: vary('stripeCount', 4),
    iorVersion: vary('iorVersion', '4.0.0'),
    install: vary('install', 'spack'),
    tuning: vary('tuning', 'published-metadata'),
    arms: vary('arms', ['none'], ONE_ARM),
    recordSizesKiB: vary('recordSizesKiB', [256, 128], { scale: 'smoke' }),
    metadataIopsSweep: vary('metadataIopsSweep', [1500, 12_000], { scale: 'smoke' }),
    inputs: vary('inputs', ['s3://my-data/reads/']),
    owner: vary('owner', 'alice'),
    tags: vary('tags', { CostCenter: '42' }),
    permissionsBoundary: vary('permissionsBoundary', 'arn:aws:iam::123456789012:policy/Boundary'),
    flowLogs: vary('flowLogs', true),
    kmsKeyArn: vary('kmsKeyArn', 'arn:aws:kms:us-east-1:123456789012:key/0a1b2c3d'),
    alarmEmail: vary('alarmEmail', 'ops@example.com'),
    expiresAfterHours: vary('expiresAfterHours', 48),
    maxCostUsd: vary('maxCostUsd', 100),
    ...Object.fromEntries(settingsOfCases.map(([name, { changed, with: base }]) => [name, vary(name, changed, base)])),
  };
})();

const templates = new Map<string, string>();

/** The template of a benchmark; most settings are compared with the same one. */
function deployed(settings: Settings, definition: Benchmark = compressionBench): string {
  const key = JSON.stringify([definition.name, definition.arms('smoke'), settings]);
  const known = templates.get(key);
  if (known !== undefined) return known;
  const vpc = contextWithVpc(subnets('Private', ['us-east-1a', 'us-east-1b']));
  const template = JSON.stringify(templateOf(stacksWith(settings, { env: ENV }, vpc, definition).bench));
  templates.set(key, template);
  return template;
}

/** Settings that only one benchmark takes. */
const OWNERS: Readonly<Record<string, Benchmark>> = { metadataIopsSweep: metadataBench, recordSizesKiB: offloadBench };

/** Benchmarks on other storages than Lustre, for the settings of those storages. */
const ON_OTHERS = USUAL.map((storage): typeof compressionBench => ({
  ...compressionBench,
  arms: () => [{ name: storage.kind, storage }],
  fleet: () => ({ instanceType: 'c5.2xlarge', clients: 1, ranksPerClient: 4 }),
}));
const takes = (name: string, { arms }: typeof compressionBench): boolean =>
  arms('smoke').some(({ storage }) => name in storageOf(storage).configuration.settings);

/** One release only; what LustreDashboard takes; what refuses, and changes nothing. */
const EXCEPT: readonly string[] = ['fileSystemId', 'checkOfferings'];

// A third of them, which the seed draws.
const thirds = drawn([0, 1, 2]);
test.each(Object.keys(FIELDS).filter((name, at) => !EXCEPT.includes(name) && thirds.includes(at % 3)))(
  'does not ignore %s',
  (name) => {
    const [without, with_] = PAIRS[name] as readonly [Settings, Settings];
    const other = ON_OTHERS.find((definition) => takes(name, definition));
    const definition = OWNERS[name] ?? other ?? compressionBench;
    const base = definition === compressionBench ? ONE_ARM : {};
    expect(deployed({ ...base, ...with_ }, definition)).not.toBe(deployed({ ...base, ...without }, definition));
  },
);
