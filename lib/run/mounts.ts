import { realpathSync } from 'node:fs';
import { mountAbove } from '../kit/mounts';
import type { ClientConfig } from '../schema/deployment';

/** How space is read back from a directory, and whether O_DIRECT makes sense on it. */
export function filesystemOf(directory: string): ClientConfig['arms'][string]['filesystem'] {
  const type = mountAbove(realpathSync(directory))?.type;
  return type === 'lustre' || type === 'btrfs' ? type : 'other';
}

/** For people: `btrfs compress-force=lzo on /dev/loop0`. */
export function describeMount(directory: string): string {
  const mount = mountAbove(realpathSync(directory));
  if (!mount) return directory;
  const compression = /\bcompress(-force)?=[^,]+/.exec(mount.options)?.[0];
  return `${mount.type}${compression ? ` ${compression}` : ''} on ${mount.device}`;
}
