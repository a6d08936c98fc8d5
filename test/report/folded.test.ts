import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { absentMetrics, metricViews } from '../../lib/analysis/metricViews';
import { runOf } from '../../lib/analysis/run';
import { summarise } from '../../lib/analysis/summary';
import { readRun } from '../../lib/report';
import { sectionsOf } from '../../lib/report/sections';

const RUNS = join(__dirname, '..', 'fixtures', 'runs');
const names = readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const read = (name: string) => readRun(join(RUNS, name));
const sectionOf = async (name: string, id: string) =>
  sectionsOf(summarise(await read(name))).find((section) => section.id === id);

test.each(names.filter((name) => name.startsWith('lab-')))(
  'figures that cannot be compared are one line of %s',
  async (name) => {
    const { blocks = [] } = (await sectionOf(name, 'claims')) ?? {};
    expect(blocks).toHaveLength(1);
    expect(blocks[0]).toMatchObject({
      kind: 'details',
      summary:
        'None of 158 published figures can be compared, for 152 of them since it is a lab run: its rates are those of local file systems.',
    });
  },
);

test('the ratio of a codec that stood in is no error of a prediction', async () => {
  const { blocks = [] } = (await sectionOf('lab-compression', 'predicted')) ?? {};
  expect(blocks.map(({ kind }) => kind)).toEqual(['text']);
  expect(JSON.stringify(blocks)).toContain('another codec stood in for it');
});

test.each(names)('no chart of %s is a single dot', async (name) => {
  const record = runOf(await read(name));
  const dots = metricViews(record).filter(({ series }) => series.every(({ points }) => points.length < 2));
  const { blocks = [] } = (await sectionOf(name, 'metrics')) ?? {};
  const told = JSON.stringify(blocks);
  for (const { metric } of dots) expect(told).toContain(metric);
  const charts = blocks.flatMap((block) => (block.kind === 'charts' ? block.charts : []));
  expect(charts.length).toBe(Math.min(6, metricViews(record).length - dots.length));
});

test.each(names)('arms of %s stand in the order of the plan, in metrics, too', async (name) => {
  const record = runOf(await read(name));
  const order = record.plan?.arms.map((arm) => arm.name) ?? [];
  const inOrder = (arms: readonly string[]) => [...arms].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  for (const { series } of metricViews(record)) {
    const arms = series.map(({ arm }) => arm);
    expect(arms).toEqual(inOrder(arms));
  }
  for (const absent of absentMetrics(record))
    for (const each of absent.names) {
      const arms = (/\(([^)]*)\)$/.exec(each)?.[1] ?? '').split(', ');
      expect(arms).toEqual(inOrder(arms));
    }
});
