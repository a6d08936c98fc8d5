// npm run quickstart: from a fresh clone to a report. Sets everything up, then hands over to `fsxbench lab quickstart`.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ensureIor } from './lib/ior.mjs';
import { supportedNode } from './lib/node.mjs';
import { ensureBuilt, ensurePackages, root } from './lib/project.mjs';
import { ensurePrograms, MODEL_PROGRAMS, MORE_FOLDERS, SLURM_PROGRAMS } from './lib/system.mjs';

const say = (text) => console.error(`set-up: ${text}`);

await supportedNode(say);
const programs = ['fio', 'mpirun', 'mkfs.btrfs', 'mkfs.xfs', 'compsize', 'losetup', ...MODEL_PROGRAMS];
// Servers of Slurm are installed where they are asked for, not on every machine that tries the lab.
const onSlurm = process.argv
  .slice(2)
  .some((word) => /^(?:--launcher=)?slurm$|^(?:--benchmark=)?ClusterBench$/.test(word));
const missing = ensurePrograms(onSlurm ? [...programs, ...SLURM_PROGRAMS] : programs, say);
if (missing.length > 0) {
  console.error('set-up: some packages could not be installed; the lab works around them:');
  for (const line of missing) console.error(`  ${line}`);
}
if (missing.some((line) => line.startsWith('fio:'))) {
  console.error('set-up: fio is required for measurements. Install it and run this again.');
  process.exit(1);
}
ensurePackages(say);
ensureBuilt(say);
const noIor = ensureIor(say);
if (noIor !== null) say(`no IOR (${noIor}): fio writes all targets`);

// In the foreground process group, so that Ctrl-C reaches the command itself, which stops the lab before it exits.
const child = spawn(
  process.execPath,
  [join(root, 'dist', 'fsxbench.js'), 'lab', 'quickstart', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: [process.env.PATH, ...MORE_FOLDERS].join(delimiter) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
child.on('exit', (status, signal) => process.exit(status ?? (signal ? 130 : 1)));
