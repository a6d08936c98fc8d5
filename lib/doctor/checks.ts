import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BENCHMARKS } from '../benchmark/registry';
import type { OfflineCheck } from '../fleet/fleet';
import { FLEETS } from '../fleet/registry';
import { isSupportedNode, NODE_FLOOR } from '../kit/nodeFloor';
import { howToInstall, missingFrom } from '../lab/needs';
import { FILESYSTEMS } from '../storage/filesystems';
import { storageOf } from '../storage/lookup';
import type { StandInProgram } from '../storage/standIn';
import { WORKLOADS } from '../workload/registry';
import type { Installed } from '../workload/workload';

/** Purposes of the checks. */
export type Purpose = 'deploy' | 'local run' | 'lab';

/** The result of one check. */
export interface CheckResult extends Omit<OfflineCheck, 'ok'> {
  readonly neededFor: readonly Purpose[];
  /** `missing` blocks a purpose; `limited` means that it works with the limitation in `advice`. */
  readonly state: 'ok' | 'limited' | 'missing';
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

/** This machine. */
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

/** Two images of 3 GiB and the emulator's packages. */
const LAB_BYTES = 8 * 2 ** 30;

type Check = (machine: Machine) => CheckResult;

/** A result, by what there is to advise. */
const checked = (
  name: string,
  neededFor: readonly Purpose[],
  found: string,
  advice: string | null,
  otherwise: 'limited' | 'missing' = 'missing',
): CheckResult => ({ name, neededFor, state: advice === null ? 'ok' : otherwise, found, advice });

const node: Check = ({ nodeVersion }) =>
  checked(
    'Node.js',
    ['deploy', 'local run', 'lab'],
    nodeVersion,
    isSupportedNode(nodeVersion) ? null : `install Node.js ${NODE_FLOOR} or newer`,
  );

const packages: Check = ({ root, exists }) => {
  const ok = exists(join(root, 'node_modules', 'aws-cdk-lib')) && exists(join(root, 'node_modules', '.bin', 'cdk'));
  return checked('npm packages', ['deploy', 'lab'], ok ? 'installed' : 'not installed', ok ? null : 'npm ci');
};

const credentials: Check = ({ environment, exists }) => {
  const { AWS_PROFILE, AWS_ACCESS_KEY_ID, HOME = '' } = environment;
  const shared = exists(join(HOME, '.aws', 'credentials')) || exists(join(HOME, '.aws', 'config'));
  const profile = AWS_PROFILE ? `AWS_PROFILE=${AWS_PROFILE}` : shared ? '~/.aws' : null;
  const found = AWS_ACCESS_KEY_ID ? 'AWS_ACCESS_KEY_ID' : profile;
  const advice = found ? null : 'aws configure sso, or set AWS_PROFILE; the lab needs none';
  return checked('AWS credentials', ['deploy'], found ?? 'none', advice);
};

const python: Check = ({ ask }) => {
  const [found = 'none', major, minor] = /Python (\d+)\.(\d+)/.exec(ask(['python3', '--version']) ?? '') ?? [];
  const ok = Number(major) > 3 || Number(minor) >= 9;
  return checked('Python', ['lab'], found, ok ? null : 'install Python 3.9 or newer');
};

const pythonVenv: Check = ({ ask, root, exists }) => {
  const ready = exists(join(root, '.lab', 'venv', 'bin', 'python'));
  const ok = ready || ask(['python3', '-c', 'import ensurepip, venv']) !== null;
  const found = ready ? 'made' : ok ? 'available' : 'not available';
  return checked('Python venv', ['lab'], found, ok ? null : 'apt-get install python3-venv');
};

/** A tool, or what one needs: how it is found, and what packages have it. */
interface Wanted extends Pick<Installed, 'uses' | 'without'> {
  readonly name: string;
  /** Finds it: its version or path; `null` if it is not there. */
  readonly find: (machine: Machine) => string | null;
}

const wanted =
  ({ name, find, uses, without }: Wanted): Check =>
  (machine) => {
    const found = find(machine);
    const advice = found !== null ? null : adviceFor(machine, uses, without);
    return checked(name, ['local run', 'lab'], found ?? 'none', advice, without !== null ? 'limited' : 'missing');
  };

/** The packages to install, as assets/lab/needs has them, and what is lost without them. */
function adviceFor({ ask, root }: Machine, uses: readonly string[], without: string | null): string {
  const lines = (ask(['bash', join(root, 'assets/lab/needs'), ...uses]) ?? '').split('\n');
  const missing = lines.filter((line) => line.includes('\t')).map(missingFrom);
  const install = missing.length === 0 ? `install ${uses.join(' and ')}` : howToInstall(missing);
  return without === null ? install : `${install}; without it ${without}`;
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

/** Every workload that doctor can check for. */
const WORKLOAD_CHECKS: readonly Check[] = WORKLOADS.flatMap(({ label: name, version, installed }) => {
  if (installed === undefined || version === undefined) return [];
  const { argv } = installed;
  const find = argv === undefined ? onThePath(version.argv[0] as string) : firstLine(argv);
  return [wanted({ ...installed, name, find })];
});

/** Runs a script's own check, which tells its user what is missing. */
function ofScript(name: string, script: string, variables: StandInProgram['variables'], without: string): Check {
  return ({ isRoot, ask, root }) => {
    const words = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
    const [path = '', ...args] = script.split(' ');
    const ok = isRoot && ask(['env', ...words, 'bash', join(root, 'assets', path), ...args]) !== null;
    const command = [...words, 'bash', join('assets', path), ...args].join(' ');
    const found = ok ? 'available' : isRoot ? 'something is missing' : 'not root';
    return checked(name, ['lab'], found, ok ? null : `${without}; ${command} names what is missing`, 'limited');
  };
}

/** Stand-ins that the lab would use for each arm of a benchmark. */
const STAND_INS = BENCHMARKS.flatMap(({ about, arms }) =>
  arms('smoke').flatMap(({ storage }) => storageOf(storage).lab.standIns(storage, about)),
);

/** Checks of the stand-ins, made by their programs. */
const STAND_IN_CHECKS: readonly Check[] = [
  ...new Map(STAND_INS.flatMap(({ label, program }) => (program === null ? [] : [[label, program] as const]))),
].map(([label, { path, variables }]) =>
  ofScript(
    label,
    `${path} check`,
    { ...variables, STAND_IN_NAME: 'doctor' },
    'without it the lab uses the next best in its place, or leaves arms out',
  ),
);

const disk: Check = ({ root, freeBytes }) => {
  const free = freeBytes(root);
  const advice = free >= LAB_BYTES ? null : `free up ${LAB_BYTES / 2 ** 30} GiB in ${root}`;
  return checked('free disk', ['lab'], `${(free / 2 ** 30).toFixed(0)} GiB`, advice);
};

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks of the programs that measure the space that data take. */
const SPACE_CHECKS: readonly Check[] = FILESYSTEMS.flatMap(({ space: { source: name, without } }) =>
  without === undefined ? [] : [wanted({ name, without, uses: [name], find: firstLine(['which', name]) })],
);

/** Checks by fleets of their own configurations; without them a deployment finds the faults. */
const FLEET_CHECKS: readonly Check[] = FLEETS.flatMap(({ checkOffline }) => {
  if (checkOffline === undefined) return [];
  return ({ root }: Machine): CheckResult => {
    const { ok, ...check } = checkOffline(root);
    return { ...check, neededFor: ['deploy'], state: ok ? 'ok' : 'limited' };
  };
});

const CHECKS: readonly Check[] = [
  node,
  packages,
  credentials,
  python,
  pythonVenv,
  ...FLEET_CHECKS,
  ...WORKLOAD_CHECKS,
  wanted({
    ...{ name: 'mpirun', uses: ['mpirun'], find: firstLine(['mpirun', '--version']) },
    without: 'fio takes the place of IOR',
  }),
  ...SPACE_CHECKS,
  ...STAND_IN_CHECKS,
  ofScript('scale model', 'lab/model/check', {}, 'without it nothing limits the lab’s file systems'),
  disk,
];

/** Makes all checks. */
export function examine(machine: Machine): CheckResult[] {
  return CHECKS.map((check) => check(machine));
}

/** Purposes for which nothing is missing. */
export function capabilities(findings: readonly CheckResult[]): Record<Purpose, boolean> {
  const works = (purpose: Purpose): boolean =>
    findings.every((finding) => finding.state !== 'missing' || !finding.neededFor.includes(purpose));
  return { deploy: works('deploy'), 'local run': works('local run'), lab: works('lab') };
}
