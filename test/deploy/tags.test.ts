import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { clusterBench } from '../../lib/benchmark/cluster';
import type { Settings } from '../../lib/config/fields';
import { makeStacks } from '../../lib/deploy/application';
import { ofType, resourcesOf, stacksWith } from '../support/cdk';

const TAGS = { CostCenter: '42', Owner: 'x' };
const AS_LIST = [
  { Key: 'CostCenter', Value: '42' },
  { Key: 'Owner', Value: 'x' },
];

describe.each([
  ['over TCP', {}],
  [
    'over EFA',
    {
      efa: true,
      efaClients: true,
      instanceType: 'c6in.32xlarge',
      deploymentType: 'PERSISTENT_2',
      metadataIops: 6000,
      perUnitStorageThroughput: 1000,
      storageCapacityGiB: 4800,
    },
  ],
])('tags of clients %s', (_, more) => {
  const { bench } = stacksWith({ tags: TAGS, ...more });
  const resources = resourcesOf(bench);

  test('are on instances, volumes and network interfaces of each launch template', () => {
    const templates = ofType(resources, 'AWS::EC2::LaunchTemplate');
    expect(templates).toHaveLength(2);
    for (const [, { Properties }] of templates) {
      const specified = Properties.LaunchTemplateData.TagSpecifications as { ResourceType: string; Tags: object[] }[];
      expect(specified.map(({ ResourceType }) => ResourceType)).toEqual(['instance', 'volume', 'network-interface']);
      for (const { Tags } of specified) expect(Tags).toEqual(expect.arrayContaining(AS_LIST));
    }
  });

  test('are on every resource of the stack that has tags', () => {
    for (const type of [
      'AWS::FSx::FileSystem',
      'AWS::EC2::Instance',
      'AWS::EC2::VPC',
      'AWS::AutoScaling::AutoScalingGroup',
    ])
      for (const [, { Properties }] of ofType(resources, type))
        expect(Properties.Tags).toEqual(expect.arrayContaining(AS_LIST.map((tag) => expect.objectContaining(tag))));
  });
});

test('tags are on the cluster, which puts them on its nodes and their volumes', () => {
  const resources = resourcesOf(stacksWith({ tags: TAGS }, undefined, {}, clusterBench).bench);
  const [[, cluster]] = ofType(resources, 'Custom::PclusterCluster') as unknown as [
    [string, { Properties: { ClusterConfiguration: { Tags: object[] } } }],
  ];
  expect(cluster.Properties.ClusterConfiguration.Tags).toEqual([
    ...AS_LIST,
    { Key: 'fsxbench:stack', Value: 'ClusterBench' },
  ]);
});

test('tags are on the results and on watched file systems, too', () => {
  const app = new App({
    context: { tags: 'CostCenter=42,Owner=x', fileSystemId: 'fs-0a1b2c3d4e5f60718', scale: 'smoke' },
  });
  makeStacks(app, { region: 'us-east-1' });
  for (const name of ['BenchResults', 'LustreDashboard']) {
    const template = Template.fromStack(app.node.findChild(name) as never).toJSON();
    expect(JSON.stringify(template)).toContain('"CostCenter"');
  }
});

describe('the owner of a stack', () => {
  const templateFor = (settings: Settings, user?: string) => {
    const { bench } = stacksWith(settings, { env: { region: 'us-east-1' }, user });
    return Template.fromStack(bench).toJSON();
  };

  test('is a parameter, which keeps its value, and a rule on it, which CloudFormation checks before anything changes', () => {
    const { Parameters, Rules } = templateFor({}, 'alice');
    expect(Parameters.Owner).toMatchObject({ Type: 'String', Default: 'alice' });
    expect(Rules.SameOwner.Assertions).toEqual([
      {
        Assert: { 'Fn::Equals': [{ Ref: 'Owner' }, 'alice'] },
        AssertDescription: expect.stringMatching(
          /^CompressionBench was created by someone other than alice: .*'owner'/,
        ),
      },
    ]);
  });

  test('is the setting rather than the user', () => {
    expect(templateFor({ owner: 'team' }, 'alice').Parameters.Owner.Default).toBe('team');
  });
});
