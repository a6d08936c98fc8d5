import { chmod, mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArmDefinition } from '../benchmark/benchmark';
import { mountAbove, mountsBelow } from '../kit/mounts';
import { PLAIN_DIRECTORY } from '../storage/kit/standIns';
import { storageOf } from '../storage/lookup';
import type { MetricRole } from '../storage/role';
import type { StandIn } from '../storage/standIn';
import { LabError } from './error';
import { foldersIn, makeFolder, removeFolder, removeFoldersIn } from './folders';
import { type ModelRequest, makeModels } from './model';
import { holdAll, releaseDisks } from './model/disks';
import { stopModels } from './model/machine';
import { detachLoops, unmountBelow } from './mounts';
import type { LabPaths } from './paths';
import type { OnProgress } from './progress';
import { type Environment, obstacleToStandIn, standInFolder, startStandIn, stopStandIns } from './standIns';
import type { LabStorage } from './state';

const GIB = 2 ** 30;
const DEFAULT_SIZE_GIB = 3;
/** Less can be made, but the plan's data would not fit. */
const MINIMUM_SIZE_GIB = 1;
/** Space to leave free on the disk with the images. */
const RESERVE_GIB = 2;

/** Options of `makeStorages`. */
export interface MakeStoragesOptions {
  readonly paths: LabPaths;
  readonly arms: readonly ArmDefinition[];
  /** Roles of the metrics that the benchmark is about: another stand-in may tell more of them. @default - none */
  readonly about?: readonly MetricRole[];
  /** Called with what will be created, before it is. */
  readonly record: (storages: readonly LabStorage[]) => Promise<void>;
  readonly onProgress?: OnProgress;
  /** Environment of the emulator's clients, for a stand-in that is one. @default - there is no emulator */
  readonly environment?: Environment;
  /** Size of each in GiB. @default 3 */
  readonly sizeGiB?: number;
  /** Use plain directories whatever can be had. @default false */
  readonly directories?: boolean;
  /** Scale model to build. Where it cannot be had, stand-ins without limits are made. @default - none */
  readonly model?: ModelRequest;
}

/**
 * Creates what stands in for each arm: the best that its storage knows and this machine can do.
 *
 * @returns the storages, and notices for readers of the results
 * @throws LabError if no arm gets any
 */
export async function makeStorages({
  paths,
  arms,
  about = [],
  record,
  onProgress = () => {},
  environment = {},
  sizeGiB = DEFAULT_SIZE_GIB,
  directories = false,
  model,
}: MakeStoragesOptions): Promise<{ storages: LabStorage[]; notices: string[] }> {
  const notices: string[] = [];
  const tell = (notice: string): void => {
    notices.push(notice);
    onProgress(notice, 'making the file systems');
  };
  if (model?.holds === 'servers' && !directories) {
    const made = await makeModels({ paths, model, record, onProgress });
    if (typeof made !== 'string') return { storages: made, notices };
    tell(`No scale model here, so nothing limits disks and links: ${made}.`);
    await removeStorages(paths);
  }
  if (directories) tell('No file systems on loop devices here: plain directories were requested.');
  const choices = arms.map(({ name, storage }): Choice => {
    const { label, lab } = storageOf(storage);
    return { arm: name, label, standIns: directories ? [PLAIN_DIRECTORY] : lab.standIns(storage, about) };
  });
  const size = sizeFor(paths, sizeGiB, arms.length, tell);
  const storages: LabStorage[] = [];
  // Arms with the same stand-ins fall back together.
  for (const together of Map.groupBy(choices, ({ standIns }) => standIns.map(({ name }) => name).join()).values()) {
    const recordAll = (more: readonly LabStorage[]) => record([...storages, ...more]);
    storages.push(...(await standInsFor({ paths, environment, together, size, recordAll, tell, onProgress })));
  }
  if (storages.length === 0)
    throw new LabError(`this machine has nothing to stand in for any arm: ${notices.join(' ')}`);
  const made = model?.holds === 'disks' ? await holdAll({ paths, storages, model, tell, onProgress }) : storages;
  if (made !== storages) await record(made);
  const plain = made.filter(({ kind }) => kind === PLAIN_DIRECTORY.name).map(({ arm }) => arm);
  if (plain.length > 1)
    tell(
      `${plain.join(' and ')} are plain directories on the same file system: nothing is compressed, so the arms should not differ.`,
    );
  for (const [actually, same] of Map.groupBy(made, (storage) => storage.actually))
    if (same.length > 1 && plain.length === 0) {
      const limits = same.some((one) => one.model) ? '' : ', without limits';
      tell(`${same.map(({ arm }) => arm).join(' and ')} are each ${actually}${limits}: the arms should not differ.`);
    }
  const order = arms.map(({ name }) => name);
  return { storages: made.sort((a, b) => order.indexOf(a.arm) - order.indexOf(b.arm)), notices };
}

