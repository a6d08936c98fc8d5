import { chmod, mkdir, open, readFile, rm, rmdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { mountAbove, mountsBelow } from '../kit/mounts';
import { BTRFS_OPTIONS } from './btrfs';
import { runCommand } from './command';
import { LabError } from './error';
import { type ModelRequest, makeModels } from './model';
import { stopModels } from './model/machine';
import { detachLoops, unmountBelow } from './mounts';
import type { LabPaths } from './paths';
import type { LabStorage } from './state';

const GIB = 2 ** 30;
const DEFAULT_SIZE_GIB = 3;
/** mkfs.btrfs accepts less, but the plan's data would not fit. */
const MINIMUM_SIZE_GIB = 1;
/** Space to leave free on the disk with the images. */
const RESERVE_GIB = 2;

/** A file system that the lab can create on a loop device. */
export type LocalFilesystem = 'btrfs' | 'xfs';

interface LocalKind {
  readonly name: string;
  /** Package with its tools in Debian and Ubuntu. */
  readonly package: string;
  readonly make: readonly string[];
  /** What each arm of the benchmark is in the lab. */
  readonly arms: readonly { readonly arm: string; readonly options: string; readonly actually: string }[];
}

const KINDS: Readonly<Record<LocalFilesystem, LocalKind>> = {
  btrfs: {
    name: 'Btrfs',
    package: 'btrfs-progs',
    make: ['mkfs.btrfs', '--quiet', '--force', '--data', 'single', '--metadata', 'single'],
    arms: [
      { arm: 'none', options: BTRFS_OPTIONS.NONE, actually: 'Btrfs without compression on a loop device' },
      {
        arm: 'lz4',
        options: BTRFS_OPTIONS.LZ4,
        actually: 'Btrfs compress-force=lzo on a loop device (Btrfs has no LZ4, LZO is its nearest relative)',
      },
    ],
  },
  xfs: {
    name: 'XFS',
    package: 'xfsprogs',
    make: ['mkfs.xfs', '-q', '-f'],
    arms: ['none', 'lz4'].map((arm) => ({ arm, options: 'noatime', actually: 'XFS on a loop device' })),
  },
};

/** The storages' own names; benchmarks have other names for them. */
const ARMS = KINDS.btrfs.arms.map(({ arm }) => arm);

/** Options of `makeStorages`. */
export interface MakeStoragesOptions {
  readonly paths: LabPaths;
  /** Called with what will be created, before it is. */
  readonly record: (storages: readonly LabStorage[]) => Promise<void>;
  readonly onProgress?: (line: string) => void;
  /** Size of each sparse image in GiB. @default 3 */
  readonly sizeGiB?: number;
  /** Use plain directories even if loop devices are available. @default false */
  readonly directories?: boolean;
  /** Preferred file system; Btrfs is the fallback. @default btrfs */
  readonly filesystem?: LocalFilesystem;
  /** What each storage stands for in the scale model. Where it cannot be had, local file systems without limits are made. @default - none */
  readonly model?: ModelRequest;
}

/**
 * Creates a local file system for each arm: Btrfs or XFS on loop devices, or plain directories if that is not possible.
 *
 * @returns the storages, and notices for readers of the results
 */
export async function makeStorages({
  paths,
  record,
  onProgress = () => {},
  sizeGiB = DEFAULT_SIZE_GIB,
  directories = false,
  filesystem = 'btrfs',
  model,
}: MakeStoragesOptions): Promise<{ storages: LabStorage[]; notices: string[] }> {
  const notices: string[] = [];
  if (model !== undefined && !directories) {
    const made = await makeModels({ paths, model, record, onProgress });
    if (typeof made !== 'string') return { storages: made, notices };
    const notice = `No scale model here, so nothing limits disks and links: ${made}.`;
    notices.push(notice);
    onProgress(notice);
    await removeStorages(paths);
  }
  const told = notices.length;
  if (directories) notices.push('No file systems on loop devices here: plain directories were requested.');
  for (const kind of directories ? [] : [...new Set([filesystem, 'btrfs'] as const)]) {
    const { name, arms } = KINDS[kind];
    const obstacle = await obstacleTo(kind);
    if (obstacle !== null) {
      notices.push(`No ${name} on loop devices here: ${obstacle}.`);
      continue;
    }
    const size = await sizeThatFits(paths, sizeGiB, notices);
    if (size === null) break;
    const storages = arms.map(({ arm, options, actually }) => onLoop(paths, kind, arm, options, actually));
    await record(storages);
    const failure = await mountAll(paths, kind, storages, size);
    if (failure === null) {
      onProgress(`two ${name} of ${size} GiB on loop devices`);
      return { storages, notices };
    }
    notices.push(`${name} on loop devices failed: ${failure}.`);
    await removeStorages(paths);
  }
  const storages = await plainDirectories(paths);
  await record(storages);
  for (const { mountPoint } of storages) await mkdir(mountPoint, { recursive: true });
  notices.push(
    'Both arms are plain directories on the same file system: nothing is compressed, so the arms should not differ.',
  );
  for (const notice of notices.slice(told)) onProgress(notice);
  return { storages, notices };
}

/**
 * Unmounts, detaches and removes everything in the lab's folders, recorded or not. Idempotent.
 *
 * @returns what could not be removed
 */
export async function removeStorages(paths: LabPaths): Promise<string[]> {
  const models = await stopModels(paths);
  await unmountBelow(paths.mounts);
  const busy = await detachLoops(paths.images);
  await rm(paths.images, { recursive: true, force: true });
  for (const arm of ARMS) await removeDirectory(paths, join(paths.mounts, arm));
  await rmdir(paths.mounts).catch(() => {});
  return [...models, ...busy.map((device) => `${device} is still in use by another process`)];
}

/** Removes a directory of the lab, and its data only if it is no longer a mount point. */
async function removeDirectory({ mounts }: LabPaths, path: string): Promise<void> {
  if (mountsBelow(mounts).some(({ mountPoint }) => mountPoint === path)) return;
  await rm(path, { recursive: true, force: true });
}

function onLoop(
  paths: LabPaths,
  kind: LocalFilesystem,
  arm: string,
  mountOptions: string,
  actually: string,
): LabStorage {
  const mountPoint = join(paths.mounts, arm);
  return { arm, kind, mountPoint, image: join(paths.images, `${arm}.img`), mountOptions, actually };
}

async function plainDirectories(paths: LabPaths): Promise<LabStorage[]> {
  const actually = `plain directory on ${mountAbove(paths.root)?.type ?? 'unknown'}`;
  return ARMS.map((arm) => ({
    arm,
    kind: 'directory',
    mountPoint: join(paths.mounts, arm),
    image: null,
    mountOptions: null,
    actually,
  }));
}

/** Why such file systems cannot be created on loop devices, or `null`. */
async function obstacleTo(kind: LocalFilesystem): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may mount';
  const { name, package: from } = KINDS[kind];
  const made = await runCommand(`mkfs.${kind}`, [kind === 'xfs' ? '-V' : '--version']);
  if (made.code !== 0) return `mkfs.${kind} is not installed (Debian, Ubuntu: apt-get install ${from})`;
  const known = async () => (await readFile('/proc/filesystems', 'utf8')).split(/\s+/).includes(kind);
  if (!(await known())) await runCommand('modprobe', [kind]);
  if (!(await known())) return `the kernel has no ${name}`;
  const loop = await runCommand('losetup', ['--find']);
  return loop.code === 0 ? null : `no loop device is free (${firstLine(loop.stderr)})`;
}

