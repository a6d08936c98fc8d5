import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { assignments } from '../../common/format/text';
import { HELD_WITHIN, type ScaleModel, type ThrottledFigure, type ThrottledMetadata } from '../../schema/model';
import { foldersIn, type LabPaths, labPrefix, makeFolder, removeFoldersIn } from '../paths';
import { type CommandResult, runCommand, runScript } from '../processes';
import { substituteName } from '../substitutes';
import { CALIBRATIONS, calibrated, type DiskLimits, type DiskRates, failureOf, notAsAsked } from './calibration';
import { type ModelFigures, throttledBytesPerSecond, UNCOUNTED } from './figures';

/** Result of assets/lab/model/hold-metadata. */
type Found = Pick<ThrottledMetadata, 'writesPerCreate' | 'writesPerSecond'> & { readonly createsPerSecond: number };

/** Throttles a metadata server's disk to its figure's writes, and checks it. @returns the limits in force, `null` without one, or why they are not */
export async function holdMetadata(
  arm: string,
  figures: ModelFigures['metadata'],
  script: (name: string, variables: Readonly<Record<string, string>>) => Promise<CommandResult>,
): Promise<ThrottledMetadata | string | null> {
  if (figures === null) return null;
  const { setCreatesPerSecond: set } = figures;
  let best = 0;
  for (let attempt = 1; ; attempt++) {
    const done = await script('hold-metadata', { MODEL_CREATES_PER_SECOND: String(set) });
    const failure = failureOf('hold-metadata', done);
    if (failure !== null) return failure;
    const { writesPerCreate, writesPerSecond, createsPerSecond } = JSON.parse(done.stdout) as Found;
    // Other work can only slow it down: the highest of several rates is what the limit lets through.
    best = Math.max(best, createsPerSecond);
    if (Math.abs(best / set - 1) <= HELD_WITHIN)
      return { ...figures, measuredCreatesPerSecond: best, writesPerCreate, writesPerSecond };
    if (attempt === CALIBRATIONS)
      return `creates on ${arm} are limited to ${set.toFixed(1)} per second and came to ${best.toFixed(1)} in ${CALIBRATIONS} calibrations, more than ${HELD_WITHIN * 100} % off: this computer is too busy or too slow for this scale`;
  }
}

/** The log of a metadata server, which takes a hundred bytes for a file, and its tables once an hour; the image takes room as it is filled. */
const METADATA_DISK_BYTES = 2 ** 30;

export interface ModelStorage {
  readonly arm: string;
  readonly mountPoint: string;
  readonly image: string;
  readonly imageBytes: number;
  readonly mountOptions: string;
  readonly figures: ModelFigures;
  /** Number of clients with their own link, which is throttled where the figures say so. */
  readonly clients: number;
  readonly stands: string;
}

/** Why this computer cannot hold a model, or `null`. */
export async function reasonNotModelled(paths: LabPaths): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root may limit disks and links';
  return failureOf('check', await script(paths, 'check', {}));
}

