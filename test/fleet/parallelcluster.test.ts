import { clusterBench } from '../../lib/benchmark/cluster';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { storageBench } from '../../lib/benchmark/storage';
import { resolveBenchmark } from '../../lib/config/benchmark';
import type { Settings } from '../../lib/config/fields';
import { launchesOf } from '../../lib/config/launches';
import { deploymentLines, partsOf } from '../../lib/cost/deployment';
import {
  type ClusterConfiguration,
  type ClusterFleet,
  clusterConfiguration,
} from '../../lib/fleet/parallelcluster/configuration';
import { deploymentParameter, ofType, resourcesOf, stacksWith, templateOf, theOnly } from '../support/cdk';
import { PARTS } from '../support/cluster';
import { CLIENTS_OVER_EFA } from '../support/options';

const CLUSTER: Settings = { fleet: 'parallelcluster' };

const clusterOf = (settings: Settings = {}, definition = compressionBench): ClusterFleet =>
  resolveBenchmark(definition, { ...CLUSTER, ...settings }, 'us-east-1').fleet as ClusterFleet;
const configurationOf = (settings?: Settings, definition = compressionBench): ClusterConfiguration =>
  clusterConfiguration(clusterOf(settings, definition), PARTS);
const refusing =
  (settings: Settings, definition = compressionBench) =>
  () =>
    clusterOf(settings, definition);

const { bench } = stacksWith({ ...CLUSTER, queues: ['c5.9xlarge:200'] });
const resources = resourcesOf(bench);
const cluster = theOnly(resources, 'Custom::PclusterCluster');

test('queues that are set take the place of those of ClusterBench', () => {
  const types = (settings: Settings) => clusterOf(settings, clusterBench).queues.map(({ instanceType: type }) => type);
  expect(types({})).toEqual(['c5n.18xlarge', 'c5.9xlarge']);
  expect(types({ queues: ['c6in.4xlarge:3'] })).toEqual(['c5n.18xlarge', 'c6in.4xlarge']);
});

test('whatever the cluster and its provider make carries the name of the stack, by which leftovers finds it', () => {
  const { ClusterName, ClusterConfiguration: configuration } = cluster.Properties;
  const tag = { Key: 'fsxbench:stack', Value: 'CompressionBench' };
  expect(configuration.Tags).toEqual([tag]);
  expect(ClusterName['Fn::Join'][1][0]).toEqual({ Ref: 'AWS::StackName' });
  expect(theOnly(resources, 'AWS::CloudFormation::Stack').Properties.Tags).toEqual([tag]);
});

test.each([
  ['c5.large', 'm5.xlarge', 'x86_64'],
  ['c7gn.4xlarge', 'c7gn.xlarge', 'arm64'],
])(
  'doctor looks for the image of nodes of %s among those of their architecture',
  (instanceType, headNodeInstanceType, architecture) => {
    const launches = launchesOf(
      resolveBenchmark(compressionBench, { ...CLUSTER, instanceType, headNodeInstanceType }, 'us-east-1'),
    );
    const images = launches.flatMap(({ image }) => ('name' in image ? image.name : []));
    expect(images).toHaveLength(2);
    for (const name of images)
      expect(name).toMatch(new RegExp(`^aws-parallelcluster-[0-9.]+-amzn2023-hvm-${architecture}-\\*$`));
  },
);

