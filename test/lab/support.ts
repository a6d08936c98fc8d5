import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ArmDefinition } from '../../lib/benchmark/benchmark';
import { labDown } from '../../lib/lab/down';
import { emulatorEnvironment } from '../../lib/lab/emulator';
import { type Lab, type LabUpOptions, labUp } from '../../lib/lab/lab';
import { type LabPaths, labPaths } from '../../lib/lab/paths';
import { type SlurmRequest, startSlurm } from '../../lib/lab/slurm';
import { ensureVenv } from '../../lib/lab/venv';

/** The project that is tested. */
export const PROJECT = resolve(__dirname, '../..');

/**
 * Lets go, in a new mount namespace, of what labs of other tests have mounted: where this computer's mounts are private, its copies stay when they are unmounted
 * outside, and keep their loop devices busy.
 */
export const WITHOUT_OTHER_LABS = `awk '$1 ~ "^/dev/loop" && $2 ~ "/[.]lab/" { print $2 }' /proc/self/mounts | tac |
  while read -r folder; do umount --lazy "$(printf %b "$folder")" || true; done`;

/** Two arms, without compression and with it. */
export const ARMS: readonly ArmDefinition[] = ['NONE', 'LZ4'].map((dataCompressionType) => ({
  name: dataCompressionType.toLowerCase(),
  storage: { kind: 'lustre', deploymentType: 'SCRATCH_2', storageCapacityGiB: 1200, dataCompressionType },
}));

/**
 * A separate project folder for a lab, so a test never meets the user's lab: the project's sources by link, and an `.lab` with only the Python
 * environment, which is shared.
 */
export async function labProject(): Promise<{ root: string; remove: () => void }> {
  const python = await ensureVenv(PROJECT);
  const root = mkdtempSync(join(tmpdir(), 'fsxbench-lab-test-'));
  for (const name of ['assets', 'lib', 'node_modules', 'scripts', 'package.json', 'tsconfig.json']) {
    symlinkSync(join(PROJECT, name), join(root, name));
  }
  mkdirSync(join(root, '.lab'));
  symlinkSync(join(python, '../..'), join(root, '.lab/venv'));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** The same with the built command line, for {@link startFsxbench}. */
export async function commandProject(): Promise<{ root: string; remove: () => void }> {
  const project = await labProject();
  for (const name of ['bin', 'cdk.json']) symlinkSync(join(PROJECT, name), join(project.root, name));
  // A copy: the command line finds its project by where it lies.
  cpSync(join(PROJECT, 'dist'), join(project.root, 'dist'), { recursive: true });
  return project;
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** A command that is under way. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly said: () => string;
}

/** Starts the command line of a {@link commandProject}. */
export function startFsxbench(root: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [join(root, 'dist/fsxbench.js'), ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => (output += text.toString('utf8')));
  const ended = new Promise<Ended>((resolve) => child.once('close', (status) => resolve({ status, output })));
  return { child, ended, said: () => output };
}

/** A separate lab for the tests of a file. */
export interface TestLab {
  readonly root: string;
  readonly lab: Lab;
}

/**
 * Brings a lab with plain directories up before the tests of a file and takes it away after them; meanwhile every AWS client of this
 * process speaks to its emulator.
 *
 * @param linked more of the project's files that the lab's project shall have, such as cdk.json
 * @param more of what the lab shall have
 */
export function labForTests(linked: readonly string[] = [], more: Pick<LabUpOptions, 'slurm'> = {}): () => TestLab {
  const before = { ...process.env };
  let made: (TestLab & { remove: () => void }) | undefined;
  beforeAll(async () => {
    const { root, remove } = await labProject();
    for (const name of linked) symlinkSync(join(PROJECT, name), join(root, name));
    const lab = await labUp({ root, arms: ARMS, sizeGiB: 1, directories: true, ...more });
    made = { root, remove, lab };
    for (const [name, value] of Object.entries(emulatorEnvironment(lab.paths, lab.endpoint))) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  afterAll(async () => {
    process.env = before;
    if (made === undefined) return;
    await labDown(made.root);
    made.remove();
  });
  return () => {
    if (made === undefined) throw new Error('the lab of this file is not up yet');
    return made;
  };
}

/** Starts a Slurm before the tests of a file and takes it away after them: a lab without an emulator, for those that speak to no AWS. @returns its paths */
export function slurmForTests(request: SlurmRequest): () => LabPaths {
  let project: Awaited<ReturnType<typeof labProject>>;
  beforeAll(async () => {
    project = await labProject();
    await startSlurm(labPaths(project.root), request);
  });
  afterAll(async () => {
    await labDown(project.root);
    project.remove();
  });
  return () => labPaths(project.root);
}

/** Folder in which `npm run quickstart` builds IOR. */
export const TOOLS = join(PROJECT, '.lab/tools/bin');
/** There, or on the PATH. */
export const hasIor = [TOOLS, ...(process.env.PATH ?? '').split(':')].some((path) => existsSync(join(path, 'ior')));
