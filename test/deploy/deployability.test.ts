import fc from 'fast-check';
import type { Benchmark } from '../../lib/benchmark/benchmark';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { offloadBench } from '../../lib/benchmark/offload';
import { storageBench } from '../../lib/benchmark/storage';
import { LIMITS } from '../../lib/common/aws/services';
import { ConfigurationError } from '../../lib/common/configurationError';
import { type BenchmarkConfiguration, resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import type { LustreStorage } from '../../lib/storage/lustre/configuration';
import { serversOf } from '../../lib/storage/lustre/servers';
import { clientTemplate, ofType, stacksWith, templateOf } from '../support/cdk';
import { limitsMeasured, limitsPassed, whyNotDeployable } from '../support/deployability';
import { drawn, draws } from '../support/drawn';
import { contextWithVpc, ENV, subnets, VPC_ID } from '../support/existingVpc';
import { METADATA_OPTIONS, OPTIONS, STORAGE_OPTIONS } from '../support/options';

const IN_VPC = contextWithVpc(
  subnets('Private', ['us-east-1a', 'us-east-1b']),
  subnets('Isolated', ['us-east-1c'], '100.64.0.0/20'),
);
const EFA = {
  deploymentType: 'PERSISTENT_2',
  storageCapacityGiB: 4800,
  perUnitStorageThroughput: 1000,
  efa: true,
} as const;

function synthesised(settings: Settings, definition: Benchmark, region = ENV.region) {
  return templateOf(stacksWith(settings, { env: { ...ENV, region } }, IN_VPC, definition).bench);
}

function serversIn({ arms }: BenchmarkConfiguration): number {
  return arms.reduce((sum, { storage }) => {
    if (storage.kind !== 'lustre') return sum;
    const { oss = 0, mds = 0 } = serversOf(storage as LustreStorage) ?? {};
    return sum + oss + mds;
  }, 0);
}

function problemsWith(settings: Settings, definition: Benchmark): string[] {
  const servers = serversIn(resolveBenchmark(definition, settings));
  return whyNotDeployable(synthesised(settings, definition), servers, ENV.region);
}

describe('a file system is created after the rules of its group', () => {
  test.each<[string, Benchmark, Settings]>([
    ['Lustre over TCP', compressionBench, {}],
    ['Lustre over TCP in an existing VPC', compressionBench, { vpcId: VPC_ID, subnetId: 'subnet-0000000c' }],
    ['EFA', compressionBench, { ...EFA, metadataIops: 12_000 }],
    ['EFA in an existing VPC', compressionBench, { ...EFA, metadataIops: 12_000, vpcId: VPC_ID }],
    ['every arm of MetadataBench', metadataBench, {}],
    ['every arm of StorageBench', storageBench, {}],
    [
      'what StorageBench has beyond its study',
      storageBench,
      { arms: ['openzfs', 'openzfs-lz4', 'openzfs-zstd', 'efs'] },
    ],
    ['every arm of MetadataBench with EFA', metadataBench, { ...EFA, metadataIopsSweep: [6000, 12_000] }],
  ])('%s', (_, definition, settings) => {
    expect(problemsWith(settings, definition)).toEqual([]);
  });

  test('with EFA, also after something that takes minutes and needs no rule', () => {
    const { Resources } = synthesised({ ...EFA, metadataIops: 12_000 }, compressionBench);
    const profile = ofType(Resources, 'AWS::IAM::InstanceProfile').find(([id]) => id.startsWith('Fleet'))?.[0];
    const systems = ofType(Resources, 'AWS::FSx::FileSystem');
    expect(systems).toHaveLength(2);
    for (const [, { DependsOn }] of systems) expect(DependsOn).toContain(profile);
  });

  test('over TCP, with rules that are part of the group: there is nothing to wait for', () => {
    const { Resources } = synthesised({ vpcId: VPC_ID, subnetId: 'subnet-0000000c' }, compressionBench);
    const groups = ofType(Resources, 'AWS::EC2::SecurityGroup').filter(([id]) => /^(Storage|Fleet)/.test(id));
    expect(groups).toHaveLength(3);
    for (const [, { Properties }] of groups) {
      const lustre = [...(Properties.SecurityGroupIngress ?? []), ...Properties.SecurityGroupEgress].filter(
        ({ FromPort }) => FromPort === 988 || FromPort === 1018,
      );
      // The secondary range of the VPC in which the subnet is, not that of the VPC.
      expect(lustre.map(({ CidrIp }) => CidrIp)).toEqual(Array(4).fill('100.64.0.0/20'));
    }
  });
});

test('clients find one another in the range of their own subnet, also a secondary one of the VPC', () => {
  const chosen: Settings = { vpcId: VPC_ID, subnetId: 'subnet-0000000c' };
  const { LaunchTemplateData } = clientTemplate(synthesised(chosen, compressionBench).Resources).Properties;
  expect(JSON.stringify(LaunchTemplateData.UserData)).toContain("export FSXBENCH_NETWORK_CIDR='100.64.0.0/20'");
});

describe('the limits of the services', () => {
  test.each([
    ...drawn(Object.entries(OPTIONS)).map((it) => [...it, compressionBench] as const),
    ...drawn(Object.entries(METADATA_OPTIONS)).map((it) => [...it, metadataBench] as const),
  ])('hold with a thousand clients: %s', (_, settings, definition) => {
    const template = synthesised({ ...settings, clients: 1000 }, definition);
    expect(limitsPassed(template)).toEqual([]);
  });

  // Its clients are one.
  test.each(drawn(Object.entries(STORAGE_OPTIONS)))('hold with every storage: %s', (_, settings) => {
    expect(limitsPassed(synthesised(settings, storageBench))).toEqual([]);
  });

  test('hold with a hundred inputs', () => {
    const inputs = Array.from({ length: 105 }, (_, index) => `s3://my-data-${index}/a-study/reads/`);
    expect(limitsPassed(synthesised({ inputs }, storageBench))).toEqual([]);
  });

  // Every arm of it is on all of the servers.
  test('hold with as many servers of Lustre on ZFS as there may be', () => {
    expect(limitsPassed(synthesised({ lustreZfsServers: 40, recordSizesKiB: [1024, 128] }, offloadBench))).toEqual([]);
  });

  test('are each measured on some template', () => {
    const measured = new Set([
      ...limitsMeasured(synthesised({ alarmEmail: 'ops@example.com' }, compressionBench)),
      ...limitsMeasured(synthesised(METADATA_OPTIONS['metadata, as much as there may be'] as Settings, metadataBench)),
    ]);
    expect(Object.keys(LIMITS).filter((name) => !measured.has(name))).toEqual([]);
  });

  test('have an address each where they are documented', () => {
    for (const { source } of Object.values(LIMITS)) expect(source).toMatch(/^https:\/\/docs\.aws\.amazon\.com\//);
  });

  test('would be seen', () => {
    const template = synthesised({ clients: 200 }, compressionBench);
    const [[, group] = []] = ofType(template.Resources, 'AWS::AutoScaling::AutoScalingGroup');
    if (group === undefined) throw new Error('no group');
    group.UpdatePolicy.AutoScalingRollingUpdate.MaxBatchSize = 200;
    expect(limitsPassed(template)).toEqual([
      expect.stringContaining('200 instances of a batch (MaxBatchSize), at most 100'),
    ]);
  });
});

/** File systems of every kind, and settings that some of them take. */
const storages = fc.oneof(
  fc.constant<Settings>({}),
  fc.constant<Settings>({ scale: 'smoke' }),
  fc.record({
    deploymentType: fc.constant('SCRATCH_2' as const),
    storageCapacityGiB: fc.constantFrom(1200, 2400, 48_000),
  }),
  fc.record({
    deploymentType: fc.constant('PERSISTENT_1' as const),
    perUnitStorageThroughput: fc.constantFrom(50, 100, 200),
    storageCapacityGiB: fc.constantFrom(1200, 7200, 100_800),
    lustreVersion: fc.constantFrom('2.12', '2.15'),
  }),
  fc.record({
    deploymentType: fc.constant('PERSISTENT_1' as const),
    storageType: fc.constant('HDD' as const),
    perUnitStorageThroughput: fc.constantFrom(12, 40),
    storageCapacityGiB: fc.constantFrom(18_000, 36_000),
    driveCacheType: fc.constantFrom('NONE', 'READ'),
  }),
  fc.record({
    deploymentType: fc.constant('PERSISTENT_2' as const),
    perUnitStorageThroughput: fc.constantFrom(125, 250, 500, 1000),
    storageCapacityGiB: fc.constantFrom(38_400, 76_800),
    metadataIops: fc.constantFrom<NonNullable<Settings['metadataIops']>>('automatic', 1500, 36_000, 192_000),
    efa: fc.boolean(),
  }),
  fc.record({
    deploymentType: fc.constant('PERSISTENT_2' as const),
    storageType: fc.constant('INTELLIGENT_TIERING' as const),
    throughputCapacity: fc.constantFrom(1000, 4000, 40_000),
    metadataIops: fc.constantFrom(6000, 12_000),
    dataReadCache: fc.constantFrom<NonNullable<Settings['dataReadCache']>>('none', 'proportional', 3200),
  }),
);

const extras = fc.record(
  {
    logLevel: fc.constant('WARN_ERROR' as const),
    import: fc.constant('s3://my-data/reference'),
    maxCostUsd: fc.constant(100),
    alarmEmail: fc.constant('ops@example.com'),
    metadataIopsSweep: fc.uniqueArray(fc.constantFrom<'none' | number>('none', 1500, 12_000, 24_000, 96_000), {
      minLength: 1,
    }),
  },
  { requiredKeys: [] },
);

const machines = fc.record(
  {
    clients: fc.constantFrom(2, 6, 60, 200, 1000),
    instanceType: fc.constantFrom('c5n.large', 'c7gn.16xlarge', 'c5.9xlarge', 't3.large', 'hpc7g.16xlarge'),
    placement: fc.constantFrom('cluster', 'none', 'partition'),
    kernel: fc.constantFrom('6.1', '6.12', '6.18'),
    tuning: fc.constantFrom('advised', 'published-metadata'),
    iorVersion: fc.constantFrom('3.3.0', '4.0.0'),
    bootTimeoutMinutes: fc.constantFrom(10, 60),
  },
  { requiredKeys: [] },
);

const places = fc.oneof(
  fc.constant<Settings>({}),
  fc.record({ egress: fc.constantFrom('nat', 'endpoints') }),
  fc.record({ vpcId: fc.constant(VPC_ID), subnetId: fc.constantFrom('subnet-0000000a', 'subnet-0000000c') }),
  fc.record({ vpcId: fc.constant(VPC_ID), availabilityZone: fc.constantFrom('us-east-1a', 'us-east-1b') }),
);

const purchases = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Settings>({}) },
  fc.constant<Settings>({ purchase: 'spot' }),
  fc.constant<Settings>({
    purchase: 'capacity-reservation',
    capacityReservationId: 'cr-0a1b2c3d4e5f60718',
    availabilityZone: 'us-east-1a',
  }),
);

const settings = fc
  .tuple(storages, extras, machines, places, purchases)
  .map((parts): Settings => Object.assign({}, ...parts) as Settings);

/** Regions that differ in what they offer. VPCs are looked up in the first one only. */
const regions = fc.constantFrom(ENV.region, 'eu-west-2', 'ap-northeast-2', 'sa-east-1');

/** The template and its servers; `null` where settings contradict one another, which is said before anything is synthesised. */
function unlessRefused(
  chosen: Settings,
  definition: Benchmark,
  region: string,
): [template: unknown, servers: number, region: string] | null {
  try {
    const servers = serversIn(resolveBenchmark(definition, chosen, region));
    return [synthesised(chosen, definition, region), servers, region];
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
}

test('every combination of settings that is not refused can be deployed', () => {
  const benchmarks = fc.constantFrom(compressionBench, metadataBench);
  fc.assert(
    fc.property(benchmarks, settings, regions, (definition, chosen, region) => {
      const made = unlessRefused(chosen, definition, chosen.vpcId === undefined ? region : ENV.region);
      fc.pre(made !== null);
      expect(whyNotDeployable(...(made as [unknown, number, string]))).toEqual([]);
    }),
    { numRuns: draws(30, 10) },
  );
}, 300_000);
