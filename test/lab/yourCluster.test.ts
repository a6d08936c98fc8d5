import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../../lib/schema/plan';
import type { Manifest, RunStatus } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import { type Ended, labForTests, PROJECT, type TestLab } from './support';

/** A user without rights, which every Debian has (base-passwd). */
const NOBODY = 65_534;
const NODES = 2;
let lab: () => TestLab;
/** What such a user has on a cluster: a home that all nodes share, a file system, and Slurm's programs. */
let [home, fsx] = ['', ''];

const project = (): string => join(home, 'project');

const environment = (): NodeJS.ProcessEnv => ({
  // Folders of root's own on the PATH of this test are closed to others.
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  HOME: home,
  SLURM_CONF: join(lab().lab.paths.slurm, 'slurm.conf'),
  OMPI_MCA_mpi_yield_when_idle: '1',
});

const asNobody = (argv: readonly string[]): string[] => [
  ...['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'],
  ...argv,
];
const FSXBENCH = () => [join(home, basename(process.execPath)), join(project(), 'dist/fsxbench.js')];

interface UnderWay {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  readonly said: () => string;
}

/**
 * In mounts of its own, which end with it: the checkout may lie where only root may enter, and nodes see neither it nor what hides a folder.
 */
const IN_OWN_MOUNTS = `set -e
mount --bind "$1" "$2"
[ -z "$3" ] || mount -t tmpfs -o mode=1777 tmpfs "$3"
shift 3
exec "$@"`;

function start(argv: readonly string[], hidden = ''): UnderWay {
  const mounts = ['--mount', '--propagation', 'private', 'sh', '-c', IN_OWN_MOUNTS, 'sh', PROJECT, project(), hidden];
  const child = spawn('unshare', [...mounts, ...asNobody(argv)], {
    ...{ cwd: home, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output += text.toString('utf8')));
  const ended = new Promise<Ended>((done) => child.once('close', (status) => done({ status, output })));
  return { pid: child.pid as number, ended, said: () => output };
}

const run = (...args: string[]): UnderWay =>
  start([...FSXBENCH(), 'run', '--on', fsx, '--results', join(home, 'results'), '--shared', home, ...args]);
const slurm = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { env: environment(), encoding: 'utf8' });

const FILES = (count: number): string[] => ['--set', `filesPerRank=${count}`];
const QUICK = [
  '--set',
  'repeats=1',
  '--set',
  'seconds=1',
  '--set',
  'maxMiBPerArm=16',
  ...FILES(0),
  '--set',
  'ranksPerClient=2',
];

