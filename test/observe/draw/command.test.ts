import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { metadataBench } from '../../../lib/benchmark/metadata';
import type { CliContext } from '../../../lib/cli/context';
import { runProgram } from '../../../lib/cli/program';
import { syntheticRun } from '../../report/syntheticRun';
import { writeRun } from '../../report/writeRun';
import { temporaryFolder } from '../../run/bench';
import { stacksWith, templateOf } from '../../support/cdk';
import { ARMS, FILE_SYSTEMS, syntheticMetrics, WINDOW } from './syntheticMetrics';

async function fsxbench(...argv: string[]): Promise<{ status: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const context: CliContext = {
    root: resolve(__dirname, '../../..'),
    out: (text) => (out += text),
    err: (text) => (err += text),
    environment: process.env,
    interactive: false,
  };
  const status = await runProgram(context, argv);
  return { status, out, err };
}

const folder = temporaryFolder();
const template = join(folder, 'template.json');
const { bench } = stacksWith({ arms: [...ARMS] }, undefined, undefined, metadataBench);
writeFileSync(template, JSON.stringify(templateOf(bench)));

/** A run of the two arms that stayed on this machine, with metrics or without. */
function runNamed(name: string, withMetrics: boolean): string {
  const record = syntheticRun({});
  const run = writeRun({ ...record, raw: [], metrics: [], environment: [] }, join(folder, name));
  const manifest = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8'));
  const arms = ARMS.map((arm) => ({ ...manifest.arms[0], name: arm, fileSystemId: FILE_SYSTEMS[arm] }));
  writeFileSync(join(run, 'manifest.json'), JSON.stringify({ ...manifest, bucket: null, arms }));
  if (withMetrics) {
    mkdirSync(join(run, 'metrics'), { recursive: true });
    const file = { schema: 'fsxbench.metrics/1', run: record.run, window: WINDOW, series: syntheticMetrics() };
    writeFileSync(join(run, 'metrics', 'all.json'), JSON.stringify(file));
  }
  return run;
}

test('draws the dashboard of a synthesised template from the metrics of a run', async () => {
  const page = join(folder, 'dashboard.html');
  const run = runNamed('with', true);
  const { status, out, err } = await fsxbench(
    ...['dashboard', 'MetadataBench', '--run', run, '--html', page, '--template', template],
  );
  expect({ status, out, err }).toEqual({ status: 0, out: `${page}\n`, err: '' });
  expect(readFileSync(page, 'utf8').match(/<svg class="chart"/g)?.length).toBeGreaterThan(12);
});

test('says how to collect the metrics of a run that has none', async () => {
  const run = runNamed('without', false);
  const { status, err } = await fsxbench(
    ...['dashboard', 'MetadataBench', '--run', run, '--html', join(folder, 'no.html'), '--template', template],
  );
  expect(status).toBe(1);
  expect(err).toMatch(/has no metrics yet: fetch them from CloudWatch with npx fsxbench collect /);
});

test.each([
  ['is not there', 'nowhere.json', /'--template' must be a readable file/],
  ['has no dashboard', 'empty.json', /'--template' must have one dashboard, got 0/],
  [
    'is YAML, as the CDK prints it',
    'stack.yaml',
    /'--template' must be a template of CloudFormation in JSON, got a file that is not JSON: 'npx cdk synth' writes one/,
  ],
  ['is none', 'other.json', /'--template' must be a template of CloudFormation in JSON, got other JSON: /],
])('refuses a template that %s', async (_, name, message) => {
  writeFileSync(join(folder, 'empty.json'), '{"Resources": {}}');
  writeFileSync(join(folder, 'stack.yaml'), 'Resources: {}\n');
  writeFileSync(join(folder, 'other.json'), '[]');
  const run = runNamed(`run-${name}`, true);
  const { status, err } = await fsxbench(
    ...[
      'dashboard',
      'MetadataBench',
      '--run',
      run,
      '--html',
      join(folder, 'no.html'),
      '--template',
      join(folder, name),
    ],
  );
  expect(status).toBe(2);
  expect(err).toMatch(message);
});

test('a stack needs a run of it, and the error says how to name one', async () => {
  expect(await fsxbench('dashboard', 'MetadataBench')).toEqual({
    status: 2,
    out: '',
    err: "fsxbench: 'MetadataBench' is a stack: say with --run which run is drawn; npx fsxbench list shows them\n",
  });
});
