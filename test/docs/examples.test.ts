import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { summarise } from '../../lib/analysis/summary';
import { compressionBench } from '../../lib/benchmark/compression';
import { ensureVenv } from '../../lib/lab/venv';
import { toJson } from '../../lib/report';
import { soundRun, withSamples } from '../analysis/runs';
import { stacksWith } from '../support/cdk';
import { inAll } from '../support/drawn';
import { contextWithVpc, ENV, subnets } from '../support/existingVpc';
import { blocksOf, PROJECT, textOf } from './pages';

const WORKFLOW = join(PROJECT, 'examples/github-compare.yml');

interface Job {
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly name?: string; readonly run?: string }[];
}

let job: Job;
let folder: string;
beforeAll(async () => {
  const python = await ensureVenv(PROJECT);
  const read = 'import json,sys,yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';
  job = JSON.parse(execFileSync(python, ['-c', read], { input: readFileSync(WORKFLOW), encoding: 'utf8' })).jobs
    .compare;
  // As in a checkout: npx finds the command that was built there.
  folder = mkdtempSync(join(tmpdir(), 'fsxbench-workflow-'));
  mkdirSync(join(folder, 'bin'));
  const npx = join(folder, 'bin/npx');
  writeFileSync(npx, `#!/bin/bash\nshift\nexec '${process.execPath}' '${join(PROJECT, 'dist/fsxbench.js')}' "$@"\n`);
  chmodSync(npx, 0o755);
});

/** A step as GitHub runs it, in a new directory with these files. */
function step(name: string, files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const script = job.steps.find((each) => each.name === name)?.run ?? '';
  expect(script).not.toBe('');
  const cwd = mkdtempSync(join(folder, 'step-'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
  const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...job.env, ...env, PATH },
  });
  return { cwd, status, out: stdout, err: stderr };
}

describe('the workflow that compares two runs', () => {
  const local = (record: ReturnType<typeof soundRun>) => ({ ...record, raw: [] });
  const json = (record: ReturnType<typeof soundRun>): string => JSON.stringify(toJson(summarise(record)));
  const good = json(local(soundRun({ seed: 1 })));
  const slow = json(
    withSamples(local(soundRun({ seed: 2 })), (sample) =>
      sample.source === 'client' && sample.value !== null ? { ...sample, value: sample.value * 0.8 } : sample,
    ),
  );
  const noisy = (seed: number) => json(local(soundRun({ seed, repeats: 3, variation: 0.3 })));

  test('passes a run that is no slower', () => {
    expect(step('Compare', { 'baseline.json': good, 'candidate.json': good })).toMatchObject({ status: 0, err: '' });
  });

  test('fails on a regression, and keeps what compare said', () => {
    const { status, cwd } = step('Compare', { 'baseline.json': good, 'candidate.json': slow });
    expect(status).toBe(1);
    expect(readFileSync(join(cwd, 'compare.txt'), 'utf8')).toContain('is slower than the tolerance allows');
  });

  test('warns where neither is shown', () => {
    const { status, out } = step(
      'Compare',
      { 'baseline.json': noisy(3), 'candidate.json': noisy(4) },
      { TOLERANCE: '30%' },
    );
    expect([status, out]).toEqual([0, expect.stringContaining('::warning::inconclusive')]);
  });

  test('fails on a file that is no run', () => {
    expect(step('Compare', { 'baseline.json': '{}', 'candidate.json': good }).status).toBe(2);
  });

  test('makes a baseline where there is none', () => {
    const { status, cwd } = step('Compare', { 'candidate.json': good });
    expect([status, readFileSync(join(cwd, 'baseline.json'), 'utf8')]).toEqual([0, good]);
  });

  inAll(test)('measures a directory, and reports it as a baseline', () => {
    const directory = mkdtempSync(join(folder, 'mounted-'));
    const SETTINGS = '--set repeats=1 --set seconds=1 --set maxMiBPerArm=16 --set filesPerRank=20';
    const { status, cwd, err } = step('Measure', {}, { DIRECTORY: directory, SETTINGS });
    expect([status, status === 0 ? '' : err]).toEqual([0, '']);
    expect(JSON.parse(readFileSync(join(cwd, 'candidate.json'), 'utf8')).schema).toBe('fsxbench.report/1');
  });
});

test('the settings for an existing VPC make no network of their own', () => {
  const block = blocksOf(textOf('docs/first-deployment.md')).find(({ lines }) => lines.join('').includes('"vpcId"'));
  const { CompressionBench, ...settings } = JSON.parse(block?.lines.join('') ?? '').context;
  expect(CompressionBench).toEqual({ scale: 'smoke' });
  const vpc = contextWithVpc(subnets('Private', ['us-east-1a']));
  const { bench } = stacksWith(settings, { env: ENV }, vpc, compressionBench);
  const template = Template.fromStack(bench);
  template.resourceCountIs('AWS::EC2::VPC', 0);
  template.resourceCountIs('AWS::EC2::Subnet', 0);
  template.allResourcesProperties('AWS::FSx::FileSystem', { SubnetIds: [settings.subnetId] });
});

test('README has each duration once, in minutes and seconds', () => {
  const text = textOf('README.md');
  const durations = text.match(/\b\d+:\d{2}\b/g) ?? [];
  expect(durations.length).toBeGreaterThan(4);
  expect(new Set(durations).size).toBe(durations.length);
  expect(text).not.toMatch(/some \w+ minutes|\d minutes/);
});