/** Stand-ins for an arm, the best first. */
interface Choice {
  readonly arm: string;
  /** Label of its storage. */
  readonly label: string;
  readonly standIns: readonly StandIn[];
}

interface Together {
  readonly paths: LabPaths;
  readonly environment: Environment;
  readonly together: readonly Choice[];
  /** In GiB, found out once; `null` where there is no room. */
  readonly size: () => Promise<number | null>;
  readonly recordAll: (storages: readonly LabStorage[]) => Promise<void>;
  readonly tell: (notice: string) => void;
  readonly onProgress: OnProgress;
}

/** The first stand-ins that all of them can have; none, told with the reason, where there are none. */
async function standInsFor(options: Together): Promise<LabStorage[]> {
  const { paths, environment, together, size, recordAll, tell, onProgress } = options;
  const [{ standIns: ranks } = { standIns: [] }] = together;
  for (const [rank, { label, program }] of ranks.entries()) {
    const wanted = together.flatMap(({ arm, standIns }) => standIns.slice(rank, rank + 1).map((one) => ({ arm, one })));
    const obstacle = program === null ? null : await obstacleToStandIn(paths, program);
    if (obstacle !== null) {
      tell(`No ${label} here: ${obstacle}.`);
      continue;
    }
    const sizeGiB = program === null ? 0 : await size();
    if (sizeGiB === null) continue;
    const storages = wanted.map(({ arm, one }) => inPlace(paths, arm, one));
    await recordAll(storages);
    const made = await makeAll(paths, wanted, { environment, bytes: sizeGiB * GIB });
    if ('said' in made) {
      if (program !== null)
        onProgress(
          `${storages.map(({ arm }) => arm).join(', ')}: ${label}, ${sizeGiB} GiB each`,
          'setting up the file systems',
        );
      const named = storages.map((one) => {
        const said = made.said.get(one.arm) ?? '';
        return said === '' ? one : { ...one, actually: `${said}: ${one.actually}` };
      });
      if (named.some(({ actually }, index) => actually !== storages[index]?.actually)) await recordAll(named);
      return named;
    }
    tell(`${label} failed: ${made.failure}.`);
    await remove(
      paths,
      storages.map(({ arm }) => arm),
    );
  }
  for (const { arm, label } of together) tell(`${arm} is left out: nothing here can stand in for ${label}.`);
  return [];
}

function inPlace(paths: LabPaths, arm: string, standIn: StandIn): LabStorage {
  const { name, filesystem, actually, program, master } = standIn;
  const on = program === null ? ` on ${mountAbove(paths.root)?.type ?? 'unknown'}` : '';
  return {
    arm,
    kind: name,
    mountPoint: join(paths.mounts, arm),
    filesystem,
    actually: `${actually}${on}`,
    ...(master && { master }),
  };
}

