import { mountsBelow, requireLinux } from '../common/mounts';
import { isRunning } from '../common/processIdentity';
import { PLAIN_DIRECTORY } from '../storage/common/substitutes';
import { answers } from './emulator';
import { namespacesOfModels } from './model/machine';
import { loopDevicesOf } from './mounts';
import { type LabPaths, labPaths } from './paths';
import { describeProcess, processesOfLab } from './processes';
import { type LabStorage, readState } from './state';

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

/** Lists every existing process, mount and loop device of the lab. */
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
