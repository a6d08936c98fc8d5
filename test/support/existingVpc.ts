/** Ids of the VPC of the tests. */
export const ENV = { account: '123456789012', region: 'us-east-1' };
export const VPC_ID = 'vpc-0a1b2c3d4e5f60718';

/** Subnets of one type, one a zone. */
export function subnets(type: 'Public' | 'Private' | 'Isolated', zones: readonly string[], cidr = '10.9.0.0/24') {
  return {
    name: type,
    type,
    subnets: zones.map((availabilityZone) => ({
      subnetId: `subnet-0000000${availabilityZone.slice(-1)}`,
      cidr,
      availabilityZone,
      routeTableId: 'rtb-00000001',
    })),
  };
}

/** The context in which the CDK command line leaves a VPC that it has looked up. */
export function contextWithVpc(...subnetGroups: ReturnType<typeof subnets>[]): Record<string, unknown> {
  const key = `vpc-provider:account=${ENV.account}:filter.vpc-id=${VPC_ID}:region=${ENV.region}:returnAsymmetricSubnets=true`;
  return { [key]: { vpcId: VPC_ID, vpcCidrBlock: '10.9.0.0/16', availabilityZones: [], subnetGroups } };
}
