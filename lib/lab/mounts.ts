import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstOf } from '../common/format/text';
import { mountsBelow } from '../common/mounts';
import { allProcesses, describeProcess, runCommand } from './processes';

const UNMOUNT_TRIES = 10;
const BETWEEN_TRIES_MS = 200;
/** Timeout for devices that hang; a device is released with its last user, which takes time on a busy machine. */
const DETACH_MS = 60_000;

/** Loop devices whose image is in `folder`, including those whose image was removed. */
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

/** Unmounts all below a folder, the last mount first; lazily if it is busy for two seconds, but unused. @returns the remaining mounts, with their processes */
export async function unmountBelow(folder: string): Promise<string[]> {
  for (let attempt = 0; attempt < UNMOUNT_TRIES; attempt++) {
    const left = mountsBelow(folder);
    if (left.length === 0) return [];
    for (const { mountPoint } of left.reverse()) await runCommand('umount', [mountPoint]);
    if (mountsBelow(folder).length > 0) await sleep(BETWEEN_TRIES_MS);
  }
  const used: string[] = [];
  for (const { mountPoint } of mountsBelow(folder).reverse()) {
    const users = await usersOf(mountPoint);
    if (users.length === 0) await runCommand('umount', ['--lazy', mountPoint]);
    else used.push(`${mountPoint} is in use by ${firstOf(users, ', ')}`);
  }
  return used;
}

/** The processes that work in a folder, run a program of it or have a file of it open, such as `process 4711 (bash)`. */
async function usersOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const one of await allProcesses()) {
    const process = join('/proc', String(one.pid));
    const files = await readdir(join(process, 'fd')).catch(() => []);
    const links = ['cwd', 'root', 'exe', ...files.map((file) => join('fd', file))];
    const paths = await Promise.all(links.map((link) => readlink(join(process, link)).catch(() => '')));
    if (paths.some((path) => path === folder || path.startsWith(folder + sep))) found.push(describeProcess(one));
  }
  return found;
}

/** Detaches the loop devices whose image is in `folder`; returns those that could not be detached. */
export async function detachLoops(folder: string): Promise<string[]> {
  const deadline = performance.now() + DETACH_MS;
  for (;;) {
    for (const { device } of await loopDevicesOf(folder)) await runCommand('losetup', ['--detach', device]);
    const left = await loopDevicesOf(folder);
    if (left.length === 0 || performance.now() > deadline) return left.map(({ device }) => device);
    await sleep(BETWEEN_TRIES_MS);
  }
}
