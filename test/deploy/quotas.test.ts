import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { BENCHMARKS } from '../../lib/benchmark/registry';
import { benchmarkNamed } from '../../lib/cli/benchmarks';
import type { Account } from '../../lib/common/aws/account';
import type { InstanceLaunch } from '../../lib/common/aws/launch';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { demandsOf, launchesOf } from '../../lib/config/launches';
import { quotaWarnings } from '../../lib/deploy/quotas';
import { vcpuQuotaOf } from '../../lib/fleet/vcpuQuota';
import { ebsQuota } from '../../lib/storage/common/ebs';
import { type Resource, stacksWith, templateOf } from '../support/cdk';

const warned = (settings: Settings, definition = compressionBench) =>
  quotaWarnings(resolveBenchmark(definition, settings)).map(({ id }) => id);

test.each<[string, Settings, string[]]>([
  ['on demand', {}, ['324 vCPUs of Running On-Demand Standard']],
  ['spot', { purchase: 'spot' }, ['288 vCPUs of All Standard']],
  [
    'HPC, of which a new account has none',
    { instanceType: 'hpc7g.4xlarge', clients: 2 },
    ['48 vCPUs of Running On-Demand HPC'],
  ],
])('warns of vCPUs: %s', (_, settings, said) => {
  const warnings = quotaWarnings(resolveBenchmark(compressionBench, settings));
  expect(warnings.map(({ id }) => id)).toEqual(said.map(() => 'fsxbench:vcpuQuota'));
  for (const [index, { message }] of warnings.entries()) expect(message).toContain(said[index]);
});

const FEW = { clients: 2, instanceType: 'c5n.large' };

test('does not warn of vCPUs that are reserved, or that a new account has', () => {
  const reserved = { purchase: 'capacity-reservation', capacityReservationId: 'cr-0a1b2c3d4e5f60718' } as const;
  expect(warned({ ...reserved, availabilityZone: 'us-east-1a' })).toEqual([]);
  // With the builder they are six for a minute, in which Auto Scaling tries again.
  expect(warned(FEW)).toEqual([]);
});

test('names the quota of the kind of instance, and claims none that is not known', () => {
  const code = (type: string, purchase: 'on-demand' | 'spot' = 'on-demand') => vcpuQuotaOf(type, purchase)?.code;
  expect(
    [
      ...['c5n.9xlarge', 'im4gn.large', 'i7ie.48xlarge', 'hpc6a.48xlarge', 'x2idn.16xlarge', 'p5.48xlarge'],
      ...['g4dn.xlarge', 'vt1.3xlarge', 'inf2.xlarge', 'trn1.2xlarge', 'u-6tb1.56xlarge', 'q9.large'],
    ].map((type) => code(type)),
  ).toEqual([
    ...['L-1216C47A', 'L-1216C47A', 'L-1216C47A', 'L-F7808C92', 'L-7295265B', 'L-417A185B'],
    ...['L-DB2E81BA', 'L-DB2E81BA', 'L-1945791B', 'L-2C3B7624', 'L-43DA4232', undefined],
  ]);
  expect(['m7i.large', 'p4d.24xlarge', 'p5.48xlarge', 'hpc6a.48xlarge'].map((type) => code(type, 'spot'))).toEqual([
    ...['L-34B43A08', 'L-7212CCBC', 'L-C4BD4855', undefined],
  ]);
});

// Cores and threads as they are, of all but the stack itself, by quota and purchase; of reservations what stands free, which a Spot quota has none of.
test.each([
  ['c5n.9xlarge', 'on-demand', 8 + 2 + 3 * 36],
  ['c5n.9xlarge', 'spot', 4],
  ['hpc7g.4xlarge', 'on-demand', 16],
] as const)('vCPUs in use by others, of the quota of %s %s', async (type, purchase, used) => {
  const instance = (InstanceType: string, CoreCount: number, stack?: string, more = {}) => ({
    ...{ InstanceType, CpuOptions: { CoreCount, ThreadsPerCore: stack === 'Other' ? 1 : 2 }, ...more },
    Tags: stack === undefined ? [] : [{ Key: 'aws:cloudformation:stack-name', Value: stack }],
  });
  const instances = [
    ...[instance('c5n.9xlarge', 18, 'Mine'), instance('m6i.4xlarge', 8, 'Other'), instance('t3.large', 1)],
    ...[instance('c5.xlarge', 2, undefined, { InstanceLifecycle: 'spot' }), instance('hpc7g.4xlarge', 16, 'Other')],
  ];
  const reserved = [{ InstanceType: 'c5n.9xlarge', AvailableInstanceCount: 3 }, { InstanceType: 'c5n.9xlarge' }];
  const answers: Readonly<Record<string, object>> = {
    'ec2:DescribeInstances': { Reservations: instances.map((one) => ({ Instances: [one] })) },
    'ec2:DescribeCapacityReservations': { CapacityReservations: reserved },
    'ec2:DescribeInstanceTypes': { InstanceTypes: [{ InstanceType: 'c5n.9xlarge', VCpuInfo: { DefaultVCpus: 36 } }] },
  };
  const account = { region: 'us-east-1', ask: async (call: string) => answers[call] } as unknown as Account;
  expect(await vcpuQuotaOf(type, purchase)?.used?.(account, 'Mine')).toBe(used);
});

