import { App, Stack } from 'aws-cdk-lib';
import { ConfigurationError } from '../../lib/config/problem';
import { existingNetwork, Network, type NetworkProps } from '../../lib/network/network';
import { emptyStack, ofType, resourcesOf, theOnly } from '../support/cdk';

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
  expect(services.sort()).toEqual(['cloudformation', 'ec2', 'logs', 'monitoring', 'ssm', 'ssmmessages']);
  const group = theOnly(resources, 'AWS::EC2::SecurityGroup').Properties;
  expect(group.SecurityGroupIngress).toEqual([
    expect.objectContaining({
      CidrIp: { 'Fn::GetAtt': ['NetworkVpc7FB7348F', 'CidrBlock'] },
      FromPort: 443,
      ToPort: 443,
    }),
  ]);
});

test('keeps the logical ids of the VPC and the subnet, whose replacement would replace the file systems', () => {
  const resources = networkWith();
  expect(Object.keys(resources)).toEqual(
    expect.arrayContaining(['NetworkVpc7FB7348F', 'NetworkVpcComputeSubnet1Subnet3D27B005']),
  );
});

describe('an existing VPC', () => {
  const env = { account: '123456789012', region: 'us-east-1' };
  const subnets = (type: string, zones: string[]) => ({
    name: type,
    type,
    subnets: zones.map((availabilityZone) => ({
      subnetId: `subnet-${availabilityZone}`,
      cidr: '10.9.0.0/24',
      availabilityZone,
      routeTableId: 'rtb-1',
    })),
  });
  /** A VPC as the CDK command line would have looked it up. */
  const stackKnowing = (...subnetGroups: object[]) => {
    const key =
      'vpc-provider:account=123456789012:filter.vpc-id=vpc-0a1b2c3d4e5f60718:region=us-east-1:returnAsymmetricSubnets=true';
    const vpc = { vpcId: 'vpc-0a1b2c3d4e5f60718', vpcCidrBlock: '10.9.0.0/16', availabilityZones: [], subnetGroups };
    return new Stack(new App({ context: { [key]: vpc } }), 'Test', { env });
  };

  test('is used as it is', () => {
    const stack = stackKnowing(subnets('Public', ['us-east-1a']), subnets('Private', ['us-east-1a', 'us-east-1b']));
    const network = existingNetwork(stack, 'Vpc', 'vpc-0a1b2c3d4e5f60718', 'us-east-1b');
    expect(network.subnet.subnetId).toBe('subnet-us-east-1b');
    expect(network.cidr).toBe('10.9.0.0/16');
    expect(stack.node.findAll().filter((it) => 'cfnResourceType' in it)).toEqual([]);
  });

  test('takes an isolated subnet when there is no other private one', () => {
    const stack = stackKnowing(subnets('Isolated', ['us-east-1c']));
    expect(existingNetwork(stack, 'Vpc', 'vpc-0a1b2c3d4e5f60718').subnet.subnetId).toBe('subnet-us-east-1c');
  });

  test('is refused without a private subnet in the zone', () => {
    const stack = stackKnowing(subnets('Public', ['us-east-1a']), subnets('Private', ['us-east-1b']));
    expect(() => existingNetwork(stack, 'Vpc', 'vpc-0a1b2c3d4e5f60718', 'us-east-1a')).toThrow(
      new ConfigurationError([
        '\'vpcId\' must name a VPC with a private subnet in us-east-1a, got "vpc-0a1b2c3d4e5f60718" with private subnets in us-east-1b. ' +
          "Set 'availabilityZone' to one of them or choose another VPC.",
      ]),
    );
  });
});
