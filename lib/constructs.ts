/** fsxbench's constructs for other CDK applications. They need `aws-cdk-lib` and `constructs` beside them; the benchmarks use the same ones. */
export { ExpiringStack, type ExpiringStackProps } from './deploy/expiry/expiringStack';
export {
  StorageClients as LustreClients,
  type StorageClientsProps as LustreClientsProps,
} from './fleet/ec2/construct/storageClients';
export type { LustreConfiguration } from './storage/lustre/configuration';
export { LustreDashboard, type LustreDashboardProps } from './storage/lustre/construct/dashboard';
export { LustreFileSystem, type LustreFileSystemProps } from './storage/lustre/construct/fileSystem';
export type { LustreFileSystemAttributes } from './storage/lustre/construct/foreign';
export { LustreAlarms, type LustreAlarmsProps } from './storage/lustre/construct/lustreAlarms';
export type { ILustreFileSystem } from './storage/lustre/construct/metrics';