function resultsOf({ output }: Ended): {
  folder: string;
  samples: Sample[];
  plan: Plan;
  manifest: Manifest;
  status: RunStatus;
} {
  const folder = /^run \S+ in (.+)$/m.exec(output)?.[1] ?? '';
  const path = join(home, folder.startsWith('/') ? folder.slice(home.length) : folder);
  const read = (name: string) => JSON.parse(readFileSync(join(path, name), 'utf8'));
  const samples = readFileSync(join(path, 'samples.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Sample);
  return {
    folder: path,
    samples,
    plan: read('plan.json'),
    manifest: read('manifest.json'),
    status: read('status.json'),
  };
}

/** Data of runs; the folder of all runs stays. */
const dataLeft = (): string[] =>
  readdirSync(fsx, { recursive: true, encoding: 'utf8' }).filter((path) => path !== 'fsxbench');

const measuredIn = (samples: readonly Sample[]): Sample[] =>
  samples.filter(({ phase, source, value }) => phase === 'measure' && source === 'client' && value !== null);

/** Its daemons share a machine as root only. */
const canSlurm = process.getuid?.() === 0 && ['slurmctld', 'munged'].every((name) => existsSync(`/usr/sbin/${name}`));

(canSlurm ? describe : describe.skip)("somebody's cluster, as an ordinary user of it", () => {
  lab = labForTests([], { slurm: { nodes: NODES, processors: 2 } });

  beforeAll(() => {
    // The lab's folder is root's alone; the user reaches Slurm's settings and socket below it.
    chmodSync(lab().root, 0o711);
    home = mkdtempSync(join(tmpdir(), 'fsxbench-home-'));
    fsx = mkdtempSync(join(tmpdir(), 'fsxbench-fsx-'));
    cpSync(process.execPath, join(home, basename(process.execPath)));
    mkdirSync(project());
    chownSync(home, NOBODY, NOBODY);
    chownSync(fsx, NOBODY, NOBODY);
  });

  afterEach(async () => {
    // Nothing is left of a run, in the directory or in Slurm, whatever became of it.
    const deadline = Date.now() + 60_000;
    while (slurm('squeue', '--noheader').trim() !== '' && Date.now() < deadline) await sleep(200);
    expect(slurm('squeue', '--noheader')).toBe('');
  });

  afterAll(() => {
    for (const folder of [home, fsx]) rmSync(folder, { recursive: true, force: true });
  });

  test('one command asks for the nodes, measures from all of them, and leaves nothing', async () => {
    const ended = await run('--nodes', String(NODES), ...QUICK, ...FILES(20)).ended;
    expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
    const { samples, plan, manifest, status } = resultsOf(ended);
    expect(status).toMatchObject({ state: 'done', failedSteps: [] });
    expect(plan.fleet).toMatchObject({ clients: NODES, ranksPerClient: 2 });
    expect(manifest.fleet).toMatchObject({ clients: [], machines: { asked: '--nodes 2', names: ['n1', 'n2'] } });
    expect(new Set(measuredIn(samples).map(({ clients }) => clients))).toEqual(new Set([NODES]));
    expect(new Set(measuredIn(samples).map(({ operation }) => operation))).toEqual(
      new Set(['write', 'read', 'file_create', 'file_stat', 'file_remove']),
    );
    expect(dataLeft()).toEqual([]);
  });

  test('within an allocation it takes its nodes, and no more than there are', async () => {
    const inJob = (...args: string[]) =>
      start([
        'salloc',
        '--nodes=2',
        ...FSXBENCH(),
        'run',
        '--on',
        fsx,
        '--results',
        join(home, 'results'),
        '--shared',
        home,
        ...args,
      ]);
    const more = await inJob('--nodes', '3', ...QUICK).ended;
    expect(more.output).toMatch(/'--nodes' must be at most the 2 of the allocation \d+ \(n\[1-2\]\), got 3/);
    const one = await inJob('--nodes', '1', ...QUICK).ended;
    expect(`${one.status}\n${one.output}`).toMatch(/^0\n/);
    expect(resultsOf(one).manifest.fleet.machines?.names).toEqual(['n1']);
  });

  test('what Slurm refuses is said in its own words, and starts nothing', async () => {
    const { status, output } = await run('--nodes', '2', '--slurm', '--partition=none', ...QUICK).ended;
    expect(status).toBe(1);
    expect(output).toContain('invalid partition specified: none');
    expect(dataLeft()).toEqual([]);
  });

  test('a node that has another directory there is named, before anything is measured', async () => {
    // A file system that only the machine of the command has: nodes keep what was there before.
    const hidden = join(fsx, 'scratch');
    mkdirSync(hidden);
    const own = [...FSXBENCH(), 'run', '--on', hidden, '--results', join(home, 'results'), '--shared', home];
    const { status, output } = await start([...own, '--nodes', '2', ...QUICK], hidden).ended;
    expect(`${status}\n${output}`).toMatch(/^2\n/);
    expect(output).toContain(`not every machine can measure ${hidden}:`);
    expect(output).toMatch(/^n1, n2: .* is another directory here \(.*\): mount the same file system/m);
    rmdirSync(hidden);
  });

  test('Ctrl-C ends it on all nodes, and resuming asks for nodes again and loses nothing', async () => {
    const long = run('--nodes', '2', ...QUICK, '--set', 'repeats=5');
    let over = false;
    void long.ended.then(() => (over = true));
    const measured = (): boolean => {
      const folder = /^run \S+ in (.+)$/m.exec(long.said())?.[1];
      return (
        folder !== undefined &&
        existsSync(join(folder, 'samples.jsonl')) &&
        measuredIn(resultsOf({ status: null, output: long.said() }).samples).length > 0
      );
    };
    while (!over && !measured()) await sleep(50);
    if (over) throw new Error(long.said());
    process.kill(long.pid, 'SIGINT');
    const stopped = await long.ended;
    expect(stopped.output).toContain('interrupted');
    const before = resultsOf(stopped);
    expect(before.status.state).toBe('interrupted');
    const again = await start([
      ...FSXBENCH(),
      'run',
      '--resume',
      basename(before.folder),
      '--results',
      join(home, 'results'),
    ]).ended;
    expect(`${again.status}\n${again.output}`).toMatch(/^0\n/);
    const after = resultsOf(again);
    expect(after.status).toMatchObject({ state: 'done', failedSteps: [] });
    expect(after.samples.slice(0, before.samples.length)).toEqual(before.samples);
    expect(dataLeft()).toEqual([]);
  });

  test("the user's own program is started by srun on all nodes", async () => {
    const program = [
      'srun',
      '--overlap',
      '--nodes=2',
      '--ntasks-per-node=1',
      'sh',
      '-c',
      'touch "$1/$(uname -n)"',
      'sh',
      '{dir}',
    ];
    const ended = await run('--nodes', '2', '--set', 'repeats=2', '--', ...program).ended;
    expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
    const { samples } = resultsOf(ended);
    expect(measuredIn(samples).filter(({ metric }) => metric === 'seconds')).toHaveLength(2);
  });

  test('a sweep tells how the rate grows with the nodes, and its report draws it', async () => {
    const set = ['repeats=2', 'seconds=1', 'maxMiBPerNode=32', 'ranksPerClient=1', 'reads=false'].flatMap((text) => [
      '--set',
      text,
    ]);
    const ended = await run('--nodes', '2', '--plan', 'scaling', ...set).ended;
    expect(`${ended.status}\n${ended.output}`).toMatch(/^0\n/);
    const { samples, folder } = resultsOf(ended);
    expect(new Set(measuredIn(samples).map(({ plannedNodes, clients }) => `${plannedNodes} of ${clients}`))).toEqual(
      new Set(['1 of 1', '2 of 2']),
    );
    const report = await start([
      ...FSXBENCH(),
      'report',
      basename(folder),
      '--results',
      join(home, 'results'),
      '--markdown',
    ]).ended;
    expect(report.output).toMatch(/2 nodes wrote [\d.,]+ (?:\([\d.,–]+\) )?times as fast as 1 node/);
    expect(report.output).toContain('- Clients: n1, n2');
    expect(report.output).toContain('npx fsxbench run --on DIRECTORY --nodes 2 --plan scaling --set nodes=1,2 ');
  });
});