/** Brings one storage up and calibrates it. @returns the model in force, or why it failed; storages made so far remain for {@link stopModels} */
export async function startModel(paths: LabPaths, storage: ModelStorage): Promise<ScaleModel | string> {
  const { arm, mountPoint, image, imageBytes, mountOptions, figures, clients, stands } = storage;
  const rates = {
    MODEL_DISK_READ_BPS: String(throttledBytesPerSecond(figures, 'disk_read')),
    MODEL_DISK_WRITE_BPS: String(throttledBytesPerSecond(figures, 'disk_write')),
    MODEL_NETWORK_BPS: String(throttledBytesPerSecond(figures, 'network_write')),
    MODEL_CLIENTS: String(clients),
    MODEL_CLIENT_BPS: String(clients === 0 ? 0 : throttledBytesPerSecond(figures, 'client_write')),
  };
  const own = environmentOf(paths, arm, mountPoint);
  for (const folder of [own.MODEL_FOLDER, mountPoint]) makeFolder(paths, folder);
  const up = await script(paths, 'up', {
    ...own,
    ...rates,
    MODEL_IMAGE: image,
    MODEL_IMAGE_BYTES: String(imageBytes),
    MODEL_BTRFS_OPTIONS: mountOptions,
    MODEL_DIRTY_BYTES: String(figures.dirtyBytes),
    MODEL_METADATA_BYTES: String(figures.metadata === null ? 0 : METADATA_DISK_BYTES),
  });
  const failure = failureOf('up', up);
  if (failure !== null) return failure;
  const inForce = JSON.parse(up.stdout) as InForce;
  const wrong = figures.held.find(({ name }) => setBytes(inForce, name) !== throttledBytesPerSecond(figures, name));
  if (wrong !== undefined)
    return notAsAsked(arm, wrong.name, throttledBytesPerSecond(figures, wrong.name), setBytes(inForce, wrong.name));
  const model = await calibrated(arm, async () => {
    const done = await script(paths, 'calibrate', { ...own, ...rates });
    return failureOf('calibrate', done) ?? measured(figures, stands, inForce, JSON.parse(done.stdout) as Calibration);
  });
  if (typeof model === 'string') return model;
  const metadata = await holdMetadata(arm, figures.metadata, (name, more) => script(paths, name, { ...own, ...more }));
  return metadata === null || typeof metadata === 'string' ? (metadata ?? model) : { ...model, metadata };
}

/** Takes every model of the lab away, recorded or not. @returns what does not go */
export async function stopModels(paths: LabPaths): Promise<string[]> {
  const names = await namespacesOfModels(paths);
  const found = names.map((name) => name.slice(labPrefix(paths).length + 1).replace(/-(server|client|n\d+)$/, ''));
  const ended = [...new Set([...foldersIn(paths, paths.models), ...found])].map(async (arm) => {
    const down = await script(paths, 'down', environmentOf(paths, arm, join(paths.mounts, arm)));
    const failure = failureOf('down', down);
    return failure === null ? [] : [`the model of ${arm}: ${failure}`];
  });
  const left = (await Promise.all(ended)).flat();
  return left.length > 0 ? left : removeFoldersIn(paths, paths.models);
}

export async function namespacesOfModels(paths: LabPaths): Promise<string[]> {
  const names = await readdir('/run/netns').catch(() => []);
  return names.filter((name) => name.startsWith(`${labPrefix(paths)}-`));
}

/** A script of assets/lab/model as a command for one arm. */
const commandOf = (paths: LabPaths, name: string, arm: string, mountPoint?: string): string[] => [
  'env',
  ...assignments(environmentOf(paths, arm, mountPoint)),
  join(paths.root, 'assets', 'lab', 'model', name),
];

/** Command by which the driver reads the space that data take on the servers' disk; it is given a directory. */
export const spaceCommand = (paths: LabPaths, arm: string): string[] => commandOf(paths, 'space', arm);

/** Command by which the driver works on the servers, and the meaning of their processor time. */
export const serversOf = (paths: LabPaths, arm: string) => ({
  command: commandOf(paths, 'server', arm),
  cpu: 'MooseFS’s servers of the arm and of the kernel’s unbound workers, which compress for Btrfs and write to loop devices; those of other file systems on this computer are also counted',
});

/** Command that mounts a storage of the model through the link of one client. */
export const clientMountOf = (paths: LabPaths, arm: string, mountPoint: string): string[] =>
  commandOf(paths, 'mount-client', arm, mountPoint);

/** Location of the counters of an arm's servers, which count only the servers' work, not the client's. */
export interface ModelServers {
  /** Mount point of their disk. */
  readonly disk: string;
  /** Mount point of the metadata server's own disk, if it has one. */
  readonly metadata: string;
  /** The metadata server's address in that namespace. */
  readonly address: string;
  readonly namespace: string;
}

