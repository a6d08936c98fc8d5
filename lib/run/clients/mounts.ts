import { realpathSync } from 'node:fs';
import { mountAbove } from '../../kit/mounts';
import { filesystemNamed } from '../../storage/filesystems';

/** The file-system type that decides how the driver works on a directory. */
export function filesystemOf(directory: string): string {
  return filesystemNamed(mountAbove(realpathSync(directory))?.type ?? '').type;
}

/** Description: `btrfs compress-force=lzo on /dev/loop0`. */
export function describeMount(directory: string): string {
  const mount = mountAbove(realpathSync(directory));
  if (!mount) return directory;
  const compression = /\bcompress(-force)?=[^,]+/.exec(mount.options)?.[0];
  return `${mount.type}${compression ? ` ${compression}` : ''} on ${mount.device}`;
}
