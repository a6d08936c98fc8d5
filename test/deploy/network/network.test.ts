import { CfnResource, Stack } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { isRegion, REGIONS } from '../../../lib/common/aws/regions';
import { ConfigurationError } from '../../../lib/common/configurationError';
import { existingNetwork, Network, type NetworkProps } from '../../../lib/deploy/network/network';
import { REDUCED_BURST_REGIONS } from '../../../lib/storage/lustre/types';
import { appWithFlags, emptyStack, ofType, resourcesOf, theOnly } from '../../support/cdk';
import { contextWithVpc, ENV, subnets, VPC_ID } from '../../support/existingVpc';

function networkWith(props?: NetworkProps) {
  const stack = emptyStack();
  new Network(stack, 'Network', props);
  return resourcesOf(stack);
}

test('puts a public and a private subnet into one zone', () => {
  const subnets = ofType(networkWith(), 'AWS::EC2::Subnet').map(([, { Properties }]) => Properties);
  expect(subnets).toHaveLength(2);
  for (const { AvailabilityZone } of subnets) {
    expect(AvailabilityZone).toEqual({ 'Fn::Select': [0, { 'Fn::GetAZs': '' }] });
  }
});

test('goes to the zone that was chosen', () => {
  const resources = networkWith({ availabilityZone: 'us-east-1d' });
  for (const [, { Properties }] of ofType(resources, 'AWS::EC2::Subnet')) {
    expect(Properties.AvailabilityZone).toBe('us-east-1d');
  }
});

test('gives no machine a public address', () => {
  for (const [, { Properties }] of ofType(networkWith(), 'AWS::EC2::Subnet')) {
    expect(Properties.MapPublicIpOnLaunch).toBe(false);
  }
});

test('reaches S3 through a gateway, whichever way out there is', () => {
  for (const egress of ['nat', 'endpoints'] as const) {
    const gateways = ofType(networkWith({ egress }), 'AWS::EC2::VPCEndpoint').filter(
      ([, { Properties }]) => Properties.VpcEndpointType === 'Gateway',
    );
    expect(gateways).toHaveLength(1);
  }
});

test('has one NAT gateway, not one a subnet', () => {
  expect(ofType(networkWith(), 'AWS::EC2::NatGateway')).toHaveLength(1);
});

test('has no way to the internet with endpoints', () => {
  const resources = networkWith({ egress: 'endpoints' });
  for (const type of ['AWS::EC2::NatGateway', 'AWS::EC2::InternetGateway', 'AWS::EC2::EIP', 'AWS::EC2::Route']) {
    expect(ofType(resources, type)).toEqual([]);
  }
});

