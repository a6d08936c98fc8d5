// Ensures a supported Node.js. If an older one starts the set-up, it fetches one from npm, pinned in scripts/node, into .lab/node, and restarts with
// it: docs/decisions/node-floor.md. Node only, no dependencies; runs with every Node.js since 14.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { handOver, linkProgram, NPM_CI, root, say } from './project.mjs';

const folder = join(root, '.lab/node');
const program = join(folder, 'node_modules/.bin/node');

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const floor = Number(/\d+/.exec(engines.node)[0]);
const isSupported = (version) => Number(version.split('.')[0]) >= floor;

/**
 * Returns in a supported Node.js: this one, or else the fetched one, which restarts the same script. Exits with one line if there is none.
 *
 * @param meanwhile called while one is fetched, with work that any Node.js does
 */
export async function supportedNode(meanwhile = () => {}) {
  const { node } = process.versions;
  if (isSupported(node)) return;
  if (!answers()) {
    say(`this is Node.js ${node}, fsxbench needs ${floor} or newer: fetching one from npm into .lab/node`);
    mkdirSync(folder, { recursive: true });
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(root, 'scripts/node', name), join(folder, name));
    const [npm, ...args] = [...NPM_CI, '--ignore-scripts'];
    const fetching = spawn(npm, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const fetched = once(fetching, 'close').catch(() => {});
    meanwhile();
    await fetched;
  }
  if (!answers()) {
    console.error(
      `fsxbench needs Node.js ${floor} or newer, this is ${node}, and npm has none for this computer: install it from https://nodejs.org`,
    );
    process.exit(1);
  }
  linkProgram('node', program);
  const env = { ...process.env, PATH: [dirname(program), process.env.PATH].join(delimiter) };
  await handOver(program, process.argv.slice(1), env);
}

/** True if the fetched one is there, is new enough and runs: a build for another C library does not. */
function answers() {
  const { status, stdout } = spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return status === 0 && isSupported(stdout);
}

/** Lets `npx` find the fetched Node.js, if that is what runs this. A later `npm ci` by a supported one removes the link with the folder. */
export function keepNode() {
  if (process.execPath.startsWith(folder)) linkProgram('node', process.execPath);
}
