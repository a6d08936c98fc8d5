/** fsxbench's constructs for other CDK applications. They need `aws-cdk-lib` and `constructs` next to them; the benchmarks use the same ones. */
import './refuseOldNode';

export {
  StorageClients as LustreClients,
  type StorageClientsProps as LustreClientsProps,
} from './constructs/fleet/ec2/storageClients';
export { LustreAlarms, type LustreAlarmsProps } from './constructs/storage/lustre/alarms';
export { LustreDashboard, type LustreDashboardProps } from './constructs/storage/lustre/dashboard';
export { LustreFileSystem, type LustreFileSystemProps } from './constructs/storage/lustre/fileSystem';
export type { ILustreFileSystem, LustreFileSystemAttributes } from './constructs/storage/lustre/metrics';
export { ExpiringStack, type ExpiringStackProps } from './deploy/expiry/expiringStack';
export type { LustreConfiguration } from './storage/lustre/configuration';