async function sizeThatFits(paths: LabPaths, wanted: number, notices: string[]): Promise<number | null> {
  await mkdir(paths.images, { recursive: true });
  const { bavail, bsize } = await statfs(paths.images);
  const free = (bavail * bsize) / GIB - RESERVE_GIB;
  const size = Math.min(wanted, Math.floor(free / ARMS.length));
  if (size < MINIMUM_SIZE_GIB) {
    notices.push(
      `No room for two images of ${MINIMUM_SIZE_GIB} GiB: ${Math.max(0, Math.floor(free))} GiB may be used.`,
    );
    return null;
  }
  if (size < wanted) notices.push(`The images hold ${size} GiB instead of ${wanted} GiB: the disk is nearly full.`);
  return size;
}

/** Creates and mounts all; `null`, or the first failure. */
async function mountAll(
  paths: LabPaths,
  kind: LocalFilesystem,
  storages: readonly LabStorage[],
  sizeGiB: number,
): Promise<string | null> {
  const [command = '', ...flags] = KINDS[kind].make;
  const marked = { labFolder: paths.lab };
  for (const { image, mountPoint, mountOptions } of storages) {
    if (image === null) throw new LabError(`'image' of ${mountPoint} must be a path, got null`);
    await mkdir(mountPoint, { recursive: true });
    const file = await open(image, 'w');
    await file.truncate(sizeGiB * GIB);
    await file.close();
    const made = await runCommand(command, [...flags, image], marked);
    if (made.code !== 0) return firstLine(made.stderr);
    // With `loop` the kernel detaches the device after the last unmount (mount(8)).
    const mounted = await runCommand('mount', ['-t', kind, '-o', `loop,${mountOptions}`, image, mountPoint], marked);
    if (mounted.code !== 0) return firstLine(mounted.stderr);
    // Like a benchmark directory on Lustre, writable for whoever runs the driver.
    await chmod(mountPoint, 0o1777);
  }
  return null;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
