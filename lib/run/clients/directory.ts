import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Mount, mountAbove, readMounts } from '../../common/mounts';
import type { ClientConfig } from '../../schema/client';
import type { Action, Plan } from '../../schema/plan';
import { spaceOf } from '../../storage/common/space';
import type { Filesystem, Readout, Workplace } from '../../storage/filesystem';
import { filesystemNamed } from '../../storage/filesystems';
import { workloadNamed } from '../../workload/lookup';

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

export const mountedAs = ({ arms }: ClientConfig): Record<string, string> =>
  Object.fromEntries(Object.entries(arms).map(([name, { filesystem }]) => [name, filesystem]));

/** Arguments that give `describe-node` the arms of a run, which a client's own configuration may not have. */
export const armArguments = ({ arms }: ClientConfig): string[] =>
  Object.entries(arms).flatMap(([name, { mountPoint }]) => ['--arm', `${name}=${mountPoint}`]);

/** The mount of an arm's directory, for {@link unmounted} to compare with. */
export function mountedAt(directory: string): Pick<Arm, 'mountedAt'> {
  const mount = mountAbove(realpathSync(directory));
  if (mount === undefined) return {};
  const { mountPoint, type, device } = mount;
  return { mountedAt: { mountPoint, type, device } };
}

/** The reason why an arm's directory is no longer on its file system, such as after a reboot; `null` if it is, or if that is unknown. */
export function unmounted({ mountedAt: at }: Arm, read: () => readonly Mount[] = readMounts): string | null {
  if (at === undefined) return null;
  // The last one on a mount point hides the others.
  const now = read().findLast(({ mountPoint }) => mountPoint === at.mountPoint);
  // The kernel may number disks anew at each boot.
  const same = now?.device === at.device || (now?.device.startsWith('/dev/') && at.device.startsWith('/dev/'));
  if (now?.type === at.type && same) return null;
  const found = now === undefined ? 'nothing is mounted there' : `${now.device} (${now.type}) is mounted there`;
  return `${at.device} (${at.type}) is no longer mounted at ${at.mountPoint} (now ${found}), so a step would measure another disk: mount it again, and continue with --resume`;
}

/** No tool's output and no list of processes survives these. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x1f\x7f]/;

/** Throws unless a path that was named for a run can be passed on and printed as it is. */
export function requirePlainPath(option: string, path: string): void {
  if (!CONTROL.test(path)) return;
  throw new Error(
    `'${option}' must be a path without line breaks, tabs and other control characters, got ${JSON.stringify(path)}: rename the directory`,
  );
}

/** Checks that each tool of a plan accepts its arms' directories. @throws naming the first one that a tool would split into several */
export function requireWholePaths({ steps }: Plan, { arms }: Pick<ClientConfig, 'arms'>): void {
  for (const { arm, action } of steps.flatMap(({ tasks }) => tasks)) {
    if (action.kind !== 'workload' || !action.command.some((word) => word.includes('{dir}'))) continue;
    const { label, launch } = workloadNamed(action.tool);
    const directory = arms[arm]?.mountPoint ?? '';
    const found = [...(launch.separators ?? '')].find((character) => directory.includes(character));
    if (found !== undefined)
      throw new Error(
        `the directory of the arm '${arm}' must be a path without '${found}', at which ${label} divides it, got '${directory}': rename the directory, or choose another tool with --set tool=…`,
      );
  }
}

/** Why this user cannot write to a directory, or its nearest existing parent; `null` if it can. @param root last parent to check. @default - itself */
export function notWritable(directory: string, root = directory): string | null {
  let found = directory;
  while (!existsSync(found) && found !== root) found = dirname(found);
  if (!existsSync(found)) return null;
  try {
    accessSync(found, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { mode, uid } = statSync(found);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS')
      return `'${found}' is on a file system that is mounted read-only (EROFS): mount it for writing`;
    return `'${found}' may not be written by ${userName()} (${code}, mode ${(mode & 0o7777).toString(8)}, of user ${uid})`;
  }
}

/** A user of a container may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

/** Suffix for directories left by earlier attempts, which are not removed at once, since removing millions of files takes longer than creating new ones. */
const LEFT = '.left-';

export class DataDirectory {
  readonly path: string;

  /** @param list names in a directory; empty if it does not exist */
  constructor(
    private readonly filesystem: Filesystem,
    private readonly place: Workplace,
    private readonly list: (directory: string) => readonly string[],
  ) {
    this.path = place.directory;
  }

  /** Creates it, empty if requested, with its layout, and optionally a directory on each metadata target. */
  async make(action: Extract<Action, { kind: 'make-directory' }>): Promise<Readout> {
    const { kind: _, fresh, spread, ...layout } = action;
    const { filesystem, place, path } = this;
    const { commands, seconds, owned, removal } = place;
    const left = `${path}${LEFT}${this.leftOvers().length + 1}`;
    const away = filesystem.renames === false ? removal([path]) : ['mv', '-T', path, left];
    const making = [
      ...(fresh && this.siblings().includes(basename(path)) ? [away] : []),
      ['mkdir', '-p', path],
      ...(filesystem.layout?.commands(path, layout) ?? []),
      ...owned(path),
    ];
    const failure = await commands.each(making, seconds);
    if (failure !== null || filesystem.spread === undefined || !spread) return { measured: [], failure };
    return filesystem.spread.make(place);
  }

  targets(): string[] {
    return this.filesystem.spread?.directories(this.list(this.path)) ?? [];
  }

  /** Counts the ranks' directories per metadata target; empty if files are not spread explicitly. */
  async verifySpread(): Promise<Readout> {
    return (await this.filesystem.spread?.verify(this.place, this.list(this.path))) ?? { measured: [], failure: null };
  }

  async space(): Promise<Readout> {
    const { place } = this;
    // The writing client's view of a file's blocks is stale until that file is synced (facts-tools, "Six traps", 2).
    const sync = ['find', this.path, '-type', 'f', '-exec', 'sync', '{}', '+'];
    const unsynced = await place.commands.each([sync], place.seconds);
    if (unsynced !== null) return { measured: spaceOf(null, null, unsynced), failure: unsynced };
    return this.filesystem.space.read(place);
  }

  /** Removes it with all leftovers of earlier attempts. @returns the reason for a failure, or `null` */
  async remove(): Promise<string | null> {
    const { commands, seconds, removal } = this.place;
    const paths = [this.path, ...this.leftOvers().map((name) => join(dirname(this.path), name))];
    return commands.each([removal(paths)], seconds);
  }

  private siblings(): readonly string[] {
    return this.list(dirname(this.path));
  }

  private leftOvers(): string[] {
    return this.siblings().filter((name) => name.startsWith(`${basename(this.path)}${LEFT}`));
  }
}