/** Messages of the programs that made the stand-ins, by arm, or the first failure. */
async function makeAll(
  paths: LabPaths,
  wanted: readonly { readonly arm: string; readonly one: StandIn }[],
  options: { readonly bytes: number; readonly environment: Environment },
): Promise<{ readonly said: ReadonlyMap<string, string> } | { readonly failure: string }> {
  const said = new Map<string, string>();
  for (const { arm, one } of wanted) {
    const mountPoint = join(paths.mounts, arm);
    makeFolder(paths, mountPoint);
    if (one.program === null) continue;
    const started = await startStandIn(paths, one.program, { arm, mountPoint, ...options });
    if ('failure' in started) return started;
    if (!isMounted(paths, mountPoint)) return { failure: `nothing is mounted at ${mountPoint}` };
    said.set(arm, started.said);
    // Like a benchmark directory on Lustre, writable for the user who runs the driver; one whose mode the mount set cannot be changed.
    if (((await stat(mountPoint)).mode & 0o002) === 0) await chmod(mountPoint, 0o1777);
  }
  return { said };
}

const isMounted = ({ mounts }: LabPaths, path: string): boolean =>
  mountsBelow(mounts).some(({ mountPoint }) => mountPoint === path);

/**
 * Unmounts, detaches and removes everything that the lab made in its folders, whatever its state says of storages. Idempotent.
 *
 * @returns what could not be removed
 */
export async function removeStorages(paths: LabPaths): Promise<string[]> {
  const left = [...(await stopModels(paths)), ...(await release(paths))];
  if (left.length > 0) return left;
  for (const folder of [paths.standIns, paths.mounts]) left.push(...(await removeFoldersIn(paths, folder)));
  return left;
}

/** Removes the stand-ins of some arms. */
async function remove(paths: LabPaths, arms: readonly string[]): Promise<string[]> {
  const left = await release(paths, arms);
  if (left.length > 0) return left;
  for (const arm of arms)
    for (const folder of [standInFolder(paths, arm), join(paths.mounts, arm)])
      left.push(...(await removeFolder(paths, folder)));
  return left;
}

/** Ends what holds the folders of stand-ins. @param arms of all, by default */
async function release(paths: LabPaths, arms?: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  const programs = arms ?? foldersIn(paths, paths.standIns);
  // First the limits: what is still to be written would wait for them, and the next user of a device would inherit them.
  for (const arm of programs) left.push(...(await releaseDisks(paths, arm)));
  // Then the programs: what is mounted from a server that is gone does not let go.
  left.push(...(await stopStandIns(paths, programs)));
  const folders = arms === undefined ? [paths.standIns] : arms.map((arm) => standInFolder(paths, arm));
  const mounts = arms === undefined ? [paths.mounts] : arms.map((arm) => join(paths.mounts, arm));
  const used: string[] = [];
  for (const folder of [...mounts, ...folders]) used.push(...(await unmountBelow(folder)));
  // No use in waiting for a device that is mounted.
  if (used.length > 0) return [...left, ...used];
  for (const folder of folders) {
    const busy = await detachLoops(folder);
    left.push(...busy.map((device) => `${device} is still in use by another process`));
  }
  return left;
}

/** Size of each stand-in, computed on the first request; `null` where there is no room for all. */
function sizeFor(
  paths: LabPaths,
  wanted: number,
  count: number,
  tell: (notice: string) => void,
): () => Promise<number | null> {
  let found: Promise<number | null> | undefined;
  const find = async (): Promise<number | null> => {
    await mkdir(paths.lab, { recursive: true });
    const { bavail, bsize } = await statfs(paths.lab);
    const free = (bavail * bsize) / GIB - RESERVE_GIB;
    const size = Math.min(wanted, Math.floor(free / count));
    if (size < MINIMUM_SIZE_GIB) {
      tell(`No room for ${count} images of ${MINIMUM_SIZE_GIB} GiB: ${Math.max(0, Math.floor(free))} GiB may be used.`);
      return null;
    }
    if (size < wanted) tell(`The images hold ${size} GiB instead of ${wanted} GiB: the disk is nearly full.`);
    return size;
  };
  return () => {
    found ??= find();
    return found;
  };
}
