import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressionBench } from '../../lib/benchmark/compression';
import { labDown, labStatus, leftovers } from '../../lib/lab/down';
import { labPaths } from '../../lib/lab/paths';
import { releaseIn } from '../../lib/run/release';
import type { MetricsFile } from '../../lib/schema/metrics';
import type { Manifest, RunStatus } from '../../lib/schema/run';
import type { Sample } from '../../lib/schema/sample';
import { readSamples } from '../../lib/store/documents';
import { drawn, inAll } from '../support/drawn';
import { until } from '../support/patience';
import { commandProject, type Ended, PROJECT, type Started, startFsxbench } from './support';

let root: string;
let remove: () => void;
/** A run that is large enough to show everything and small enough for a test. */
const SMALL = [
  ...['repeats=1', 'compressibilities=1,3.5', 'tool=fio', 'maxMiBPerArm=64', 'seconds=1', 'warmUpSeconds=0'],
].flatMap((setting) => ['--set', setting]);

/** Without a scale model: these tests promise nothing that depends on rates. */
const UNHELD = ['--model', 'none'];

beforeAll(async () => {
  ({ root, remove } = await commandProject());
});
afterAll(async () => {
  await labDown(root);
  remove();
});

const start = (args: readonly string[], environment?: NodeJS.ProcessEnv): Started =>
  startFsxbench(root, args, environment);

