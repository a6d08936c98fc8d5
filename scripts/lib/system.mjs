// System packages: what this machine lacks of what is used (assets/lab/needs), and its installation if this user may. Node only, no dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';
import { told } from './ticker.mjs';

/** Folders with administrative programs and, on Red Hat-like distributions, Open MPI. */
export const MORE_FOLDERS = ['/usr/sbin', '/sbin', '/usr/lib64/openmpi/bin'];

const MANAGERS = {
  apt: {
    program: 'apt-get',
    distributions: /^ID(_LIKE)?=.*(debian|ubuntu)/m,
    commands: (packages) => [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    ],
  },
  dnf: {
    program: 'dnf',
    distributions: /^ID(_LIKE)?=.*(amzn|fedora|rhel)/m,
    commands: (packages) => [['install', '-y', '-q', ...packages]],
  },
};

/** `apt` or `dnf`; undefined if this distribution has neither. */
function packageManager() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return Object.keys(MANAGERS).find((name) => MANAGERS[name].distributions.test(release));
}

/** Returns those names of assets/lab/needs.tsv that this machine lacks, each with its packages. */
export function missingOf(names) {
  const { status, stdout, stderr } = spawnSync('bash', [join(root, 'assets/lab/needs'), ...names], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [uses, apt, dnf] = line.split('\t');
    return { uses, apt, dnf: dnf === '-' ? null : dnf };
  });
}

/** Installs the packages of what is missing, as far as this user and this distribution allow. */
export function install(missing, say) {
  const manager = packageManager();
  const packages = [...new Set(missing.flatMap((one) => one[manager]?.split(' ') ?? []))];
  if (packages.length === 0 || process.getuid?.() !== 0) return;
  say(`installing ${packages.join(', ')}`);
  const { program, commands } = MANAGERS[manager];
  for (const words of commands(packages)) {
    const done = told(`set-up: ${program} ${words[0]}`, () =>
      spawnSync(program, words, {
        stdio: ['ignore', 'ignore', 'pipe'],
        encoding: 'utf8',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        timeout: 900_000,
      }),
    );
    if (done.status === 0) continue;
    say(`${program} ${words[0]} failed: ${(done.stderr ?? '').trim().split('\n').at(-1)}`);
    return;
  }
}

/**
 * Has what some names stand for, installing it if possible.
 * @returns what is still missing, each with what to do
 */
export function ensure(names, say) {
  const missing = missingOf(names);
  if (missing.length === 0) return [];
  install(missing, say);
  const manager = packageManager();
  return missingOf(names).map((one) => {
    if (!manager) return `${one.uses}: install it with this system's package manager`;
    if (!one[manager]) return `${one.uses}: this distribution has no package for it`;
    return `${one.uses}: ${process.getuid?.() === 0 ? '' : 'sudo '}${MANAGERS[manager].program} install ${one[manager]}`;
  });
}
