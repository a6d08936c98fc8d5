// System packages: finds what is missing, and installs it if this user may. Node only, no dependencies.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { told } from './ticker.mjs';

/** Required programs and the packages that contain them; null if that distribution has none. */
const PROGRAMS = {
  fio: { apt: 'fio', dnf: 'fio' },
  mpirun: { apt: 'openmpi-bin', dnf: 'openmpi' },
  'mkfs.btrfs': { apt: 'btrfs-progs', dnf: null },
  compsize: { apt: 'btrfs-compsize', dnf: null },
  losetup: { apt: 'mount', dnf: 'util-linux' },
  mfsmaster: { apt: 'moosefs-master', dnf: null },
  mfscli: { apt: 'moosefs-cli', dnf: null },
  'mkfs.ext4': { apt: 'e2fsprogs', dnf: 'e2fsprogs' },
  'mkfs.xfs': { apt: 'xfsprogs', dnf: 'xfsprogs' },
  mfschunkserver: { apt: 'moosefs-chunkserver', dnf: null },
  mfsmount: { apt: 'moosefs-client', dnf: null },
  ip: { apt: 'iproute2', dnf: 'iproute' },
  tc: { apt: 'iproute2', dnf: 'iproute-tc' },
  iperf3: { apt: 'iperf3', dnf: 'iperf3' },
  lz4: { apt: 'lz4', dnf: 'lz4' },
  zstd: { apt: 'zstd', dnf: 'zstd' },
  flock: { apt: 'util-linux', dnf: 'util-linux' },
  mpicc: { apt: 'libopenmpi-dev', dnf: 'openmpi-devel' },
  make: { apt: 'make', dnf: 'make' },
  autoconf: { apt: 'autoconf', dnf: 'autoconf' },
  automake: { apt: 'automake', dnf: 'automake' },
  libtoolize: { apt: 'libtool', dnf: 'libtool' },
  slurmctld: { apt: 'slurm-wlm', dnf: null },
  srun: { apt: 'slurm-client', dnf: null },
  munged: { apt: 'munge', dnf: null },
  chromium: { apt: 'chromium', dnf: null },
};

/** What the lab's scale model and what is measured on it need; without the first of them the lab limits nothing. */
export const MODEL_PROGRAMS = [
  'mfsmaster',
  'mfschunkserver',
  'mfsmount',
  'mfscli',
  'mkfs.ext4',
  'ip',
  'tc',
  'iperf3',
  'lz4',
  'zstd',
];

/** What the lab's Slurm needs; libpmix.so, which it loads, comes with mpicc. */
export const SLURM_PROGRAMS = ['slurmctld', 'srun', 'munged', 'mpicc'];

/** Folders with administrative programs and, on Red Hat-like distributions, Open MPI. */
export const MORE_FOLDERS = ['/usr/sbin', '/sbin', '/usr/lib64/openmpi/bin'];

/** The path of a program; null if it is not found. */
export function programPath(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS];
  for (const folder of folders) {
    try {
      const path = join(folder, name);
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not found
    }
  }
  return null;
}

/** apt, dnf, or null if there is neither. */
function packageManager() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  if (/^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release) && programPath('apt-get')) return 'apt';
  if (/^ID(_LIKE)?=.*(amzn|fedora|rhel)/m.test(release) && programPath('dnf')) return 'dnf';
  return null;
}

const COMMANDS = {
  apt: (packages) => [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages],
  ],
  dnf: (packages) => [['dnf', 'install', '-y', '-q', ...packages]],
};

/**
 * Installs the programs, as far as this user and this distribution allow.
 * @returns the programs that are still missing, each with what to do
 */
export function ensurePrograms(names, say) {
  const missing = names.filter((name) => !programPath(name));
  if (missing.length === 0) return [];
  const manager = packageManager();
  const packages = manager ? [...new Set(missing.map((name) => PROGRAMS[name][manager]).filter(Boolean))] : [];
  if (manager && packages.length > 0 && process.getuid?.() === 0) {
    say(`installing ${packages.join(', ')}`);
    for (const [command, ...args] of COMMANDS[manager](packages)) {
      const done = told(`set-up: ${command} ${args[0]}`, () =>
        spawnSync(command, args, {
          stdio: ['ignore', 'ignore', 'pipe'],
          encoding: 'utf8',
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
          timeout: 600_000,
        }),
      );
      if (done.status !== 0) {
        say(`${command} ${args[0]} failed: ${(done.stderr ?? '').trim().split('\n').at(-1)}`);
        break;
      }
    }
  }
  return names
    .filter((name) => !programPath(name))
    .map((name) => {
      const wanted = manager ? PROGRAMS[name][manager] : null;
      if (!manager) return `${name}: install it with this system's package manager`;
      if (!wanted) return `${name}: this distribution has no package for it`;
      return `${name}: ${manager === 'apt' ? 'sudo apt-get install' : 'sudo dnf install'} ${wanted}`;
    });
}
