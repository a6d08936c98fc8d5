import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from '../../lib/schema/sample';
import { openMpiVersion } from '../support/openMpi';
import { type Ended, PROJECT, WITHOUT_OTHER_LABS } from './support';

/** Makes namespaces, and logs root in with a separate key. */
const canSsh =
  process.getuid?.() === 0 &&
  existsSync('/usr/sbin/sshd') &&
  ['/usr/sbin/ip', '/sbin/ip', '/bin/ip'].some((program) => existsSync(program));

/** Hosts by the last number but one of their address: two that answer, one that accepts and says nothing, one that refuses. */
const HOSTS = { h1: 1, h2: 2, hangs: 3, refuses: 4 } as const;
type Host = keyof typeof HOSTS;
const addressOf = (host: Host, end: number): string => `192.168.${HOSTS[host]}.${end}`;

/** Part of the Open MPI headers (assets/lab/needs.tsv: mpi.h). */
const MPICC = '/usr/bin/mpicc';
/** Settings for Open MPI as root, with ranks that share CPUs: settings of the user's sessions. */
const AS_ROOT =
  'SetEnv OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1';

/** Every character that a shell, a host file or a list could stumble over. */
const HOSTILE = `it's "my" $(data); & *`;

(canSsh ? describe : describe.skip)('hosts that are reached by ssh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-ssh-'));
  const at = (...path: string[]): string => join(folder, ...path);
  /** Names of this process alone, as are their addresses. */
  const namespace = (name: string): string => `fb${process.pid}-${name}`;
  const [fsx, results, shared] = ['fsx', 'results', 'shared'].map((name) => at(`${name} ${HOSTILE}`)) as [
    string,
    string,
    string,
  ];
  const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' });
  const servers: ChildProcess[] = [];
  const programIn = (prefix: string, name: string, script: string): void =>
    writeFileSync(at(prefix, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const within = (host: Host, argv: readonly string[]): ChildProcess => {
    const server = spawn('ip', ['netns', 'exec', namespace(host), ...argv], { stdio: 'ignore' });
    servers.push(server);
    return server;
  };

  beforeAll(async () => {
    for (const directory of [fsx, shared, at('bin'), at('mpi'), at('other mpi')]) mkdirSync(directory);
    programIn('mpi', 'mpirun', 'exec /usr/bin/mpirun "$@"');
    programIn('other mpi', 'mpirun', "echo 'mpirun (Open MPI) 5.0.6'");
    // Enough for the question of its version: nothing is to be measured with it.
    for (const prefix of ['mpi', 'other mpi'])
      programIn(prefix, 'ior', "echo 'IOR-3.3.0: MPI Coordinated Test of Parallel I/O'");
    for (const key of ['host', 'user'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', at(key)]);
    writeFileSync(at('known'), `* ${readFileSync(at('host.pub'), 'utf8')}`);
    const hosts = (Object.keys(HOSTS) as Host[]).map((host) => `Host ${host}\n  HostName ${addressOf(host, 2)}\n`);
    writeFileSync(
      at('config'),
      `${hosts.join('')}Host *\n  User root\n  IdentityFile ${at('user')}\n  IdentitiesOnly yes\n  UserKnownHostsFile ${at('known')}\n`,
    );
    // ssh looks for the user's configuration in the system's home of the user, and ignores HOME.
    writeFileSync(at('bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${at('config')}' "$@"\n`);
    chmodSync(at('bin/ssh'), 0o755);
    ip('netns', 'add', namespace('client'));
    for (const host of Object.keys(HOSTS) as Host[]) {
      const [own, peer] = [`fb${process.pid}c${HOSTS[host]}`, `fb${process.pid}h${HOSTS[host]}`];
      ip('netns', 'add', namespace(host));
      ip(
        'link',
        'add',
        own,
        'netns',
        namespace('client'),
        'type',
        'veth',
        'peer',
        'name',
        peer,
        'netns',
        namespace(host),
      );
      for (const [name, device, end] of [
        ['client', own, 1],
        [host, peer, 2],
      ] as const) {
        ip('-n', namespace(name), 'address', 'add', `${addressOf(host, end)}/24`, 'dev', device);
        ip('-n', namespace(name), 'link', 'set', device, 'up');
      }
      // Hosts reach one another, as those of a cluster do, by the client between them.
      ip('-n', namespace(host), 'link', 'set', 'lo', 'up');
      ip('-n', namespace(host), 'route', 'add', 'default', 'via', addressOf(host, 1));
    }
    ip('netns', 'exec', namespace('client'), 'sh', '-c', 'echo 1 >/proc/sys/net/ipv4/ip_forward');
    writeFileSync(
      at('sshd.conf'),
      `HostKey ${at('host')}\nAuthorizedKeysFile ${at('user.pub')}\nPermitRootLogin yes\nUsePAM no\nPidFile none\nStrictModes no\n${AS_ROOT}\n`,
    );
    // Its own name, a folder that sshd wants, which the machine need not have, and its own MPI under the prefix that all hosts have.
    const script = `${WITHOUT_OTHER_LABS}
hostname "$1"; mount --bind "$3" "$4"; mount -t tmpfs tmpfs /run; mkdir /run/sshd; exec /usr/sbin/sshd -D -f "$2"`;
    for (const [host, mpi] of [
      ['h1', 'mpi'],
      ['h2', 'other mpi'],
    ] as const)
      within(host, [
        'unshare',
        '--mount',
        '--propagation',
        'slave',
        '--uts',
        'sh',
        '-c',
        script,
        'sh',
        host,
        at('sshd.conf'),
        at(mpi),
        at('mpi'),
      ]);
    within('hangs', [process.execPath, '-e', "require('node:net').createServer(() => {}).listen(22)"]);
    for (const host of ['h1', 'h2', 'hangs'] as const) await listening(host);
  });
  afterAll(() => {
    for (const server of servers) server.kill('SIGKILL');
    for (const name of ['client', ...Object.keys(HOSTS)])
      try {
        ip('netns', 'delete', namespace(name));
      } catch {
        // It was never made.
      }
    rmSync(folder, { recursive: true, force: true });
  });

  const PATH = `${at('bin')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`;
  const inClient = (argv: readonly string[], path = PATH): Promise<Ended> => {
    const child = spawn('ip', ['netns', 'exec', namespace('client'), ...argv], {
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path, XDG_STATE_HOME: at('state') },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString('utf8')));
    return new Promise((done) => child.once('close', (status) => done({ status, output })));
  };
  const fsxbench = (...args: string[]): Promise<Ended> => inClient([process.execPath, 'dist/fsxbench.js', ...args]);
  async function listening(host: Host): Promise<void> {
    const script = `exec 3<>/dev/tcp/${addressOf(host, 2)}/22`;
    for (let tries = 0; (await inClient(['bash', '-c', script])).status !== 0; tries++) {
      if (tries === 100) throw new Error(`${host} does not listen`);
      await sleep(100);
    }
  }

  test('one command measures from both, whatever its directories are called, and leaves nothing', async () => {
    const set = ['repeats=1', 'seconds=1', 'maxMiBPerArm=16', 'filesPerRank=20', 'ranksPerClient=2'].flatMap((text) => [
      '--set',
      text,
    ]);
    const there = ['--results', results, '--shared', shared];
    const { status, output } = await fsxbench('run', '--on', fsx, '--hosts', 'h1,h2', ...there, ...set);
    expect(`${status}\n${output}`).toMatch(/^0\n/);
    const [run = ''] = readdirSync(join(results, 'runs/MountBench'));
    const samples = readFileSync(join(results, 'runs/MountBench', run, 'samples.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Sample)
      .filter(({ phase, source, value }) => phase === 'measure' && source === 'client' && value !== null);
    expect(new Set(samples.map(({ clients }) => clients))).toEqual(new Set([2]));
    expect(new Set(samples.map(({ operation }) => operation))).toEqual(
      new Set(['write', 'read', 'file_create', 'file_stat', 'file_remove']),
    );
    expect(readdirSync(fsx, { recursive: true }).filter((path) => path !== 'fsxbench')).toEqual([]);
  });

  test('one that hangs, one that refuses and one that nobody knows are each named with the next step, by doctor as by a run', async () => {
    const hosts = ['--hosts', 'h1,hangs,refuses,nobody', '--shared', shared];
    const next = (host: string): string => `it must answer 'ssh -o BatchMode=yes ${host} true' without a question`;
    const [run, doctor] = await Promise.all([
      fsxbench('run', '--on', fsx, '--results', results, ...hosts),
      fsxbench('doctor', '--on', fsx, ...hosts),
    ]);
    expect(`${run.status}\n${run.output}`).toMatch(/^2\n/);
    expect(run.output).toContain(`not every client can measure ${fsx}`);
    expect(`${doctor.status}\n${doctor.output}`).toMatch(/^1\n/);
    expect(doctor.output).toMatch(/^h1 +[^-\s]/m);
    for (const { output } of [run, doctor]) {
      expect(output).toMatch(new RegExp(`hangs: Connection .*: ${next('hangs')}`));
      expect(output).toMatch(
        new RegExp(`refuses: ssh: connect to host ${addressOf('refuses', 2)} .*refused: ${next('refuses')}`),
      );
      expect(output).toMatch(new RegExp(`nobody: ssh: Could not resolve hostname nobody: .*: ${next('nobody')}`));
    }
    expect(readdirSync(fsx, { recursive: true }).filter((path) => path !== 'fsxbench')).toEqual([]);
  });

  (existsSync(MPICC) ? test : test.skip)(
    "--ranks 2 has mpirun start two of the user's own program on each host, and each says what it did meanwhile",
    async () => {
      const program = join(shared, 'checkpoint');
      const source = join(PROJECT, 'test/fixtures/mpi/checkpoint.c');
      execFileSync(MPICC, ['-o', program, source], { env: { ...process.env, OMPI_CC: 'cc' }, timeout: 60_000 });
      const here = join(folder, 'programs');
      const set = ['--set', 'repeats=2', '--set', 'seconds=2'];
      const own = ['--', 'mpirun', program, '{dir}', '4', '65536', '0.2'];
      const there = ['--results', here, '--shared', shared, '--ranks', '2'];
      const { status, output } = await fsxbench('run', '--on', fsx, '--hosts', 'h1,h2', ...there, ...set, ...own);
      expect(`${status}\n${output}`).toMatch(/^0\n/);
      const [run = ''] = readdirSync(join(here, 'runs/MountBench'));
      const raw = join(here, 'runs/MountBench', run, 'raw');
      const printed = readdirSync(raw, { recursive: true, encoding: 'utf8' })
        .filter((name) => /measure\/.*\.client0\.out$/.test(name))
        .map((name) => readFileSync(join(raw, name), 'utf8'));
      expect(printed).toHaveLength(2);
      for (const text of printed) {
        const ranks = [...text.matchAll(/^rank (\d) of 4 on (h\d)$/gm)].map(([, rank, host]) => `${rank} ${host}`);
        expect(ranks.sort()).toEqual(['0 h1', '1 h1', '2 h2', '3 h2']);
      }
      const loads = readFileSync(join(raw, '..', 'samples.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .flatMap((line) => (JSON.parse(line) as Sample).load ?? []);
      // Namespaces of one computer: it is known by its boot, and counts once.
      expect(loads.map(({ client, sameAs }) => [client, sameAs])).toEqual([
        ...[['h1'], ['h2', 'h1'], ['h1'], ['h2', 'h1']].map(([client, sameAs]) => [client, sameAs]),
      ]);
      expect(output).toContain('h1, h2 are one computer under 2 names');
      expect(readdirSync(fsx, { recursive: true }).filter((path) => path !== 'fsxbench')).toEqual([]);
    },
  );

  test('two versions of MPI under one prefix are told apart, and refused where a plan runs MPI, before anything is measured', async () => {
    const withMpi = (...args: string[]) =>
      inClient([process.execPath, 'dist/fsxbench.js', ...args], `${at('mpi')}:${PATH}`);
    const there = ['--on', fsx, '--hosts', 'h1,h2', '--shared', shared, '--plan', 'scaling', '--set', 'filesPerRank=0'];
    const [doctor, run] = await Promise.all([
      withMpi('doctor', ...there),
      withMpi('run', ...there, '--results', join(folder, 'none')),
    ]);
    const differs = new RegExp(
      `openmpi differs between the nodes \\(mpirun \\(Open MPI\\) ${openMpiVersion()} on h1; mpirun \\(Open MPI\\) 5\\.0\\.6 on h2\\): load the same version on all of them`,
    );
    expect(`${doctor.status}\n${doctor.output}`).toMatch(/^1\n/);
    expect(doctor.output).toMatch(new RegExp(`^missing  ${differs.source}`, 'm'));
    expect(doctor.output).toMatch(/^not ready for: /m);
    expect(`${run.status}\n${run.output}`).toMatch(/^2\n/);
    expect(run.output).toMatch(new RegExp(`not every client has what the plan runs:\n *${differs.source}`));
    expect(existsSync(join(folder, 'none', 'runs'))).toBe(false);
    expect(readdirSync(fsx, { recursive: true }).filter((path) => path !== 'fsxbench')).toEqual([]);
  });
});
