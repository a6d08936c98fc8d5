import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import * as z from 'zod';
import { identityOf, inside, remove } from '../common/files';
import { writeWhole } from '../common/writeWhole';
import { readTextOrNull } from '../schema/document';
import { LabError } from './error';

/** Paths of the lab's files in a project: everything is under `.lab`, which git ignores. */
export type LabPaths = Readonly<ReturnType<typeof labPaths>>;

export function labPaths(root: string) {
  const lab = join(root, '.lab');
  return {
    root,
    lab,
    /** Record of resources, written before they are created. */
    stateFile: join(lab, 'state.json'),
    /** `FSXBENCH_STATE` of the lab's clients, with their runs. */
    clientState: join(lab, 'state'),
    clientHome: join(lab, 'client'),
    clientConfig: join(lab, 'client', 'client.json'),
    mounts: join(lab, 'mnt'),
    substitutes: join(lab, 'stand-ins'),
    /** Folders of the scale model, one for each arm, with the servers' disk and state. */
    models: join(lab, 'models'),
    /** Folder of Slurm, if the lab has one: slurm.conf, keys, sockets, logs. */
    slurm: join(lab, 'slurm'),
    /** Tools built for the lab, which precede those on PATH. */
    tools: join(lab, 'tools', 'bin'),
    emulatorLog: join(lab, 'emulator.log'),
    emulatorPort: join(lab, 'emulator.port'),
    /** The access key without which the emulator answers nobody. */
    emulatorKey: join(lab, 'emulator.key'),
    metricsLog: join(lab, 'metrics.log'),
    cdkHome: join(lab, 'cdk-home'),
  };
}

/** Prefix of names that the whole machine shares, such as network namespaces. It hashes the lab's folder, so no two labs collide. */
export const labPrefix = ({ lab }: LabPaths): string =>
  `fsxbench-${createHash('sha256').update(lab).digest('hex').slice(0, 8)}`;

/** `.lab/folders.json`: inodes of the folders that the lab made, by their paths below `.lab`. Nothing else is ever removed with its content. */
const recordSchema = z.object({
  schema: z.literal('fsxbench.lab-folders/1'),
  folders: z.record(z.string(), z.string().regex(/^\d+$/)),
});
type Folders = Readonly<Record<string, string>>;

export const GIB = 2 ** 30;

/** Whole GiB that images of the lab may take, beyond those that stay free. */
export function freeGib({ lab }: LabPaths, reserveGib: number): number {
  mkdirSync(lab, { recursive: true });
  const { bavail, bsize } = statfsSync(lab);
  return Math.max(0, Math.floor((bavail * bsize) / GIB - reserveGib));
}

/** Makes a folder of the lab and records it. @throws LabError if something is there that the lab did not make, or a link is on the way */
export function makeFolder(paths: LabPaths, folder: string): void {
  const name = nameOf(paths, folder);
  const made = recorded(paths);
  try {
    inside(paths.lab, name);
    mkdirSync(dirname(folder), { recursive: true });
    if (made[name] !== undefined && made[name] === inodeOf(folder)) return;
    // The folder is empty if a start was killed before it recorded the folder.
    if (identityOf(folder) !== null) rmdirSync(folder);
    mkdirSync(folder);
  } catch (error) {
    throw new LabError(
      `the lab cannot make '${folder}': ${(error as Error).message}. If it is not the lab's, move it away; if it is, run npx fsxbench lab down`,
    );
  }
  write(paths, { ...made, [name]: inodeOf(folder) as string });
}

/** Names of the folders that the lab made in another of its folders, and that are still where it made them. */
export function foldersIn(paths: LabPaths, parent: string): string[] {
  const made = recorded(paths);
  if (identityOf(parent) === null) return [];
  return namesIn(made, paths, parent).filter(
    (name) => inodeOf(join(parent, name)) === made[nameOf(paths, join(parent, name))],
  );
}

/** Removes a folder with its content if it is the one that the lab made, else if it is empty. @returns what stays, and why */
export async function removeFolder(paths: LabPaths, folder: string): Promise<string[]> {
  const name = nameOf(paths, folder);
  const inode = recorded(paths)[name];
  // After a reboot, a file system may have another number, but a folder of the lab is still on the file system of the lab.
  const [device] = identityOf(paths.lab)?.split(':') ?? [];
  if (device === undefined || lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    dropRecord(paths, name);
    return [];
  }
  if (inode === undefined) {
    try {
      rmdirSync(folder);
      return [];
    } catch {
      return [`'${folder}' is not what this lab made, and stays as it is: move it away`];
    }
  }
  const refused = await remove(join(paths.root, 'assets', 'client'), paths.lab, [name], `${device}:${inode}`);
  if (refused !== null) return [refused];
  dropRecord(paths, name);
  return [];
}

/** Removes what the lab made in one of its folders, then the folder. @returns what stays, and why */
export async function removeFoldersIn(paths: LabPaths, parent: string): Promise<string[]> {
  const left: string[] = [];
  const there = identityOf(parent) === null ? [] : readdirSync(parent);
  for (const name of new Set([...namesIn(recorded(paths), paths, parent), ...there]))
    left.push(...(await removeFolder(paths, join(parent, name))));
  return left.length > 0 ? left : removeFolder(paths, parent);
}

const recordFile = ({ lab }: LabPaths): string => join(lab, 'folders.json');

const nameOf = ({ lab }: LabPaths, folder: string): string => relative(lab, folder).split(sep).join('/');

const namesIn = (made: Folders, paths: LabPaths, parent: string): string[] =>
  Object.keys(made).flatMap((name) => {
    const prefix = `${nameOf(paths, parent)}/`;
    return name.startsWith(prefix) ? [name.slice(prefix.length)] : [];
  });

const inodeOf = (folder: string): string | undefined => identityOf(folder)?.split(':')[1];

function recorded(paths: LabPaths): Folders {
  try {
    return readTextOrNull(recordSchema, readFileSync(recordFile(paths), 'utf8'))?.folders ?? {};
  } catch {
    return {};
  }
}

function dropRecord(paths: LabPaths, name: string): void {
  const { [name]: gone, ...rest } = recorded(paths);
  if (gone !== undefined) write(paths, rest);
}

function write(paths: LabPaths, folders: Folders): void {
  if (Object.keys(folders).length === 0) rmSync(recordFile(paths), { force: true });
  else
    writeWhole(recordFile(paths), `${JSON.stringify({ schema: 'fsxbench.lab-folders/1', folders })}\n`, {
      durable: true,
    });
}
