import { JSDOM } from 'jsdom';
import { type Metric, named, parts, ratio } from '../../../lib/dashboard/expression';
import { type Graph, graph, type Line } from '../../../lib/dashboard/graph';
import { Collected, describeDashboard, renderDashboard } from '../../../lib/observe/draw';
import { looksOf, shortNumber } from '../../../lib/observe/draw/chart';
import type { CollectedSeries } from '../../../lib/schema/metrics';
import { collected, START } from './source';

const FS = { FileSystemId: 'fs-1' };
const metric = (name: string): Metric => ({
  ...{ kind: 'metric', namespace: 'AWS/FSx', metric: name, dimensions: FS, stat: 'Sum' },
});
const line = (label: string, name: string): Line => ({ label, of: metric(name) });
/** A line for each target of a file system. */
const targets: Line = {
  label: 'lz4',
  by: 'StorageTargetId',
  of: parts({
    ...{
      namespace: 'AWS/FSx',
      metric: 'Reads',
      dimensions: ['FileSystemId', 'StorageTargetId'],
      resource: FS,
      stat: 'Sum',
    },
  }),
};
const target = (at: number, values: readonly number[]): CollectedSeries =>
  collected('Reads', { ...FS, StorageTargetId: `OST000${at}` }, values);
const WINDOW = { from: new Date(START).toISOString(), to: new Date(START + 600_000).toISOString() };

async function drawn(options: Partial<Graph>, series: readonly CollectedSeries[]): Promise<Document> {
  const one = graph({ ...{ title: 'A graph', width: 12, unit: 'MB/s', left: [line('lz4', 'Reads')] }, ...options });
  const page = await renderDashboard({ title: 'a', dashboard: { rows: [[one]] }, series, window: WINDOW });
  expect(page).not.toMatch(/NaN|Infinity|undefined/);
  return new JSDOM(page).window.document;
}
const charts = (page: Document): readonly Element[] => [...page.querySelectorAll(':not(.narrow) > svg.chart')];
const words = (chart: Element | undefined): string[] =>
  [...(chart?.querySelectorAll('text') ?? [])].map(({ textContent }) => textContent ?? '');
const dashed = (chart: Element | undefined): number[] =>
  [...(chart?.querySelectorAll('[stroke-dasharray="4 3"] line') ?? [])].map((rule) => Number(rule.getAttribute('y1')));
const names = (page: Document): string[] =>
  [...page.querySelectorAll('.names li')].map(({ textContent }) => textContent ?? '');

test.each([
  [24, 1104],
  [12, 552],
  [6, 276],
  [3, 200],
])('a graph of %d of the 24 columns of a dashboard is %d wide', async (width, units) => {
  const [only] = charts(await drawn({ width }, [collected('Reads', FS, [1, 2])]));
  expect(only?.getAttribute('viewBox')?.split(' ')[2]).toBe(String(units));
});

