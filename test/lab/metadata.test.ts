import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { labDown, leftovers } from '../../lib/lab/down';
import { labPaths } from '../../lib/lab/paths';
import type { ReportDocument } from '../../lib/report/json';
import { toolVersions } from '../../lib/run/clients/tools';
import type { MetricsFile } from '../../lib/schema/metrics';
import type { Plan } from '../../lib/schema/plan';
import type { Manifest } from '../../lib/schema/run';
import { readSamples } from '../../lib/store/documents';
import { labProject, PROJECT } from './support';

let root: string;
let remove: () => void;
let ended: { status: number | null; output: string };
let folder: string;

/** The least and the most metadata IOPS of those that the lab deploys. */
const ARMS = ['p250-3000', 'p250-12000'];
/** Files of a round, and the processes that make them. */
const [FILES, RANKS] = [400, 2];

/** Runs the command line in the project of this test. */
function fsxbench(args: readonly string[]): Promise<{ status: number | null; output: string; said: string }> {
  const child = spawn(process.execPath, [join(root, 'dist/fsxbench.js'), ...args], {
    cwd: root,
    env: { ...process.env, PATH: [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter) },
  });
  let said = '';
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString('utf8');
    output += text.toString('utf8');
  });
  child.stderr.on('data', (text: Buffer) => (output += text.toString('utf8')));
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output, said })));
}

beforeAll(async () => {
  ({ root, remove } = await labProject());
  for (const name of ['bin', 'cdk.json']) symlinkSync(join(PROJECT, name), join(root, name));
  // A copy: the command line finds its project by where it lies.
  cpSync(join(PROJECT, 'dist'), join(root, 'dist'), { recursive: true });
  // fio, which stands in for mdtest, has no engine for directories.
  const { mdtest, openmpi } = await toolVersions(process.env);
  const operations = mdtest && openmpi ? ['operations=both'] : [];
  const small = [
    'repeats=1',
    `filesPerRank=${FILES / RANKS}`,
    'fileBytes=0',
    'maxRounds=2',
    'seconds=0',
    ...operations,
  ].flatMap((set) => ['--set', set]);
  ended = await fsxbench(['lab', 'quickstart', '--benchmark', 'MetadataBench', '--arms', ...ARMS, ...small]);
  const runs = join(root, 'results', 'runs', 'MetadataBench');
  mkdirSync(runs, { recursive: true });
  folder = join(runs, readdirSync(runs)[0] ?? 'none');
});
afterAll(async () => {
  await labDown(root);
  remove();
});

const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

test('MetadataBench goes through the lab from deployment to report', () => {
  expect([ended.status, ended.output]).toEqual([
    0,
    expect.stringMatching(/^Report: file:\S+MetadataBench\S+index\.html/m),
  ]);
});

test('runs on the arms that were chosen, each with a file system of its own', () => {
  const manifest = readJson<Manifest>(folder, 'manifest.json');
  expect(manifest.arms.map(({ name }) => name)).toEqual(ARMS);
  expect(manifest.lab).toBe(true);
  // The image that the clients booted, not the parameter that the deployment names.
  expect(manifest.fleet.image).toMatch(/^ami-[0-9a-f]+$/);
  expect(manifest.fleet.clients.map(({ image }) => image)).toEqual(
    manifest.fleet.clients.map(() => manifest.fleet.image),
  );
  expect(new Set(manifest.arms.map(({ fileSystemId }) => fileSystemId)).size).toBe(2);
  expect(manifest.arms.every(({ actually }) => actually !== null)).toBe(true);
});

test('measures every operation that the tools of this computer can do, or that the model holds, on both arms', () => {
  const { parameters } = readJson<Plan>(folder, 'plan.json');
  const samples = readSamples(folder).samples;
  const measured = samples.filter(({ metric, value }) => metric === 'rate' && (value ?? 0) > 0);
  const operations = [
    'file_create',
    'file_remove',
    ...(modelled() ? [] : ['file_stat']),
    ...(parameters.tool === 'mdtest' ? ['dir_create', 'dir_remove'] : []),
    ...(parameters.tool === 'mdtest' && !modelled() ? ['file_read', 'dir_stat'] : []),
  ];
  expect(new Set(measured.map(({ arm, operation }) => `${arm} ${operation}`))).toEqual(
    new Set(ARMS.flatMap((arm) => operations.map((operation) => `${arm} ${operation}`))),
  );
  expect(measured.every(({ tool }) => tool === parameters.tool)).toBe(true);
});

