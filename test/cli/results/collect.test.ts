import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from '../../../lib/schema/sample';
import { soundRun } from '../../analysis/runs';
import { writeRun } from '../../report/writeRun';
import { fsxbenchIn } from '../support';

type Series = { namespace: string; metric: string; points: [string, number][] };
const mock = { arms: [] as [string, { series: Series[] }][], clients: null as { series: Series[] } | null };
jest.mock('../../../lib/observe/collect', () => ({
  ...jest.requireActual('../../../lib/observe/collect'),
  collectMetrics: async () => ({ arms: new Map(mock.arms), dashboard: null }),
  collectClients: async () => mock.clients,
}));

const mockWaits: number[] = [];
jest.mock('node:timers/promises', () => ({
  ...jest.requireActual('node:timers/promises'),
  setTimeout: async (ms: number) => void mockWaits.push(ms),
}));

const series = (metric: string, points: number, namespace = 'AWS/FSx'): Series => ({
  namespace,
  metric,
  points: Array.from({ length: points }, (_, at) => [`2026-11-21T12:0${at}:00.000Z`, at]),
});
const sound = soundRun({ repeats: 2, compressibilities: [1] });
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
function run(change: object = {}, samples = sound.samples): string {
  const manifest = { ...sound.manifest, bucket: null, document: null, dashboard: null, ...change };
  const folder = writeRun({ ...sound, samples, manifest: manifest as never, raw: [], metrics: [] });
  folders.push(folder);
  mkdirSync(join(folder, 'metrics'), { recursive: true });
  return folder;
}

test('counts each metric once, whatever it has in parts, its points, and what was not published', async () => {
  mock.arms = [
    ['lz4', { series: [series('Reads', 3), series('Reads', 2), series('Writes', 4), series('Cpu', 0)] }],
    ['none', { series: [series('Reads', 1)] }],
  ];
  mock.clients = { series: [series('CPUUtilization', 2, 'AWS/EC2'), series('NetworkIn', 2, 'AWS/EC2')] };
  const folder = run();
  const { status, out } = await fsxbenchIn({}, ['collect', folder]);
  expect(status).toBe(0);
  expect(out).toBe(
    [
      'lz4: 9 points of 2 metrics; 1 documented metric was not published: metrics/lz4.json says why',
      'none: 1 point of 1 metric; 0 documented metrics were not published',
      'clients: 4 points of 2 metrics of EC2',
      '',
    ].join('\n'),
  );
  expect(JSON.parse(readFileSync(join(folder, 'metrics/lz4.json'), 'utf8')).series).toHaveLength(4);
  expect(readdirSync(join(folder, 'metrics'))).toEqual(expect.arrayContaining(['lz4.json', 'none.json']));
  expect(JSON.parse((await fsxbenchIn({}, ['collect', folder, '--json'])).out)).toMatchObject({
    ...{ schema: 'fsxbench.collect/1', folder, dashboard: null },
    arms: [
      { arm: 'lz4', metrics: 2, points: 9, absent: 1 },
      { arm: 'none', metrics: 1, points: 1, absent: 0 },
    ],
    clients: { metrics: 2, points: 4, absent: 0 },
  });
});

test('waits until the last data points are published: five minutes after the end of the window', async () => {
  const minute = 60_000;
  const endedAt = new Date(Math.floor(Date.now() / minute) * minute - minute).toISOString();
  const folder = run({}, [...sound.samples, { ...(sound.samples.at(-1) as Sample), endedAt }]);
  const { err } = await fsxbenchIn({}, ['collect', folder]);
  const [seconds = 0, ...more] = mockWaits.map((ms) => ms / 1000);
  expect(more).toEqual([]);
  expect(Math.abs(seconds - 270)).toBeLessThan(31);
  expect(err).toContain(`waiting ${Math.ceil(seconds)} s for the last data points`);
});

test('is not possible before anything is measured, and of directories, which no service counts', async () => {
  const arms = sound.manifest?.arms.map((arm) => ({ ...arm, fileSystemId: null }));
  expect(await fsxbenchIn({}, ['collect', run({}, [])])).toMatchObject({
    status: 1,
    err: expect.stringContaining('has not measured anything yet: follow it with npx fsxbench watch'),
  });
  expect(await fsxbenchIn({}, ['collect', run({ arms })])).toMatchObject({
    status: 1,
    err: expect.stringContaining('measured local directories, which have no CloudWatch metrics'),
  });
});
