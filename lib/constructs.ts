/** fsxbench's constructs for other CDK applications. They need `aws-cdk-lib` and `constructs` beside them; the benchmarks use the same ones. */
export type { LustreConfiguration } from './storage/lustre/configuration';
export { LustreFileSystem, type LustreFileSystemProps } from './storage/lustre/construct/fileSystem';
