import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstOf } from '../kit/format/strings';
import { mountsBelow } from '../kit/mounts';
import { isRunning, type ProcessStat } from '../kit/processIdentity';
import type { ClientConfig } from '../schema/client';
import { limitsOfModel, MODEL_LIMITS, type ModelLimits, type ScaleModel } from '../schema/model';
import { PLAIN_DIRECTORY } from '../storage/kit/standIns';
import { writeClient } from './client';
import { answers, emulatorEnvironment, startEmulator } from './emulator';
import { LabError } from './error';
import { removeFolder } from './folders';
import { modelOf } from './model/figures';
import { clientMountOf, namespacesOfModels } from './model/machine';
import { loopDevicesOf } from './mounts';
import { type LabPaths, labPaths } from './paths';
import { allProcesses, describeProcess, endProcesses, processesOfLab } from './processes';
import { removeStorages } from './removeStorages';
import { checkSlurm, type SlurmRequest, startSlurm } from './slurm';
import { type LabState, type LabStorage, newState, readState, removeState, requireOwn, writeState } from './state';
import { type MakeStoragesOptions, makeStorages } from './storages';
import { ensureVenv } from './venv';

/** Options of `labUp`. */
export interface LabUpOptions extends Omit<MakeStoragesOptions, 'paths' | 'record' | 'environment'> {
  /** The project's folder. */
  readonly root: string;
  /** Refuse a running lab that holds something else. @default false */
  readonly insists?: boolean;
  /** A Slurm that starts the driver and its processes. @default - they are started on this machine as it is */
  readonly slurm?: SlurmRequest;
  /** For other benchmarks, the arms that the storages stand in for, in the storages' order. @default - none */
  readonly aliases?: readonly (readonly string[])[];
  /** Ends the start before its next step. @default - nothing does */
  readonly signal?: AbortSignal;
}

/** A running lab. */
export interface Lab {
  readonly paths: LabPaths;
  readonly endpoint: string;
  /** Environment that points child processes and SDK clients to the emulator. */
  readonly environment: NodeJS.ProcessEnv;
  readonly storages: readonly LabStorage[];
  readonly client: ClientConfig;
  /** Notices for readers of the results. */
  readonly notices: readonly string[];
}

/** The state of the lab, for `lab` and `doctor`. */
export interface LabStatus {
  /** `up`: everything recorded exists and answers. `broken`: something is left over; `lab down` cleans it up. */
  readonly state: 'up' | 'down' | 'broken';
  readonly endpoint: string | null;
  readonly storages: readonly LabStorage[];
  /** Problems found. */
  readonly problems: readonly string[];
}

/** Number of checks by `labDown`: a program that the lab had just started may finish its work after the first check. */
const SWEEPS = 4;
const BETWEEN_SWEEPS_MS = 150;
/** Timeout for work that was given up: it ends at its next step, once the command that it waits for is killed. */
const SETTLE_MS = 10_000;
/** Grace of a driver, which ends its tools and uploads what it measured. */
const DRIVER_GRACE_MS = 15_000;

/**
 * Starts the lab: Python, the emulator, a file system for each arm, this machine as the client.
 *
 * Reuses a running lab. Removes the leftovers of an interrupted one first.
 */
