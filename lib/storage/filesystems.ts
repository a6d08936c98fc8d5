import { btrfs, plain, servedFromBtrfs } from './directory/filesystems';
import { nfsFilesystem } from './efs/filesystem';
import type { Filesystem } from './filesystem';
import { lustreFilesystem } from './lustre/filesystem';

const FILESYSTEMS: readonly Filesystem[] = [lustreFilesystem, nfsFilesystem, btrfs, servedFromBtrfs, plain];

/** How to work on a type of file system; one that is not known here is as any other. */
export function filesystemNamed(type: string): Filesystem {
  return FILESYSTEMS.find((each) => each.type === type) ?? plain;
}