const fsxbench = (args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Ended> =>
  start(args, environment).ended;

/** The environment that `lab env` prints. */
async function labEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { output } = await fsxbench(['lab', 'env']);
  return Object.fromEntries([...output.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

const runsFolder = () => join(root, 'results', 'runs', 'CompressionBench');
const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

const emulatorPid = (): number =>
  readJson<{ emulator: { process: { pid: number } } }>(labPaths(root).stateFile).emulator.process.pid;

/** Environment of a machine without one of the programs that the model needs. */
function withoutServers(): void {
  const assets = join(root, 'assets');
  rmSync(assets);
  cpSync(join(PROJECT, 'assets'), assets, { recursive: true });
  const change = (name: string, from: string, to: string): void => {
    const file = join(assets, 'lab', name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  };
  change('model/check', 'needs=(mfsmaster ', 'needs=(no-such-server ');
  change('needs.tsv', 'mfsmaster\t', 'no-such-server\t');
}

describe('the quickstart on a machine that cannot hold a scale model', () => {
  let ended: Ended;
  let folder: string;
  beforeAll(async () => {
    withoutServers();
    ended = await fsxbench(['lab', 'quickstart', ...SMALL]);
    folder = join(runsFolder(), readdirSync(runsFolder())[0] ?? 'none');
  });

  test('exits 0 and names the report', () => {
    expect(ended.output).toContain(`${join('results', 'runs', 'CompressionBench')}/`);
    expect(ended.output).toMatch(/is done\.\n[\s\S]*\nReport: file:\/\/\S+report\/index\.html\n/);
    expect(ended.status).toBe(0);
  });

  test('ends with what it measured, in a sentence', () => {
    expect(ended.output).toMatch(
      /^On data that (compressed [\d.]+:1|did not compress), lz4 .*wrote .* as fast as none/m,
    );
  });

  test('says why nothing was held, at once and in the results', () => {
    const missing =
      process.getuid?.() === 0
        ? 'no-such-server is not installed (Debian, Ubuntu: apt-get install moosefs-master)'
        : 'only root may limit disks and links';
    const notice = `No scale model here, so nothing limits disks and links: ${missing}.`;
    expect(ended.output).toContain(`lab: ${notice}`);
    // Also before anything was begun.
    const [before = ''] = ended.output.split('lab: ');
    if (process.getuid?.() === 0)
      expect(before).toBe(
        `quick start: CompressionBench: ${compressionBench.question}\nthe scale model needs no-such-server: apt-get install moosefs-master; without it nothing limits disks and links, and the figures are those of this computer\n`,
      );
    expect(readJson<Manifest>(folder, 'manifest.json').notices).toContain(notice);
    expect(readFileSync(join(folder, 'report', 'index.html'), 'utf8')).toContain(notice);
  });

  test('measured both arms, writing and reading, at each target', () => {
    const samples = readSamples(folder).samples;
    const measured = samples.filter((sample) => sample.metric === 'throughput' && (sample.value ?? 0) > 0);
    const cells = measured
      .map(({ arm, compressibility, operation }) => `${arm} ${compressibility} ${operation}`)
      .sort();
    expect(cells).toEqual(
      ['lz4', 'none'].flatMap((arm) =>
        ['1', '3.5'].flatMap((target) => ['read', 'write'].map((operation) => `${arm} ${target} ${operation}`)),
      ),
    );
  });

  test('reads back that the compressed arm stored less, where it is a real file system', () => {
    const samples = readSamples(folder).samples;
    const ratio = (arm: string, target: number): number =>
      samples.find(
        (sample: Sample) =>
          sample.metric === 'compression_ratio' && sample.arm === arm && sample.compressibility === target,
      )?.value ?? Number.NaN;
    expect(ratio('none', 3.5)).toBeCloseTo(1, 2);
    expect(ratio('lz4', 1)).toBeCloseTo(1, 1);
    const compressed = readJson<Manifest>(folder, 'manifest.json')
      .arms.find(({ name }) => name === 'lz4')
      ?.actually?.includes('lzo');
    if (compressed) expect(ratio('lz4', 3.5)).toBeGreaterThan(3);
  });

  test('says in the manifest and in the report that this is the lab, and which fsxbench it is', async () => {
    const manifest = readJson<Manifest>(folder, 'manifest.json');
    expect(manifest.lab).toBe(true);
    expect(manifest.fsxbench).toEqual(await releaseIn(root));
    expect(manifest.arms.every((arm) => arm.describe !== null && arm.actually !== null)).toBe(true);
    expect(readFileSync(join(folder, 'report', 'index.html'), 'utf8')).toContain(manifest.notices[0]);
  });

  test('collected points of the storages through CloudWatch, each metric once', () => {
    const { series } = readJson<MetricsFile>(folder, 'metrics', 'lz4.json');
    const present = series.filter(({ points }) => points.length > 0);
    expect(present.map(({ metric }) => metric)).toContain('FreeDataStorageCapacity');
    const names = series.map(({ metric, dimensions }) => `${metric} ${JSON.stringify(dimensions)}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('left nothing of the lab behind', async () => {
    expect(await leftovers(labPaths(root))).toEqual([]);
  });
});

inAll(describe)('with the lab up', () => {
  let environment: NodeJS.ProcessEnv;
  beforeAll(async () => {
    const { status, output } = await fsxbench(['lab', 'up', ...UNHELD]);
    if (status !== 0) throw new Error(output);
    environment = await labEnvironment();
  });

  /** Starts a run, and waits until it has measured something. */
  async function startRun(): Promise<{ run: string; folder: string }> {
    const { status, output } = await fsxbench(['run', 'CompressionBench', '--detach', '--json', ...SMALL], environment);
    if (status !== 0) throw new Error(output);
    const run = /"run": "([^"]+)"/.exec(output)?.[1] ?? '';
    const folder = join(labPaths(root).clientState, 'runs', run);
    await until('the first sample', () =>
      existsSync(join(folder, 'samples.jsonl')) && measuredIn(folder) > 0 ? true : undefined,
    );
    return { run, folder };
  }

  const samplesIn = (folder: string): readonly Sample[] => readSamples(folder).samples;
  const measuredIn = (folder: string): number =>
    samplesIn(folder).filter((sample) => sample.metric === 'throughput' && sample.value !== null).length;

  test('an emulator that dies costs no measured value, another lab will do, and the run can be finished', async () => {
    const { run, folder } = await startRun();
    // Before anything is collected: the stack is gone now.
    expect(readJson(runsFolder(), run, 'metrics/dashboard/body.json')).toHaveProperty('widgets');
    process.kill(emulatorPid(), 'SIGKILL');
    const before = samplesIn(folder);
    expect(measuredIn(folder)).toBeGreaterThan(0);
    expect((await labStatus(root)).state).toBe('broken');
    const { status, output } = await fsxbench(['lab', 'up', ...UNHELD]);
    expect([status, output]).toEqual([0, expect.stringContaining('the lab is up')]);
    environment = await labEnvironment();
    const resumed = await fsxbench(['run', 'CompressionBench', '--resume', run], environment);
    expect([resumed.status, resumed.output]).toEqual([0, expect.stringContaining('is done')]);
    expect(samplesIn(folder).slice(0, before.length)).toEqual(before);
    const report = await fsxbench(['report', run, '--json'], environment);
    expect(report.status).toBe(0);
    expect(JSON.parse(report.output.slice(report.output.indexOf('{')))).toMatchObject({ schema: 'fsxbench.report/1' });
    // Every cell of the small plan has its value, in the bucket's copy.
    const copy = join(runsFolder(), run);
    expect(readJson<RunStatus>(copy, 'status.json')).toMatchObject({ state: 'done', failedSteps: [] });
    const cells = samplesIn(copy).filter((sample) => sample.metric === 'throughput' && sample.value !== null);
    expect(new Set(cells.map((sample) => `${sample.step} ${sample.arm}`)).size).toBe(8);
    expect(readJson<Manifest>(copy, 'manifest.json').notices.join(' ')).toContain('started in another lab');
  });

  const MOMENTS: readonly (readonly [moment: string, word: string, command: string])[] = [
    ['at once', '', 'quickstart'],
    ['while it deploys', 'deploying', 'quickstart'],
    ['when the emulator answers', 'the AWS emulator answers', 'up'],
  ];

  test.each(drawn(MOMENTS))('Ctrl-C %s (%s) of lab %s leaves nothing behind', async (_, word, command) => {
    await labDown(root);
    const { child, ended, said } = start(['lab', command, ...UNHELD, ...(command === 'up' ? [] : SMALL)]);
    await until(`the word '${word}'`, () => said().includes(word) || child.exitCode !== null);
    // Without the emulator it comes to no end, however late this process gets to the next line.
    if (word !== '') process.kill(emulatorPid(), 'SIGSTOP');
    child.kill('SIGINT');
    const { status, output } = await ended;
    // Before Node.js has loaded the command, the signal ends the process, and there is nothing to take away.
    if (status !== null || output !== '') expect([status, output]).toEqual([1, expect.stringContaining('interrupted')]);
    expect(await leftovers(labPaths(root))).toEqual([]);
  });
});
