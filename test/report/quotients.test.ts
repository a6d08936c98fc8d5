import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { precise, ratio } from '../../lib/common/format/units';
import { readRun, renderMarkdown, summariseRun } from '../../lib/report';
import { modelledRun } from './modelledRun';
import { syntheticRun } from './syntheticRun';

const RUNS = join(__dirname, '..', 'fixtures', 'runs');

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
