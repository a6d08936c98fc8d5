import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configurationAs } from '../../../lib/cli/input/configurationOptions';
import { planOn } from '../../../lib/cli/start/runOn';
import { thisInstanceType } from '../../../lib/fleet/common/thisMachine';
import { efs } from '../../../lib/storage/efs';
import { lustre } from '../../../lib/storage/lustre';
import { openzfs } from '../../../lib/storage/openzfs';
import { temporaryFolder } from '../../run/bench';
import { fsxbenchIn } from '../support';

jest.mock('../../../lib/fleet/common/thisMachine', () => {
  const actual = jest.requireActual('../../../lib/fleet/common/thisMachine');
  return { ...actual, thisInstanceType: jest.fn(actual.thisInstanceType) };
});

const PROJECT = resolve(__dirname, '../../..');
const folder = temporaryFolder();
const state = join(folder, 'state');
const fsxbench = (...argv: string[]) =>
  fsxbenchIn({ root: PROJECT, environment: { ...process.env, XDG_STATE_HOME: state } }, argv);
const mount = join(folder, 'My mount');
mkdirSync(mount);

test('all clients together write the part of the free space that one of them would', () => {
  const known = { configuration: configurationAs('lustre:PERSISTENT_2:500,12TiB'), fileSystemId: null } as never;
  const most = (clients: number) => {
    const mounted = {
      directory: mount,
      arm: 'fsx',
      actually: 'fsx',
      clientType: null,
      tools: null,
      there: null,
      clients,
    };
    const { plan } = planOn({ ...mounted, known }, { set: [] } as never);
    return Number(plan.parameters.maxMiBPerArm);
  };
  expect(most(1) / most(8)).toBeCloseTo(8, 0);
});

