// npm run quickstart: from a fresh clone to a report. Sets everything up, then hands over to `fsxbench lab quickstart`.
import { spawn, spawnSync } from 'node:child_process';
import { supportedNode } from './lib/node.mjs';
import { ensureBuilt, ensureInstalled, handOver, root, say } from './lib/project.mjs';

process.chdir(root);
// Programs of the scale models, which most quick starts use, and the lab's Python, at the same time as Node.js and npm packages, which take as long.
// What they could not install is reported where it is used.
if (process.env.FSXBENCH_SET_UP === undefined) {
  const needs =
    '$(for each in check server; do MODEL_NAME=needs MODEL_FOLDER=needs bash assets/lab/model/$each needs; done)';
  const programs = `scripts/lib/packages curl mpirun ${needs}`;
  spawn('sh', ['-c', `scripts/lib/packages ensurepip.py; scripts/install-python & ${programs}; wait`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
const own = { checks: false };
// A fetched Node.js runs this script once more.
process.env.FSXBENCH_SET_UP = 'started';
await supportedNode(() => ensureInstalled(own));
delete process.env.FSXBENCH_SET_UP;
ensureBuilt(own);
const command = ['dist/fsxbench.js', 'lab', 'quickstart', ...process.argv.slice(2)];
// Folders with administrative programs and, on Red Hat-like distributions, Open MPI.
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin:/usr/lib64/openmpi/bin` };
/** Output of a program; if it fails, this process ends with its status. */
function outputOf(program, ...args) {
  const { status, stdout } = spawnSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}
// Its needs depend on the benchmark, its arms and the launcher: the command lists them, or reports that it cannot start.
const { unmet, environments } = JSON.parse(outputOf(process.execPath, ...command, '--needs'));
// Also in parallel with packages, after Python, whose set-up reports its own errors. Users of an environment wait for it.
const made = environments.map((script) => `scripts/install-python >/dev/null 2>&1 && assets/${script} >/dev/null`);
spawn('sh', ['-c', made.join('; ')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
outputOf('scripts/lib/packages', ...unmet.flatMap(({ missing }) => missing.map(({ uses }) => uses)));
const noIor = outputOf('scripts/lib/ior');
if (noIor !== '') say(`no IOR (${noIor}): fio writes all targets`);
await handOver(process.execPath, command, env);
