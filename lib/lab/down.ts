import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstOf } from '../common/format/text';
import { mountsBelow, requireLinux } from '../common/mounts';
import { isRunning, type ProcessStat } from '../common/processIdentity';
import { PLAIN_DIRECTORY } from '../storage/common/substitutes';
import { answers } from './emulator';
import { LabError } from './error';
import { namespacesOfModels } from './model/machine';
import { loopDevicesOf } from './mounts';
import { type LabPaths, labPaths, removeFolder } from './paths';
import { allProcesses, describeProcess, endProcesses, processesOfLab } from './processes';
import { removeStorages } from './removeStorages';
import { type LabStorage, readState, removeState, requireOwn } from './state';

/** Number of checks by `labDown`: a program that the lab had just started may finish its work after the first check. */
const SWEEPS = 4;
const BETWEEN_SWEEPS_MS = 150;
/** Timeout for work that was given up: it ends at its next step, once the command that it waits for is killed. */
const SETTLE_MS = 10_000;
/** Time for a driver to end its tools and upload its results. */
const DRIVER_GRACE_MS = 15_000;

/**
 * Stops the lab and removes its processes, including drivers, its mounts, loop devices and images. Results and tools stay. Idempotent, and safe after a
 * lab that was killed: it checks the machine, not only the record. It removes only what the lab made, and refuses another user's ({@link requireOwn}).
 * @param abandoned settles once this process makes nothing more for the lab
 * @returns the folders, on their client, of runs that were running: they have what was measured so far
 */
export async function labDown(root: string, abandoned: Promise<void> = Promise.resolve()): Promise<string[]> {
  const paths = labPaths(root);
  requireOwn(paths);
  // First the drivers: what they upload, the emulator takes.
  const ended = await endDrivers(paths);
  let left: string[] = [];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    // A process that restarts when it is asked to end is not asked a second time.
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
    throw new LabError(`the lab could not be stopped: ${firstOf(left)}. Run 'npx fsxbench lab down' again.`);
  await removeState(paths);
  return ended;
}

async function settled(abandoned: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = sleep(SETTLE_MS, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([abandoned, late]);
  over.abort();
}

/** Ends the drivers of the lab's runs, which end their tools and upload what they measured, and what is left in their process groups. */
async function endDrivers(paths: LabPaths): Promise<string[]> {
  const found = await drivers(paths);
  if (found.length === 0) return [];
  const groups = new Set(found.map(({ group }) => group));
  await endProcesses(() => drivers(paths), DRIVER_GRACE_MS);
  await endProcesses(async () => (await allProcesses()).filter(({ group }) => groups.has(group)));
  return [...new Set(found.map(({ folder }) => folder))];
}

/** The drivers of runs in the lab: each has its run's folder on its command line. */
async function drivers({ clientState }: LabPaths): Promise<(ProcessStat & { readonly folder: string })[]> {
  const runs = join(clientState, 'runs') + sep;
  const found: (ProcessStat & { folder: string })[] = [];
  for (const process of await allProcesses()) {
    const command = await readFile(`/proc/${process.pid}/cmdline`, 'utf8').catch(() => '');
    const driver = command.split('\0').find((word) => word.startsWith(runs) && word.endsWith(`${sep}driver.js`));
    if (driver !== undefined) found.push({ ...process, folder: dirname(driver) });
  }
  return found;
}

export interface LabStatus {
  /** `up`: everything recorded exists and answers. `broken`: something is left over; `lab down` cleans it up. */
  readonly state: 'up' | 'down' | 'broken';
  readonly endpoint: string | null;
  readonly storages: readonly LabStorage[];
  readonly problems: readonly string[];
}

/** Returns the state of the lab. @throws Error on another system than Linux */
export async function labStatus(root: string): Promise<LabStatus> {
  requireLinux('the lab');
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
  } else if (!(await answers(paths, emulator.endpoint))) {
    problems.push(`the emulator does not answer at ${emulator.endpoint}`);
  }
  const mounted = new Set(mountsBelow(paths.mounts).map(({ mountPoint }) => mountPoint));
  for (const { kind, mountPoint } of storages) {
    if (kind !== PLAIN_DIRECTORY.name && !mounted.has(mountPoint)) problems.push(`${mountPoint} is not mounted`);
  }
  return { state: problems.length === 0 ? 'up' : 'broken', endpoint: emulator?.endpoint ?? null, storages, problems };
}

export async function leftovers(paths: LabPaths): Promise<string[]> {
  const [processes, namespaces, ...loops] = await Promise.all([
    processesOfLab(paths.lab),
    namespacesOfModels(paths),
    loopDevicesOf(paths.substitutes),
    loopDevicesOf(paths.models),
  ]);
  return [
    ...processes.map(describeProcess),
    ...[paths.mounts, paths.models, paths.substitutes].flatMap((folder) =>
      mountsBelow(folder).map(({ mountPoint }) => `mount ${mountPoint}`),
    ),
    ...loops.flat().map(({ device, image }) => `${device} (${image})`),
    ...namespaces.map((name) => `network namespace ${name}`),
  ];
}
