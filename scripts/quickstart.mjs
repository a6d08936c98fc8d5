// npm run quickstart: from a fresh clone to a report. Sets everything up, then hands over to `fsxbench lab quickstart`.
import { spawn, spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ensureIor } from './lib/ior.mjs';
import { supportedNode } from './lib/node.mjs';
import { ensureBuilt, ensurePackages, root } from './lib/project.mjs';
import { install, MORE_FOLDERS } from './lib/system.mjs';

const say = (text) => console.error(`set-up: ${text}`);

await supportedNode(say);
ensurePackages(say);
ensureBuilt(say);
const command = [join(root, 'dist', 'fsxbench.js'), 'lab', 'quickstart', ...process.argv.slice(2)];
const options = { cwd: root, env: { ...process.env, PATH: [process.env.PATH, ...MORE_FOLDERS].join(delimiter) } };
// What it uses depends on the benchmark, its arms and what starts its processes: it says so itself, or that it cannot be started so.
const asked = spawnSync(process.execPath, [...command, '--needs'], {
  ...options,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (asked.status !== 0) process.exit(asked.status ?? 1);
install(
  JSON.parse(asked.stdout).unmet.flatMap(({ missing }) => missing),
  say,
);
const noIor = ensureIor(say);
if (noIor !== null) say(`no IOR (${noIor}): fio writes all targets`);

// In the foreground process group, so that Ctrl-C reaches the command itself, which stops the lab before it exits.
const child = spawn(process.execPath, command, { ...options, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
child.on('exit', (status, signal) => process.exit(status ?? (signal ? 130 : 1)));
