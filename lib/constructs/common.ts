import { Annotations, Aws, Fn } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { IConstruct } from 'constructs';
import { type Findings, violationMessage, type Warning } from '../common/violation';

/** Puts warnings where synthesis shows them. */
export function warn(on: IConstruct, warnings: readonly Warning[]): void {
  for (const { id, message } of warnings) Annotations.of(on).addWarningV2(id, message);
}

/** Reports what the rules find in a construct's configuration. @throws Error with every problem, a line each */
export function checked(construct: IConstruct, { errors, warnings }: Findings): void {
  if (errors.length > 0) throw new Error(errors.map((violation) => violationMessage(violation)).join('\n'));
  warn(construct, warnings);
}

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
