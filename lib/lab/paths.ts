import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Paths of the lab's files in a project: everything is under `.lab`, which git ignores. */
export interface LabPaths {
  readonly root: string;
  readonly lab: string;
  /** Record of resources, written before they are created. */
  readonly stateFile: string;
  /** `FSXBENCH_STATE` of the lab's clients, with their runs. */
  readonly clientState: string;
  /** `FSXBENCH_HOME` of the lab's clients. */
  readonly clientHome: string;
  readonly clientConfig: string;
  readonly mounts: string;
  /** A folder for each arm, with what its stand-in keeps. */
  readonly standIns: string;
  /** Folders of the scale model, one for each arm, with the servers' disk and state. */
  readonly models: string;
  /** Folder of Slurm, where the lab has one: slurm.conf, keys, sockets, logs. */
  readonly slurm: string;
  /** Tools built for the lab, which precede those on PATH. */
  readonly tools: string;
  readonly emulatorLog: string;
  /** Gets the emulator's port. */
  readonly emulatorPort: string;
  readonly metricsLog: string;
  readonly cdkHome: string;
}

/** The paths for a project's root folder. */
export function labPaths(root: string): LabPaths {
  const lab = join(root, '.lab');
  return {
    root,
    lab,
    stateFile: join(lab, 'state.json'),
    clientState: join(lab, 'state'),
    clientHome: join(lab, 'client'),
    clientConfig: join(lab, 'client', 'client.json'),
    mounts: join(lab, 'mnt'),
    standIns: join(lab, 'stand-ins'),
    models: join(lab, 'models'),
    slurm: join(lab, 'slurm'),
    tools: join(lab, 'tools', 'bin'),
    emulatorLog: join(lab, 'emulator.log'),
    emulatorPort: join(lab, 'emulator.port'),
    metricsLog: join(lab, 'metrics.log'),
    cdkHome: join(lab, 'cdk-home'),
  };
}

/** Prefix of names that the whole machine shares, such as network namespaces. It hashes the lab's folder, so no two labs collide. */
export function labPrefix({ lab }: LabPaths): string {
  return `fsxbench-${createHash('sha256').update(lab).digest('hex').slice(0, 8)}`;
}