test('storage of volumes in use by others is theirs of all stacks but one, in TiB', async () => {
  const volume = (Size: number, stack?: string) => ({
    ...{ Size, Tags: stack === undefined ? [] : [{ Key: 'aws:cloudformation:stack-name', Value: stack }] },
  });
  const ask = jest.fn(async (_call: string, _request: object) => ({
    Volumes: [volume(1024, 'Mine'), volume(2048, 'Other'), volume(512)],
  }));
  expect(await ebsQuota('io2').used?.({ region: 'us-east-1', ask } as unknown as Account, 'Mine')).toBe(2.5);
  expect(ask.mock.calls[0]).toMatchObject(['ec2:DescribeVolumes', { Filters: [{ Values: ['io2'] }] }]);
});

test('counts the vCPUs of all instances and the GiB of all their volumes, in TiB, by what takes them', () => {
  const storage = {
    ...{ kind: 'moosefs', chunkservers: 4, instanceType: 'c5.4xlarge', copies: 2 },
    ...{ volumesPerServer: 3, volumeGiB: 500 },
  } as const;
  const { fleet } = resolveBenchmark(compressionBench, { clients: 4, instanceType: 'c5n.9xlarge' });
  const demands = demandsOf({
    arms: [
      { name: 'm', storage },
      { name: 'n', storage },
    ] as never,
    fleet,
  });
  const by = new Map(demands.map((demand) => [demand.quota.name, demand]));
  const gp3 = by.get('EBS gp3 storage');
  // Roots of 30 GiB for clients and masters, of 10 GiB for chunkservers. Each of two arms has its own servers.
  expect(gp3?.parts.get('MooseFS chunkservers')).toBeCloseTo((2 * 4 * (10 + 3 * 500)) / 1024, 9);
  expect(gp3?.parts.get('MooseFS master')).toBeCloseTo((2 * 30) / 1024, 9);
  expect(gp3?.lasting).toBeCloseTo((2 * 4 * 1510 + 2 * 30 + 4 * 30) / 1024, 9);
  // 36 for each client, 16 for each chunkserver, 4 for each master; the builder is there for a minute only.
  const vcpus = demands.find(({ parts }) => parts.get('MooseFS chunkservers') === 2 * 4 * 16);
  expect(vcpus?.lasting).toBe(4 * 36 + 2 * 4 * 16 + 2 * 4);
  expect((vcpus?.total ?? 0) - (vcpus?.lasting ?? 0)).toBe(36);
  expect(demandsOf({ arms: [], fleet }, () => null).some(({ quota }) => quota.unit === 'vCPUs')).toBe(false);
});

test('warns of storage, and of the throughput and the read cache of Intelligent-Tiering, of all arms together', () => {
  expect(warned({ ...FEW, storageCapacityGiB: 50_400 })).toEqual([]);
  expect(warned({ ...FEW, storageCapacityGiB: 52_800 })).toEqual(['fsxbench:storageQuota']);
  const [{ message } = { message: '' }] = quotaWarnings(
    resolveBenchmark(compressionBench, { ...FEW, storageCapacityGiB: 52_800 }),
  );
  // Both arms are of one kind: there are no parts to tell apart.
  expect(message).toMatch(/ needs 105600 GiB of [^()]* \(L-\w+\) together, above /);
  expect(
    warned({
      deploymentType: 'PERSISTENT_2',
      storageType: 'INTELLIGENT_TIERING',
      throughputCapacity: 60_000,
      metadataIops: 6000,
      dataReadCache: 'proportional',
      ...FEW,
    }),
  ).toEqual(['fsxbench:tieringThroughputQuota', 'fsxbench:tieringCacheQuota']);
});

test.each([
  [65, true],
  [64, false],
])('of %i clients in one cluster placement group, warns: %s', (clients, expected) => {
  const { bench } = stacksWith({ placement: 'cluster', clients }, undefined, undefined, metadataBench);
  const found = Annotations.fromStack(bench).findWarning(
    '*',
    Match.stringLikeRegexp('fsxbench:largeClusterPlacementGroup'),
  );
  expect(found.length > 0).toBe(expected);
});

