import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { listed } from '../common/format/strings';
import { howToInstall, missingFrom } from '../lab/needs';
import { FILESYSTEMS } from '../storage/filesystems';
import { WORKLOADS } from '../workload/registry';
import type { Installed } from '../workload/workload';
import { checked, type MachineCheck } from './check';
import type { Machine } from './machine';

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

/** Every workload that doctor can check for. */
const WORKLOAD_CHECKS: readonly MachineCheck[] = WORKLOADS.flatMap(({ label: name, version, installed }) => {
  if (installed === undefined || version === undefined) return [];
  const { argv } = installed;
  const find = argv === undefined ? onThePath(version.argv[0] as string) : firstLine(argv);
  return [wanted({ ...installed, name, find })];
});

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks of the programs that measure the space that data take. */
const SPACE_CHECKS: readonly MachineCheck[] = FILESYSTEMS.flatMap(({ space: { source: name, without } }) =>
  without === undefined ? [] : [wanted({ name, without, uses: [name], find: firstLine(['which', name]) })],
);

const mpirun = wanted({
  name: 'mpirun',
  uses: ['mpirun'],
  find: firstLine(['mpirun', '--version']),
  without: 'fio takes the place of IOR',
});

/** Checks of the programs that measure, and of what they need. */
export const TOOL_CHECKS: readonly MachineCheck[] = [...WORKLOAD_CHECKS, mpirun, ...SPACE_CHECKS];
