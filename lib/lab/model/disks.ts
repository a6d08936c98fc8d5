import { listed } from '../../common/format/text';
import type { StorageConfiguration } from '../../schema/deployment';
import type { ScaleModel } from '../../schema/model';
import { storageOf } from '../../storage/lookup';
import type { OnProgress } from '../error';
import { loopDevicesOf } from '../mounts';
import type { LabPaths } from '../paths';
import type { CommandResult } from '../processes';
import type { LabStorage } from '../state';
import { substituteFolder, substituteName } from '../substitutes';
import type { ModelRequest } from '.';
import {
  calibrated,
  type DiskLimits,
  type DiskRates,
  describeThrottled,
  failureOf,
  fewAtOnce,
  notAsAsked,
} from './calibration';
import { diskFiguresOf, type ModelFigures, modelOf, throttledBytesPerSecond } from './figures';
import { script } from './machine';

/** A mounted stand-in, and the limits wanted for its disks. */
interface ThrottledSubstitute {
  readonly arm: string;
  readonly configuration: StorageConfiguration;
  /** Number of copies that its disks store of what is written. */
  readonly copies: number;
  readonly scale: number;
}

/** Applies limits to the storages' disks: to all whose speed is documented or, with a reason, to none. @param tell called with what readers must know */
export async function holdAll(
  paths: LabPaths,
  storages: readonly LabStorage[],
  model: ModelRequest,
  tell: (notice: string) => void,
  onProgress: OnProgress,
): Promise<LabStorage[]> {
  const obstacle = await reasonNotThrottled(paths);
  const refused = async (why: string): Promise<LabStorage[]> => {
    tell(`No scale model here, so disks are not throttled: ${why}.`);
    for (const { arm } of storages) await releaseDisks(paths, arm);
    return [...storages];
  };
  if (obstacle !== null) return refused(obstacle);
  onProgress(`throttling the disks to 1:${model.scale} of their documented speed, and measuring them`);
  const held = await fewAtOnce(storages, (storage) => holdDisks(paths, asked(storage, model)));
  const failure = held.find((each) => typeof each === 'string');
  if (failure !== undefined) return refused(failure as string);
  const made = storages.map((storage, index) => {
    const one = (held[index] ?? null) as ScaleModel | null;
    if (one === null) return storage;
    onProgress(`${storage.arm}: ${describeThrottled(one)}`, 'setting up the client');
    return {
      ...storage,
      actually: `${storage.actually}, throttled: a 1:${one.scale} model of ${one.stands}`,
      model: one,
    };
  });
  const without = made.flatMap(({ arm, model: one }) => (one === undefined ? [arm] : []));
  if (without.length > 0) tell(`No limit applies to ${listed(without)}: no disk speed is documented.`);
  return made;
}

function asked({ arm, kind }: LabStorage, { scale, arms }: ModelRequest): ThrottledSubstitute {
  const configuration = arms.find(({ name }) => name === arm)?.storage;
  if (configuration === undefined) throw new Error(`no limit is to be applied to ${arm}`);
  const substitute = storageOf(configuration)
    .substitutes(configuration, [])
    .find(({ name }) => name === kind);
  return { arm, configuration, copies: substitute?.servers?.copies ?? 1, scale };
}

/** Why the disks of stand-ins cannot be held here, or `null`. */
async function reasonNotThrottled(paths: LabPaths): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may throttle disks';
  return failureOf('hold-disks', await act(paths, 'check', 'check'));
}

/** Throttles disks to the documented speed ÷ scale, and calibrates them. @returns the limits; `null` without disks or documented speeds; or why it failed */
async function holdDisks(paths: LabPaths, substitute: ThrottledSubstitute): Promise<ScaleModel | string | null> {
  const { arm, configuration, copies, scale } = substitute;
  const disks = (await loopDevicesOf(substituteFolder(paths, arm))).length;
  const figures = diskFiguresOf(configuration, scale);
  if (disks === 0 || figures === null) return null;
  const each = (name: 'disk_write' | 'disk_read', times: number): number =>
    Math.round((throttledBytesPerSecond(figures, name) * times) / disks);
  const rates = { write: each('disk_write', copies), read: each('disk_read', 1) };
  const variables = {
    MODEL_DISK_WRITE_BPS: String(rates.write),
    MODEL_DISK_READ_BPS: String(rates.read),
    MODEL_DIRTY_BYTES: String(Math.round((figures.dirtyBytes * copies) / disks)),
  };
  const done = await act(paths, arm, 'hold', variables);
  const failure = failureOf('hold-disks', done);
  if (failure !== null) return failure;
  const inForce = JSON.parse(done.stdout) as DiskLimits;
  const { diskWriteBytesPerSecond: write, diskReadBytesPerSecond: read } = inForce;
  if (write !== rates.write * disks) return notAsAsked(arm, 'disk_write', rates.write * disks, write);
  if (read !== rates.read * disks) return notAsAsked(arm, 'disk_read', rates.read * disks, read);
  return calibrated(arm, async () => {
    const found = await act(paths, arm, 'calibrate', variables);
    return (
      failureOf('hold-disks', found) ?? modelled(substitute, figures, inForce, JSON.parse(found.stdout) as DiskRates)
    );
  });
}

/** Takes the limits away, as far as there are any. @returns why they stay */
export async function releaseDisks(paths: LabPaths, arm: string): Promise<string[]> {
  const failure = failureOf('hold-disks', await act(paths, arm, 'release'));
  return failure === null ? [] : [`the limits of ${arm}: ${failure}`];
}

/** The model as clients see it: they write once what is stored several times. */
function modelled(
  { configuration, copies, scale }: ThrottledSubstitute,
  { held, free }: ModelFigures,
  set: DiskLimits,
  found: DiskRates,
): ScaleModel {
  const seen = ({ diskWriteBytesPerSecond, diskReadBytesPerSecond }: DiskRates, name: string): number =>
    (name === 'disk_write' ? diskWriteBytesPerSecond / copies : diskReadBytesPerSecond) / 1e6;
  return {
    ...modelOf(configuration, scale),
    held: held.map((figure) => ({
      ...figure,
      setMBps: seen(set, figure.name),
      measuredMBps: seen(found, figure.name),
    })),
    dirtyBytes: set.dirtyBytes,
    free: [...free],
  };
}

function act(
  paths: LabPaths,
  arm: string,
  action: 'check' | 'hold' | 'calibrate' | 'release',
  variables: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const own = { MODEL_NAME: substituteName(paths, arm), MODEL_FOLDER: substituteFolder(paths, arm) };
  return script(paths, 'hold-disks', { ...own, ...variables }, [action]);
}
