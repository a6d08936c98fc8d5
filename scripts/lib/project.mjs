// The project's own set-up: npm packages and the bundles in dist/. Quick if nothing changed. Node only, no dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { told } from './ticker.mjs';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Runs a command in the project; exits with its status if it fails. */
export function must(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (done.error) {
    console.error(`${command} could not be started: ${done.error.message}`);
    process.exit(1);
  }
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** Installs exactly what package-lock.json names, if it has changed since the last time. */
export function ensurePackages(say) {
  const stamp = join(root, 'node_modules', '.fsxbench-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('npm ci');
  told('set-up: npm ci', () =>
    must('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  writeFileSync(stamp, wanted);
}

/** Bundles bin/ into dist/ if a source is newer than the bundle. */
export function ensureBuilt(say) {
  const bundle = join(root, 'dist', 'fsxbench.js');
  const built = existsSync(bundle) ? statSync(bundle).mtimeMs : 0;
  if (newest(['bin', 'lib', 'scripts', 'package.json']) <= built) return;
  say('building dist/');
  told('set-up: building dist/', () => must(process.execPath, [join(root, 'scripts', 'build.mjs')]));
}

function newest(names) {
  let time = 0;
  for (const name of names) {
    const path = join(root, name);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((file) => join(path, file))
      : [path];
    for (const file of files) time = Math.max(time, statSync(file).mtimeMs);
  }
  return time;
}
