import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sample } from '../../lib/schema/sample';
import { measuredIn } from './cluster';
import { PROJECT, startFsxbench } from './support';

/** A program whose time is its sleep: the ratio of two directories is 1 under any load, and far more precise than requested. */
const PROGRAM = ['sh', '-c', 'sleep 0.2; touch "$1/done"', 'sh', '{dir}'];
const [MOST, FEWEST] = [20, 8];

describe('a run on two directories that stops once its ratio is known', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-stops-'));
  const directories = ['a', 'b'].map((name) => join(folder, name));
  const [results, state] = ['results', 'state'].map((name) => join(folder, name)) as [string, string];
  const fsxbench = (command: string, ...args: string[]) =>
    startFsxbench(PROJECT, [command, '--results', results, ...args], { XDG_STATE_HOME: state }).ended;
  beforeAll(() => {
    for (const directory of directories) mkdirSync(directory);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('it measures the fewest repeats instead of the most, leaves nothing, and its report says why', async () => {
    const local = ['--local', ...directories.map((directory, at) => `${['none', 'lz4'][at]}=${directory}`)];
    const set = [`repeats=${MOST}`, 'precision=50%', 'dropCaches=false'].flatMap((text) => ['--set', text]);
    const { status, output } = await fsxbench('run', 'CompressionBench', ...local, ...set, '--', ...PROGRAM);
    expect(`${status}\n${output}`).toMatch(/^0\n/);

    const [run = ''] = readdirSync(join(results, 'runs/CompressionBench'));
    const path = join(results, 'runs/CompressionBench', run);
    const samples = readFileSync(join(path, 'samples.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line): Sample => JSON.parse(line));
    const repeatsOf = (arm: string) =>
      measuredIn(samples)
        .filter((sample) => sample.arm === arm && sample.metric === 'seconds')
        .map(({ repeat }) => repeat);
    const measured = Array.from({ length: FEWEST }, (_, at) => at + 1);
    expect([repeatsOf('none'), repeatsOf('lz4')]).toEqual([measured, measured]);
    const leftOut = samples.filter(({ cautions }) => cautions.includes('settled')).map(({ repeat }) => repeat);
    expect(new Set(leftOut)).toEqual(new Set(Array.from({ length: MOST - FEWEST }, (_, at) => FEWEST + 1 + at)));
    expect(directories.flatMap((directory) => readdirSync(directory))).toEqual([]);

    expect(JSON.parse(readFileSync(join(path, 'status.json'), 'utf8'))).toMatchObject({
      state: 'done',
      failedSteps: [],
    });
    const { output: report } = await fsxbench('report', run, '--markdown');
    expect(report).toContain(
      'The plan asks for ± 50 % in at most 20 repeats. Work stopped once all of its intervals were that narrow: **lz4** on all data after 8 repeats.',
    );
  });
});