test('lines of the right axis have a chart with their unit, and no ceiling of the left one', async () => {
  const right = [line('used', 'Share')];
  const page = await drawn({ right, rightUnit: '%', max: 500, ceilings: [{ label: 'documented', value: 400 }] }, [
    collected('Reads', FS, [1, 2]),
    collected('Share', FS, [40, 50]),
  ]);
  const [left, other] = charts(page);
  expect([words(left).includes('MB/s'), words(left).includes('documented'), words(left).includes('500')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([words(other).includes('%'), words(other).includes('documented'), words(other).includes('500')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(other?.querySelector('desc')?.textContent).toBe('used: 2 points, 40 to 50 %.');
  expect(
    describeDashboard(
      { rows: [[graph({ title: 'A graph', width: 12, unit: 'MB/s', left: [], right, rightUnit: '%' })]] },
      new Collected([collected('Share', FS, [40, 60, 50])]),
    ),
  ).toMatchObject([{ lines: [{ label: 'used', unit: '%', points: 3, min: 40, max: 60, last: 50 }] }]);
});

test('a ceiling is within the chart, however far above the values; of names that would overlap the third is left out', async () => {
  const ceilings = [
    { label: 'far', value: 1000 },
    { label: 'low', value: 400 },
    { label: 'beside', value: 401 },
    { label: 'third', value: 402 },
  ];
  const [chart] = charts(await drawn({ ceilings }, [collected('Reads', FS, [1, 2])]));
  expect(dashed(chart)).toHaveLength(4);
  expect(Math.min(...dashed(chart))).toBeGreaterThanOrEqual(20);
  const named = words(chart).filter((word) => ceilings.some(({ label }) => label === word));
  expect(named.sort()).toEqual(['beside', 'far', 'low']);
});

test('no activity is a line along the axis, and values below zero are within the chart', async () => {
  const [flat] = charts(await drawn({}, [collected('Reads', FS, [0, 0, 0])]));
  const [, y] = /^M[\d.]+,([\d.]+)/.exec(flat?.querySelector('path[d^="M"]')?.getAttribute('d') ?? '') ?? [];
  expect(y).toBe(flat?.querySelector('[stroke="var(--axis)"] line')?.getAttribute('y1'));
  expect(Number(y)).toBeGreaterThan(140);
  const [high] = charts(await drawn({ max: 50 }, [collected('Reads', FS, [40, 50])]));
  // Of either axis.
  expect(words(high).filter((word) => word === '0')).toHaveLength(2);
  const [below] = charts(await drawn({}, [collected('Reads', FS, [-5, 5])]));
  expect(words(below)).toContain('−4');
});

test('one value is a dot with its name; a line breaks where values are missing', async () => {
  const one = charts(await drawn({}, [collected('Reads', FS, [3])]))[0];
  expect(one?.querySelector('circle title')?.textContent).toBe('lz4');
  const values = collected('Reads', FS, [1, 2, 3, 4, 5, 6]);
  const gap = charts(
    await drawn({}, [{ ...values, points: values.points.filter((_, at) => at !== 2 && at !== 3) }]),
  )[0];
  expect(gap?.querySelectorAll('circle')).toHaveLength(0);
  const [path = ''] = [...(gap?.querySelectorAll('path[d]') ?? [])].map((each) => each.getAttribute('d'));
  expect(path?.match(/M/g)).toHaveLength(2);
  const y = [...(path ?? '').matchAll(/,([\d.]+)/g)].map(([, each]) => Number(each));
  expect(y).toEqual([...y].sort((a, b) => b - a));
  // The window is ten minutes, and the last value is after five.
  const x = [...(path ?? '').matchAll(/([\d.]+),/g)].map(([, each]) => Number(each));
  const [from, to] = [x[0] as number, x.at(-1) as number];
  const width = Number(gap?.getAttribute('viewBox')?.split(' ')[2]);
  expect((to - from) / (width - 56 - 10)).toBeCloseTo(0.5, 2);
});

test('only of values that are kept no finer the page says so', async () => {
  const said = async (series: readonly CollectedSeries[]) =>
    /CloudWatch keeps values of this age only every (.*):/.exec((await drawn({}, series)).body.textContent ?? '')?.[1];
  const none = { ...collected('Writes', FS, []), periodSeconds: 3600 };
  expect(await said([collected('Reads', FS, [1, 2]), none])).toBeUndefined();
  expect(await said([{ ...collected('Reads', FS, [1, 2]), periodSeconds: 300 }])).toBe('5 min');
});

test('a graph that cannot be evaluated says so in its place; one without a value, or a metric, is named below', async () => {
  const average = { label: 'mean', of: { ...metric('Reads'), stat: 'Average' } };
  const values = [collected('Reads', FS, [1, 2]), collected('Zeros', FS, [0, 0])];
  const shown = async (left: readonly Line[]) =>
    (await drawn({ left }, values)).querySelector('main')?.textContent ?? '';
  expect(await shown([average])).toContain(
    'Not evaluated: mean (Reads was collected as Sum, and this asks for Average)',
  );
  const share = ratio(named(metric('Reads'), 'r'), named(metric('Zeros'), 'z'));
  expect(await shown([{ label: 'share', of: share }])).toContain('not drawn: A graph (no value at any time).');
  expect(await shown([])).toContain('not drawn: A graph (it has no metric).');
});

test.each([
  [0, 2e9, '0'],
  [2e9, 2e9, '2 G'],
  [5e8, 1e9, '0.5 G'],
  [1e6, 1e6, '1 M'],
  [999_999, 999_999, '999,999'],
  [12.5, 100, '12.5'],
])('%d on an axis up to %d is %s', (value, highest, shown) => {
  expect(shortNumber(value, highest)).toBe(shown);
});

test('a few targets are named one by one, many by one name with the least and the most that they reached', async () => {
  const few = await drawn({ left: [targets], width: 12 }, [target(0, [1, 3]), target(1, [2, 1])]);
  expect(names(few)).toEqual(['lz4 OST0000 max 3', 'lz4 OST0001 max 2']);
  const five = [0, 1, 2, 3, 4].map((at) => target(at, [at, 1]));
  expect(names(await drawn({ left: [targets], width: 6 }, five))).toEqual(['lz4: 5 lines, max 1 to 4 (OST0004)']);
  expect(names(await drawn({ left: [targets], width: 12 }, five))).toHaveLength(5);
  const same = await drawn(
    { left: [targets], width: 6 },
    five.map((each, at) =>
      target(
        at,
        each.points.map(() => 7),
      ),
    ),
  );
  expect(names(same)).toEqual(['lz4: 5 lines, max 7']);
  const beside = await drawn({ left: [targets, line('none', 'Writes')], width: 6 }, [
    ...five,
    collected('Writes', FS, [9]),
  ]);
  expect(names(beside)).toEqual(['lz4: 5 lines, max 1 to 4 (OST0004)', 'none max 9']);
});

test('lines of one search have a colour each where they are alone, and share one, with dashes, beside others', () => {
  const lines = (groups: readonly string[], colour: string | null = null) =>
    groups.map((group) => ({ label: group, group, colour, right: false, series: {} as never }));
  const looks = (groups: readonly string[], colours: readonly (readonly [string, string])[] = []) =>
    looksOf(lines(groups), new Map(colours)).map(({ stroke, dash, width }) => `${stroke} ${dash ?? '-'} ${width}`);
  expect(looks(['a', 'a'], [['a', 'red']])).toEqual(['var(--arm-0) - 1.6', 'var(--arm-1) - 1.6']);
  expect(looks(['a', 'a', 'b'], [['a', 'red']])).toEqual(['red - 1.6', 'red 5 3 1.6', 'var(--arm-1) - 1.6']);
  expect(looks(['a', 'b', 'b', 'b', 'b'])).toEqual(['var(--arm-0) - 1.6', ...Array(4).fill('var(--arm-1) - 1')]);
  expect(new Set(looks(Array(6).fill('a'))).size).toBe(6);
  expect(looks(['a'], [['a', 'red']])).toEqual(['red - 1.6']);
  expect(looks(Array(7).fill('a'))).toEqual(Array(7).fill('var(--arm-0) - 1'));
  expect(looksOf(lines(['a', 'a'], 'blue'), new Map([['a', 'red']])).map(({ stroke }) => stroke)).toEqual([
    'blue',
    'blue',
  ]);
});
