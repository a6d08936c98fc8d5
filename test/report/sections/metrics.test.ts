import { JSDOM } from 'jsdom';
import { absentMetrics, bandsOf, metricViews } from '../../../lib/analysis/metricViews';
import { runOf } from '../../../lib/analysis/run';
import { summarise, summarise as summariseRun } from '../../../lib/analysis/summary';
import { renderHtml } from '../../../lib/report';
import { metricChart, spansOf } from '../../../lib/report/sections/metrics';
import type { MetricSeries } from '../../../lib/schema/metrics';
import { syntheticRun } from '../syntheticRun';

const AT = '2026-11-21T09:00:00.000Z';
const series = (given: Partial<MetricSeries>): MetricSeries => ({
  arm: 'none',
  namespace: 'AWS/FSx',
  metric: 'DataWriteBytes',
  dimensions: { FileSystemId: 'fs-1' },
  statistic: 'Sum',
  unit: 'Bytes',
  periodSeconds: 60,
  points: [[AT, 6e9]],
  ...given,
});
const record = (...all: MetricSeries[]) => ({
  ...syntheticRun({ repeats: 1, compressibilities: [1] }),
  metrics: [{ schema: 'fsxbench.metrics/1', run: 'r', window: { from: AT, to: AT }, series: all } as const],
});

const run = (...all: MetricSeries[]) => runOf(record(...all));

test.each([
  ['a sum of bytes', {}, 'MB/s', 100],
  ['a sum of bytes over another period', { periodSeconds: 5 }, 'MB/s', 1200],
  ['a mean of bytes', { statistic: 'Average' as const, points: [[AT, 3 * 2 ** 30]] as const }, 'GiB', 3],
  [
    'a level, whose sum is one over its compressibilities,',
    { metric: 'LogicalDiskUsage', periodSeconds: 5, points: [[AT, 3 * 2 ** 30]] as const },
    'GiB',
    3,
  ],
  ['a sum of operations', { unit: 'Count', points: [[AT, 1200]] as const }, 'per second', 20],
  ['a percentage', { unit: 'Percent', statistic: 'Average', points: [[AT, 37]] as const }, '%', 37],
  ['a value without unit', { unit: null, statistic: 'Average', points: [[AT, 7]] as const }, '', 7],
])('shows %s in a unit that people read', (_, given, unit, value) => {
  const [view] = metricViews(run(series(given)));
  expect(view?.unit).toBe(unit);
  expect(view?.series[0]?.points[0]?.[1]).toBeCloseTo(value, 9);
});

test('a sum is shared out over the period of its own series, not over that of another arm', () => {
  const views = metricViews(run(series({}), series({ arm: 'lz4', periodSeconds: 5 })));
  expect(views.map((view) => view.series.map(({ points }) => points[0]?.[1]))).toEqual([[100, 1200]]);
});

test('keeps servers of one arm apart, and arms on one chart', () => {
  const of = (arm: string, server: string) => series({ arm, dimensions: { FileSystemId: arm, FileServer: server } });
  const views = metricViews(run(of('none', 'OSS0000'), of('none', 'OSS0002'), of('lz4', 'OSS0000')));
  expect(views).toHaveLength(1);
  expect(views[0]?.series.map(({ arm, part }) => `${arm} ${part}`)).toEqual([
    'none OSS0000',
    'none OSS0002',
    'lz4 OSS0000',
  ]);
});

test('puts what clients moved before what servers did, whatever the order of the file', () => {
  const metrics = ['CPUUtilization', 'Zeta', 'Alpha', 'DataReadBytes', 'DataWriteBytes'];
  const views = metricViews(run(...metrics.map((metric) => series({ metric }))));
  expect(views.map(({ metric }) => metric)).toEqual([
    'DataWriteBytes',
    'DataReadBytes',
    'CPUUtilization',
    'Alpha',
    'Zeta',
  ]);
});