test.each([
  [['--on', '/no/such'], '--on: there is no directory /no/such'],
  [['--as', 'lustre:PERSISTENT_2:500,12TiB'], '--as describes the directory of --on: also give --on'],
  [['--on', mount, '--as', 'disk:1'], "'--as' must be one of lustre, "],
  [['--on', mount, '--as', 'lustre:big'], "'--as lustre:' must be a type with its MB/s per TiB and a capacity, such"],
  [
    ['--on', mount, '--as', 'efs:throughput=x'],
    "'--as efs:' must be key=value with a setting of efs, got 'throughput=x'",
  ],
  [
    ['--on', mount, '--as', 'moosefs:moosefsChunkservers=2'],
    'moosefsCopies: moosefsInstanceType is missing; moosefsVolumeGiB is missing',
  ],
  [['CompressionBench', '--on', mount], 'CompressionBench compares file systems, and --on measures one'],
  [['--on', mount, '--local', `a=${mount}`], '--on measures one directory and --local compares several'],
  [['--on', mount, '--resume', 'x'], '--resume cannot be combined with --on'],
  [['--on', mount, '--set', 'second=1'], "there is no parameter 'second'; allowed: repeats, seconds, tool"],
  [['--on', mount, '--detach'], 'a local run is driven by this command: leave out --detach'],
  [['--on', mount, '--hosts', 'a', '--detach'], 'leave out --detach, or start it with nohup'],
  [['--on', mount, '--nodes', '0', '--detach'], "'--nodes' must be a number of nodes from 1 to 9999, got '0'"],
  [
    ['--on', mount, '--nodes', '2', '--set', 'speed=1'],
    "there is no parameter 'speed'; allowed: repeats, seconds, tool",
  ],
  [['--on', mount, '--nodes', '2', '--as', 'lustre:big'], "'--as lustre:' must be a type with its MB/s per TiB"],
  [['--on', '/no/such', '--nodes', '2'], '--on: there is no directory /no/such'],
  [['--on', mount, '--nodes', '2', '--hosts', 'a'], '--nodes and --hosts each name the clients: choose one'],
  [['--nodes', '2'], '--nodes describes the directory of --on: also give --on'],
  [['--on', mount, '--build-tools'], 'into a directory that all nodes have: name it with --shared'],
  [['--on', mount, '--build-tools', '--shared', '/no/such'], '--shared: there is no directory /no/such'],
  [['--build-tools'], '--build-tools describes the directory of --on: also give --on'],
  [['CompressionBench', '--module', 'openmpi'], '--module is for tools on this computer'],
  [
    ['--on', mount, '--module', '-rf'],
    `'--module' must be the name of an environment module, such as openmpi/4.1.6, got "-rf"`,
  ],
  [['--on', mount, '--module', 'a;reboot'], 'got "a;reboot": module avail lists them'],
  [[], 'or one mounted directory: npx fsxbench run --on /fsx'],
])('run %j is wrong usage that says what to do', async (argv, message) => {
  const { status, out, err } = await fsxbench('run', ...argv, '--results', join(folder, 'none'));
  expect([status, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

test.each([
  ['col:on', 'fio', "must be a path without ':', at which fio divides it"],
  ['line\nbreak', 'fio', "'--on' must be a path without line breaks, tabs and other control characters"],
])('a directory called %j is refused with its name before anything is written: %s', async (name, tool, message) => {
  const [directory, results] = [join(folder, name), join(folder, 'refused')];
  mkdirSync(directory);
  const { status, err } = await fsxbench('run', '--on', directory, '--set', `tool=${tool}`, '--results', results);
  expect([status, existsSync(results), readdirSync(directory)]).toEqual([2, false, []]);
  expect(err).toContain(message);
  expect(err).toContain(name.split('\n')[0]);
});

describe('nodes that salloc is asked for', () => {
  /** `run --on … --nodes 2` where salloc is this script, after the command that it is to start. */
  const asked = (salloc: string | null, ...command: string[]) => {
    const programs = mkdtempSync(join(folder, 'programs-'));
    if (salloc !== null) writeFileSync(join(programs, 'salloc'), `#!/bin/sh\n${salloc}\n`, { mode: 0o755 });
    const environment = { PATH: `${programs}:/usr/bin:/bin`, XDG_STATE_HOME: state };
    if (salloc === null) environment.PATH = programs;
    const argv = ['run', '--on', mount, '--nodes', '2', '--results', join(folder, 'none')];
    return fsxbenchIn({ root: PROJECT, environment, command }, argv);
  };
  /** Leaves out salloc's own options, as in an allocation. */
  const GRANTS = 'echo "salloc: Granted job allocation 7" >&2; while [ "$1" != sh ]; do shift; done; "$@"';

  // Slurm 22.05 without a slurm.conf, and with a controller that is down.
  test.each([
    'salloc: error: _establish_config_source: failed to fetch config\nsalloc: fatal: Could not establish a configuration source',
    'salloc: error: Job submit/allocate failed: Unable to contact slurm controller (connect failure)',
  ])('are none where it says %j: on which host, and what to do', async (words) => {
    const { status, err } = await asked(`cat >&2 <<'WORDS'\n${words}\nWORDS\nexit 1`, 'false');
    const last = words.split('\n').at(-1);
    expect([status, err]).toEqual([
      1,
      `${words}\nfsxbench: salloc on ${hostname()} named no nodes: '${last}'; check with 'sinfo' that Slurm answers here and has such nodes; otherwise start the run on a login node of the cluster, or in a job\n`,
    ]);
  });

  test('are none where sbatch queues no job for them, of whose run nothing is left', async () => {
    const words =
      'sbatch: error: invalid partition specified: none\nsbatch: error: Batch job submission failed: Invalid partition name specified\n';
    const programs = mkdtempSync(join(folder, 'programs-'));
    writeFileSync(join(programs, 'sbatch'), `#!/bin/sh\nprintf '${words}' >&2\nexit 1\n`, { mode: 0o755 });
    const environment = { PATH: `${programs}:/usr/bin:/bin`, XDG_STATE_HOME: state };
    const results = join(folder, 'queued');
    const argv = ['run', '--on', mount, '--nodes', '2', '--detach', '--results', results];
    const { status, err } = await fsxbenchIn({ root: PROJECT, environment, command: ['true'] }, argv);
    // The folders that all runs share stay.
    expect([status, readdirSync(results, { recursive: true })]).toEqual([1, ['runs', 'runs/MountBench']]);
    expect(err).toContain(
      `${words}fsxbench: sbatch on ${hostname()} named no nodes: 'sbatch: error: Batch job submission failed`,
    );
  });

  test('are none where there is no salloc', async () => {
    const { status, err } = await asked(null);
    expect([status, err]).toEqual([
      2,
      `fsxbench: there is no salloc on this computer (${hostname()}): start the run on a login node of the cluster, or in a job\n`,
    ]);
  });

  test('measure, and a run that fails there has said itself why, where this command would say it', async () => {
    const there = join(folder, 'its-stderr');
    const { status, err } = await asked(GRANTS, 'sh', '-c', `readlink /proc/$$/fd/2 >${there}; exit 3`);
    expect([status, err]).toEqual([1, 'salloc: Granted job allocation 7\n']);
    expect(readFileSync(there, 'utf8').trim()).toBe(readlinkSync('/proc/self/fd/2'));
  });

  test('measure, and wrong usage there is wrong usage', async () => {
    expect(await asked(GRANTS, 'sh', '-c', 'exit 2')).toMatchObject({ status: 2 });
    expect(await asked(GRANTS, 'true')).toMatchObject({ status: 0 });
  });

  test('are not waited for any more once the person who asks has had enough, who is told nothing more', async () => {
    const waits = join(folder, 'waits');
    const answer = asked(`>${waits}; exec sleep 300`, 'false');
    while (!existsSync(waits)) await sleep(10);
    process.emit('SIGINT');
    expect(await answer).toEqual({ status: 1, out: '', err: '' });
  });
});

test('results that lie below a line break are refused, since the mark of their processes would be two', async () => {
  const results = join(folder, 'my\nresults');
  const { status, err } = await fsxbench('run', '--on', mount, '--set', 'tool=fio', '--results', results);
  expect([status, existsSync(results)]).toEqual([2, false]);
  expect(err).toContain("'--results' must be a path without line breaks");
});

test('a file system in a word is what its settings make of it', () => {
  expect(configurationAs('lustre:PERSISTENT_2:500,12TiB')).toMatchObject({
    kind: 'lustre',
    deploymentType: 'PERSISTENT_2',
    storageCapacityGiB: 12_000,
    perUnitStorageThroughput: 500,
  });
  expect(configurationAs('efs:efsThroughputMode=elastic')).toEqual({ kind: 'efs', throughputMode: 'elastic' });
});

test('one directory is measured, and held against what it is said to be', async () => {
  const results = join(folder, 'results');
  const small = ['repeats=1', 'seconds=1', 'maxMiBPerArm=16', 'filesPerRank=20'].flatMap((one) => ['--set', one]);
  const as = ['--as', 'lustre:PERSISTENT_2:500,12TiB'];
  jest.mocked(thisInstanceType).mockReturnValueOnce('c5n.9xlarge');
  const { status, out, err } = await fsxbench('run', '--on', mount, ...as, ...small, '--json', '--results', results);
  expect(status).toBe(0);
  expect(err).toContain('PERSISTENT_2 SSD 12000 GiB, 500 MB/s/TiB, no compression, as --as said; nobody verified that');
  expect(err).toMatch(/However, .* is mounted with type \S+, not lustre: this is another file system than --as said\./);
  const { run } = JSON.parse(out) as { run: string };
  // Its directory is gone with its data.
  expect(readdirSync(mount)).toEqual([]);
  const described = join(results, 'runs', 'MountBench', run, 'environment', 'local.json');
  expect(JSON.parse(readFileSync(described, 'utf8')).arms).toMatchObject({
    'my-mount': { type: expect.any(String), options: expect.any(String) },
  });

  const { analysis, answers, arms, cells, cost, issues } = JSON.parse(
    (await fsxbench('report', run, '--json', '--results', results)).out,
  );
  expect(arms).toEqual([expect.objectContaining({ name: 'my-mount' })]);
  // It has not the price of what it is not.
  expect(cost.lines[0]).toMatchObject({ hourlyUsd: null, reason: expect.stringMatching(/ is mounted, which is not /) });
  const toBuy = answers.find(({ question }: { question: string }) => question === 'What to buy');
  expect(toBuy?.sentences.join(' ')).not.toContain(', against $');
  // One arm is compared with nothing, and no service publishes metrics of it.
  const ids = issues.map(({ id }: { id: string }) => id);
  expect(ids).not.toContain('few-repeats');
  expect(ids).not.toContain('phase-too-short');
  const operations = cells.map(({ operation }: { operation: string }) => operation);
  expect(operations).toEqual(expect.arrayContaining(['write', 'read', 'file_create', 'file_stat', 'file_remove']));
  // One client of c5n.9xlarge and five servers: 5 Gbit/s to each of them is the lowest ceiling.
  expect(analysis.limits[0]).toMatchObject({ arm: 'my-mount', binding: { baseline: 'client_oss_path' } });
}, 60_000);

test('doctor --on and run --on of one computer give the same verdict of a directory that hangs, and measure nothing', async () => {
  const bin = join(folder, 'hung');
  mkdirSync(bin);
  // As with a Lustre target that is away: the directory answers, a file in it does not.
  writeFileSync(join(bin, 'test'), '#!/bin/sh\n[ "$1" != -e ] || exec sleep 60\n', { mode: 0o755 });
  const verdict = `${mount} does not answer here: is its file system hung?`;
  const results = join(folder, 'hung-results');
  // The scripts of the clients inherit the environment of this process.
  const replaced = jest.replaceProperty(process, 'env', {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    FSXBENCH_CHECK_SECONDS: '1',
  });
  const doctor = await fsxbench('doctor', '--on', mount);
  const run = await fsxbench('run', '--on', mount, '--results', results);
  replaced.restore();
  expect([doctor.status, run.status]).not.toContain(0);
  expect(doctor.out).toContain(`missing  ${verdict}`);
  expect(doctor.out).not.toContain('can be written to');
  expect(run.err).toContain(`this computer cannot measure ${mount}:\n  ${verdict}`);
  expect(existsSync(results)).toBe(false);
});

test('of a directory that no service has, no limit is invented', async () => {
  const results = join(folder, 'unknown');
  const argv = ['--set', 'repeats=1', '--results', results, '--', 'cp', '/etc/hosts', '{dir}/copy'];
  const { status, err } = await fsxbench('run', '--on', mount, '--json', ...argv);
  expect(status).toBe(0);
  expect(err).toMatch(/^Nothing is documented for \S+ on .*, so no limit of it is known\. Say what it is/);
});

test.each([
  [efs, 'nfs4', 'fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/', 'fs-0123456789abcdef0'],
  [openzfs, 'nfs4', 'fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com:/fsx', 'fs-0123456789abcdef0'],
  [efs, 'nfs4', 'fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com:/fsx', null],
  [efs, 'nfs4', 'fileserver:/export', null],
  [efs, 'ext4', 'fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/', null],
])('%# knows a mount by the DNS name of its device', async (storage, type, device, id) => {
  expect(await storage.account.identify?.({ type, device, mountPoint: '/fsx', options: 'rw' })).toBe(id);
});

describe('a mounted Lustre, which the kernel shows by its name if no other has it', () => {
  let server: Server;
  const before = { ...process.env };
  const fileSystem = (FileSystemId: string, MountName: string) => ({
    FileSystemId,
    FileSystemType: 'LUSTRE',
    LustreConfiguration: { MountName },
  });
  beforeAll(async () => {
    const FileSystems = [fileSystem('fs-01', 'abcdefgh'), fileSystem('fs-02', 'fsx'), fileSystem('fs-03', 'fsx')];
    server = createServer((_, response) => response.end(JSON.stringify({ FileSystems })));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    });
  });
  afterAll(async () => {
    process.env = before;
    await new Promise((closed) => server.close(closed));
  });

  test.each([
    ['10.0.0.15@tcp:/abcdefgh', 'fs-01'],
    ['10.0.0.15@tcp:/fsx', null],
    ['10.0.0.15@tcp:/other', null],
  ])('%s is %s', async (device, id) => {
    expect(await lustre.account.identify?.({ type: 'lustre', device, mountPoint: '/fsx', options: 'rw' })).toBe(id);
  });
});

test.each([
  ['Amazon EC2', 'c5n.9xlarge', 'c5n.9xlarge'],
  ['Amazon EC2', 'none.yet', null],
  ['QEMU', 'c5n.9xlarge', null],
])('a machine of %s that says %s is %s', (vendor, product, type) => {
  const tables = temporaryFolder();
  writeFileSync(join(tables, 'sys_vendor'), `${vendor}\n`);
  writeFileSync(join(tables, 'product_name'), `${product}\n`);
  expect(thisInstanceType(tables)).toBe(type);
});

test('a machine without firmware tables is no instance', () => {
  expect(thisInstanceType(join(folder, 'none'))).toBeNull();
  expect(readFileSync(join(PROJECT, 'docs/commands.md'), 'utf8')).toContain('run --on');
});
