import { join } from 'node:path';
import { releaseDisks } from './model/disks';
import { stopModels } from './model/machine';
import { detachLoops, unmountBelow } from './mounts';
import { foldersIn, type LabPaths, removeFolder, removeFoldersIn } from './paths';
import { stopSubstitutes, substituteFolder } from './substitutes';

/** Unmounts, detaches and removes all that the lab made in its folders, even if its state is wrong. Idempotent. @returns what could not be removed */
export async function removeStorages(paths: LabPaths): Promise<string[]> {
  const arms = foldersIn(paths, paths.substitutes);
  const left = [...(await stopModels(paths)), ...(await release(paths, arms, [paths.mounts], [paths.substitutes]))];
  return left.length > 0 ? left : leftBy([paths.substitutes, paths.mounts], (folder) => removeFoldersIn(paths, folder));
}

/** Removes the stand-ins of some arms. @returns what could not be removed */
export async function removeSubstitutes(paths: LabPaths, arms: readonly string[]): Promise<string[]> {
  const mounts = arms.map((arm) => join(paths.mounts, arm));
  const folders = arms.map((arm) => substituteFolder(paths, arm));
  const left = await release(paths, arms, mounts, folders);
  return left.length > 0 ? left : leftBy([...folders, ...mounts], (folder) => removeFolder(paths, folder));
}

/** Ends what holds the folders of stand-ins and the mounts. @returns what still does */
async function release(
  paths: LabPaths,
  arms: readonly string[],
  mounts: readonly string[],
  folders: readonly string[],
): Promise<string[]> {
  // First the limits: what is still to be written would wait for them, and the next user of a device would inherit them.
  const limits = await leftBy(arms, (arm) => releaseDisks(paths, arm));
  // Then the programs: a mount whose server is gone cannot be released.
  const programs = await stopSubstitutes(paths, arms);
  const used = await leftBy([...mounts, ...folders], unmountBelow);
  // No use in waiting for a device that is mounted.
  const busy = used.length > 0 ? [] : await leftBy(folders, detachLoops);
  return [...limits, ...programs, ...used, ...busy.map((device) => `${device} is still in use by another process`)];
}

/** Does some work on one item after the other. @returns what the work could not remove */
async function leftBy(items: readonly string[], work: (item: string) => Promise<string[]>): Promise<string[]> {
  const left: string[] = [];
  for (const item of items) left.push(...(await work(item)));
  return left;
}
