import { Aws, Fn } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';

/** A problem with a value that CloudFormation fills in later, if a rule or the template itself depends on it. */
export const unresolvedTokenMessage = (property: string): string =>
  `'${property}' must be known when the template is made, got a value that CloudFormation fills in later: set it in cdk.json or with -c, not as a template parameter`;

/** The name of a subnet's zone: the subnet itself may know its id alone. */
export function zoneOf(subnet: ec2.ISubnet): string {
  const own = subnet.node.defaultChild;
  return own instanceof ec2.CfnSubnet ? own.attrAvailabilityZone : subnet.availabilityZone;
}

/** Eight hexadecimal digits of the stack's id, which differ from those of an earlier or later stack with the same name. */
export const stackDigits = (): string => Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))));
