import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { absentMetrics, metricViews } from '../../lib/analysis/metricViews';
import { runOf } from '../../lib/analysis/run';
import { summarise } from '../../lib/analysis/summary';
import { precise, ratio } from '../../lib/common/format/units';
import { figuresOf, readRun, renderMarkdown, summariseRun, toJson } from '../../lib/report';
import { sectionsOf } from '../../lib/report/sections';
import { LAB_RUNS, labRun, recordLabRun } from './labRuns';
import { modelledRun } from './modelledRun';
import { syntheticRun } from './syntheticRun';

const RUNS = join(__dirname, '..', 'fixtures', 'runs');
const names = readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** `WRITE=1 npx jest test/report/recordedRuns.test.ts` writes them anew. */
describe.each(names)('the report of %s is byte for byte', (name) => {
  test.each([
    ['expected.md', renderMarkdown],
    ['expected.json', (summary) => `${JSON.stringify(toJson(summary))}\n`],
  ] satisfies [string, (summary: ReturnType<typeof summarise>) => string][])('%s', async (file, render) => {
    const report = render(summarise(await readRun(join(RUNS, name))));
    if (process.env.WRITE) writeFileSync(join(RUNS, name, file), report);
    expect(report).toBe(readFileSync(join(RUNS, name, file), 'utf8'));
  });

  test('a figure of a cell, of a comparison or of the cost that is missing has its reason beside it', async () => {
    const run = summarise(await readRun(join(RUNS, name)));
    const { cells, comparisons, cost } = toJson(run);
    const figures = [...cells, ...comparisons, cost, ...cost.lines].map(({ reason, ...one }) => {
      const { compressibility: _, ...own }: Record<string, unknown> = { ...one };
      return { missing: Object.keys(own).filter((key) => own[key] === null), reason: reason ?? '' };
    });
    expect(figures.filter(({ missing, reason }) => missing.length > 0 !== (reason !== ''))).toEqual([]);
    const { costUsd, costReason = '' } = figuresOf(run);
    expect(costReason !== '').toBe(costUsd === null);
  });
});

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
        'None of 158 published figures can be compared, for 152 of them since it is a lab run, whose rates are those of local file systems.',
    });
  },
);

