import type { ArmDefinition } from '../benchmark/benchmark';
import { listed } from '../common/format/strings';
import { PLAIN_DIRECTORY } from '../storage/common/standIns';
import { storageOf } from '../storage/lookup';
import type { MetricRole } from '../storage/role';
import { LabError } from './error';
import { freeGib } from './folders';
import { type ModelRequest, makeModels } from './model';
import { holdAll } from './model/disks';
import type { LabPaths } from './paths';
import type { OnProgress } from './progress';
import { removeStorages } from './removeStorages';
import { type Choice, StandInMaker } from './standInMaker';
import type { Environment } from './standIns';
import type { LabStorage } from './state';

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
  /** Use plain directories even if something better can be had. @default false */
  readonly directories?: boolean;
  /** Scale model to build. Where it cannot be had, stand-ins without limits are made. @default - none */
  readonly model?: ModelRequest;
}

/**
 * Creates the stand-in of each arm: the best that its storage knows and this machine can have.
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
  let sizeOfEach: number | undefined;
  const size = (): number => {
    sizeOfEach ??= sizeFor(paths, sizeGiB, arms.length, tell);
    return sizeOfEach;
  };
  const maker = new StandInMaker({ paths, environment, size, record, tell, onProgress });
  // Arms with the same stand-ins fall back together.
  for (const alike of Map.groupBy(choices, ({ standIns }) => standIns.map(({ name }) => name).join()).values())
    await maker.add(alike);
  if (maker.made.length === 0)
    throw new LabError(`this machine has nothing to stand in for any arm: ${notices.join(' ')}`);
  let storages = maker.made;
  if (model?.holds === 'disks') {
    storages = await holdAll({ paths, storages, model, tell, onProgress });
    await record(storages);
  }
  for (const notice of equalArms(storages)) tell(notice);
  const order = arms.map(({ name }) => name);
  return { storages: storages.sort((a, b) => order.indexOf(a.arm) - order.indexOf(b.arm)), notices };
}

/** Notices about arms that should not differ, since the same stands in for them. */
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

/** GiB of each stand-in; 0 where there is no room for all. */
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
