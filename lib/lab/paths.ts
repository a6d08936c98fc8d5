import { join } from 'node:path';

/** Where the lab of a project keeps what it makes: everything below `.lab`, which git ignores. */
export interface LabPaths {
  readonly root: string;
  readonly lab: string;
  /** What was made, written before it is made. */
  readonly stateFile: string;
  /** `FSXBENCH_STATE` of the lab's clients: runs below it. */
  readonly clientState: string;
  /** `FSXBENCH_HOME` of the lab's clients. */
  readonly clientHome: string;
  readonly clientConfig: string;
  readonly mounts: string;
  readonly images: string;
  /** Tools that were built for the lab, before those on PATH. */
  readonly tools: string;
  readonly emulatorLog: string;
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
    images: join(lab, 'images'),
    tools: join(lab, 'tools', 'bin'),
    emulatorLog: join(lab, 'emulator.log'),
    cdkHome: join(lab, 'cdk-home'),
  };
}