test('reaches with endpoints every service that a client calls, over HTTPS from the VPC alone', () => {
  const resources = networkWith({ egress: 'endpoints' });
  const services = ofType(resources, 'AWS::EC2::VPCEndpoint')
    .filter(([, { Properties }]) => Properties.VpcEndpointType === 'Interface')
    .map(([, { Properties }]) => JSON.stringify(Properties.ServiceName).match(/\.([a-z0-9]+)["\]}]+$/)?.[1]);
  expect(services.sort()).toEqual(['cloudformation', 'logs', 'monitoring', 'ssm', 'ssmmessages']);
  const group = theOnly(resources, 'AWS::EC2::SecurityGroup').Properties;
  expect(group.SecurityGroupIngress).toEqual([
    expect.objectContaining({ CidrIp: '10.0.0.0/16', FromPort: 443, ToPort: 443 }),
  ]);
});

test('keeps the logical ids of the VPC and the subnet, whose replacement would replace the file systems', () => {
  const resources = networkWith();
  expect(Object.keys(resources)).toEqual(
    expect.arrayContaining(['NetworkVpc7FB7348F', 'NetworkVpcComputeSubnet1Subnet3D27B005']),
  );
});

describe('an existing VPC', () => {
  const stackKnowing = (...groups: ReturnType<typeof subnets>[]) =>
    new Stack(appWithFlags(contextWithVpc(...groups)), 'Test', { env: ENV });

  test('is used as it is', () => {
    const stack = stackKnowing(subnets('Public', ['us-east-1a']), subnets('Private', ['us-east-1a', 'us-east-1b']));
    const network = existingNetwork(stack, 'Vpc', { vpcId: VPC_ID, availabilityZone: 'us-east-1b' });
    expect(network.subnet.subnetId).toBe('subnet-0000000b');
    expect(stack.node.findAll().filter((it) => CfnResource.isCfnResource(it))).toEqual([]);
  });

  test('takes an isolated subnet when there is no other private one', () => {
    const stack = stackKnowing(subnets('Isolated', ['us-east-1c']));
    expect(existingNetwork(stack, 'Vpc', { vpcId: VPC_ID }).subnet.subnetId).toBe('subnet-0000000c');
  });

  test.each([undefined, 'us-east-1d'])('is good for anything until it has been looked up, in zone %s', (zone) => {
    const app = appWithFlags();
    const stack = new Stack(app, 'Test', { env: ENV });
    const { vpc, subnet } = existingNetwork(stack, 'Vpc', { vpcId: VPC_ID, availabilityZone: zone });
    expect(vpc.vpcId).toBe(VPC_ID);
    expect(subnet.subnetId).toMatch(/^subnet-[0-9a-f]{8}$/);
    // This is what makes the command line look it up.
    expect(app.synth().manifest.missing).toEqual([expect.objectContaining({ provider: 'vpc-provider' })]);
  });

  test('has the range of the subnet, not that of the VPC, which may have several', () => {
    const stack = stackKnowing(subnets('Private', ['us-east-1a'], '100.64.3.0/24'));
    expect(existingNetwork(stack, 'Vpc', { vpcId: VPC_ID }).subnet.ipv4CidrBlock).toBe('100.64.3.0/24');
  });

  test('is used in the subnet that was named', () => {
    const stack = stackKnowing(subnets('Private', ['us-east-1a', 'us-east-1b']), subnets('Isolated', ['us-east-1c']));
    const { subnet } = existingNetwork(stack, 'Vpc', { vpcId: VPC_ID, subnetId: 'subnet-0000000c' });
    expect([subnet.subnetId, subnet.availabilityZone]).toEqual(['subnet-0000000c', 'us-east-1c']);
  });

  test.each([
    ['that is public', {}, ['us-east-1b'], 'subnet-0000000d', ''],
    [
      'of another zone',
      { availabilityZone: 'us-east-1b' },
      ['us-east-1b', 'us-east-1c'],
      'subnet-0000000c',
      ' in us-east-1b',
    ],
  ])('refuses a subnet %s, and says which there are', (_, zone, zones, subnetId, where) => {
    const stack = stackKnowing(subnets('Private', zones), subnets('Public', ['us-east-1d']));
    expect(() => existingNetwork(stack, 'Vpc', { vpcId: VPC_ID, subnetId, ...zone })).toThrow(
      new ConfigurationError([
        `'subnetId' must be a private subnet of ${VPC_ID}${where}, got "${subnetId}". Take one of: subnet-0000000b (us-east-1b, 10.9.0.0/24). ` +
          'If the VPC has changed since it was looked up, forget what was found: npx cdk context --clear',
      ]),
    );
  });

  test('is refused without a private subnet in the zone', () => {
    const stack = stackKnowing(subnets('Public', ['us-east-1a']), subnets('Private', ['us-east-1b']));
    expect(() => existingNetwork(stack, 'Vpc', { vpcId: VPC_ID, availabilityZone: 'us-east-1a' })).toThrow(
      new ConfigurationError([
        `'vpcId' must name a VPC with a private subnet in us-east-1a, got "${VPC_ID}" with private subnets in us-east-1b. ` +
          "Set 'availabilityZone' to one of them or choose another VPC.",
      ]),
    );
  });
});

test('the Regions are those that the CDK knows', () => {
  expect([...REGIONS].sort()).toEqual(RegionInfo.regions.map(({ name }) => name).sort());
});

test('every Region with less network burst is one', () => {
  expect(REDUCED_BURST_REGIONS.filter((name) => !isRegion(name))).toEqual([]);
  expect(['us-moon-1', '', 'Frankfurt', 'us-east-1a'].filter(isRegion)).toEqual([]);
});
