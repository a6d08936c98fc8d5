import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A line of the kernel's mount table. */
export interface Mount {
  /** The mounted device: `/dev/loop3`, `10.0.0.15@tcp:/abcdefgh`. */
  readonly device: string;
  readonly mountPoint: string;
  readonly type: string;
  /** Options of the mount and of the file system, comma-separated: `rw,noatime,compress-force=lzo`. */
  readonly options: string;
}

/** The mounts of a table, in mount order; other lines are skipped. @param table text of /proc/mounts (proc(5): as fstab(5)) */
export function parseMounts(table: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of table.split('\n')) {
    const [device, mountPoint, type, options] = line.split(' ').map(unescapeOctal);
    if (device && mountPoint && type && options) mounts.push({ device, mountPoint, type, options });
  }
  return mounts;
}

/** Refuses another system than Linux, whose kernel has none of what is read in /proc. @throws Error naming `what` */
export function requireLinux(what: string): void {
  if (process.platform !== 'linux')
    throw new Error(`${what} needs Linux, and this is ${process.platform}: use a Linux computer or, on Windows, WSL`);
}

/** Every mount that this process sees. @throws Error on another system than Linux */
export function readMounts(): Mount[] {
  requireLinux('what reads mounts');
  return parseMounts(readFileSync('/proc/self/mounts', 'utf8'));
}

/** The mount of an absolute path, links not followed: the longest mount point above it, and of several there the last, which hides the others. */
export function mountAbove(path: string, mounts: readonly Mount[] = readMounts()): Mount | undefined {
  const inside = resolve(path);
  let best: Mount | undefined;
  for (const mount of mounts) {
    const longer = mount.mountPoint.length >= (best?.mountPoint.length ?? 0);
    if (longer && isWithin(inside, mount.mountPoint)) best = mount;
  }
  return best;
}

export const mountsBelow = (folder: string, mounts: readonly Mount[] = readMounts()): Mount[] =>
  mounts.filter(({ mountPoint }) => isWithin(mountPoint, folder));

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Decodes the table's octal escapes for spaces and the like. */
const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
