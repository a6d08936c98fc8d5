import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as cxapi from 'aws-cdk-lib/cx-api';
import { CLIENT_SERVICES } from '../../lib/common/aws/services';
import { Fleet, type FleetProps } from '../../lib/constructs/fleet/ec2/fleet';
import { Network } from '../../lib/deploy/network/network';
import { appWithFlags, emptyStack, ofType, type Resource, resourcesOf, theOnly } from '../support/cdk';

function fleetWith(props: Partial<FleetProps> = {}, stack = emptyStack()) {
  const fleet = new Fleet(stack, 'Fleet', {
    network: new Network(stack, 'Network'),
    programs: {
      benchmark: 'CompressionBench',
      results: new s3.Bucket(stack, 'Results'),
      iorVersion: '3.3.0',
      openMpiVersion: '4.1.8',
    },
    clients: 8,
    instanceType: new ec2.InstanceType('c5n.9xlarge'),
    mounts: [
      {
        name: 'none',
        kind: 'lustre',
        dnsName: 'fs-1.fsx.us-east-1.amazonaws.com',
        mountName: 'abcdefgh',
        mountPoint: '/fsx/none',
        mountOptions: 'noatime,flock',
        stripeCount: -1,
      },
    ],
    logGroup: new logs.LogGroup(stack, 'Logs'),
    placement: 'cluster',
    bootTimeout: Duration.minutes(45),
    ...props,
  });
  return { stack, fleet };
}

const resourcesWith = (props?: Partial<FleetProps>) => resourcesOf(fleetWith(props).stack);
const templateData = (props?: Partial<FleetProps>) =>
  theOnly(resourcesWith(props), 'AWS::EC2::LaunchTemplate').Properties.LaunchTemplateData;

/** User data as a client would read it, with a word for each value that CloudFormation fills in. */
function userDataWith(props?: Partial<FleetProps>): string {
  const parts = templateData(props).UserData['Fn::Base64']['Fn::Join'][1] as unknown[];
  return parts.map((part) => (typeof part === 'string' ? part : '<value>')).join('');
}

test('opens no port but to the clients themselves', () => {
  const { stack } = fleetWith();
  const resources = resourcesOf(stack);
  const group = theOnly(resources, 'AWS::EC2::SecurityGroup').Properties;
  expect(group.SecurityGroupIngress).toBeUndefined();
  const own = { 'Fn::GetAtt': ['FleetSecurityGroup97A0FCFD', 'GroupId'] };
  expect(ofType(resources, 'AWS::EC2::SecurityGroupIngress').map(([, { Properties }]) => Properties)).toEqual([
    expect.objectContaining({
      GroupId: own,
      SourceSecurityGroupId: own,
      IpProtocol: 'tcp',
      FromPort: 0,
      ToPort: 65_535,
    }),
  ]);
});

test('takes the scripts of every storage to the clients, not a link to where they are', () => {
  const app = appWithFlags({ [cxapi.DISABLE_ASSET_STAGING_CONTEXT]: false });
  const { stack, fleet } = fleetWith({}, new Stack(app, 'Test'));
  resourcesOf(stack);
  const bundle = join(Stage.of(stack)?.assetOutdir ?? '', fleet.bundle.assetPath);
  const mount = join(bundle, 'storage', 'lustre', 'mount');
  expect(readFileSync(mount)).toEqual(readFileSync(join(__dirname, '../../assets/storage/lustre/mount')));
  expect(lstatSync(join(bundle, 'storage')).isSymbolicLink()).toBe(false);
});

test('has a fixed size, and waits until every client says that it is ready', () => {
  const group = theOnly(
    resourcesWith({ clients: 6, bootTimeout: Duration.minutes(20) }),
    'AWS::AutoScaling::AutoScalingGroup',
  );
  const { MinSize, MaxSize } = group.Properties;
  expect([MinSize, MaxSize, group.CreationPolicy, group.UpdatePolicy]).toMatchSnapshot();
});

