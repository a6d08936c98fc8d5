import { readFileSync, realpathSync } from 'node:fs';
import type { ClientConfig } from '../model/deployment';

/** A line of the kernel's mount table. */
interface Mount {
  readonly device: string;
  readonly mountPoint: string;
  readonly type: string;
  readonly options: string;
}

/** The mount that a directory lies on: the longest mount point above it, the last one where several cover each other. */
export function mountOf(directory: string, table = readFileSync('/proc/self/mounts', 'utf8')): Mount | null {
  const path = realpathSync(directory);
  let best: Mount | null = null;
  for (const line of table.split('\n')) {
    const [device, rawPoint, type, options] = line.split(' ');
    if (!device || !rawPoint || !type || !options) continue;
    // Spaces and the like are octal there.
    const mountPoint = rawPoint.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const below = path === mountPoint || path.startsWith(mountPoint.endsWith('/') ? mountPoint : `${mountPoint}/`);
    if (below && mountPoint.length >= (best?.mountPoint.length ?? 0)) best = { device, mountPoint, type, options };
  }
  return best;
}

/** How space is read back from a directory, and whether O_DIRECT makes sense on it. */
export function filesystemOf(directory: string): ClientConfig['arms'][string]['filesystem'] {
  const type = mountOf(directory)?.type;
  return type === 'lustre' || type === 'btrfs' ? type : 'other';
}

/** For people: `btrfs compress-force=lzo on /dev/loop0`. */
export function describeMount(directory: string): string {
  const mount = mountOf(directory);
  if (!mount) return directory;
  const compression = /\bcompress(-force)?=[^,]+/.exec(mount.options)?.[0];
  return `${mount.type}${compression ? ` ${compression}` : ''} on ${mount.device}`;
}
