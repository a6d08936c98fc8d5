import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Paths of the lab's files in a project: everything is under `.lab`, which git ignores. */
export type LabPaths = Readonly<ReturnType<typeof labPaths>>;

/** The paths for a project's root folder. */
export function labPaths(root: string) {
  const lab = join(root, '.lab');
  return {
    root,
    lab,
    /** Record of resources, written before they are created. */
    stateFile: join(lab, 'state.json'),
    /** `FSXBENCH_STATE` of the lab's clients, with their runs. */
    clientState: join(lab, 'state'),
    /** `FSXBENCH_HOME` of the lab's clients. */
    clientHome: join(lab, 'client'),
    clientConfig: join(lab, 'client', 'client.json'),
    mounts: join(lab, 'mnt'),
    /** A folder for each arm, with what its stand-in keeps. */
    standIns: join(lab, 'stand-ins'),
    /** Folders of the scale model, one for each arm, with the servers' disk and state. */
    models: join(lab, 'models'),
    /** Folder of Slurm, where the lab has one: slurm.conf, keys, sockets, logs. */
    slurm: join(lab, 'slurm'),
    /** Tools built for the lab, which precede those on PATH. */
    tools: join(lab, 'tools', 'bin'),
    emulatorLog: join(lab, 'emulator.log'),
    /** Gets the emulator's port. */
    emulatorPort: join(lab, 'emulator.port'),
    /** The access key without which the emulator answers nobody. */
    emulatorKey: join(lab, 'emulator.key'),
    metricsLog: join(lab, 'metrics.log'),
    cdkHome: join(lab, 'cdk-home'),
  };
}

/** Prefix of names that the whole machine shares, such as network namespaces. It hashes the lab's folder, so no two labs collide. */
export const labPrefix = ({ lab }: LabPaths): string =>
  `fsxbench-${createHash('sha256').update(lab).digest('hex').slice(0, 8)}`;
