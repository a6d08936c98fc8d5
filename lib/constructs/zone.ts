import * as ec2 from 'aws-cdk-lib/aws-ec2';

/** The name of a subnet's zone: the subnet itself may know its id alone. */
export function zoneOf(subnet: ec2.ISubnet): string {
  const own = subnet.node.defaultChild;
  return own instanceof ec2.CfnSubnet ? own.attrAvailabilityZone : subnet.availabilityZone;
}