/** Properties by which a launch is known in a template. */
interface Shape {
  readonly type: string;
  readonly count: number;
  readonly image: string;
  readonly gib: number;
  readonly market: string;
}

const shapeOf = ({ instanceType: type, count, image, volumesGiB, purchase }: InstanceLaunch): Shape => ({
  type,
  count,
  market: purchase.kind,
  image: 'id' in image ? image.id : 'parameter' in image ? `resolve:ssm:${image.parameter}` : 'ParallelCluster',
  gib: volumesGiB.reduce((sum, size) => sum + size, 0),
});

/** The launches of a template: instances and groups by their launch templates, and the nodes of a cluster. */
function launchedBy(resources: Readonly<Record<string, Resource>>): Shape[] {
  const of = (type: string): [string, Resource][] => Object.entries(resources).filter(([, { Type }]) => Type === type);
  const templates = of('AWS::EC2::LaunchTemplate').map(([id, { Properties }]): Shape => {
    const { InstanceType, ImageId, BlockDeviceMappings, InstanceMarketOptions, CapacityReservationSpecification } =
      Properties.LaunchTemplateData;
    const uses = (launchTemplate: unknown): boolean => JSON.stringify(launchTemplate).includes(`"${id}"`);
    const groups = of('AWS::AutoScaling::AutoScalingGroup').filter(([, one]) => uses(one.Properties.LaunchTemplate));
    const instances = of('AWS::EC2::Instance').filter(([, one]) => uses(one.Properties.LaunchTemplate));
    return {
      type: InstanceType,
      count: groups.reduce((sum, [, one]) => sum + Number(one.Properties.MaxSize), instances.length),
      image: ImageId,
      gib: BlockDeviceMappings.reduce(
        (sum: number, { Ebs }: { Ebs: { VolumeSize: number } }) => sum + Ebs.VolumeSize,
        0,
      ),
      market:
        InstanceMarketOptions?.MarketType ?? (CapacityReservationSpecification ? 'capacity-reservation' : 'on-demand'),
    };
  });
  const nodes = of('Custom::PclusterCluster').flatMap(([, { Properties }]): Shape[] => {
    const { HeadNode, Scheduling } = Properties.ClusterConfiguration;
    const image = 'ParallelCluster';
    return [
      { type: HeadNode.InstanceType, count: 1, image, market: 'on-demand', gib: HeadNode.LocalStorage.RootVolume.Size },
      // biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
      ...Scheduling.SlurmQueues.map((queue: any) => ({
        type: queue.ComputeResources[0].InstanceType,
        count: queue.ComputeResources[0].MaxCount,
        image,
        gib: queue.ComputeSettings.LocalStorage.RootVolume.Size,
        market: queue.CapacityReservationTarget
          ? 'capacity-reservation'
          : queue.CapacityType === 'SPOT'
            ? 'spot'
            : 'on-demand',
      })),
    ];
  });
  return [...templates, ...nodes];
}

/** Instances by what they are alike in. */
function counted(shapes: readonly Shape[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, count, market, gib, image } of shapes) {
    const key = `${type} ${market} ${gib} GiB ${image}`;
    counts[key] = (counts[key] ?? 0) + count;
  }
  return counts;
}

const everyScale = BENCHMARKS.flatMap((benchmark) =>
  (['published', 'smoke'] as const).map((scale): [string, Settings] => [benchmark.name, { scale }]),
);

test.each<[string, Settings]>([
  ...everyScale,
  ['CompressionBench', { purchase: 'spot' }],
  ['CompressionBench', { image: 'ami-0a1b2c3d4e5f60718', rootVolumeGiB: 100, clients: 4 }],
  ['CompressionBench', { instanceType: 'c7gn.4xlarge', kernel: '6.12' }],
  [
    'CompressionBench',
    { purchase: 'capacity-reservation', capacityReservationId: 'cr-0a1b2c3d4e5f60718', availabilityZone: 'us-east-1a' },
  ],
  ['ClusterBench', { scale: 'smoke', purchase: 'spot', queues: ['c5.large:4'] }],
  ['StorageBench', { moosefsChunkservers: 3, moosefsVolumesPerServer: 2, moosefsInstanceType: 'm7g.large' }],
  ['OffloadBench', { scale: 'smoke', lustreZfsServers: 2, lustreZfsImage: 'ami-0a1b2c3d4e5f60718' }],
])('%s with %j starts what doctor asks about, and nothing else', (name, settings) => {
  const definition = benchmarkNamed(name);
  const { bench } = stacksWith(settings, undefined, undefined, definition);
  const expected = launchesOf(resolveBenchmark(definition, settings, 'us-east-1'));
  expect(counted(launchedBy(templateOf(bench).Resources))).toEqual(counted(expected.map(shapeOf)));
});
