import { directory } from './directory';
import { ebs } from './ebs';
import { efs } from './efs';
import { instanceStore } from './instance-store';
import { lustre } from './lustre';
import { lustreWatch } from './lustre/watch';
import { lustreZfs } from './lustre-zfs';
import { moosefs } from './moosefs';
import { mountpointS3 } from './mountpoint-s3';
import { openzfs } from './openzfs';
import type { Storage } from './storage';

/** Every kind of storage. A new one is a folder and a line here; nothing else imports those folders (test/storage/seam.test.ts). */
export const STORAGES: readonly Storage[] = [
  ...[lustre, efs, openzfs, ebs, moosefs, instanceStore, mountpointS3, lustreZfs],
  directory,
];

/** Storage that `run --local` works on. */
export const LOCAL_KIND = directory.kind;

/** The kind of a storage if none is named. */
export const DEFAULT_KIND = lustre.kind;

/** Operations on a file system of a type that no storage names. */
export const FILESYSTEM_OF_ANY_TYPE = directory.client.filesystems[0];

/** Configuration of each kind, for programs that use fsxbench as a library. */
export type { EfsStorage } from './efs/configuration';
export type { LustreConfiguration } from './lustre/configuration';
export type { WatchedFileSystem } from './lustre/watch';
export type { LustreZfsStorage } from './lustre-zfs/configuration';
export type { MooseFsStorage } from './moosefs/configuration';

/** Stacks of storages for file systems that somebody else made; lib/constructs/storage/registry.ts makes them. */
export const WATCHES = [lustreWatch];