export async function labUp(options: LabUpOptions): Promise<Lab> {
  const { root, onProgress = () => {}, model, insists = false, slurm, aliases = [], signal } = options;
  const paths = labPaths(root);
  const status = await labStatus(root);
  if (status.state === 'up') {
    const held = heldBy(status.storages.flatMap((storage) => storage.model ?? []));
    const asked = heldBy(model?.arms.map(({ storage }) => modelOf(storage, model.scale)) ?? []);
    if (insists && held !== asked)
      throw new LabError(
        `'--model' and '--scale' must be those of the lab that is up, ${held}, got ${asked}: leave them out, or stop it first with npx fsxbench lab down`,
      );
    onProgress(`the lab is already up, with ${held}`, 'setting up the client');
    return resume(paths, aliases);
  }
  if (status.state === 'broken') {
    onProgress('removing the leftovers of an earlier lab');
    await labDown(root);
  }
  if (slurm !== undefined) await checkSlurm(paths);
  const python = await ensureVenv(root, onProgress);
  let state = newState();
  const record = async (change: Partial<LabState>) => {
    signal?.throwIfAborted();
    state = { ...state, ...change };
    await writeState(paths, state);
  };
  await record({});
  try {
    const emulator = await startEmulator({ paths, python, record: (started) => record({ emulator: started }) });
    onProgress(`the AWS emulator answers at ${emulator.endpoint}`, 'making the file systems');
    const { storages, notices } = await makeStorages({
      ...options,
      ...{ paths, onProgress, environment: emulatorEnvironment(paths, emulator.endpoint) },
      record: (made) => record({ storages: [...made] }),
    });
    await record({ notices });
    if (slurm !== undefined) {
      const release = await startSlurm(paths, { ...slurm, mounts: mountsOfNodes(paths, storages) });
      onProgress(`${release} with ${slurm.nodes} nodes on this machine`, 'setting up the client');
      await record({ slurm: release });
    }
    const client = await writeClient(paths, state, aliases);
    await record({ ready: true });
    return describe(paths, emulator.endpoint, storages, client, notices);
  } catch (error) {
    await labDown(root);
    throw error;
  }
}

/**
 * Stops the lab and removes its processes, including drivers, its mounts, loop devices and images. Results and tools stay.
 *
 * Idempotent, and safe after a lab that was killed at any moment, since it checks the machine, not only the record. Of folders it removes
 * those that the lab made, and refuses to go on where another stands in the place of one, and where the lab is another's ({@link requireOwn}).
 *
 * @param abandoned settles once this process makes nothing more for the lab
 */
export async function labDown(root: string, abandoned: Promise<void> = Promise.resolve()): Promise<void> {
  const paths = labPaths(root);
  requireOwn(paths);
  // First the drivers: what they upload, the emulator takes.
  await endDrivers(root);
  let left: string[] = [];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    // One that starts itself again when it is told to end is found between two lives; the next time it is not told.
    const alive = await endProcesses(() => processesOfLab(paths.lab), sweep === 0 ? undefined : 0);
    if (sweep === 0) await settled(abandoned);
    left = [...alive.map((one) => `${describeProcess(one)} cannot be stopped`), ...(await removeStorages(paths))];
    // Repeat until nothing new appears between two checks.
    await sleep(BETWEEN_SWEEPS_MS);
    if (left.length === 0 && (await leftovers(paths)).length === 0) break;
  }
  left = [...left, ...(await leftovers(paths))];
  if (left.length === 0) left = await removeFolder(paths, paths.slurm);
  if (left.length > 0)
    throw new LabError(`the lab could not be stopped: ${firstOf(left)}. Run 'fsxbench lab down' again.`);
  await removeState(paths);
}

