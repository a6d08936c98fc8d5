// npm test: sets everything up, then runs the checks, cheapest first; stops at the first stage that fails. It keeps every promise once.
// npm test -- --all adds the suites of test/support/all.json, the tests of bats with the tag `all`, and all cases where `npm test` draws one of several.
// npm test -- NAME … runs only the named checks; npm test -- --list lists them; npm test -- --changed looks at what differs from main only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { changedFiles, nearest, ONLY_IN_ALL, programsOf } from './lib/changed.mjs';
import { declaredPath } from './lib/declared.mjs';
import { supportedNode } from './lib/node.mjs';
import { ensureBuilt, root, say } from './lib/project.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const venv = (name) => join(root, '.lab', 'venv', 'bin', name);
const BATS = ['bash', 'node_modules/bats/bin/bats'];
const isAll = process.argv.includes('--all');
const isChanged = process.argv.includes('--changed');
/** Tests of bats are left out by tag, suites of jest by path: run by hand they are found. */
const TESTS_LEFT_OUT = isAll ? [] : ['--filter-tags', '!all'];
const LEFT_OUT = isAll ? [] : [`--testPathIgnorePatterns=/node_modules/|/(${ONLY_IN_ALL.join('|')})\\.test\\.ts$`];

/** Stages in order, the first Node.js alone; the checks of a stage run at the same time. Every check runs from the project's folder. */
const STAGES = [
  {
    // Leaves a core to the others.
    types: [join(root, 'node_modules/typescript-7/bin/tsc'), '--noEmit', '-p', '.'],
    lint: [bin('biome'), 'check', '--error-on-warnings', '.'],
    'dead-code': [bin('knip')],
    spelling: [bin('cspell'), '--no-progress', '--no-summary', '--show-suggestions'],
  },
  {
    // shellcheck comes with Python.
    shell: ['bash', 'scripts/lint-shell.sh'],
    jest: [bin('jest'), '--ci', ...LEFT_OUT],
    python: [venv('python'), '-m', 'pytest', '-q', 'test/lab/python'],
    dask: ['bash', '-c', 'PYTHONPATH=assets/dask "$(assets/dask/install)" -B -m unittest discover -s test/dask'],
    // Two, since each runs one test after the other.
    bats: [...BATS, ...TESTS_LEFT_OUT, '--recursive', 'test/client'],
    'bats-servers': [...BATS, ...TESTS_LEFT_OUT, '--recursive', 'test/server', 'test/storage', 'test/lab'],
  },
];

/**
 * Programs that tests use beyond a minimal Debian, as assets/lab/needs.tsv names them: those that all tests need, and those that some tests
 * are skipped without.
 */
const NEEDED = ['bzip2', 'column', 'curl', 'make', 'ps', 'ssh-keygen'];
const USED = `
  as cc chromium compsize fio ip iperf3 libpmix.so losetup lz4 mfschunkserver mfscli mfsmaster mfsmount mkfs.btrfs mkfs.ext4 mkfs.xfs modulecmd
  mpi.h mpirun munged nsenter slurmctld slurmd srun ss sshd stdio.h systemd-escape tc unshare zstd
`
  .trim()
  .split(/\s+/);

/** The checks above, as far as they look at what differs from main. */
function stageOfChanges() {
  const files = changedFiles();
  const { jest, bats, python, left } = suites;
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
    ...(shells.length > 0 && { shell: [...tests.shell, ...shells] }),
    ...(jest.length > 0 && { jest: [bin('jest'), '--ci', '--runTestsByPath', ...jest] }),
    ...(bats.length > 0 && { bats: [...BATS, ...bats] }),
    ...Object.fromEntries(python.map((check) => [check, tests[check]])),
  };
}

const names = STAGES.flatMap((stage) => Object.keys(stage));
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

/** The environment of checks that call programs: Python first, since pip takes longest. Ends the checks if a program that all need is missing. */
async function prepareMachine(programs) {
  const line = `scripts/lib/packages ensurepip.py >/dev/null
    scripts/install-python checks ${isAll ? 'parallelcluster' : ''} >/dev/null & python=$!
    scripts/lib/packages "$@"
    wait $python`;
  const child = spawn('sh', ['-c', line, 'sh', ...programs], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const [found, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (status !== 0) process.exit(status ?? 1);
  const missing = found.split('\n').filter((line) => line !== '');
  const isNeeded = (line) => NEEDED.includes(line.split(':')[0]);
  for (const line of missing)
    say(`missing, ${isNeeded(line) ? 'and needed' : 'so tests that need it are skipped'}: ${line}`);
  if (missing.some(isNeeded)) process.exit(1);
  return { ...process.env, PATH: declaredPath(), ...(isAll && { FSXBENCH_ALL: 'true' }) };
}

await supportedNode();
// At the same time as npm packages and the first checks, which are Node.js alone. The second stage calls programs of the machine.
const callsPrograms = wanted.length === 0 || wanted.some((name) => name in STAGES[1]);
const suites = isChanged ? nearest(changedFiles()) : undefined;
const used = suites ? programsOf([...suites.jest, ...suites.bats], USED) : USED;
const machine = prepareMachine(callsPrograms ? [...NEEDED, ...used] : []);
ensureBuilt();

const logs = join(root, '.lab/checks');
mkdirSync(logs, { recursive: true });

/** Minutes that a check may take: a hang ends here, by name, not where CI gives up; `timeout` then exits with 124. */
const LIMIT = 90;
const LOOK = 5;

/** Runs one check; its output is printed in one piece, unless it is the only one, and its last line while others wait for it. */
async function check(name, command, alone, env) {
  const started = Date.now();
  const seconds = () => ((Date.now() - started) / 1000).toFixed(0);
  // A file: a process that a test left behind would hold a pipe open for as long as it lives.
  const log = join(logs, name);
  const output = openSync(log, 'w');
  const printed = () => readFileSync(log, 'utf8');
  const last = () => console.log(`${name} after ${seconds()} s: ${printed().trimEnd().split('\n').at(-1)}`);
  const look = setInterval(last, LOOK * 60_000);
  const limited = ['--foreground', '--kill-after=10', `${LIMIT}m`, ...command];
  const stdio = alone ? 'inherit' : ['ignore', output, output];
  const [status, signal] = await once(spawn('timeout', limited, { cwd: root, env, stdio }), 'exit');
  clearInterval(look);
  console.log(`\n── ${name} (${seconds()} s)\n${printed()}`);
  const problem = status === 124 ? `given up after ${LIMIT} minutes` : `exit status ${status ?? signal}`;
  return { name, seconds: seconds(), problem: status === 0 ? null : problem };
}

const done = [];
for (const stage of isChanged ? [stageOfChanges()] : STAGES) {
  const checks = Object.entries(stage).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  const results = await Promise.all(
    checks.map(async ([name, command]) => {
      const env = name in STAGES[0] ? process.env : await machine;
      return check(name, command, checks.length === 1, env);
    }),
  );
  done.push(...results.map((result) => `${result.name} ${result.seconds} s`));
  const failed = results.filter(({ problem }) => problem !== null);
  if (failed.length > 0) {
    console.error(`\nfailed: ${failed.map(({ name, problem }) => `${name} (${problem})`).join(', ')}`);
    process.exit(1);
  }
}
console.log(`\nall checks passed: ${done.join(', ')}`);