test('gives boot less time than CloudFormation waits, so that a reason arrives', () => {
  expect(userDataWith({ bootTimeout: Duration.minutes(20) })).toContain("export FSXBENCH_BOOT_SECONDS='900'\n");
});

test('signals the very group that waits', () => {
  const { stack } = fleetWith();
  const [[id] = []] = ofType(resourcesOf(stack), 'AWS::AutoScaling::AutoScalingGroup');
  const data = theOnly(resourcesOf(stack), 'AWS::EC2::LaunchTemplate').Properties.LaunchTemplateData;
  expect(JSON.stringify(data.UserData)).toContain(`FSXBENCH_SIGNAL_RESOURCE='${id}'`);
});

test('replaces no more clients at once than CloudFormation takes', () => {
  const group = theOnly(resourcesWith({ clients: 200 }), 'AWS::AutoScaling::AutoScalingGroup');
  expect(group.UpdatePolicy.AutoScalingRollingUpdate.MaxBatchSize).toBe(100);
});

test('places clients on separate racks, or wherever there is room', () => {
  const spread = resourcesWith({ placement: 'partition' });
  expect(theOnly(spread, 'AWS::EC2::PlacementGroup').Properties).toMatchObject({
    Strategy: 'partition',
    PartitionCount: 7,
  });
  // A group cannot change its strategy: with another id, the new one exists before the old one is deleted.
  expect(ofType(spread, 'AWS::EC2::PlacementGroup')[0]?.[0]).not.toBe(
    ofType(resourcesWith(), 'AWS::EC2::PlacementGroup')[0]?.[0],
  );
  const anywhere = resourcesWith({ placement: 'none' });
  expect(ofType(anywhere, 'AWS::EC2::PlacementGroup')).toEqual([]);
  expect(theOnly(anywhere, 'AWS::EC2::LaunchTemplate').Properties.LaunchTemplateData.Placement).toBeUndefined();
});

test.each([
  ['c5n.9xlarge', '6.1', '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-x86_64'],
  ['c7gn.16xlarge', '6.12', '/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.12-arm64'],
] as const)('boots Amazon Linux 2023 for the architecture of %s', (type, kernel, parameter) => {
  // At launch, not in the template: with the id in it a new image would replace the clients of a run at the next deployment.
  expect(templateData({ instanceType: new ec2.InstanceType(type), kernel }).ImageId).toBe(`resolve:ssm:${parameter}`);
});

test('asks for Spot in the way that Auto Scaling takes', () => {
  expect(templateData({ purchase: { kind: 'spot' } }).InstanceMarketOptions).toEqual({
    MarketType: 'spot',
    SpotOptions: { SpotInstanceType: 'one-time' },
  });
});

describe('a capacity reservation', () => {
  const reservation = { kind: 'capacity-reservation', id: 'cr-0a1b2c3d4e5f60718' } as const;
  const target = { CapacityReservationTarget: { CapacityReservationId: 'cr-0a1b2c3d4e5f60718' } };

  test('is used in the placement group in which it was made', () => {
    const purchase = { ...reservation, placementGroup: 'hpc' };
    const resources = resourcesWith({ purchase });
    const data = theOnly(resources, 'AWS::EC2::LaunchTemplate').Properties.LaunchTemplateData;
    expect(data).toMatchObject({ CapacityReservationSpecification: target, Placement: { GroupName: 'hpc' } });
    expect(ofType(resources, 'AWS::EC2::PlacementGroup')).toEqual([]);
  });

  test('is used in no placement group when it was made in none, and that is said', () => {
    const { stack } = fleetWith({ purchase: { ...reservation, placementGroup: undefined } });
    const data = theOnly(resourcesOf(stack), 'AWS::EC2::LaunchTemplate').Properties.LaunchTemplateData;
    expect(data.CapacityReservationSpecification).toEqual(target);
    expect(data.Placement).toBeUndefined();
    Annotations.fromStack(stack).hasWarning('*', Match.stringLikeRegexp('fsxbench:reservationOutsidePlacementGroup'));
  });
});

