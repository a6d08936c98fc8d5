// The project's own set-up: npm packages and the bundles in dist/. Quick if nothing changed. Node only, no dependencies; loads in every Node.js since 14.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Entries of the package, as package.json's `exports` names them. */
export const ENTRIES = ['index', 'constructs', 'schemas'];

export const say = (text) => console.error(`set-up: ${text}`);

/** Makes a program one of those that `npx` and npm's scripts look for in node_modules/.bin, before anywhere else. */
export function linkProgram(name, program) {
  const folder = join(root, 'node_modules/.bin');
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, name), { force: true });
  symlinkSync(relative(folder, program), join(folder, name));
}

/** Runs a command in the project, and says that it is under way: spawnSync blocks. */
export const ticking = (text, command, options) =>
  spawnSync(join(root, 'scripts/lib/ticking'), [text, ...command], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    ...options,
  });

/** Installs exactly what a folder's package-lock.json names. No warnings of funds and audits; npm holds each archive against its hash in the lock. */
export const NPM_CI = ['npm', 'ci', '--no-fund', '--no-audit', '--loglevel=error'];
const npmCi = (options, folder = root) => ticking('set-up: npm ci', [...NPM_CI, ...options], { cwd: folder });

/** Runs a program in the place of this one, whose exit status is then that of the program. */
export function handOver(program, args, env) {
  const child = spawn(program, args, { stdio: 'inherit', env });
  // Ctrl-C on a terminal reaches the child by itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  return new Promise(() =>
    child.once('exit', (status, signal) => process.exit(status === null ? 128 + constants.signals[signal] : status)),
  );
}

/** Development dependencies that the command line and the lab use; the others serve checks, and are as large again. */
const USED = ['aws-cdk', 'aws-cdk-lib', 'constructs', 'esbuild'];

/** Installs what a quick start uses: npm has no group for it. Made next to its place, so an interruption leaves nothing there. */
function installUsed() {
  const folder = join(root, '.lab/npm');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    const { scripts, ...content } = JSON.parse(readFileSync(join(root, name), 'utf8'));
    const named = content.packages?.[''] ?? content;
    named.devDependencies = Object.fromEntries(USED.map((each) => [each, named.devDependencies[each]]));
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  orExit(npmCi(['--ignore-scripts'], folder));
  // It may have the link to a fetched Node.js.
  rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  renameSync(join(folder, 'node_modules'), join(root, 'node_modules'));
  rmSync(folder, { recursive: true });
}

/**
 * Installs npm packages if package-lock.json has changed since the last time.
 *
 * @param checks also what only checks use; without them, only a checkout that has no packages gets fewer
 */
export function ensureInstalled({ checks = true } = {}) {
  const modules = join(root, 'node_modules');
  const stamp = join(modules, '.fsxbench-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const used = `${lock} used`;
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
  if (installed === lock || (!checks && installed === used)) return;
  say('npm ci');
  const all = checks || existsSync(join(modules, '.package-lock.json'));
  if (all) orExit(npmCi([]));
  else installUsed();
  writeFileSync(stamp, all ? lock : used);
}

/** Installs npm packages as {@link ensureInstalled}, and bundles bin/ into dist/ if a source is newer than the bundle. */
export function ensureBuilt(options) {
  ensureInstalled(options);
  const newer = ['bin', 'lib', 'scripts', 'package.json', '-newer', 'dist/fsxbench.js', '-print', '-quit'];
  const { status, stdout } = spawnSync('find', newer, { cwd: root, encoding: 'utf8' });
  if (status === 0 && stdout === '') return;
  say('building dist/');
  orExit(ticking('set-up: building dist/', [process.execPath, 'scripts/build.mjs']));
}

function orExit({ status }) {
  if (status !== 0) process.exit(status === null ? 1 : status);
}
