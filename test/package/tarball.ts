import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(__dirname, '../..');

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
export const VERSION = manifest.version;

/** Everything that goes into the tarball; `dist/` is made of it. */
const SOURCES = ['assets', 'bin', 'dist/fsxbench.js', 'docs', 'lib', 'scripts', 'package.json', 'README.md', 'LICENSE'];

/** Makes the files of a release, once for all tests. @returns the path of its tarball */
export function pack(): string {
  const folder = join(ROOT, 'dist/release');
  const making = `
    test -e "$0/SHA256SUMS" && test -z "$(find ${SOURCES.join(' ')} -newer "$0/SHA256SUMS" -print -quit)" && exit
    scripts/release "$1"`;
  const argv = ['package.json', 'sh', '-c', making, folder, `v${VERSION}`];
  execFileSync('flock', argv, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, `fsxbench-${VERSION}.tgz`);
}

/**
 * Installs the tarball into an empty project without a registry: next to it are only its declared packages.
 *
 * @param beside other packages of the project
 */
export function install(tarball: string, project: string, beside: readonly string[] = []): string {
  const modules = join(project, 'node_modules');
  mkdirSync(modules, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '-C', project]);
  renameSync(join(project, 'package'), join(modules, 'fsxbench'));
  for (const name of [...Object.keys(manifest.dependencies), ...beside]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  return join(modules, 'fsxbench');
}

export const PEERS = Object.keys(manifest.peerDependencies);