/** True if this computer can throttle the arms' differences: the run took place in the scale model. */
const modelled = (): boolean => readJson<Manifest>(folder, 'manifest.json').arms.every(({ model }) => model?.metadata);

test('reports each rate, prices as null with the reason, and so what nothing holds', async () => {
  const { said } = await fsxbench(['report', folder, '--json']);
  const { metadata } = JSON.parse(said) as ReportDocument;
  // For two arms, at least creates and deletes; also stat without throttling.
  expect(metadata?.rates.length).toBeGreaterThanOrEqual(modelled() ? 4 : 6);
  const local = 'a local file system replaced Amazon FSx';
  for (const { operation, rate, efficiency } of metadata?.rates ?? []) {
    expect(rate.value).toBeGreaterThan(0);
    if (!modelled()) expect(efficiency).toEqual({ value: null, reason: local });
    else if (operation !== 'file_create') expect(efficiency.value).toBeNull();
    // A busy machine is slower than the limit, and faster after it stalled; a wrong limit is off by more than 2.
    else expect(Math.abs(Math.log2(efficiency.value ?? 0))).toBeLessThan(1);
  }
  if (modelled()) {
    const law = metadata?.scalingModels?.find(({ operation }) => operation === 'file_create');
    expect(law?.points.map(({ arm, iops }) => [arm, iops])).toEqual([
      ['p250-3000', 3000],
      ['p250-12000', 12_000],
    ]);
  } else for (const { evenness } of metadata?.balance ?? []) expect(evenness.reason).toBe(local);
  for (const { perDollar } of metadata?.prices ?? []) expect(perDollar.reason).toBe('nothing in the lab costs money');
  expect(readFileSync(join(folder, 'report', 'index.html'), 'utf8')).toContain('id="metadata"');
});

test('the model’s metadata servers count the files that the clients created, and no other', () => {
  if (!modelled()) return;
  const { samples } = readSamples(folder);
  for (const arm of ARMS) {
    const rounds = samples.filter(
      (one) => one.arm === arm && one.operation === 'file_create' && one.metric === 'rate' && one.value !== null,
    ).length;
    const { series } = readJson<MetricsFile>(folder, 'metrics', `${arm}.json`);
    const counted = (metric: string): number =>
      series
        .filter((one) => one.metric === metric)
        .flatMap(({ points }) => points)
        .reduce((sum, [, value]) => sum + value, 0);
    // A server that a busy machine keeps from answering publishes its last counts after the run's window.
    for (const metric of ['FileCreateOperations', 'FileDeleteOperations']) {
      expect([arm, metric, counted(metric) <= rounds * FILES]).toEqual([arm, metric, true]);
      expect([arm, metric, counted(metric) > (rounds * FILES) / 4]).toEqual([arm, metric, true]);
    }
    for (const metric of ['StatOperations', 'MetadataOperations', 'DiskIopsUtilization'])
      expect([metric, counted(metric) > 0]).toEqual([metric, true]);
  }
});

test('leaves nothing of the lab behind', async () => {
  expect(await leftovers(labPaths(root))).toEqual([]);
});

test('an arm that the benchmark does not have is refused with those that it has', async () => {
  const { status, output } = await fsxbench(['lab', 'up', '--benchmark', 'MetadataBench', '--arms', 'p125-7']);
  expect([status, output]).toEqual([
    2,
    expect.stringContaining(
      "'arms' must be some of p250-3000, p250-6000, p250-12000, or of p250-none, p250-12000, p250-192000, p1000-none, p1000-12000, p1000-192000, each once, got 'p125-7'",
    ),
  ]);
});
