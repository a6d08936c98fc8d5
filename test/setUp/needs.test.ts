import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/sources';

const execFileOf = promisify(execFile);
const NEEDS = join(ROOT, 'assets/lab/needs');
const table = readFileSync(join(ROOT, 'assets/lab/needs.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [uses: string, apt: string, dnf: string]);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-needs-'));
});

function program(name: string, script: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${script}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}
const environment = () => ({ ...process.env, PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter) });

const missing = (names: readonly string[], env: NodeJS.ProcessEnv = process.env): string[] => {
  const { stdout } = spawnSync('bash', [NEEDS, ...names], { env, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
};

/** Why packages cannot be asked here. */
const isDebian = spawnSync('dpkg-query', ['--version']).status === 0;

(isDebian ? test : test.skip)('what this computer has is from the package that is named for it', () => {
  // The package of a module of Python is one of that Python's version, on which the named one depends.
  const there = table.filter(([uses]) => !uses.endsWith('.py') && missing([uses]).length === 0);
  expect(there.length).toBeGreaterThan(5);
  const wrong = there.filter(([uses, apt]) => {
    const packages = apt.split(' ').filter((name) => spawnSync('dpkg-query', ['--status', name]).status === 0);
    if (packages.length === 0) return true;
    const files = execFileSync('dpkg-query', ['--listfiles', ...packages], { encoding: 'utf8', maxBuffer: 1 << 26 });
    // Debian's alternatives lead from a name such as `cc` to one of the package.
    const names = [uses, { cc: 'gcc', mpirun: 'mpirun.openmpi' }[uses] ?? uses];
    return !files.split('\n').some((file) => names.some((name) => file.endsWith(`/${name}`)));
  });
  expect(wrong).toEqual([]);
});

test('a compiler of MPI without its headers does not pass for them', () => {
  program('mpicc', 'echo "mpi.h: No such file or directory" >&2; exit 1');
  program('cc', 'exit 1');
  expect(missing(['mpi.h'], environment())).toEqual(['mpi.h\tlibopenmpi-dev\topenmpi-devel']);
  program('mpicc', '[[ "$*" == *"-include mpi.h"* ]]');
  expect(missing(['mpi.h'], environment())).toEqual([]);
});

test('a Python without what makes environments does not pass for one', () => {
  program('python3', 'exit 1');
  expect(missing(['ensurepip.py'], environment())).toEqual([
    'ensurepip.py\tpython3 python3-venv\tpython3.11 python3.11-pip',
  ]);
  program('python3', '[[ "$*" == "-c import ensurepip" ]]');
  expect(missing(['ensurepip.py'], environment())).toEqual([]);
});

test('a library is had by its file, whatever programs there are', () => {
  const copy = join(folder, 'needs');
  cpSync(NEEDS, copy);
  writeFileSync(join(folder, 'needs.tsv'), 'libno-such-thing.so\tlibno-such-thing-dev\t-\n');
  expect(execFileSync('bash', [copy, 'libno-such-thing.so'], { encoding: 'utf8' })).toBe(
    'libno-such-thing.so\tlibno-such-thing-dev\t-\n',
  );
});

test('a name that no line has is refused', () => {
  const { status, stderr } = spawnSync('bash', [NEEDS, 'no-such-thing'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^needs: 'no-such-thing' must be one of .*needs\.tsv\n$/),
  ]);
});

describe('root', () => {
  const asRoot = isDebian && process.getuid?.() === 0 ? test : test.skip;
  /** Installs the packages of these table rows; none is there, before or after. */
  const installer = (...rows: readonly string[]): [script: string, names: string[]] => {
    for (const path of ['scripts/lib', 'assets/lab/needs'])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    writeFileSync(join(folder, 'assets/lab/needs.tsv'), rows.map((row) => `${row}\n`).join(''));
    return [join(folder, 'scripts/lib/packages'), rows.map((row) => row.split('\t')[0] as string)];
  };

  asRoot('gets the packages of what is missing, each once', () => {
    program('apt-get', `echo "$*" >>${folder}/apt.log`);
    const [script, names] = installer('no-tc\tiproute2\t-', 'no-ip\tiproute2\t-', 'no-x\ta b\t-');
    const { stdout, stderr } = spawnSync(script, names, { env: environment(), encoding: 'utf8' });
    expect(stderr).toBe('set-up: installing iproute2 a b\n');
    expect(stdout).toBe(
      'no-tc: apt-get install iproute2\nno-ip: apt-get install iproute2\nno-x: apt-get install a b\n',
    );
    const install = 'install -y -qq --no-install-recommends iproute2 a b\n';
    const log = () => readFileSync(join(folder, 'apt.log'), 'utf8');
    expect(log()).toBe(install);
    // Lists that are missing or old are fetched, and the installation is tried once more.
    program('apt-get', `echo "$*" >>${folder}/apt.log; [ "$1" = update ] || grep -q update ${folder}/apt.log`);
    spawnSync(script, names, { env: environment() });
    expect(log()).toBe(`${install}${install}update -qq\n${install}`);
  });

  asRoot('waits for another installation, and not for the services that it starts', async () => {
    const busy = `mkdir ${folder}/busy || { echo "Could not get lock" >&2; exit 100; }; sleep 0.2; rmdir ${folder}/busy`;
    const service = `sleep 60 >/dev/null 2>&1 & echo $! >>${folder}/services`;
    program('apt-get', `${busy}; echo "$1" >>${folder}/apt.log; ${service}`);
    const [script, names] = installer('no-x\ta\t-');
    const both = await Promise.all([0, 1].map(() => execFileOf(script, names, { env: environment() })));
    expect(both.map(({ stderr }) => stderr)).toEqual(both.map(() => 'set-up: installing a\n'));
    expect(readFileSync(join(folder, 'apt.log'), 'utf8')).toBe('install\ninstall\n');
    for (const pid of readFileSync(join(folder, 'services'), 'utf8').trim().split('\n')) process.kill(Number(pid));
  });
});

test('each quick start, and what it can do without, is known before anything is begun', () => {
  // As on a minimal Debian: what is not there is all that the table has.
  const root = join(folder, 'project');
  cpSync(join(ROOT, 'assets/lab'), join(root, 'assets/lab'), { recursive: true });
  for (const path of ['assets/storage', 'assets/client/lib', 'dist', 'package.json'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  execFileSync('ln', ['-s', join(ROOT, 'node_modules'), join(root, 'node_modules')]);
  const needs = join(root, 'assets/lab/needs');
  writeFileSync(needs, readFileSync(needs, 'utf8').replace(/^has\(\) \{\n/m, 'has() {\n  return 1\n'));
  const quickstart = (benchmark: string, ...args: string[]) =>
    spawnSync(
      process.execPath,
      [join(root, 'dist/fsxbench.js'), 'lab', 'quickstart', '--benchmark', benchmark, ...args],
      { encoding: 'utf8', cwd: root },
    );
  interface Unmet {
    readonly of: string;
    readonly without: string | null;
    readonly missing: readonly { readonly uses: string }[];
  }
  const unmet = (benchmark: string, ...args: string[]): Record<string, string> =>
    Object.fromEntries(
      (JSON.parse(quickstart(benchmark, '--needs', ...args).stdout) as { unmet: Unmet[] }).unmet.map((one) => [
        `${one.of}${one.without === null ? '!' : ''}`,
        one.missing.map(({ uses }) => uses).join(' '),
      ]),
    );
  const tools = { IOR: 'mpirun', 'fio!': 'fio' };
  const slurm = { 'Slurm!': 'slurmctld slurmd srun munged unshare libpmix.so' };
  const model =
    process.getuid?.() === 0
      ? {
          'the scale model':
            'mfsmaster mfschunkserver mfsmount mfscli compsize mkfs.btrfs mkfs.ext4 losetup ip tc nsenter',
          'a program on its servers': 'iperf3 ss fio',
        }
      : {};
  expect(unmet('CompressionBench')).toEqual({ ...tools, ...model });
  expect(unmet('MetadataBench')).toEqual({ 'fio!': 'fio', ...model });
  expect(unmet('OffloadBench')).toEqual({ 'fio!': 'fio', ...model, 'compressed stream': 'lz4 zstd' });
  expect(unmet('ClusterBench')).toEqual({ ...tools, ...slurm, ...model });
  expect(unmet('CompressionBench', '--launcher', 'slurm')).toEqual({ ...tools, ...slurm, ...model });
  if (process.getuid?.() === 0)
    expect(unmet('StorageBench')).toMatchObject({
      xfs: 'mkfs.xfs losetup',
      'btrfs-zstd': 'mkfs.btrfs losetup',
      moosefs: 'mfsmaster mfschunkserver mfsmount mkfs.ext4 losetup ip nsenter',
    });
  const environments = (benchmark: string) =>
    (JSON.parse(quickstart(benchmark, '--needs').stdout) as { environments: string[] }).environments;
  expect(environments('ClusterBench')).toEqual(['dask/install']);
  expect(environments('CompressionBench')).toEqual([]);
  // A missing requirement ends it at once: without Python, no emulator and no deployment.
  const { status, stderr } = quickstart('ClusterBench');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /Slurm needs slurmctld, slurmd, srun, munged, unshare, libpmix\.so: apt-get install slurmctld .*libpmix-dev\n$/,
  );
  // A tool that is its own program is not said to need itself.
  expect(stderr).toMatch(/^fsxbench: fio is missing: apt-get install fio, or dnf install fio$/m);
  expect(existsSync(join(root, '.lab'))).toBe(false);
});
