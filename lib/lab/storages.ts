import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArmDefinition } from '../benchmark/benchmark';
import { listed } from '../common/format/text';
import { mountAbove, mountsBelow } from '../common/mounts';
import { PLAIN_DIRECTORY } from '../storage/common/substitutes';
import { storageOf } from '../storage/lookup';
import type { MetricRole, Substitute } from '../storage/storage';
import { LabError, type OnProgress } from './error';
import { type ModelRequest, makeModels } from './model';
import { holdAll } from './model/disks';
import { freeGib, GIB, type LabPaths, makeFolder } from './paths';
import { removeStorages, removeSubstitutes } from './removeStorages';
import type { LabStorage } from './state';
import { type Environment, reasonNoSubstitute, startSubstitute } from './substitutes';

interface Choice {
  readonly arm: string;
  readonly label: string;
  readonly substitutes: readonly Substitute[];
}

interface Wanted {
  readonly arm: string;
  readonly substitute: Substitute;
}

type SubstituteOptions = Required<Pick<MakeStoragesOptions, 'paths' | 'environment' | 'record' | 'onProgress'>> & {
  /** Size of each in GiB; 0 without enough space. */
  readonly size: () => number;
  readonly tell: (notice: string) => void;
};

/** Makes the best substitutes that all of these arms can have, since they share the same list; reports the reason if it fails. */
async function makeBest(choices: readonly Choice[], options: SubstituteOptions): Promise<LabStorage[]> {
  for (const rank of choices[0]?.substitutes.keys() ?? []) {
    const wanted = choices.map(({ arm, substitutes }) => ({ arm, substitute: substitutes[rank] as Substitute }));
    const made = await makeAll(wanted, options);
    if (made !== null) return made;
  }
  for (const { arm, label } of choices) options.tell(`${arm} is left out: nothing here can stand in for ${label}.`);
  return [];
}

/** Makes a substitute for each of these arms; `null` if it cannot, with the reason reported. */
async function makeAll(wanted: readonly Wanted[], options: SubstituteOptions): Promise<LabStorage[] | null> {
  const { paths, size, record, tell, onProgress } = options;
  const { label, program } = (wanted[0] as Wanted).substitute;
  const obstacle = program === null ? null : await reasonNoSubstitute(paths, program);
  if (obstacle !== null) {
    tell(`No ${label} here: ${obstacle}.`);
    return null;
  }
  const sizeGiB = program === null ? 0 : size();
  if (program !== null && sizeGiB === 0) return null;
  const planned = wanted.map((one) => inPlace(paths, one));
  await record(planned);
  const arms = wanted.map(({ arm }) => arm);
  const started = await startAll(wanted, sizeGiB * GIB, options);
  if ('failure' in started) {
    const left = await removeSubstitutes(paths, arms);
    tell(`${[`${label} failed: ${started.failure}`, ...left].join('; ')}.`);
    return null;
  }
  if (program !== null) onProgress(`${arms.join(', ')}: ${label}, ${sizeGiB} GiB each`, 'setting up the file systems');
  const made = planned.map((one) => {
    const said = started.said.get(one.arm) ?? '';
    return said === '' ? one : { ...one, actually: `${said}: ${one.actually}` };
  });
  if (made.some((one, index) => one !== planned[index])) await record(made);
  return made;
}

function inPlace(paths: LabPaths, { arm, substitute }: Wanted): LabStorage {
  const { name, filesystem, actually, program, servers } = substitute;
  const on = program === null ? ` on ${mountAbove(paths.root)?.type ?? 'unknown'}` : '';
  const mountPoint = join(paths.mounts, arm);
  return { arm, kind: name, mountPoint, filesystem, actually: `${actually}${on}`, master: servers?.master };
}

async function startAll(wanted: readonly Wanted[], bytes: number, { paths, environment }: SubstituteOptions) {
  const said = new Map<string, string>();
  for (const { arm, substitute } of wanted) {
    const mountPoint = join(paths.mounts, arm);
    makeFolder(paths, mountPoint);
    if (substitute.program === null) continue;
    const started = await startSubstitute(paths, substitute.program, arm, bytes, await environment());
    if ('failure' in started) return started;
    if (!mountsBelow(paths.mounts).some((mount) => mount.mountPoint === mountPoint))
      return { failure: `nothing is mounted at ${mountPoint}` };
    said.set(arm, started.said);
    // Like a benchmark directory on Lustre, writable for the user who runs the driver; one whose mode the mount set cannot be changed.
    if (((await stat(mountPoint)).mode & 0o002) === 0) await chmod(mountPoint, 0o1777);
  }
  return { said };
}

