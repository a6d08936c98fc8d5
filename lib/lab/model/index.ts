import { join } from 'node:path';
import type { ArmDefinition, BenchmarkLab } from '../../benchmark/benchmark';
import type { modelledIn } from '../../benchmark/lab';
import type { StorageConfiguration } from '../../schema/deployment';
import { storageOf } from '../../storage/lookup';
import type { OnProgress } from '../error';
import { freeGib, GIB, type LabPaths } from '../paths';
import type { LabStorage } from '../state';
import { describeThrottled, fewAtOnce } from './calibration';
import { figuresOf, modelOf } from './figures';
import { type ModelStorage, modelFolder, reasonNotModelled, startModel } from './machine';

/** Mount options of the servers' Btrfs: those of the stand-in without throttled rates. */
function btrfsOptionsOf(configuration: StorageConfiguration): string {
  const substitutes = storageOf(configuration).substitutes(configuration, []);
  const options = substitutes.find(({ filesystem }) => filesystem === 'btrfs')?.program?.variables.LOOP_OPTIONS;
  if (options === undefined) throw new Error(`nothing on Btrfs can replace ${storageOf(configuration).label}`);
  return options;
}

export interface ModelRequest {
  /** 100: everything is throttled to a hundredth. */
  readonly scale: number;
  readonly holds: ReturnType<typeof modelledIn>;
  /** Disk of the servers, where their storage documents none. */
  readonly disk?: BenchmarkLab['disk'];
  /** Clients with their own link, and the instance type that each stands for. @default - none has */
  readonly clients?: { readonly count: number; readonly instanceType: string };
  readonly arms: readonly ArmDefinition[];
}

/** Kind of its storages in the lab's state; no stand-in has this name. */
const MODEL_KIND = 'scale-model';

export const isServedByModel = ({ kind }: Pick<LabStorage, 'kind'>): boolean => kind === MODEL_KIND;

/** Size of each server's disk: the data of a run several times over, since MooseFS frees removed data only minutes later. */
const DISK_GIB = 8;
/** Space that stays free on the disk that holds the images. */
const RESERVE_GIB = 4;

/** Makes the calibrated storages of a scale model, or says why not; those made so far remain. @param record called before any is made, and with the limits */
export async function makeModels(
  paths: LabPaths,
  model: ModelRequest,
  record: (storages: readonly LabStorage[]) => Promise<void>,
  onProgress: OnProgress,
): Promise<LabStorage[] | string> {
  const obstacle = await reasonNotModelled(paths);
  if (obstacle !== null) return obstacle;
  const free = freeGib(paths, RESERVE_GIB);
  if (free < DISK_GIB * model.arms.length)
    return `the servers' disks need ${DISK_GIB * model.arms.length} GiB, and ${free} GiB may be used`;
  const wanted = model.arms.map(
    ({ name: arm, storage: configuration }): ModelStorage => ({
      arm,
      mountPoint: join(paths.mounts, arm),
      image: join(modelFolder(paths, arm), 'disk.img'),
      imageBytes: DISK_GIB * GIB,
      mountOptions: btrfsOptionsOf(configuration),
      figures: figuresOf(configuration, model.scale, { disk: model.disk, clients: model.clients?.instanceType }),
      clients: model.clients?.count ?? 0,
      stands: modelOf(configuration, model.scale).stands,
    }),
  );
  const storages = wanted.map(
    ({ arm, mountPoint, mountOptions, stands }): LabStorage => ({
      arm,
      kind: MODEL_KIND,
      mountPoint,
      filesystem: 'served-from-btrfs',
      actually: `MooseFS over a throttled link, with Btrfs ${mountOptions.split(',')[1]} on a throttled disk: a 1:${model.scale} model of ${stands}`,
    }),
  );
  await record(storages);
  onProgress(`bringing up the scale model, 1:${model.scale}, and measuring its disks and links`);
  const started = await fewAtOnce(wanted, (storage) => startModel(paths, storage));
  const failure = started.find((each) => typeof each === 'string');
  if (failure !== undefined) return failure as string;
  const made = storages.map((storage, index) => ({ ...storage, model: started[index] as LabStorage['model'] }));
  await record(made);
  for (const { arm, model: held } of made)
    if (held) onProgress(`${arm}: ${describeThrottled(held)}`, 'setting up the client');
  return made;
}