export function modelServers(paths: LabPaths, arm: string): ModelServers {
  const { MODEL_NAME: name, MODEL_FOLDER: folder } = environmentOf(paths, arm);
  return { disk: join(folder, 'disk'), metadata: join(folder, 'master'), namespace: `${name}-server`, address: SERVER };
}

export const substituteServers = (
  paths: LabPaths,
  arm: string,
  { mountPoint, master }: { readonly mountPoint: string; readonly master: string },
): ModelServers => ({ disk: mountPoint, metadata: mountPoint, namespace: substituteName(paths, arm), address: master });

/** Bytes that have come over a storage's link since it was made, as its servers' interface counts them; `null` if it is gone. */
export async function linkCounters({ namespace }: ModelServers): Promise<LinkCounters | null> {
  const words = ['-n', namespace, '-json', '-statistics', 'link', 'show', 'dev', LINK];
  const { code, stdout } = await runCommand('ip', words);
  if (code !== 0) return null;
  const [{ stats64 } = {}] = JSON.parse(stdout) as { stats64?: Record<'rx' | 'tx', { bytes: number }> }[];
  return stats64 === undefined ? null : { received: stats64.rx.bytes, sent: stats64.tx.bytes };
}

/** With the headers of the protocols: about a percent more than the data. */
export interface LinkCounters {
  readonly received: number;
  readonly sent: number;
}

/** The servers' end of the link, as assets/lab/model/up names it, and its address. */
const [LINK, SERVER] = ['data', '198.18.0.1'];

export const modelFolder = (paths: LabPaths, arm: string): string => join(paths.models, arm);

interface InForce extends DiskLimits {
  readonly networkBytesPerSecond: number;
  /** Rate of each client; 0 without clients that have their own link. */
  readonly clientBytesPerSecond: number;
}

interface Calibration extends DiskRates {
  readonly networkWriteBytesPerSecond: number;
  readonly networkReadBytesPerSecond: number;
  readonly clientsWriteBytesPerSecond: readonly number[];
  readonly clientsReadBytesPerSecond: readonly number[];
}

const setBytes = (set: InForce, name: ThrottledFigure['name']): number =>
  ({
    disk_write: set.diskWriteBytesPerSecond,
    disk_read: set.diskReadBytesPerSecond,
    network_write: set.networkBytesPerSecond,
    network_read: set.networkBytesPerSecond,
    client_write: set.clientBytesPerSecond,
    client_read: set.clientBytesPerSecond,
  })[name];

function measured(figures: ModelFigures, stands: string, set: InForce, found: Calibration): ScaleModel {
  const rates = {
    disk_write: found.diskWriteBytesPerSecond,
    disk_read: found.diskReadBytesPerSecond,
    network_write: found.networkWriteBytesPerSecond,
    network_read: found.networkReadBytesPerSecond,
    client_write: furthest(found.clientsWriteBytesPerSecond, set.clientBytesPerSecond),
    client_read: furthest(found.clientsReadBytesPerSecond, set.clientBytesPerSecond),
  };
  return {
    scale: figures.scale,
    stands,
    held: figures.held.map((figure) => ({
      ...figure,
      setMBps: setBytes(set, figure.name) / 1e6,
      measuredMBps: rates[figure.name] / 1e6,
    })),
    dirtyBytes: set.dirtyBytes,
    free: [...figures.free],
    uncounted: UNCOUNTED,
  };
}

const furthest = (rates: readonly number[], wanted: number): number =>
  rates.reduce((worst, rate) => (Math.abs(rate - wanted) > Math.abs(worst - wanted) ? rate : worst), wanted);

/** Variables of the model's scripts; those that mount want a mount point. */
const environmentOf = (paths: LabPaths, arm: string, mountPoint?: string) => ({
  MODEL_NAME: `${labPrefix(paths)}-${basename(arm)}`,
  MODEL_FOLDER: modelFolder(paths, arm),
  MODEL_MOUNT: mountPoint,
});

export function script(
  paths: LabPaths,
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  words: readonly string[] = [],
): Promise<CommandResult> {
  return runScript(paths, `lab/model/${name}`, variables, words);
}
