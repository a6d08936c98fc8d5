// Completes package-lock.json after `npm install`: an npm that cannot see a package's builds for other platforms omits them from
// the lock, and `npm ci` then rejects it everywhere. Versions come from the lock itself, platforms from the packages' names, hashes from the registry
// as far as it has the package; without one npm installs what the registry of that platform gives it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/project.mjs';

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

const path = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
let [added, unknown] = [0, 0];
for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`;
    const words = name.split('/').at(-1).split('-');
    const os = SYSTEMS.find((word) => words.includes(word));
    const cpu = PROCESSORS.find((word) => words.includes(word));
    if (lock.packages[key] || !os || !cpu) continue;
    const libc = os === 'linux' ? [words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc'] : undefined;
    lock.packages[key] = {
      version,
      cpu: [cpu],
      ...(dev ? { dev } : {}),
      ...(libc && { libc }),
      optional: true,
      os: [os],
    };
    added++;
  }
}
for (const [key, entry] of Object.entries(lock.packages)) {
  if (key === '' || entry.integrity || entry.inBundle) continue;
  const { version } = entry;
  const name = key.split('node_modules/').at(-1);
  const { stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' });
  if (stdout.startsWith('sha512-')) lock.packages[key] = { version, integrity: stdout.trim(), ...entry };
  else unknown++;
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(`added ${added} packages of other platforms; ${unknown} without a hash are not in this registry`);
