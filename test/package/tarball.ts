import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(__dirname, '../..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

/** Everything that goes into the tarball; `dist/` is made of it. */
const SOURCES = ['assets', 'bin', 'dist/fsxbench.js', 'docs', 'lib', 'scripts', 'package.json', 'README.md', 'LICENSE'];

/**
 * Packs the project as `npm pack` does, once for all tests. Its scripts are run here, but the build: other tests run what is in dist/ meanwhile.
 *
 * @returns the path of the tarball
 */
export function pack(): string {
  const folder = join(ROOT, 'dist/.pack');
  mkdirSync(folder, { recursive: true });
  const making = `
    test -e "$1"/*.tgz && test -z "$(find ${SOURCES.join(' ')} -newer "$1"/*.tgz -print -quit)" && exit
    rm -f "$1"/*.tgz
    "$0" scripts/declarations.mjs && npm pack --ignore-scripts --pack-destination "$1"`;
  const argv = [`${folder}/lock`, 'sh', '-c', making, process.execPath, folder];
  execFileSync('flock', argv, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
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
