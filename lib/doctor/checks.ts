import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BENCHMARKS } from '../benchmark/registry';
import { assignments, listed } from '../common/format/text';
import { isSupportedNode, NODE_FLOOR } from '../common/nodeFloor';
import { howToInstall, missingFrom } from '../lab/needs';
import { FILESYSTEMS } from '../storage/filesystems';
import { storageOf } from '../storage/lookup';
import type { SubstituteProgram } from '../storage/storage';
import { WORKLOADS } from '../workload/registry';
import type { Installed } from '../workload/workload';

export type Purpose = 'deploy' | 'local run' | 'lab';

export interface CheckResult {
  readonly name: string;
  readonly found: string;
  /** Next step; `null` where all is well. */
  readonly advice: string | null;
  readonly neededFor: readonly Purpose[];
  /** `missing` blocks a purpose; `limited` means that it works with the limitation in `advice`. */
  readonly state: 'ok' | 'limited' | 'missing';
}

type MachineCheck = (machine: Machine) => CheckResult;

/** The result of a check: passed unless it has advice. */
const checked = (
  name: string,
  neededFor: readonly Purpose[],
  found: string,
  advice: string | null,
  otherwise: 'limited' | 'missing' = 'missing',
): CheckResult => ({ name, neededFor, state: advice === null ? 'ok' : otherwise, found, advice });

/** A tool, or what one needs: how it is found, and what packages have it. */
interface Wanted extends Pick<Installed, 'uses' | 'without'> {
  readonly name: string;
  /** Finds it: its version or path; `null` if it is not there. */
  readonly find: (machine: Machine) => string | null;
}

const wanted =
  ({ name, find, uses, without }: Wanted): MachineCheck =>
  (machine) => {
    const found = find(machine);
    const advice = found !== null ? null : adviceFor(machine, uses, without);
    return checked(name, ['local run', 'lab'], found ?? 'none', advice, without !== null ? 'limited' : 'missing');
  };

/** The packages to install, as assets/lab/needs has them, and what is lost without them. */
function adviceFor({ ask, root }: Machine, uses: readonly string[], without: string | null): string {
  const answer = ask(['bash', join(root, 'assets/lab/needs'), ...uses]);
  const missing = (answer ?? '').split('\n').filter((line) => line.includes('\t'));
  const install = missing.length === 0 ? `install ${listed(uses)}` : howToInstall(missing.map(missingFrom));
  if (without === null) return install;
  // All that packages have is there, such as the MPI of a tool that is built.
  return answer !== null && missing.length === 0 ? `without it ${without}` : `${install}; without it ${without}`;
}

const firstLine =
  (argv: readonly string[]) =>
  ({ ask }: Machine): string | null =>
    ask(argv)?.trim().split('\n')[0] ?? null;

const onThePath =
  (file: string) =>
  ({ environment, root }: Machine): string | null => {
    const folders = [...(environment.PATH ?? '').split(delimiter), join(root, '.lab', 'tools', 'bin')];
    return folders.map((folder) => join(folder, file)).find(isExecutable) ?? null;
  };

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const mpirun = firstLine(['mpirun', '--version']);

/** Checks of the programs that measure, of MPI, and of those that measure the space that data take. */
const TOOL_CHECKS: readonly MachineCheck[] = [
  ...WORKLOADS.flatMap(({ label: name, version, installed }) => {
    if (installed === undefined || version === undefined) return [];
    const [program = ''] = version.argv;
    const find = installed.uses.includes(program) ? firstLine(version.argv) : onThePath(program);
    return wanted({ ...installed, name, find });
  }),
  wanted({ name: 'mpirun', uses: ['mpirun'], find: mpirun, without: 'fio replaces IOR' }),
  ...FILESYSTEMS.flatMap(({ space: { source: name, without } }) =>
    without === undefined ? [] : wanted({ name, without, uses: [name], find: firstLine(['which', name]) }),
  ),
];

/** Two images of 3 GiB and the emulator's packages. */
const LAB_BYTES = 8 * 2 ** 30;

/** Runs a script's own check, which prints what is missing. */
const ofScript =
  (name: string, script: string, variables: SubstituteProgram['variables'], without: string): MachineCheck =>
  ({ isRoot, ask, root }) => {
    const words = assignments(variables);
    const [path = '', ...args] = script.split(' ');
    const ok = isRoot && ask(['env', ...words, 'bash', join(root, 'assets', path), ...args]) !== null;
    const command = [...words, 'bash', join('assets', path), ...args].join(' ');
    const found = ok ? 'available' : isRoot ? 'something is missing' : 'not root';
    return checked(name, ['lab'], found, ok ? null : `${without}; ${command} names what is missing`, 'limited');
  };