describe('the permissions of clients', () => {
  /** The role that the instances take on, and no other that the stack has. */
  const roleOfClients = (): Resource => {
    const roles = ofType(resourcesWith(), 'AWS::IAM::Role').map(([, role]) => role);
    const [role, ...others] = roles.filter((it) =>
      JSON.stringify(it.Properties.AssumeRolePolicyDocument).includes('ec2.'),
    );
    if (role === undefined || others.length > 0) throw new Error('not one role of instances');
    return role;
  };
  const statements = (): { Sid: string; Action: string | string[]; Resource: unknown; Condition?: unknown }[] =>
    roleOfClients().Properties.Policies.flatMap(
      (policy: { PolicyDocument: { Statement: unknown[] } }) => policy.PolicyDocument.Statement,
    );

  test('are for the services that the network reaches, and for no other', () => {
    const prefixes = statements().flatMap(({ Action }) => [Action].flat().map((action) => action.split(':')[0] ?? ''));
    const endpointOf: Record<string, string | null> = {
      cloudwatch: 'monitoring',
      // Through the gateway; and by agents of pinned images, which then need a NAT gateway.
      s3: null,
      ec2messages: null,
    };
    const called = [...new Set(prefixes)].map((it) => (it in endpointOf ? endpointOf[it] : it)).filter((it) => it);
    // A signal to CloudFormation is signed with the instance's identity document, not with the role.
    expect([...called, 'cloudformation'].sort()).toEqual(Object.values(CLIENT_SERVICES).sort());
  });

  test('come from no managed policy', () => {
    expect(roleOfClients().Properties.ManagedPolicyArns).toBeUndefined();
  });
});

test('needs a template as long for 800 clients as for 8', () => {
  const length = (clients: number) => JSON.stringify(resourcesWith({ clients })).length;
  // Five places hold the number itself.
  expect(length(800) - length(8)).toBeLessThanOrEqual(2 * 6);
  expect(Object.keys(resourcesWith({ clients: 800 }))).toEqual(Object.keys(resourcesWith({ clients: 8 })));
});

test.each([
  ['c5n.9xlarge', true],
  // EbsOptimizedSupport of these is unsupported (EC2, DescribeInstanceTypes), and a launch that asks for it fails.
  ['t2.large', undefined],
  ['m3.large', undefined],
])('asks for bandwidth to EBS only where the type has it: %s', (type, optimised) => {
  expect(templateData({ instanceType: new ec2.InstanceType(type), placement: 'none' }).EbsOptimized).toBe(optimised);
});

test('is a warning with burstable clients', () => {
  const { stack } = fleetWith({ instanceType: new ec2.InstanceType('t3.large') });
  Annotations.fromStack(stack).hasWarning('*', Match.stringLikeRegexp('fsxbench:burstableClient'));
});

describe('over EFA', () => {
  const withEfa = fleetWith({ efa: true, instanceType: new ec2.InstanceType('c6in.32xlarge') });
  const all = resourcesOf(withEfa.stack);

  test('clients have one interface of that type, which has their group', () => {
    const { NetworkInterfaces, SecurityGroupIds } = theOnly(all, 'AWS::EC2::LaunchTemplate').Properties
      .LaunchTemplateData;
    expect(SecurityGroupIds).toBeUndefined();
    expect(NetworkInterfaces).toMatchSnapshot();
  });

  test('all traffic is allowed between clients, and they are told', () => {
    for (const type of ['AWS::EC2::SecurityGroupIngress', 'AWS::EC2::SecurityGroupEgress']) {
      expect(ofType(all, type).map(([, { Properties }]) => Properties.IpProtocol)).toEqual(['-1']);
    }
    expect(userDataWith({ efa: true })).toContain("export FSXBENCH_EFA='true'");
    expect(userDataWith()).not.toContain('FSXBENCH_EFA');
  });
});
