import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { soundRun } from '../analysis/runs';
import { writeRun } from '../report/writeRun';
import { fsxbenchIn } from './support';

const sound = soundRun({ repeats: 2, compressibilities: [1] });
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
function run(change: Partial<typeof sound>): string {
  const folder = writeRun({ ...sound, raw: [], ...change });
  folders.push(folder);
  return folder;
}
const manifest = { ...sound.manifest, bucket: null, document: null, dashboard: 'CompressionBench-us-east-1' } as never;
const [first] = sound.metrics as [(typeof sound.metrics)[number]];
const windowed = (arm: string, from: string, to: string) => ({
  ...first,
  series: first.series.map((one) => ({ ...one, arm })),
  window: { from, to },
});

test('a run is drawn from the first to the last minute of all its arms, in its own folder', async () => {
  const metrics = [
    windowed('none', '2026-11-21T12:10:00.000Z', '2026-11-21T12:30:00.000Z'),
    windowed('lz4', '2026-11-21T12:05:00.000Z', '2026-11-21T12:20:00.000Z'),
  ];
  const folder = run({ manifest, metrics });
  const { status, out, err } = await fsxbenchIn({}, ['dashboard', folder, '--json']);
  expect([status, err]).toEqual([0, '']);
  const document = JSON.parse(out);
  expect(document).toMatchObject({
    ...{ schema: 'fsxbench.dashboard/1', subject: folder },
    window: { from: '2026-11-21T12:05:00.000Z', to: '2026-11-21T12:30:00.000Z' },
    html: join(folder, 'report/dashboard.html'),
  });
  expect(document.graphs.length).toBeGreaterThan(3);
  expect(readFileSync(document.html, 'utf8')).toContain('CompressionBench: dashboard of the run ');
});

test.each([
  [{ metrics: [] }, 'has no metrics yet: fetch them from CloudWatch with npx fsxbench collect'],
  [
    {
      metrics: [],
      manifest: {
        ...sound.manifest,
        arms: sound.manifest?.arms.map((arm) => ({ ...arm, fileSystemId: null })),
      } as never,
    },
    'measured local directories, which have no CloudWatch metrics',
  ],
  [{ manifest: { ...sound.manifest, dashboard: null } as never }, 'has no dashboard, since it did not run on a stack'],
])('a run that cannot be drawn says why, %#', async (change, words) => {
  const { status, err } = await fsxbenchIn({}, ['dashboard', run(change)]);
  expect([status, err]).toEqual([1, expect.stringContaining(words)]);
});

test('a stack is not a run', async () => {
  const { status, err } = await fsxbenchIn({}, ['dashboard', 'CompressionBench']);
  expect([status, err]).toEqual([
    2,
    expect.stringContaining("'CompressionBench' is a stack: name the run that is drawn"),
  ]);
});
