import { commandLine } from '../common/format/text';
import { LabError } from './error';
import { type LabPaths, labPrefix, makeFolder, removeFolder } from './paths';
import { freePort } from './ports';
import { endProcesses, processesOfLab, runScript } from './processes';

export interface SlurmRequest {
  /** Nodes of the partition `main`, in which a run has its allocation. */
  readonly nodes: number;
  /** Processors that each node says it has. */
  readonly processors: number;
  /** Commands by which each node mounts storages through its own link; its name is their last word. @default - nodes share this computer's mounts */
  readonly mounts?: readonly (readonly string[])[];
}

/** Nodes of the partition `more`, for what a run submits next to its own allocation. */
const MORE_NODES = 2;

/** All of them: n1, n2, … */
export const nodesOf = ({ nodes }: Pick<SlurmRequest, 'nodes'>): number => nodes + MORE_NODES;

/** Slurm's daemons use only the ports of their configuration, which another process may have taken before they are up. */
const PORT_TAKEN = 'Address already in use';
const MAX_TRIES = 3;
const DAEMONS = ['munged', 'slurmctld', 'slurmd'];

/** @throws LabError naming what this computer lacks for a Slurm */
export async function checkSlurm(paths: LabPaths): Promise<void> {
  await cluster(paths, 'check', {});
}

/** Starts a real Slurm with the lab's marker, by which `lab down` ends it. @returns its release @throws LabError naming missing programs */
export async function startSlurm(paths: LabPaths, request: SlurmRequest): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await startOnFreePorts(paths, request);
    } catch (error) {
      if (tries === MAX_TRIES || !(error as Error).message.includes(PORT_TAKEN)) throw error;
      await endProcesses(async () =>
        (await processesOfLab(paths.lab)).filter(({ name }) => DAEMONS.some((daemon) => name.startsWith(daemon))),
      );
    }
  }
}

async function startOnFreePorts(paths: LabPaths, { nodes, processors, mounts = [] }: SlurmRequest): Promise<string> {
  const left = await removeFolder(paths, paths.slurm);
  if (left.length > 0) throw new LabError(left.join('; '));
  makeFolder(paths, paths.slurm);
  const ports = new Set<number>();
  while (ports.size <= nodesOf({ nodes })) ports.add(await freePort());
  const variables = {
    SLURM_NODES: String(nodes),
    SLURM_MORE: String(MORE_NODES),
    SLURM_PROCESSORS: String(processors),
    SLURM_PORTS: [...ports].join(' '),
    SLURM_LAB: labPrefix(paths),
    SLURM_MOUNTS: mounts.map((command) => commandLine(command)).join('\n'),
  };
  return await cluster(paths, 'up', variables);
}

async function cluster(paths: LabPaths, action: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const own = { SLURM_FOLDER: paths.slurm, ...variables };
  const { code, stdout, stderr } = await runScript(paths, 'lab/slurm/cluster', own, [action]);
  if (code === 0) return stdout.trim();
  throw new LabError(`Slurm cannot be started: ${stderr.trim().split('\n').at(-1) || `status ${code}`}`);
}
