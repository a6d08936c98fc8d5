import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as logs from 'aws-cdk-lib/aws-logs';
import { MooseFsServers } from '../../../lib/constructs/storage/moosefs';
import type { MooseFsStorage } from '../../../lib/storage/moosefs/configuration';
import { MOOSEFS_NAMESPACE } from '../../../lib/storage/moosefs/dashboard';
import { moosefsStacks, TWO_SERVERS } from '../../storage/moosefs/bench';
import { emptyStack, ofType, resourcesOf, theOnly } from '../../support/cdk';
import { bodyOf, dashboardBody } from '../../support/dashboardBody';

function made(configuration: MooseFsStorage) {
  const stack = emptyStack({ env: { region: 'us-east-1' } });
  const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
  const [subnet] = vpc.privateSubnets as [ec2.ISubnet];
  const storage = new MooseFsServers(stack, 'Storage', {
    vpc,
    subnet,
    configuration,
    logGroup: new logs.LogGroup(stack, 'Logs'),
    egress: subnet.internetConnectivityEstablished,
  });
  const clients = new ec2.SecurityGroup(stack, 'Clients', { vpc, allowAllOutbound: false });
  storage.grantMount(clients);
  return { stack, storage };
}

test('what could not work is never deployed', () => {
  expect(() => made({ ...TWO_SERVERS, copies: 3 })).toThrow("'copies' must be at most the number of chunkservers");
});

describe('the servers', () => {
  const { stack, storage } = made(TWO_SERVERS);
  const resources = resourcesOf(stack);
  const templates = ofType(resources, 'AWS::EC2::LaunchTemplate').map(
    ([, { Properties }]) => Properties.LaunchTemplateData,
  );
  const userData = templates.map(({ UserData }) => JSON.stringify(UserData));

  test('are a master and chunkservers, for each of whose signals CloudFormation waits', () => {
    const instances = ofType(resources, 'AWS::EC2::Instance');
    expect(instances).toHaveLength(3);
    for (const [id, { CreationPolicy }] of instances) {
      expect(CreationPolicy).toEqual({ ResourceSignal: { Count: 1, Timeout: 'PT20M' } });
      expect(userData.some((text) => text.includes(`FSXBENCH_SIGNAL_RESOURCE='${id}'`))).toBe(true);
    }
    expect(userData.filter((text) => text.includes("FSXBENCH_MOOSEFS_ROLE='master'"))).toHaveLength(1);
    expect(userData.filter((text) => text.includes("FSXBENCH_MOOSEFS_ROLE='chunkserver'"))).toHaveLength(2);
  });

  test('have the volumes that were asked for, encrypted, which go with them', () => {
    const volumes = templates
      .map(({ BlockDeviceMappings }) => BlockDeviceMappings.slice(1))
      .filter(({ length }) => length);
    const ebs = {
      Encrypted: true,
      VolumeType: 'gp3',
      VolumeSize: 500,
      Iops: 6000,
      Throughput: 500,
      DeleteOnTermination: true,
    };
    const own = ['/dev/sdf', '/dev/sdg'].map((DeviceName) => ({ DeviceName, Ebs: ebs }));
    expect(volumes).toEqual([own, own]);
    expect(userData.filter((text) => text.includes("FSXBENCH_MOOSEFS_DEVICES='/dev/sdf /dev/sdg'"))).toHaveLength(2);
  });

  test('open their ports to one another and to their clients alone', () => {
    const ingress = ofType(resources, 'AWS::EC2::SecurityGroupIngress').map(([, { Properties }]) => Properties);
    expect(ingress.map(({ FromPort, ToPort }) => [FromPort, ToPort]).sort()).toEqual([
      [9419, 9422],
      [9421, 9422],
    ]);
    for (const { CidrIp, SourceSecurityGroupId } of ingress)
      expect([CidrIp, SourceSecurityGroupId]).toEqual([undefined, expect.anything()]);
  });

  test('boot when their rules and the routes out of the subnet are there', () => {
    for (const [, { DependsOn = [] }] of ofType(resources, 'AWS::EC2::Instance')) {
      for (const part of ['Role', 'Group', 'DefaultRoute']) expect(DependsOn.join(' ')).toContain(part);
    }
  });

  test('publish metrics in their own namespace and nothing else', () => {
    const statements = ofType(resources, 'AWS::IAM::Role').flatMap(([, { Properties }]) =>
      // biome-ignore lint/suspicious/noExplicitAny: templates are JSON of any shape
      Properties.Policies.flatMap(({ PolicyDocument }: any) => PolicyDocument.Statement),
    );
    expect(statements.filter(({ Sid }) => Sid === 'Metrics')).toEqual([
      expect.objectContaining({
        Action: 'cloudwatch:PutMetricData',
        Condition: { StringEquals: { 'cloudwatch:namespace': MOOSEFS_NAMESPACE } },
      }),
    ]);
    expect(storage.metricOf('bytes_written')).toMatchObject({
      metricName: 'BytesWritten',
      namespace: MOOSEFS_NAMESPACE,
    });
    expect(storage.metricOf('burst_credits')).toBeNull();
  });
});

describe('a benchmark with an arm of MooseFS and one of Lustre', () => {
  const { bench } = moosefsStacks();
  const resources = resourcesOf(bench);

  test('tells clients which release to build, where the master is, and how many copies there are', () => {
    const text = JSON.stringify(resources);
    expect(text).toMatch(
      /\\"kind\\":\\"moosefs\\".{0,80}\\"engine\\":\\"moosefs-4\.57\.5\\",\\"copies\\":2,\\"master\\":/,
    );
  });

  test('has the servers up before a client boots', () => {
    const { DependsOn } = theOnly(resources, 'AWS::AutoScaling::AutoScalingGroup');
    expect(DependsOn?.filter((id) => /^Storagemoose.*Instance/.test(id))).toHaveLength(3);
  });

  test('has a dashboard that CloudWatch takes, and watches the master and the space', () => {
    expect(dashboardBody.safeParse(bodyOf(theOnly(resources, 'AWS::CloudWatch::Dashboard'))).error).toBeUndefined();
    const ids = ofType(resources, 'AWS::CloudWatch::Alarm').map(([id]) => id);
    for (const name of ['Mastermoose', 'Spacemoose']) expect(ids).toContainEqual(expect.stringContaining(name));
  });
});
