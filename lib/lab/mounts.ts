import { readdir, readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from './command';

/** A mounted file system. */
export interface Mount {
  readonly mountPoint: string;
  readonly type: string;
  /** `/dev/loop3` */
  readonly source: string;
}

const UNMOUNT_TRIES = 10;
const DETACH_TRIES = 5;
const BETWEEN_TRIES_MS = 200;

/** Every mount that this process sees, in the order in which they were mounted. */
async function mounts(): Promise<Mount[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => {
      // proc(5): fixed fields, optional ones, a hyphen, then type, source and options.
      const [before = '', after = ''] = line.split(' - ');
      const [type = '', source = ''] = after.split(' ');
      return { mountPoint: unescapeOctal(before.split(' ')[4] ?? ''), type, source: unescapeOctal(source) };
    });
}

/** The mounts in a folder or below it. */
export async function mountsBelow(folder: string): Promise<Mount[]> {
  return (await mounts()).filter(({ mountPoint }) => mountPoint === folder || mountPoint.startsWith(folder + sep));
}

/** The type of the file system that holds a path: of the mounts above it, the deepest and last. */
export async function filesystemOf(path: string): Promise<string> {
  let found: Mount | undefined;
  for (const mount of await mounts()) {
    const above = mount.mountPoint === '/' || path === mount.mountPoint || path.startsWith(mount.mountPoint + sep);
    if (above && mount.mountPoint.length >= (found?.mountPoint.length ?? 0)) found = mount;
  }
  return found?.type ?? 'unknown';
}

/** Loop devices whose image lies in `folder`, also those whose image was removed. */
export async function loopDevicesOf(folder: string): Promise<{ device: string; image: string }[]> {
  const found: { device: string; image: string }[] = [];
  for (const name of await readdir('/sys/block').catch(() => [])) {
    if (!name.startsWith('loop')) continue;
    const backing = await readFile(`/sys/block/${name}/loop/backing_file`, 'utf8').catch(() => null);
    const image = backing?.trim().replace(/ \(deleted\)$/, '');
    if (image?.startsWith(folder + sep)) found.push({ device: `/dev/${name}`, image });
  }
  return found;
}

/**
 * Unmounts everything below a folder, the last mounted first. What stays busy for two seconds is detached from the tree,
 * and goes when its last user does.
 */
export async function unmountBelow(folder: string): Promise<void> {
  for (let attempt = 0; attempt < UNMOUNT_TRIES; attempt++) {
    const left = await mountsBelow(folder);
    if (left.length === 0) return;
    for (const { mountPoint } of left.reverse()) await runCommand('umount', [mountPoint]);
    if ((await mountsBelow(folder)).length > 0) await sleep(BETWEEN_TRIES_MS);
  }
  for (const { mountPoint } of (await mountsBelow(folder)).reverse())
    await runCommand('umount', ['--lazy', mountPoint]);
}

/** Detaches the loop devices whose image lies in `folder`; returns those that would not go. */
export async function detachLoops(folder: string): Promise<string[]> {
  for (let attempt = 0; attempt < DETACH_TRIES; attempt++) {
    const left = await loopDevicesOf(folder);
    if (left.length === 0) return [];
    for (const { device } of left) await runCommand('losetup', ['--detach', device]);
    if ((await loopDevicesOf(folder)).length > 0) await sleep(BETWEEN_TRIES_MS);
  }
  return (await loopDevicesOf(folder)).map(({ device }) => device);
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
