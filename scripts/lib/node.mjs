// A supported Node.js. Where an older one starts the set-up, it gets one from npm, pinned in scripts/node, into .lab/node, and starts itself again with
// it: docs/decisions/node-floor.md. Node only, no dependencies; runs with every Node.js since 14.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { told } from './ticker.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, '.lab', 'node');
const program = join(folder, 'node_modules', '.bin', 'node');

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const floor = Number(/\d+/.exec(engines.node)[0]);
const isSupported = (version) => Number(version.split('.')[0]) >= floor;

/** Returns in a supported Node.js: this one, else the fetched one, in which the same script begins anew. Exits with one line where there is none. */
export async function supportedNode(say) {
  if (isSupported(process.versions.node)) return;
  if (!answers()) fetchNode(say);
  if (!answers()) {
    console.error(
      `fsxbench needs Node.js ${floor} or newer, this is ${process.versions.node}, and npm has none for this machine: install it from https://nodejs.org`,
    );
    process.exit(1);
  }
  linkNode(program);
  const child = spawn(program, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, PATH: [dirname(program), process.env.PATH].join(delimiter) },
  });
  // Ctrl-C on a terminal reaches the child by itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  await new Promise(() =>
    child.once('exit', (status, signal) => process.exit(status ?? 128 + constants.signals[signal])),
  );
}

/**
 * Makes `npx` and npm's scripts use the fetched Node.js, if that is what runs this: they look for `node` in node_modules/.bin before anywhere else. A
 * later `npm ci` by a supported Node.js removes the link with the folder.
 */
export function keepNode() {
  if (process.execPath.startsWith(folder)) linkNode(process.execPath);
}

function linkNode(target) {
  const link = join(root, 'node_modules', '.bin', 'node');
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), target), link);
}

/** True if the fetched one is there, is new enough and runs: a build for another C library does not. */
function answers() {
  const { status, stdout } = spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return status === 0 && isSupported(stdout);
}

function fetchNode(say) {
  say(
    `this is Node.js ${process.versions.node}, fsxbench needs ${floor} or newer: fetching one from npm into .lab/node`,
  );
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'scripts', 'node', name), join(folder, name));
  // No script of theirs runs, and npm holds the archive against the hash in the lock.
  told('set-up: npm ci in .lab/node', () =>
    spawnSync('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  if (!existsSync(program)) say('npm has fetched none');
}
