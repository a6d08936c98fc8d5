import { Duration, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import {
  ExpiringStack,
  LustreAlarms,
  type LustreConfiguration,
  LustreDashboard,
  LustreFileSystem,
} from '../../lib/constructs';
import { appWithFlags } from './cdk';

const CONFIGURATION: LustreConfiguration = {
  deploymentType: 'PERSISTENT_2',
  storageCapacityGiB: 2400,
  perUnitStorageThroughput: 250,
  metadata: { mode: 'USER_PROVISIONED', iops: 24_000 },
};

/** A stack as an application of somebody else's has it: a file system with its dashboard and alarms. */
export function monitored() {
  const stack = new Stack(appWithFlags(), 'Files', { env: { region: 'us-east-1' } });
  const vpc = ec2.Vpc.fromVpcAttributes(stack, 'Vpc', {
    vpcId: 'vpc-0123456789abcdef0',
    availabilityZones: ['us-east-1a'],
  });
  const subnet = ec2.Subnet.fromSubnetAttributes(stack, 'Subnet', {
    subnetId: 'subnet-0123456789abcdef0',
    availabilityZone: 'us-east-1a',
    ipv4CidrBlock: '10.0.0.0/24',
  });
  const fileSystem = new LustreFileSystem(stack, 'Scratch', { vpc, subnet, configuration: CONFIGURATION });
  const alarms = new LustreAlarms(stack, 'Alarms', { fileSystem, email: 'ops@example.com' });
  const dashboard = new LustreDashboard(stack, 'Dashboard', { fileSystem, alarms: alarms.alarms });
  return { stack, fileSystem, alarms, dashboard };
}

/** A stack of somebody else's that deletes itself. */
export function expiring(expiresAfter = Duration.hours(8), email?: string): ExpiringStack {
  return new ExpiringStack(appWithFlags(), 'Trial', { env: { region: 'us-east-1' }, expiresAfter, email });
}
