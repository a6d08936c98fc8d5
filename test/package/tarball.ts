import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(__dirname, '../..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

/**
 * Packs the project as `npm pack` does, one test at a time. Its scripts are run here, but the build: other tests run what is in dist/ meanwhile.
 *
 * @returns the path of the tarball
 */
export function pack(folder: string): string {
  const making = `"$0" scripts/declarations.mjs >&2 && npm pack --ignore-scripts --json --pack-destination "$1"`;
  const argv = ['dist/.pack.lock', 'sh', '-c', making, process.execPath, folder];
  const packed = execFileSync('flock', argv, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return join(folder, (JSON.parse(packed) as { filename: string }[])[0]?.filename ?? '');
}

/**
 * Installs the tarball into an empty project, without asking a registry: beside it lie the packages that it declares, and no others.
 *
 * @param beside further packages that the project has itself
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