test('shades a phase by what its clients did, not by the driver’s note that it was done', () => {
  const run = syntheticRun({ repeats: 1, compressibilities: [1] });
  const driver = run.samples
    .filter(({ phase }) => phase === 'measure')
    .map((sample) => ({ ...sample, operation: 'task', metric: 'seconds', source: 'driver' as const }));
  const samples = [...run.samples, ...driver];
  const operations = new Set(spansOf(summarise({ ...run, samples })).map(({ operation }) => operation));
  expect([...operations].sort()).toEqual(['read', 'write']);
});

test('names a metric without points under its reason, with the arms that lack it', () => {
  const gone = (arm: string, metric: string, reason?: string) => series({ arm, metric, points: [], reason });
  expect(absentMetrics(run(gone('none', 'A', 'x'), gone('lz4', 'A', 'x'), gone('none', 'B')))).toEqual([
    { reason: 'x', names: ['A (none, lz4)'] },
    { reason: 'no data points during the run', names: ['B (none)'] },
  ]);
});

test('draws a gap in the points as a gap in the line', async () => {
  const minute = (index: number) => new Date(Date.parse(AT) + index * 60_000).toISOString();
  const lines = async (minutes: number[]) => {
    const html = await renderHtml(
      summariseRun(record(series({ points: minutes.map((index) => [minute(index), 6e9] as const) }))),
    );
    const chart = new JSDOM(html).window.document.querySelector('svg[aria-labelledby^="metric-0"]');
    // The line is the path that is stroked in the colour of the arm.
    return chart?.querySelector('path[stroke="var(--arm-0)"]')?.getAttribute('d')?.match(/M/g)?.length;
  };
  expect(await lines([0, 1, 2, 3, 4, 5])).toBe(1);
  expect(await lines([0, 1, 2, 6, 7, 8])).toBe(2);
});

// Of more servers than have a line each, a band is drawn.
test.each([
  [1, 'line'],
  [7, 'areaY'],
])('%d lines of thousands of points keep the lowest and the highest of them', (servers, drawnAs) => {
  const series = Array.from({ length: servers }, (_, server) => {
    const valueAt = (at: number) => (server > 0 ? 50 : at === 1234 ? 1 : at === 3210 ? 99 : 50);
    const points = Array.from({ length: 5000 }, (_, at) => [at * 60_000, valueAt(at)] as const);
    return { arm: 'none', part: `OSS000${server}`, periodSeconds: 60, points };
  });
  const view = { metric: 'Busy', statistic: 'Average', unit: '%', series };
  const drawn: { x: number; y?: number; low?: number; mid?: number; high?: number }[] = [];
  const plot = new Proxy({}, { get: (_, mark) => (data: never[]) => void (mark === drawnAs && drawn.push(...data)) });
  const look = { index: () => 0, colour: () => 'black', symbol: () => 'circle' };
  metricChart(view as never, [], 0, 'busy').options({ plot, look } as never);
  const values = drawn.flatMap(({ y, low, high }) => [y ?? [], low ?? [], high ?? []].flat());
  expect([Math.min(...values), Math.max(...values)]).toEqual([1, 99]);
  expect(drawn.every(({ mid = 50 }) => mid === 50)).toBe(true);
  expect(drawn.length).toBeLessThan(1000);
  // Never back in time, or the line has loops.
  expect(drawn).toEqual([...drawn].sort((a, b) => a.x - b.x));
});

test('six servers of an arm are lines, seven a band from the least to the most', () => {
  const series = (count: number) => Array.from({ length: count }, (_, at) => ({ arm: 'a', points: [[0, at]] }));
  const drawn = (count: number) => bandsOf(series(count) as never);
  expect([drawn(6).lines.length, drawn(6).bands]).toEqual([6, []]);
  expect([drawn(7).lines, drawn(7).bands.length]).toEqual([[], 1]);
  expect(drawn(7).bands[0]).toMatchObject({ arm: 'a', parts: 7, points: [{ low: 0, high: 6 }] });
});
