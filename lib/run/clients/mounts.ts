import { realpathSync } from 'node:fs';
import { type Mount, mountAbove, readMounts } from '../../common/mounts';
import type { ClientConfig } from '../../schema/client';
import { filesystemNamed } from '../../storage/filesystems';

/** The file-system type that decides how the driver works on a directory. */
export const filesystemOf = (directory: string): string =>
  filesystemNamed(mountAbove(realpathSync(directory))?.type ?? '').type;

/** Description: `btrfs compress-force=lzo on /dev/loop0`. */
export function describeMount(directory: string): string {
  const mount = mountAbove(realpathSync(directory));
  if (!mount) return directory;
  const compression = /\bcompress(-force)?=[^,]+/.exec(mount.options)?.[0];
  return `${mount.type}${compression ? ` ${compression}` : ''} on ${mount.device}`;
}

type Arm = ClientConfig['arms'][string];

/** Type of the file system that each arm of a client is mounted as. */
export const mountedAs = ({ arms }: ClientConfig): Record<string, string> =>
  Object.fromEntries(Object.entries(arms).map(([name, { filesystem }]) => [name, filesystem]));

/** Arguments that tell `describe-node` the arms of a run, which a client's own configuration may not have. */
export const armArguments = ({ arms }: ClientConfig): string[] =>
  Object.entries(arms).flatMap(([name, { mountPoint }]) => ['--arm', `${name}=${mountPoint}`]);

/** The mount of an arm's directory, for {@link unmounted} to compare with. */
export function mountedAt(directory: string): Pick<Arm, 'mountedAt'> {
  const mount = mountAbove(realpathSync(directory));
  if (mount === undefined) return {};
  const { mountPoint, type, device } = mount;
  return { mountedAt: { mountPoint, type, device } };
}

/** Why an arm's directory is not on its file system any more, such as after a reboot; `null` if it is, or if nothing tells. */
export function unmounted({ mountedAt: at }: Arm, read: () => readonly Mount[] = readMounts): string | null {
  if (at === undefined) return null;
  // The last one on a mount point hides the others.
  const now = read().findLast(({ mountPoint }) => mountPoint === at.mountPoint);
  // The kernel may number disks anew at each boot.
  const same = now?.device === at.device || (now?.device.startsWith('/dev/') && at.device.startsWith('/dev/'));
  if (now?.type === at.type && same) return null;
  const found = now === undefined ? 'nothing is mounted there' : `${now.device} (${now.type}) is mounted there`;
  return `${at.device} (${at.type}) is no longer mounted at ${at.mountPoint}, where a step would measure another disk (now ${found}): mount it again, and continue with --resume`;
}