/** Stand-ins that the lab would use for each arm of a benchmark, by their labels. */
const STAND_INS = new Map(
  BENCHMARKS.flatMap(({ about, arms }) =>
    arms('smoke').flatMap(({ storage }) => storageOf(storage).substitutes(storage, about)),
  ).flatMap(({ label, program }) => (program === null ? [] : [[label, program] as const])),
);

const STAND_IN_CHECKS: readonly MachineCheck[] = [...STAND_INS].map(([label, { path, variables }]) => {
  const without = 'without it the lab uses the next best in its place, or leaves arms out';
  return ofScript(label, `${path} check`, { ...variables, STAND_IN_NAME: 'doctor' }, without);
});

const disk: MachineCheck = ({ root, freeBytes }) => {
  const free = freeBytes(root);
  const advice = free >= LAB_BYTES ? null : `free up ${LAB_BYTES / 2 ** 30} GiB in ${root}`;
  return checked('free disk', ['lab'], `${(free / 2 ** 30).toFixed(0)} GiB`, advice);
};

const node: MachineCheck = ({ nodeVersion }) => {
  const advice = isSupportedNode(nodeVersion) ? null : `install Node.js ${NODE_FLOOR} or newer`;
  return checked('Node.js', ['deploy', 'local run', 'lab'], nodeVersion, advice);
};

const packages: MachineCheck = ({ root, exists }) => {
  const ok = exists(join(root, 'node_modules', 'aws-cdk-lib')) && exists(join(root, 'node_modules', '.bin', 'cdk'));
  return checked('npm packages', ['deploy', 'lab'], ok ? 'installed' : 'not installed', ok ? null : 'npm ci');
};

const credentials: MachineCheck = ({ environment, exists }) => {
  const { AWS_PROFILE, AWS_ACCESS_KEY_ID, HOME = '' } = environment;
  const shared = exists(join(HOME, '.aws', 'credentials')) || exists(join(HOME, '.aws', 'config'));
  const profile = AWS_PROFILE ? `AWS_PROFILE=${AWS_PROFILE}` : shared ? '~/.aws' : null;
  const found = AWS_ACCESS_KEY_ID ? 'AWS_ACCESS_KEY_ID' : profile;
  const advice = found ? null : 'aws configure sso, or set AWS_PROFILE; the lab needs none';
  return checked('AWS credentials', ['deploy'], found ?? 'none', advice);
};

const python: MachineCheck = ({ ask }) => {
  const [found = 'none', major, minor] = /Python (\d+)\.(\d+)/.exec(ask(['python3', '--version']) ?? '') ?? [];
  const ok = Number(major) > 3 || Number(minor) >= 9;
  return checked('Python', ['lab'], found, ok ? null : 'install Python 3.9 or newer');
};

const pythonVenv: MachineCheck = ({ ask, root, exists }) => {
  const ready = exists(join(root, '.lab', 'venv', 'bin', 'python'));
  const ok = ready || ask(['python3', '-c', 'import ensurepip, venv']) !== null;
  const found = ready ? 'made' : ok ? 'available' : 'not available';
  return checked('Python venv', ['lab'], found, ok ? null : 'apt-get install python3-venv');
};

const scaleModel = ofScript('scale model', 'lab/model/check', {}, 'without it nothing limits the lab’s file systems');

export function examine(machine: Machine): CheckResult[] {
  const own = [node, packages, credentials, python, pythonVenv, ...TOOL_CHECKS];
  return [...own, ...STAND_IN_CHECKS, scaleModel, disk].map((check) => check(machine));
}

export function capabilities(findings: readonly CheckResult[]): Record<Purpose, boolean> {
  const works = (purpose: Purpose): boolean =>
    findings.every((finding) => finding.state !== 'missing' || !finding.neededFor.includes(purpose));
  return { deploy: works('deploy'), 'local run': works('local run'), lab: works('lab') };
}

/** The machine, as an interface so that tests can replace it. */
export interface Machine {
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly nodeVersion: string;
  readonly isRoot: boolean;
  /** Standard output and error of a command; `null` if it is missing or fails. */
  readonly ask: (argv: readonly string[]) => string | null;
  readonly exists: (path: string) => boolean;
  readonly freeBytes: (path: string) => number;
}

export function thisMachine(root: string, environment: NodeJS.ProcessEnv): Machine {
  return {
    root,
    environment,
    nodeVersion: process.versions.node,
    isRoot: process.getuid?.() === 0,
    ask: (argv) => {
      const path = [environment.PATH ?? '', '/usr/sbin', '/sbin', '/usr/lib64/openmpi/bin'].join(delimiter);
      const answer = spawnSync(argv[0] as string, argv.slice(1), {
        encoding: 'utf8',
        timeout: 10_000,
        env: { ...environment, PATH: path },
      });
      return answer.status === 0 ? `${answer.stdout}${answer.stderr}` : null;
    },
    exists: existsSync,
    freeBytes: (path) => {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    },
  };
}
