/** fsxbench's constructs for other CDK applications. They need `aws-cdk-lib` and `constructs` next to them; the benchmarks use the same ones. */
import './refuseOldNode';

export {
  StorageClients as LustreClients,
  type StorageClientsProps as LustreClientsProps,
} from './constructs/fleet/ec2/storageClients';
export { LustreDashboard, type LustreDashboardProps } from './constructs/storage/lustre/dashboard';
export { LustreFileSystem, type LustreFileSystemProps } from './constructs/storage/lustre/fileSystem';
export type { LustreFileSystemAttributes } from './constructs/storage/lustre/foreign';
export { LustreAlarms, type LustreAlarmsProps } from './constructs/storage/lustre/lustreAlarms';
export type { ILustreFileSystem } from './constructs/storage/lustre/metrics';
export { ExpiringStack, type ExpiringStackProps } from './deploy/expiry/expiringStack';
export type { LustreConfiguration } from './storage/lustre/configuration';
