import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressionBench } from '../../../lib/benchmark/compression';
import { startLocal } from '../../../lib/cli/start/localRun';
import { releaseIn, versionIn } from '../../../lib/run/release';
import { readManifest } from '../../../lib/store/documents';
import { readPlan } from '../../../lib/store/record';
import { temporaryFolder } from '../../run/bench';
import { fsxbench, PROJECT } from '../support';

const mockTools = { found: null as Record<string, string> | null };
jest.mock('../../../lib/run/clients/tools', () => {
  const actual = jest.requireActual('../../../lib/run/clients/tools');
  return { ...actual, toolVersions: async (...asked: unknown[]) => mockTools.found ?? actual.toolVersions(...asked) };
});

test('settings that are given win over those that the tools here decide', async () => {
  const folder = temporaryFolder();
  const mounts = ['none', 'lz4'].map((arm) => join(folder, arm));
  for (const mount of mounts) mkdirSync(mount);
  const context = { root: PROJECT, environment: { XDG_STATE_HOME: folder }, interactive: false, out() {}, err() {} };
  const options = {
    local: [`none=${mounts[0]}`, `lz4=${mounts[1]}`],
    results: folder,
    set: ['iorVersion=4.0.0', 'repeats=2', 'repeats=3'],
  };
  mockTools.found = { ior: '3.3.0', openmpi: '4.1.4', fio: '3.33' };
  const { run } = await startLocal(context, compressionBench, options as never);
  mockTools.found = null;
  const { parameters } = readPlan(join(folder, 'runs', 'CompressionBench', run));
  expect(parameters).toMatchObject({ iorVersion: '4.0.0', repeats: 3 });
});

test('a local run compares two directories from plan to report, and can be listed', async () => {
  const folder = temporaryFolder();
  for (const arm of ['none', 'lz4']) mkdirSync(join(folder, arm));
  const results = join(folder, 'results');
  const set = 'repeats=1 compressibilities=1 tool=fio maxMiBPerArm=8 seconds=1 warmUpSeconds=0'.split(' ');
  const small = set.flatMap((setting) => ['--set', setting]);
  const local = ['--local', `none=${folder}/none`, `lz4=${folder}/lz4`, '--results', results];
  const run = await fsxbench('run', 'CompressionBench', ...local, ...small);
  expect([run.status, run.out]).toEqual([
    0,
    expect.stringMatching(
      /^\S+-paired-\w{4} is done\.\n\n(VALID|WARN|INVALID) {2}[\s\S]*\nReport: file:\/\/\/\S+\/report\/index\.html\nNext, [^\n]+:\n {2}npx fsxbench report \S+ --markdown --results \S+\nNext, [^\n]+:\n {2}npx fsxbench list --here --results \S+\n$/,
    ),
  ]);
  const id = run.out.split(' ')[0] ?? '';
  // Which fsxbench made a figure is known as long as the figure is.
  const { fsxbench: release } = readManifest(join(results, 'runs', 'CompressionBench', id));
  expect(release).toEqual(await releaseIn(PROJECT));
  expect(release?.version).toBe(versionIn(PROJECT));

  const watched = await fsxbench('watch', id, '--results', results);
  expect(watched).toEqual({ status: 0, out: run.out, err: '' });
  const status = await fsxbench('watch', id, '--results', results, '--json');
  expect(JSON.parse(status.out)).toMatchObject({ run: id, state: 'done' });

  const listed = JSON.parse((await fsxbench('list', '--here', '--results', results, '--json')).out);
  expect(listed.runs).toEqual([
    expect.objectContaining({ run: id, benchmark: 'CompressionBench', state: 'done', where: 'here' }),
  ]);

  const reported = await fsxbench('report', id, '--results', results);
  expect(reported.status).toBe(0);
  expect(readFileSync(reported.out.trim(), 'utf8')).toContain('This run compared directories on one computer');

  const collected = await fsxbench('collect', id, '--results', results);
  expect([collected.status, collected.err]).toEqual([1, expect.stringContaining('which have no CloudWatch metrics')]);
  const shown = await fsxbench('dashboard', id, '--results', results);
  expect([shown.status, shown.err]).toEqual([1, collected.err]);
});
