import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fsxbench } from '../../cli/support';
import { syntheticRun } from '../../report/syntheticRun';
import { writeRun } from '../../report/writeRun';
import { temporaryFolder } from '../../run/bench';
import { FILE_SYSTEMS, syntheticMetrics, WINDOW } from './syntheticMetrics';

/** A run of two arms that stayed on this computer, with a dashboard and without metrics. */
function runOfTwo(): string {
  const run = writeRun({ ...syntheticRun({}), raw: [], metrics: [], environment: [] }, temporaryFolder());
  const file = join(run, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const ids = Object.values(FILE_SYSTEMS);
  const arms = manifest.arms.map((arm: object, index: number) => ({ ...arm, fileSystemId: ids[index] }));
  writeFileSync(file, JSON.stringify({ ...manifest, bucket: null, dashboard: 'ours', arms }));
  return run;
}

test('draws the dashboard of a run from its metrics, and says how to collect them', async () => {
  const run = runOfTwo();
  const without = await fsxbench('dashboard', run);
  expect([without.status, without.err]).toEqual([
    1,
    expect.stringContaining('has no metrics yet: fetch them from CloudWatch with npx fsxbench collect '),
  ]);
  mkdirSync(join(run, 'metrics'));
  const file = { schema: 'fsxbench.metrics/1', run: 'r', window: WINDOW, series: syntheticMetrics() };
  writeFileSync(join(run, 'metrics', 'all.json'), JSON.stringify(file));
  const page = join(run, 'report/dashboard.html');
  expect(await fsxbench('dashboard', run)).toEqual({ status: 0, out: `${page}\n`, err: '' });
  expect(readFileSync(page, 'utf8').match(/<svg class="chart"/g)?.length).toBeGreaterThan(5);
});

test('a stack needs a run of it', async () => {
  expect(await fsxbench('dashboard', 'MetadataBench')).toEqual({
    status: 2,
    out: '',
    err: "fsxbench: 'MetadataBench' is a stack: name the run that is drawn; npx fsxbench list shows them\n",
  });
});