test('the ratio of another codec is no error of a prediction', async () => {
  const { blocks = [] } = (await sectionOf('lab-compression', 'predicted')) ?? {};
  expect(blocks.map(({ kind }) => kind)).toEqual(['text']);
  expect(JSON.stringify(blocks)).toContain('another codec replaced it');
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

interface PrintedTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a report as people read them. */
function tablesOf(markdown: string): PrintedTable[] {
  return markdown.split(/\n\n+/).flatMap((block): PrintedTable[] => {
    if (!block.startsWith('|')) return [];
    const [head = [], , ...rows] = block.split('\n').map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    return [{ head, rows }];
  });
}

/** The number that a cell begins with, and the worth of one in its last digit. */
function printed(cell: string | undefined): { value: number; digit: number } | null {
  const [number] = /^[−+]?\d[\d,]*(?:\.\d+)?/.exec(cell ?? '') ?? [];
  if (number === undefined) return null;
  return {
    value: Number(number.replaceAll(',', '').replace('−', '-')),
    digit: 10 ** -(number.split('.')[1]?.length ?? 0),
  };
}

/** Columns that are the quotient of two others, and what of it they print. */
interface Quotient {
  readonly of: (head: readonly string[]) => readonly [column: number, above: number, below: number] | null;
  readonly shown?: (quotient: number) => number;
}

const named = (column: string, above: string, below: string, shown?: Quotient['shown']): Quotient => ({
  of: (head) => {
    const found = [column, above, below].map((name) => head.indexOf(name)) as [number, number, number];
    return found.includes(-1) ? null : found;
  },
  ...(shown && { shown }),
});
const change = (quotient: number): number => (quotient - 1) * 100;

const QUOTIENTS: Readonly<Record<string, Quotient>> = {
  'arms side by side': {
    of: (head) => {
      const column = head.findIndex((label) => label.includes(' ÷ '));
      const [above, below] = (head[column] ?? '').split(' ÷ ').map((name) => head.indexOf(name));
      return above === undefined || below === undefined || above < 0 || below < 0 ? null : [column, above, below];
    },
  },
  'error of a rate': named('Error', 'Sustained', 'Measured', change),
  'error of a prediction': named('Error', 'Predicted', 'Measured', change),
  efficiency: named('Efficiency', 'Median, op/s', 'Documented, op/s'),
  'published figure': named('Off by', 'This run', 'Published', change),
};

/** Rows in which the printed quotient is not that of the printed numbers, give or take one in its last digit. */
function wrongIn(table: PrintedTable, { of, shown = (quotient) => quotient }: Quotient): string[][] | null {
  const columns = of(table.head);
  if (columns === null) return null;
  return table.rows.flatMap((row) => {
    const [quotient, above, below] = columns.map((column) => printed(row[column]));
    // Two figures in one cell, such as the ends of a range, have no one quotient.
    const several = columns.some((column) => /\d\/\d|, then/.test(row[column] ?? ''));
    if (!quotient || !above || !below || below.value === 0 || several) return [];
    const divided = shown(above.value / below.value);
    return Math.abs(divided - quotient.value) <= 1.5 * quotient.digit + 1e-9 ? [] : [[...row, `divided: ${divided}`]];
  });
}

const records = async () => [
  ...(await Promise.all(
    readdirSync(RUNS, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [readRun(join(RUNS, entry.name))] : [],
    ),
  )),
  ...[1, 2, 3].map((seed) => syntheticRun({ seed, variation: 0.6, repeats: 5 })),
  modelledRun(12_000),
];

test('whoever divides two figures of a table gets the quotient that it prints', async () => {
  const tables = (await records()).flatMap((record) => tablesOf(renderMarkdown(summariseRun(record))));
  const met = Object.entries(QUOTIENTS).map(([name, quotient]) => {
    const checked = tables.flatMap((table) => {
      const wrong = wrongIn(table, quotient);
      return wrong === null ? [] : [wrong];
    });
    return { name, tables: checked.length > 0, wrong: checked.flat() };
  });
  expect(met).toEqual(Object.keys(QUOTIENTS).map((name) => ({ name, tables: true, wrong: [] })));
});

test('the check sees a median beside a quotient of means', () => {
  const table = { head: ['Operation', 'none', 'lz4', 'lz4 ÷ none'], rows: [['write', '299', '276', '0.89']] };
  expect(wrongIn(table, QUOTIENTS['arms side by side'] as Quotient)).toHaveLength(1);
});

test('four digits are enough for a ratio of three', () => {
  const rate = fc.double({ min: 0.01, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(rate, fc.double({ min: 0.1, max: 99, noNaN: true }), (below, quotient) => {
      const above = below * quotient;
      const [a, b, shown] = [printed(precise(below)), printed(precise(above)), printed(ratio(above / below))];
      if (!a || !b || !shown) throw new Error(`no number in ${precise(below)}, ${precise(above)}`);
      expect(Math.abs(b.value / a.value - shown.value)).toBeLessThanOrEqual(1.5 * shown.digit);
    }),
  );
});

/** `RECORD=results/runs/BENCHMARK/RUN npx jest test/report/recordedRuns.test.ts` records a run anew. */
test.each(LAB_RUNS)('the recorded run of %s is whole, of the lab, and names nobody’s folders', async (benchmark) => {
  const { RECORD } = process.env;
  if (RECORD?.includes(`/${benchmark}/`)) await recordLabRun(RECORD);
  const record = await labRun(benchmark);
  expect(record).toMatchObject({
    plan: { benchmark },
    manifest: { lab: true },
    status: { state: 'done' },
    problems: [],
  });
  expect(record.samples.filter(({ phase, value }) => phase === 'measure' && value !== null).length).toBeGreaterThan(10);
  expect(JSON.stringify(record)).not.toMatch(/\/(?:root|work|home\/(?!user\/))/);
});
