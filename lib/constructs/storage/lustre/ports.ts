import { Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { Dependable, type IConstruct, type IDependable } from 'constructs';
import { LUSTRE_PORTS } from '../../../storage/common/lustre';
import type { LustreConfiguration } from '../../../storage/lustre/configuration';
import { unresolvedTokenMessage } from '../../common';

/** Ports that servers and clients open to one another. */
export function lustrePorts(efaEnabled: boolean): readonly ec2.Port[] {
  // EFA has no ports: AWS asks for all traffic, in rules that name a group. Address ranges, 0.0.0.0/0 among them, do not count.
  return efaEnabled
    ? [ec2.Port.allTraffic()]
    : LUSTRE_PORTS.map(([first, last]) => (first === last ? ec2.Port.tcp(first) : ec2.Port.tcpRange(first, last)));
}

/** CDK drops all outbound rules of a group with `allowAllOutbound`, also the one that AWS requires for EFA. @throws Error for such a group */
export function refuseAllOutbound(group: ec2.ISecurityGroup, name: string): void {
  if (!group.allowAllOutbound) return;
  throw new Error(
    `${name} must be made with allowAllOutbound: false for EFA, got allowAllOutbound: true: its outbound rules must name groups`,
  );
}

type Rule = ec2.CfnSecurityGroupIngress | ec2.CfnSecurityGroupEgress;

const isRule = (construct: IConstruct): construct is Rule =>
  construct instanceof ec2.CfnSecurityGroupIngress || construct instanceof ec2.CfnSecurityGroupEgress;

/** Rules of a group, so far, that are separate resources. */
export const rulesAmong = (group: ec2.ISecurityGroup): Rule[] => group.node.findAll().filter(isRule);

/** Dependency on every rule of a group that is its own resource, including those added later. */
export function rulesOf(group: ec2.ISecurityGroup): IDependable {
  const rules: IDependable = {};
  Dependable.implement(rules, {
    get dependencyRoots() {
      return rulesAmong(group);
    },
  });
  return rules;
}

/** Values that may come from another resource, such as the name of a bucket of the same stack. */
const MAY_COME_LATER = ['dataRepositoryPath', 'importPath', 'exportPath'];

/** Rejects tokens elsewhere: a value that is known at deployment only cannot be checked or priced. @throws Error naming the property */
export function refuseTokens(configuration: LustreConfiguration): void {
  visit(configuration, '');
}

function visit(value: unknown, property: string): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, property);
  } else if (typeof value === 'object' && value !== null && !Token.isUnresolved(value)) {
    for (const [key, item] of Object.entries(value)) visit(item, key);
  } else if (Token.isUnresolved(value) && !MAY_COME_LATER.includes(property)) {
    throw new Error(unresolvedTokenMessage(property));
  }
}