describe('a configuration', () => {
  test('gives the clients of a benchmark a queue of their own, whose nodes come and go', () => {
    expect(configurationOf({ instanceType: 'c5n.18xlarge' }).Scheduling.SlurmQueues).toMatchSnapshot();
  });

  test('has clients mount by themselves where they use EFA, and the head node and other queues over TCP', () => {
    const { HeadNode, Scheduling, SharedStorage } = configurationOf({ ...CLIENTS_OVER_EFA, queues: ['c5.9xlarge:2'] });
    const argumentsOf = [HeadNode, ...Scheduling.SlurmQueues].map((part) => part.CustomActions.OnNodeConfigured.Args);
    const { Args } = PARTS.boot;
    expect(argumentsOf).toEqual([Args, [...Args, 'FSXBENCH_EFA=true'], Args]);
    expect(Scheduling.SlurmQueues[0]?.ComputeResources[0]?.Efa).toEqual({ Enabled: true });
    // ParallelCluster would mount them over TCP, before any script of ours.
    expect(SharedStorage).toBeUndefined();
  });

  test('has EFA neither where it is not wanted nor where a type has none', () => {
    const efaOf = (settings: Settings, definition = compressionBench) =>
      configurationOf(settings, definition).Scheduling.SlurmQueues.map((queue) => queue.ComputeResources[0]?.Efa);
    expect(efaOf({ mpiEfa: false })).toEqual([undefined]);
    expect(efaOf({}, metadataBench)).toEqual([undefined]);
    expect(efaOf({ queues: ['c5.9xlarge:200'] })).toEqual([{ Enabled: true }, undefined]);
    // Open MPI without libfabric takes TCP, and says nothing.
    const builtFor = (settings: Settings) =>
      (resolveBenchmark(compressionBench, { fleet: 'parallelcluster', ...settings }).fleet as { mpiEfa?: boolean })
        .mpiEfa;
    expect([builtFor({}), builtFor({ mpiEfa: false })]).toEqual([true, false]);
  });

  test.each([
    [{ purchase: 'spot' }, { CapacityType: 'SPOT' }],
    [
      {
        purchase: 'capacity-reservation',
        capacityReservationId: 'cr-0a1b2c3d4e5f60718',
        placementGroup: 'hpc',
        availabilityZone: 'us-east-1a',
      },
      {
        CapacityType: 'ONDEMAND',
        CapacityReservationTarget: { CapacityReservationId: 'cr-0a1b2c3d4e5f60718' },
        Networking: expect.objectContaining({ PlacementGroup: { Name: 'hpc' } }),
      },
    ],
  ] as const)('buys as it is told: %j', (settings, expected) => {
    const [first, second] = configurationOf({ ...settings, queues: ['c5.9xlarge:2'] }).Scheduling.SlurmQueues;
    expect(first).toMatchObject(expected);
    // What is reserved is reserved for the clients of the benchmark; a user's own queue is bought as always.
    expect(second).not.toHaveProperty('CapacityReservationTarget');
    expect(second?.Networking.PlacementGroup).not.toHaveProperty('Name');
  });

  test.each<Settings>([
    { mpiEfa: true, instanceType: 'c5.9xlarge' },
    { headNodeInstanceType: 'c5.xlarge', queues: ['c5.9xlarge:200'] },
    { headNodeInstanceType: 'mac1.metal' },
    { queues: ['mac1.metal:2'] },
    { headNodeInstanceType: 'zz9.large' },
    { instanceType: 'c7gn.16xlarge', checkOfferings: false },
    { queues: ['c5.9xlarge:2', 'c5.9xlarge:3'] },
    { image: 'ami-0a1b2c3d4e5f60718' },
    { kernel: '6.1' },
    { rootVolumeGiB: 30 },
    { bootTimeoutMinutes: 60 },
    { placement: 'partition' },
    { ...CLIENTS_OVER_EFA, mpiEfa: false },
    { ...CLIENTS_OVER_EFA, instanceType: 'c5n.18xlarge' },
    { egress: 'endpoints' },
  ])('is refused where ParallelCluster would refuse it after minutes: %j', (settings) => {
    expect(refusing(settings)).toThrowErrorMatchingSnapshot();
  });

  test('is refused for a storage that one computer mounts', () => {
    expect(refusing({}, storageBench)).toThrow("'fleet' must be ec2 with");
  });

  test('is of its fleet alone: its settings are refused with another', () => {
    expect(() => resolveBenchmark(compressionBench, { mpiEfa: false })).toThrow(
      "'mpiEfa' (false) cannot be combined with CompressionBench: it is a setting of fleet parallelcluster. Put it into the section of a benchmark that has it.",
    );
  });
});