const DEFAULT_SIZE_GIB = 3;
/** Less can be made, but the plan's data would not fit. */
const MINIMUM_SIZE_GIB = 1;
/** Space to leave free on the disk with the images. */
const RESERVE_GIB = 2;

export interface MakeStoragesOptions {
  readonly paths: LabPaths;
  readonly arms: readonly ArmDefinition[];
  /** Roles of the benchmark's main metrics: another substitute may provide more of them. @default - none */
  readonly about?: readonly MetricRole[];
  /** Called with what will be created, before it is. */
  readonly record: (storages: readonly LabStorage[]) => Promise<void>;
  readonly onProgress?: OnProgress;
  /** Environment of the emulator's clients, for a stand-in that is one. @default - there is no emulator */
  readonly environment?: () => Promise<Environment>;
  /** Size of each in GiB. @default 3 */
  readonly sizeGiB?: number;
  /** Use plain directories even if something better can be had. @default false */
  readonly directories?: boolean;
  /** Scale model to build. If it cannot be built, substitutes without limits are made. @default - none */
  readonly model?: ModelRequest;
}

/** Creates each arm's stand-in: the best that its storage has and this computer supports, with notices for readers. @throws LabError if no arm gets any */
export async function makeStorages(asked: MakeStoragesOptions): Promise<{ storages: LabStorage[]; notices: string[] }> {
  const { paths, arms, about = [], record, onProgress = () => {}, directories = false, model } = asked;
  const { environment = async () => ({}), sizeGiB = DEFAULT_SIZE_GIB } = asked;
  const notices: string[] = [];
  const tell = (notice: string): void => {
    notices.push(notice);
    onProgress(notice, 'making the file systems');
  };
  if (model?.holds === 'servers' && !directories) {
    const made = await makeModels(paths, model, record, onProgress);
    if (typeof made !== 'string') return { storages: made, notices };
    tell(`No scale model here, so nothing limits disks and links: ${made}.`);
    await removeStorages(paths);
  }
  if (directories) tell('No file systems on loop devices here: plain directories were requested.');
  const choices = arms.map(({ name, storage }): Choice => {
    const { label, substitutes } = storageOf(storage);
    return { arm: name, label, substitutes: directories ? [PLAIN_DIRECTORY] : substitutes(storage, about) };
  });
  let sizeOfEach: number | undefined;
  const size = (): number => (sizeOfEach ??= sizeFor(paths, sizeGiB, arms.length, tell));
  let storages: LabStorage[] = [];
  const recordMore = (more: readonly LabStorage[]) => record([...storages, ...more]);
  const options = { paths, environment, size, record: recordMore, tell, onProgress };
  // Arms with the same stand-ins fall back together.
  for (const alike of Map.groupBy(choices, ({ substitutes }) => substitutes.map(({ name }) => name).join()).values())
    storages.push(...(await makeBest(alike, options)));
  if (storages.length === 0)
    throw new LabError(`this computer has nothing to stand in for any arm: ${notices.join(' ')}`);
  if (model?.holds === 'disks') {
    storages = await holdAll(paths, storages, model, tell, onProgress);
    await record(storages);
  }
  for (const notice of equalArms(storages)) tell(notice);
  const order = arms.map(({ name }) => name);
  return { storages: storages.sort((a, b) => order.indexOf(a.arm) - order.indexOf(b.arm)), notices };
}

function equalArms(storages: readonly LabStorage[]): string[] {
  const plain = storages.filter(({ kind }) => kind === PLAIN_DIRECTORY.name).map(({ arm }) => arm);
  if (plain.length > 1)
    return [
      `${listed(plain)} are plain directories on the same file system: nothing is compressed, so the arms should not differ.`,
    ];
  if (plain.length > 0) return [];
  return [...Map.groupBy(storages, ({ actually }) => actually)].flatMap(([actually, same]) => {
    if (same.length < 2) return [];
    const limits = same.some(({ model }) => model) ? '' : ', without limits';
    return `${listed(same.map(({ arm }) => arm))} are each ${actually}${limits}: the arms should not differ.`;
  });
}

/** GiB of each substitute; 0 without enough space for all. */
function sizeFor(paths: LabPaths, wanted: number, count: number, tell: (notice: string) => void): number {
  const free = freeGib(paths, RESERVE_GIB);
  const size = Math.min(wanted, Math.floor(free / count));
  if (size < MINIMUM_SIZE_GIB) {
    tell(`No room for ${count} images of ${MINIMUM_SIZE_GIB} GiB: ${free} GiB may be used.`);
    return 0;
  }
  if (size < wanted) tell(`The images hold ${size} GiB instead of ${wanted} GiB: the disk is nearly full.`);
  return size;
}
