import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '../run/bench';

const PROJECT = resolve(__dirname, '../..');
const folder = temporaryFolder();
const [fsx, results, bin] = ['fsx', 'my nights', 'bin'].map((name) => join(folder, name)) as [string, string, string];

beforeAll(() => {
  for (const path of [fsx, bin]) mkdirSync(path);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec node '${join(PROJECT, 'dist/fsxbench.js')}' "$@"\n`);
  chmodSync(join(bin, 'npx'), 0o755);
});

const set = ['repeats=3', 'seconds=1', 'maxMiBPerArm=16', 'filesPerRank=0', 'ranksPerClient=1', 'tool=fio'];
const night = (): Promise<{ status: number; out: string; err: string }> =>
  new Promise((done) => {
    const path = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
    const environment = { ...process.env, PATH: path, XDG_STATE_HOME: join(folder, 'state') };
    const options = ['--on', fsx, ...set.flatMap((text) => ['--set', text])];
    execFile(join(PROJECT, 'examples/nightly'), [results, ...options], { env: environment }, (error, out, err) =>
      done({ status: error === null ? 0 : Number(error.code), out, err }),
    );
  });

/** Rewrites the first night so many times as fast. */
function baselineTimes(factor: number): void {
  const file = join(results, 'baseline.json');
  const report = JSON.parse(readFileSync(file, 'utf8'));
  for (const { samples } of report.cells)
    for (const sample of samples) if (sample.value !== null) sample.value *= factor;
  writeFileSync(file, JSON.stringify(report));
}

test('every night is measured, and compared with the first by its exit status', async () => {
  const first = await night();
  expect(`${first.status}\n${first.out}${first.err}`).toMatch(/^0\n/);
  baselineTimes(1000);
  const slower = await night();
  expect(`${slower.status}\n${slower.out}${slower.err}`).toMatch(/^1\n/);
  expect(slower.out).toMatch(/^FAIL: write at 1:1 on fsx is slower than the tolerance allows$/m);
  baselineTimes(1e-6);
  const faster = await night();
  expect(`${faster.status}\n${faster.out}${faster.err}`).toMatch(/^0\n/);
  expect(faster.out).toContain('No regression.');
  expect(readdirSync(join(results, 'runs/MountBench'))).toHaveLength(3);
}, 300_000);
