// npm test: sets everything up, then runs all checks, cheapest first; stops at the first stage that fails.
// npm test -- NAME … runs only the named checks; npm test -- --list lists them; npm test -- --changed looks at what differs from main only.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { changedFiles, nearest } from './lib/changed.mjs';
import { declaredPath } from './lib/declared.mjs';
import { supportedNode } from './lib/node.mjs';
import { ensureBuilt, ensurePackages, root } from './lib/project.mjs';
import { ensure } from './lib/system.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const venv = (name) => join(root, '.lab', 'venv', 'bin', name);

/** Stages in order; the checks of a stage run at the same time. Every check runs from the project's folder. */
const STAGES = [
  {
    // Leaves a core to the others.
    types: [bin('tsc'), '--noEmit', '-p', '.'],
    lint: [bin('biome'), 'check', '--error-on-warnings', '.'],
    'dead-code': [bin('knip')],
    spelling: [bin('cspell'), '--no-progress', '--no-summary', '--show-suggestions'],
    shell: ['bash', 'scripts/lint-shell.sh'],
  },
  {
    jest: [bin('jest'), '--ci'],
    python: [venv('python'), '-m', 'pytest', '-q', 'test/lab/python'],
    dask: ['bash', '-c', 'PYTHONPATH=assets/dask "$(assets/dask/install)" -B -m unittest discover -s test/dask'],
    bats: [
      'bash',
      'node_modules/bats/bin/bats',
      '--recursive',
      'test/client',
      'test/server',
      'test/storage',
      'test/lab',
    ],
  },
];

/**
 * Programs that tests use beyond a minimal Debian, as assets/lab/needs.tsv names them: those that all tests need, and those that some tests
 * are skipped without.
 */
const NEEDED = ['bzip2', 'column', 'curl', 'make', 'ps', 'ssh-keygen'];
const USED = `
  as cc chromium compsize fio ip iperf3 libpmix.so losetup lz4 mfschunkserver mfscli mfsmaster mfsmount mkfs.btrfs mkfs.ext4 mkfs.xfs modulecmd
  mpi.h mpirun munged nsenter slurmctld slurmd srun ss sshd stdio.h tc unshare zstd
`
  .trim()
  .split(/\s+/);

/** The checks above, as far as they look at what differs from main. */
function stageOfChanges() {
  const files = changedFiles();
  const { jest, bats, left } = nearest(files);
  const shells = files.filter((file) => /^(assets|scripts|\.ci|test)\//.test(file));
  const [quick, tests] = STAGES;
  if (left.length > 0) console.error(`left to the whole of npm test, since they take long: ${left.join(', ')}`);
  return {
    // Files that no change since the last time can affect keep what was found of them.
    ...(files.some((file) => /\.ts$/.test(file)) && {
      types: [...quick.types, '--incremental', '--tsBuildInfoFile', '.lab/changed.tsbuildinfo'],
    }),
    ...(files.length > 0 && {
      lint: [...quick.lint.slice(0, -1), '--no-errors-on-unmatched', ...files],
      spelling: [...quick.spelling, '--no-must-find-files', ...files],
    }),
    ...(shells.length > 0 && { shell: [...quick.shell, ...shells] }),
    ...(jest.length > 0 && { jest: [...tests.jest, '--runTestsByPath', ...jest] }),
    ...(bats.length > 0 && { bats: ['bash', 'node_modules/bats/bin/bats', ...bats] }),
  };
}

const names = STAGES.flatMap((stage) => Object.keys(stage));

const isChanged = process.argv.includes('--changed');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (process.argv.includes('--list')) {
  console.log(names.join('\n'));
  process.exit(0);
}
const unknown = wanted.find((name) => !names.includes(name));
if (unknown) {
  console.error(`there is no check '${unknown}'; checks: ${names.join(', ')}`);
  process.exit(2);
}

/** The second stage calls programs of the machine. */
const runsTests = isChanged || wanted.length === 0 || wanted.some((name) => name in STAGES[1]);

const say = (text) => console.error(`set-up: ${text}`);
await supportedNode(say);
const without = runsTests ? ensure(NEEDED, say) : [];
if (without.length > 0) {
  console.error('set-up: the tests need what could not be installed:');
  for (const line of without) console.error(`  ${line}`);
  process.exit(1);
}
for (const line of runsTests ? ensure(USED, say) : [])
  console.error(`set-up: missing, so tests that need it are skipped: ${line}`);
// Beside npm packages and the first checks, which are Node.js alone.
const python = new Promise((resolve) => {
  const words = [join(root, 'scripts', 'lib', 'pythonTools.mjs'), 'parallelcluster', 'checkov'];
  spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] }).once('close', resolve);
}).then((status) => status === 0 || process.exit(status ?? 1));
const NODE_ALONE = ['types', 'lint', 'dead-code', 'spelling'];
ensurePackages(say);
ensureBuilt(say);

const env = { ...process.env, PATH: declaredPath() };

/** Minutes that a check may take, and seconds that what holds its output may outlive it: a hang ends here, by name, not where CI gives up. */
const LIMIT = 60;
const GRACE = 10;
const LOOK = 5;

/** Runs one check; its output is printed in one piece, unless it is the only one, and its last line while others wait for it. */
function check(name, [command, ...args], alone) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: alone ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    const output = [];
    for (const stream of streams) stream.on('data', (chunk) => output.push(chunk));
    const text = () => Buffer.concat(output).toString('utf8');
    const seconds = () => ((Date.now() - started) / 1000).toFixed(0);
    const last = () => console.log(`${name} after ${seconds()} s: ${text().trimEnd().split('\n').at(-1)}`);
    const look = setInterval(last, LOOK * 60_000);
    let gaveUp = false;
    const limit = setTimeout(() => {
      gaveUp = true;
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), GRACE * 1000).unref();
    }, LIMIT * 60_000);
    const end = (problem) => {
      clearInterval(look);
      clearTimeout(limit);
      console.log(`\n── ${name} (${seconds()} s)\n${text()}`);
      resolve({ name, seconds: seconds(), problem: gaveUp ? `given up after ${LIMIT} minutes` : problem });
    };
    child.once('error', (error) => end(error.message));
    // A process that a test left behind may hold the output open for as long as it lives.
    child.once('exit', () => {
      const letGo = () => {
        for (const stream of streams) stream.destroy();
      };
      setTimeout(letGo, GRACE * 1000).unref();
    });
    child.once('close', (status, signal) => end(status === 0 ? null : `exit status ${status ?? signal}`));
  });
}

const done = [];
for (const stage of isChanged ? [stageOfChanges()] : STAGES) {
  const checks = Object.entries(stage).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  const results = await Promise.all(
    checks.map(async ([name, command]) => {
      if (!NODE_ALONE.includes(name)) await python;
      return check(name, command, checks.length === 1);
    }),
  );
  done.push(...results.map(({ name, seconds }) => `${name} ${seconds} s`));
  const failed = results.filter(({ problem }) => problem !== null);
  if (failed.length > 0) {
    console.error(`\nfailed: ${failed.map(({ name, problem }) => `${name} (${problem})`).join(', ')}`);
    process.exit(1);
  }
}
console.log(`\nall checks passed: ${done.join(', ')}`);
