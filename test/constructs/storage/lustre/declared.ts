import type { Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import { LustreFileSystem, type LustreFileSystemProps } from '../../../../lib/constructs/storage/lustre/fileSystem';
import type { LustreConfiguration } from '../../../../lib/storage/lustre/configuration';
import { emptyStack } from '../../../support/cdk';

type Extra = Partial<LustreFileSystemProps>;

/** A stack with a network of one private subnet. */
export function network() {
  const stack = emptyStack();
  const vpc = new ec2.Vpc(stack, 'Vpc', { maxAzs: 1 });
  const [subnet] = vpc.privateSubnets;
  if (subnet === undefined) throw new Error('no subnet');
  return { stack, vpc, subnet };
}

/** The same with a file system. */
export function withFileSystem(configuration: LustreConfiguration, extra: Extra = {}) {
  const { stack, vpc, subnet } = network();
  return {
    stack,
    vpc,
    subnet,
    fileSystem: new LustreFileSystem(stack, 'Storage', { vpc, subnet, configuration, ...extra }),
  };
}

/** The security group of clients. */
export function clientGroup(stack: Stack, vpc: ec2.IVpc, allowAllOutbound: boolean) {
  return new ec2.SecurityGroup(stack, 'Clients', { vpc, allowAllOutbound });
}
