/** Configuration of each kind, for programs that use fsxbench as a library. */
export type { EfsStorage } from './efs/configuration';
export type { LustreConfiguration } from './lustre/configuration';
export type { LustreZfsStorage } from './lustre-zfs/configuration';
export type { MooseFsStorage } from './moosefs/configuration';