describe('the stack', () => {
  test('makes the cluster by the official provider, without a property that it would refuse', () => {
    expect(Object.keys(cluster.Properties).sort()).toEqual([
      'ClusterConfiguration',
      'ClusterName',
      'DeletionPolicy',
      'ServiceToken',
    ]);
    const [[provider, { Properties }] = ['', { Properties: {} }]] = ofType(resources, 'AWS::CloudFormation::Stack');
    expect(cluster.Properties.ServiceToken).toEqual({ 'Fn::GetAtt': [provider, 'Outputs.ServiceToken'] });
    expect(JSON.stringify(Properties.TemplateURL)).toContain('/parallelcluster/3.16.1/templates/custom_resource/');
  });

  test('names it after the id of the stack, so that a second deployment in the account has another', () => {
    expect(JSON.stringify(cluster.Properties.ClusterName)).toContain('AWS::StackId');
    expect(cluster.Properties.DeletionPolicy).toBe('Delete');
    // The attribute of the same name would keep CloudFormation from calling the provider.
    expect(cluster.DeletionPolicy).toBe('Delete');
  });

  test('attaches the file systems that it made, by id', () => {
    const ids = ofType(resources, 'AWS::FSx::FileSystem').map(([id]) => id);
    expect(cluster.Properties.ClusterConfiguration.SharedStorage).toEqual(
      ids.map((Ref, index) => ({
        Name: ['fsx-none', 'fsx-lz4'][index],
        MountDir: ['/fsx/none', '/fsx/lz4'][index],
        StorageType: 'FsxLustre',
        FsxLustreSettings: { FileSystemId: { Ref } },
      })),
    );
  });

  test('lets the provider attach the policy of its nodes, which it may below this path only', () => {
    const [, nodes] = ofType(resources, 'AWS::IAM::ManagedPolicy').find(([id]) => id.startsWith('FleetNodes')) ?? [];
    expect(nodes?.Properties.Path).toBe('/parallelcluster/');
    expect(nodes?.Properties.ManagedPolicyName).toBeUndefined();
  });

  test('boots every node by the scripts of the fleet, with its file systems there', () => {
    const { HeadNode, Scheduling } = cluster.Properties.ClusterConfiguration;
    const actions = [HeadNode, ...Scheduling.SlurmQueues].map(({ CustomActions }) => CustomActions.OnNodeConfigured);
    expect(actions).toHaveLength(3);
    for (const action of actions) expect(action).toEqual(actions[0]);
    expect(actions[0].Args).toEqual(expect.arrayContaining(['FSXBENCH_ROLE=node', 'FSXBENCH_PARTITION=clients']));
    expect(cluster.DependsOn).toEqual(expect.arrayContaining(['StoragenoneDF1E501C', 'Storagelz4FBD20F69']));
  });

  test('says where drivers are started, and what the clients are called', () => {
    const { Value } = deploymentParameter(resources)[1].Properties;
    const parts = Value['Fn::Join'][1] as unknown[];
    const deployment = JSON.parse(parts.map((part) => (typeof part === 'string' ? part : '<value>')).join(''));
    expect(deployment).toMatchObject({
      fleet: 'parallelcluster',
      leader: '<value>',
      queue: 'clients',
      autoScalingGroup: null,
    });
  });

  test('watches its head node, which costs money as long as it is there, and the clients by their type', () => {
    const text = JSON.stringify(templateOf(bench));
    expect(text).toContain('headNode.instanceId');
    expect(text).toContain('\\"InstanceType\\",\\"c5n.9xlarge\\"');
    expect(text).not.toContain('AutoScalingGroupName');
  });
});

test('costs its head node, and its clients while jobs use them', () => {
  const lines = deploymentLines(partsOf(resolveBenchmark(compressionBench, CLUSTER, 'us-east-1')), 'us-east-1');
  const of = (item: string) => lines.find((line) => line.item === item);
  expect(of('head node: EC2 m5.xlarge, on-demand')?.hourly).toBeCloseTo(0.192, 3);
  expect(of('compute nodes, while jobs use them: EC2 c5n.9xlarge, on-demand')?.quantity).toBe(8);
  expect(of('ParallelCluster: CloudWatch dashboard')?.quantity).toBe(1);
  expect(of('ParallelCluster: hosted zone')?.hourly).toBeCloseTo(0.5 / 730, 9);
});