async function settled(abandoned: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = sleep(SETTLE_MS, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([abandoned, late]);
  over.abort();
}

/** Ends the drivers of the lab's runs, which end their tools and upload what they measured, and what is left in their process groups. */
export async function endDrivers(root: string): Promise<void> {
  const paths = labPaths(root);
  const groups = new Set((await drivers(paths)).map(({ group }) => group));
  if (groups.size === 0) return;
  await endProcesses(() => drivers(paths), DRIVER_GRACE_MS);
  await endProcesses(async () => (await allProcesses()).filter(({ group }) => groups.has(group)));
}

/** Returns the state of the lab. */
export async function labStatus(root: string): Promise<LabStatus> {
  const paths = labPaths(root);
  const state = await readState(paths);
  if (state === null) {
    const problems = await leftovers(paths);
    return { state: problems.length === 0 ? 'down' : 'broken', endpoint: null, storages: [], problems };
  }
  const problems: string[] = [];
  if (!state.ready) problems.push('the last start was interrupted');
  const { emulator, storages } = state;
  if (emulator?.process === null || emulator === null || !isRunning(emulator.process)) {
    problems.push('the emulator is not running');
  } else if (!(await answers(emulator.endpoint))) {
    problems.push(`the emulator does not answer at ${emulator.endpoint}`);
  }
  const mounted = new Set(mountsBelow(paths.mounts).map(({ mountPoint }) => mountPoint));
  for (const { kind, mountPoint } of storages) {
    if (kind !== PLAIN_DIRECTORY.name && !mounted.has(mountPoint)) problems.push(`${mountPoint} is not mounted`);
  }
  return { state: problems.length === 0 ? 'up' : 'broken', endpoint: emulator?.endpoint ?? null, storages, problems };
}

/** Commands with which nodes of Slurm mount the storages of a model that holds their links. */
const mountsOfNodes = (paths: LabPaths, storages: readonly LabStorage[]) =>
  storages.flatMap(({ arm, mountPoint, model }) =>
    model?.held.some(({ name }) => name === 'client_write') ? [clientMountOf(paths, arm, mountPoint)] : [],
  );

/** Describes the scale models of a lab. */
function heldBy(models: readonly Pick<ScaleModel, 'scale' | 'stands'>[]): string {
  const each = new Set(models.map(({ scale, stands }) => `a 1:${scale} model of ${stands}`));
  return each.size === 0 ? 'no scale model' : [...each].sort().join(' and ');
}

/** Lists every existing process, mount and loop device of the lab. */
export async function leftovers(paths: LabPaths): Promise<string[]> {
  const [processes, namespaces, ...loops] = await Promise.all([
    processesOfLab(paths.lab),
    namespacesOfModels(paths),
    loopDevicesOf(paths.standIns),
    loopDevicesOf(paths.models),
  ]);
  return [
    ...processes.map(describeProcess),
    ...[paths.mounts, paths.models, paths.standIns].flatMap((folder) =>
      mountsBelow(folder).map(({ mountPoint }) => `mount ${mountPoint}`),
    ),
    ...loops.flat().map(({ device, image }) => `${device} (${image})`),
    ...namespaces.map((name) => `network namespace ${name}`),
  ];
}

async function resume(paths: LabPaths, aliases: LabUpOptions['aliases']): Promise<Lab> {
  const state = await readState(paths);
  if (state?.emulator === null || state === null)
    throw new LabError('the lab was stopped meanwhile; run the command again');
  const client = await writeClient(paths, state, aliases);
  return describe(paths, state.emulator.endpoint, state.storages, client, state.notices ?? []);
}

function describe(
  paths: LabPaths,
  endpoint: string,
  storages: readonly LabStorage[],
  client: ClientConfig,
  notices: readonly string[],
): Lab {
  const limits = Object.fromEntries(
    storages.flatMap(({ arm, model }): [string, ModelLimits[string]][] =>
      model === undefined ? [] : [[arm, limitsOfModel(model)]],
    ),
  );
  const environment = { ...emulatorEnvironment(paths, endpoint), [MODEL_LIMITS]: JSON.stringify(limits) };
  return { paths, endpoint, environment, storages, client, notices };
}

/** The drivers of runs in the lab: each has its run's folder on its command line. */
async function drivers({ clientState }: LabPaths): Promise<ProcessStat[]> {
  const runs = join(clientState, 'runs') + sep;
  const found: ProcessStat[] = [];
  for (const process of await allProcesses()) {
    const command = await readFile(`/proc/${process.pid}/cmdline`, 'utf8').catch(() => '');
    if (command.split('\0').some((word) => word.startsWith(runs) && word.endsWith(`${sep}driver.js`)))
      found.push(process);
  }
  return found;
}
