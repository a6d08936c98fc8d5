// npm test: sets everything up, then checks everything, cheapest first; stops at the first failure.
// npm test -- NAME … runs only the checks of these names; npm test -- --list names them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensurePackages, must, requireNode, root } from './lib/project.mjs';
import { ensurePrograms } from './lib/system.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const venv = (name) => join(root, '.lab', 'venv', 'bin', name);

/** Name → command. Every check runs from the project's folder. */
const CHECKS = {
  types: [bin('tsc'), '--noEmit', '-p', '.'],
  lint: [bin('biome'), 'check', '--error-on-warnings', '.'],
  'dead-code': [bin('knip')],
  shell: ['bash', 'scripts/lint-shell.sh'],
  jest: [bin('jest'), '--ci'],
  python: [venv('python'), '-m', 'pytest', '-q', 'test/lab/python'],
  bats: ['bash', 'node_modules/bats/bin/bats', '--jobs', '1', 'test/client'],
};

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (process.argv.includes('--list')) {
  console.log(Object.keys(CHECKS).join('\n'));
  process.exit(0);
}
const unknown = names.filter((name) => !(name in CHECKS));
if (unknown.length > 0) {
  console.error(`there is no check '${unknown[0]}'; checks: ${Object.keys(CHECKS).join(', ')}`);
  process.exit(2);
}

const say = (text) => console.error(`set-up: ${text}`);
requireNode();
const missing = ensurePrograms(['fio', 'mpirun', 'mkfs.btrfs', 'compsize', 'losetup', 'chromium'], say);
for (const line of missing) console.error(`set-up: tests that need it are skipped, ${line}`);
ensurePackages(say);
ensureBuilt(say);
must(process.execPath, [join(root, 'scripts', 'lib', 'venv.mjs'), root], { stdio: ['ignore', 'ignore', 'inherit'] });

const seconds = [];
for (const [name, [command, ...args]] of Object.entries(CHECKS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n── ${name}`);
  const started = Date.now();
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  seconds.push(`${name} ${((Date.now() - started) / 1000).toFixed(0)} s`);
  if (done.status !== 0) {
    console.error(`\nfailed: ${name} (${done.error?.message ?? `exit status ${done.status ?? done.signal}`})`);
    process.exit(1);
  }
}
console.log(`\nall checks passed: ${seconds.join(', ')}`);
