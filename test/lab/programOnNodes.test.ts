import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { LabPaths } from '../../lib/lab/paths';
import type { ReportDocument } from '../../lib/report/json';
import type { Sample } from '../../lib/schema/sample';
import { ON_ONE_MACHINE } from '../support/openMpi';
import { hasIor, PROJECT, slurmForTests, startFsxbench, TOOLS } from './support';

const NODES = 2;
/** Part of the Open MPI headers (assets/lab/needs.tsv: mpi.h). */
const MPICC = '/usr/bin/mpicc';
let paths: () => LabPaths;
let [folder, directory, program] = ['', '', ''];

/** Slurm's, and what Open MPI wants of root and of nodes that share a machine. */
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${TOOLS}:${process.env.PATH}`,
  SLURM_CONF: join(paths().slurm, 'slurm.conf'),
  ...ON_ONE_MACHINE,
  AWS_EC2_METADATA_DISABLED: 'true',
  OMPI_ALLOW_RUN_AS_ROOT: '1',
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
});

const results = () => join(folder, 'results');

async function run(...args: string[]) {
  const on = ['run', '--on', directory, '--nodes', String(NODES), '--results', results()];
  const { status, output } = await startFsxbench(PROJECT, [...on, ...args], environment()).ended;
  expect(`${status}\n${output}`).toMatch(/^0\n/);
  const path = /^run \S+ in (.+)$/m.exec(output)?.[1] ?? '';
  const samples = readFileSync(join(path, 'samples.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): Sample => JSON.parse(line));
  const printed = readdirSync(join(path, 'raw'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /measure\/.*\.client0\.out$/.test(name))
    .map((name) => readFileSync(join(path, 'raw', name), 'utf8'));
  return { run: basename(path), samples, printed };
}

async function reportOf(name: string): Promise<ReportDocument> {
  const { output } = await startFsxbench(PROJECT, ['report', name, '--results', results(), '--json']).ended;
  return JSON.parse(output);
}

/** Its daemons share a machine only as root; mpicc brings the MPI headers. */
const can =
  process.getuid?.() === 0 && ['/usr/sbin/slurmctld', '/usr/sbin/munged', MPICC].every((path) => existsSync(path));

(can ? describe : describe.skip)("a user's own MPI program on the nodes of a cluster", () => {
  paths = slurmForTests({ nodes: NODES, processors: 2 });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fsxbench-program-'));
    directory = mkdtempSync(join(tmpdir(), 'fsxbench-fsx-'));
    program = join(folder, 'checkpoint');
    const source = join(PROJECT, 'test/fixtures/mpi/checkpoint.c');
    execFileSync(MPICC, ['-o', program, source], { env: { ...process.env, OMPI_CC: 'cc' } });
  });
  afterAll(() => {
    for (const one of [folder, directory]) rmSync(one, { recursive: true, force: true });
  });

  test.each([
    ['srun', ['srun', '--mpi=pmix']],
    ['mpirun', ['mpirun']],
  ])('--ranks 3 has %s start three on each node, and each node says what it did meanwhile', async (_, launcher) => {
    const own = [...launcher, program, '{dir}', '16', '1048576', '0.5'];
    const { samples, printed } = await run('--ranks', '3', '--set', 'repeats=2', '--set', 'seconds=2', '--', ...own);
    expect(printed).toHaveLength(2);
    for (const text of printed) {
      const ranks = [...text.matchAll(/^rank (\d) of 6 on (n\d)$/gm)].map(([, rank, node]) => `${rank} ${node}`);
      expect(ranks.sort()).toEqual(['0 n1', '1 n1', '2 n1', '3 n2', '4 n2', '5 n2']);
    }
    const loads = samples.flatMap(({ load }) => (load === undefined ? [] : [load]));
    expect(loads.map((load) => load.map(({ client }) => client))).toEqual([
      ['n1', 'n2'],
      ['n1', 'n2'],
    ]);
  });

  test('--like drives IOR from all nodes as a recorded program worked, or says what it needs', async () => {
    const log = join(PROJECT, 'test/fixtures/tools/darshan_ior_shared.out');
    const like = ['run', '--on', directory, '--nodes', String(NODES), '--results', results(), '--like', log];
    const { status, output } = await startFsxbench(PROJECT, [...like, '--set', 'repeats=1'], environment()).ended;
    if (!hasIor) {
      expect([status, output]).toEqual([
        2,
        expect.stringContaining('the like plan needs IOR 3.3.0 or 4.0.0 and mpirun'),
      ]);
      return;
    }
    expect(`${status}\n${output}`).toMatch(/^0\n/);
    const path = /^run \S+ in (.+)$/m.exec(output)?.[1] ?? '';
    const [command] = readFileSync(join(path, 'plan.json'), 'utf8').match(/"ior",.*?\]/s) ?? [];
    expect(command?.replaceAll(/[\s"]/g, '')).toContain('ior,-a,POSIX,-t,65536,-b,4194304,-s,1,-k,-z,-w');
    const { findings } = await reportOf(basename(path));
    expect(findings.join()).toMatch(/ wrote [\d.,]+ MB\/s/);
  });

  test('the report says in one sentence whether storage limits the program, and what each node did', async () => {
    const log = join(PROJECT, 'test/fixtures/tools/darshan_ior_fpp.out');
    const as = [
      '--as',
      'lustre:PERSISTENT_2:500,12TiB',
      '--recorded',
      log,
      '--ranks',
      '1',
      '--set',
      'repeats=1',
      '--set',
      'seconds=2',
    ];
    const { run: name, samples } = await run(...as, '--', 'srun', '--mpi=pmix', program, '{dir}', '8', '1048576', '1');
    const { analysis, answers, caveats } = await reportOf(name);
    expect(caveats.join()).toContain(
      'According to darshan_ior_fpp.out the program did this: 4 processes wrote 16 MiB in sequential transfers of 256 KiB',
    );
    const [{ nodes, wrote, waiting } = {}] = analysis.programs;
    expect(nodes?.map(({ client }) => client)).toEqual(['n1', 'n2']);
    // Both nodes are on one computer, whose device has what both wrote: it is counted once.
    expect(nodes?.map(({ sameAs }) => sameAs)).toEqual([undefined, 'n1']);
    expect(caveats.join()).toContain('n1, n2 are one computer under 2 names');
    const written = nodes?.map(({ counters }) => counters?.find(({ role }) => role === 'written')?.value ?? 0) ?? [];
    for (const bytes of written) expect(bytes).toBeGreaterThanOrEqual(2 * 8 * 1048576);
    const [load = []] = samples.flatMap((sample) => (sample.load === undefined ? [] : [sample.load]));
    const seconds = load.reduce((sum, one) => sum + one.seconds, 0) / load.length;
    expect(((wrote?.MBps ?? 0) * seconds * 1e6) / (written[0] ?? 0)).toBeCloseTo(1, 6);
    expect(wrote?.limit?.share).toBeGreaterThan(0);
    expect(waiting?.share).toBeLessThanOrEqual(1);
    const [limited] = answers.filter(({ question }) => question === 'What limited it');
    expect(limited?.sentences.join('\n')).toMatch(
      /: storage (?:limits|does not limit) the program.*: some process waited for I\/O \d+ % of the time \(faster storage can save no more\); it wrote [\d.,]+ MB\/s, \d+ % of what .+ sustains?.*; the CPUs were \d+ % busy\.$/m,
    );
  });
});
