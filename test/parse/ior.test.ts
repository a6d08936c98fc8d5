import { readFileSync } from 'node:fs';
import { parseText } from '../../lib/parse';
import type { ParseDocument, ParsedSample } from '../../lib/schema/parse';
import { casesOf, describeCases, type Expected } from './corpus';

const METRIC_OF: Readonly<Record<string, string>> = {
  bw_mib_s: 'throughput',
  iops: 'operations',
  latency_s: 'latency',
  open_s: 'open_time',
  wrrd_s: 'access_time',
  close_s: 'close_time',
  total_s: 'total_time',
};

type Row = Pick<ParsedSample, 'operation' | 'test' | 'iteration' | 'metric' | 'value'>;

function expectedRows(columns: string[], rows: (string | number | null)[][], test: number): Row[] {
  return rows.flatMap((row) =>
    columns.flatMap((column, index) => {
      const metric = METRIC_OF[column];
      const value = row[index] as number | null;
      if (metric === undefined || value === null) return [];
      return [{ operation: row[0] as string, test, iteration: row[columns.indexOf('iter')] as number, metric, value }];
    }),
  );
}

function rowsOf(document: ParseDocument): Row[] {
  return document.samples
    .filter(({ operation }) => ['write', 'read', 'remove'].includes(operation))
    .filter(({ value }) => value !== null)
    .map(({ operation, test, iteration, metric, value }) => ({ operation, test, iteration, metric, value }));
}

function byKey(rows: Row[]): Row[] {
  const key = ({ test, operation, iteration, metric }: Row) => `${test} ${operation} ${iteration} ${metric}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** A line of IOR's own statistics, from its text or its JSON: the corpus names them differently. */
function printedBy(line: Expected, format: 'text' | 'json') {
  const keys =
    format === 'text'
      ? ['max_mib_s', 'min_mib_s', 'mean_mib_s', 'stddev_mib_s', 'max_ops_s', 'min_ops_s', 'mean_ops_s', 'stddev_ops_s']
      : ['bwMaxMIB', 'bwMinMIB', 'bwMeanMIB', 'bwStdMIB', 'OPsMax', 'OPsMin', 'OPsMean', 'OPsSD'];
  const all = [...keys, format === 'text' ? 'mean_s' : 'MeanTime'].map((key) => line[key]);
  const [maxMiBps, minMiBps, meanMiBps, stddevMiBps, maxOps, minOps, meanOps, stddevOps, meanSeconds] = all.map(
    (value) => (typeof value === 'number' ? value : null),
  );
  const operation = line[format === 'text' ? 'op' : 'operation'];
  return {
    ...{ operation, maxMiBps, minMiBps, meanMiBps, stddevMiBps },
    ...{ maxOps, minOps, meanOps, stddevOps, meanSeconds },
  };
}

const text = casesOf('ior-text');
const json = casesOf('ior-json');
const csv = casesOf('ior-csv');

describeCases(text, ({ document, expected }) => {
  const runs = (expected.runs as Expected[]).filter(({ tool }) => tool === 'ior');
  const tests = runs.flatMap(({ tests, summary }) => tests.map((one: Expected) => ({ ...one, summary })));

  test('gives every figure of every row, and no other', () => {
    const rows = tests.flatMap((one, index) => expectedRows(one.columns, one.rows, index));
    expect(byKey(rowsOf(document))).toEqual(byKey(rows));
  });

  test('recomputes the statistics of the bandwidth from the rows', () => {
    for (const [index, one] of tests.entries()) {
      for (const [operation, want] of Object.entries<Expected>(one.recomputed)) {
        const got = document.summary.find(
          (s) => s.operation === operation && s.test === index && s.metric === 'throughput',
        );
        expect(got?.count).toBe(want.n);
        expect(got?.max).toBeCloseTo(want.max_mib_s, 3);
        expect(got?.min).toBeCloseTo(want.min_mib_s, 3);
        expect(got?.mean).toBeCloseTo(want.mean_mib_s, 3);
        expect(got?.stddev).toBeCloseTo(want.stddev_pop_mib_s, 3);
      }
    }
  });

  test("tells what each test was, and keeps the tool's own statistics apart", () => {
    const described = document.tests.filter(({ tool }) => tool === 'ior');
    const heads = runs.flatMap((run) => run.tests.map(() => [run.version, run.command_line, run.began, run.finished]));
    expect(described.map(({ version, command, began, finished }) => [version, command, began, finished])).toEqual(
      heads,
    );
    for (const [index, one] of tests.entries()) {
      expect(described[index]?.transferBytes).toBe(one.bytes.xfer);
      expect(described[index]?.blockBytes).toBe(one.bytes.block);
      expect(described[index]?.aggregateBytes).toBe(Math.round(one.bytes.aggregate_as_printed));
      expect(String(described[index]?.tasks)).toBe(one.options.tasks);
      const printed = one.summary.filter((line: Expected) => line.test === one.test_id);
      expect(described[index]?.printed).toEqual(printed.map((line: Expected) => printedBy(line, 'text')));
    }
  });
});

describeCases(json, ({ document, expected }) => {
  test('gives every figure of every row, and no other', () => {
    const rows = (expected.tests as Expected[]).flatMap((one, index) => expectedRows(one.columns, one.rows, index));
    expect(byKey(rowsOf(document))).toEqual(byKey(rows));
  });

  test('knows version and command', () => {
    expect([document.version, document.command]).toEqual([expected.version, expected.command_line]);
  });

  test("keeps the tool's own statistics apart", () => {
    const lines = expected.summary.map((line: Expected) => printedBy(line, 'json'));
    expect(document.tests.flatMap(({ printed }) => printed)).toEqual(lines);
  });
});

describeCases(csv, ({ document, expected }) => {
  test('gives every figure of every row, and no other', () => {
    expect(byKey(rowsOf(document))).toEqual(byKey(expectedRows(expected.columns, expected.rows, 0)));
  });
});

describe('JSON of a run', () => {
  const whole = readFileSync(json.find(({ id }) => id === 'ior330_json_file_i3')?.path as string, 'utf8');
  const read = (change: (text: string) => string) => {
    const changed = change(whole);
    expect(changed).not.toBe(whole);
    return parseText('x.json', changed);
  };
  const throughputs = ({ samples }: ParseDocument) =>
    samples.filter(({ metric, operation }) => metric === 'throughput' && operation === 'write').map(({ test }) => test);

  test.each([
    ['that only pretended', (text: string) => text.replace('"dryRun": 0', '"dryRun": 1'), 'dry_run'],
    ['that wrote nowhere', (text: string) => text.replaceAll('"api": "POSIX"', '"api": "DUMMY"'), 'dummy_api'],
    ['that lost its end', (text: string) => text.replace(/,\s*"Finished"[^\n]*/, ''), 'no_finish_line'],
    ['that lost a row', (text: string) => text.replace(/\{\s*"access": "write",[^}]*\}\s*,/, ''), 'missing_iterations'],
    ['that lost its summary', (text: string) => text.replaceAll('"bwMaxMIB"', '"other"'), 'no_summary'],
  ])('%s is not valid', (_, change, problem) => {
    const { valid, problems } = read(change);
    expect(valid).toBe(false);
    expect(problems).toContain(problem);
  });

  test('warns of writes that no fsync followed, and of no reads', () => {
    const without = (text: string) => text.replace(' -e -i', ' -i');
    expect(parseText('x.json', whole).cautions).toEqual([]);
    expect(read(without).cautions).toEqual(['buffered_write_no_fsync']);
    const reads = (text: string) => without(text).replaceAll('"access": "write"', '"access": "read"');
    expect(read(reads).cautions).toEqual([]);
  });

  test('has null and the reason where a figure cannot be read', () => {
    const { samples } = read((text) => text.replace(/"bwMiB": [\d.e+-]+/, '"bwMiB": "12x"'));
    expect(samples.filter(({ value }) => value === null)).toContainEqual(
      expect.objectContaining({ metric: 'throughput', value: null, reason: 'unreadable' }),
    );
  });

  test('and another in the same text are two tests, each with its own rows', () => {
    const both = read((text) => text + text);
    expect(both).toMatchObject({ complete: true, valid: true, problems: [] });
    expect(throughputs(both)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(both.tests).toMatchObject([0, 1].map((test) => ({ test, repetitions: 3 })));
  });

  test('and another that is cut leave the figures of the first, and are not complete', () => {
    const cut = read((text) => text + text.slice(0, text.lastIndexOf('"access"')));
    expect(cut).toMatchObject({ complete: false, valid: false });
    expect(throughputs(cut).filter((one) => one === 0)).toEqual([0, 0, 0]);
  });
});

describe('a CSV with data', () => {
  const whole = readFileSync(csv.find(({ id }) => id === 'ior400_csv_file_i3')?.path as string, 'utf8');
  const parsed = (text: string, command: string | null = 'ior -i 3 -e') =>
    parseText('x.csv', text, { command, exitStatus: 0, tool: 'ior' });
  const without = (row: RegExp) => whole.replace(row, '');

  test('is complete with a command that announces its rows, and with no other', () => {
    expect(parsed(whole)).toMatchObject({ complete: true, valid: true, problems: [], cautions: [] });
    expect(parsed(whole, null)).toMatchObject({ complete: false, valid: true, problems: [], cautions: [] });
    expect(parsed(whole.slice(0, -1)).complete).toBe(false);
    for (const command of ['ior -i 4 -e', 'ior -i 2 -e']) expect(parsed(whole, command).complete).toBe(false);
    expect(parsed(whole, 'ior -i 3').cautions).toEqual(['buffered_write_no_fsync']);
  });

  test.each([
    ['one row', without(/^read,.*\n/m)],
    ['all rows of an operation', without(/^read,.*\n/gm)],
    ['the end of a row', whole.replace(/^(read,.*),\S+\n/m, '$1\n')],
    ['the number of a row', whole.replace(/^read,(.*),\d+\n/m, 'read,$1,x\n')],
    // As many rows as repetitions, which count from 0.
    ['its last row, and has one of a longer run', whole.replace(/^read,(.*),2\n/m, 'read,$1,3\n')],
    ['its first row, and has one of a longer run', whole.replace(/^read,(.*),0\n/m, 'read,$1,12\n')],
  ])('misses iterations where it lost %s', (_, text) => {
    expect(text).not.toBe(whole);
    expect(parsed(text)).toMatchObject({ complete: false, valid: false, problems: ['missing_iterations'] });
  });

  test.each([
    ['that tell of another access', (text: string) => text.replace(/^read,/gm, 'remove,')],
    ['with a column too many', (text: string) => text.replace(/^(read,.*)$/gm, '$1,7')],
    ['within a message', (text: string) => text.replace(/^read,/gm, '[1] WARNING: read,')],
    [
      'above the names of the columns',
      (text: string) => text.match(/^read,.*\n/gm)?.join('') + text.replace(/^read,.*\n/gm, ''),
    ],
    ['whose number is none', (text: string) => text.replace(/^(read,.*),(\d)$/gm, '$1,$2x')],
    ['whose number is negative', (text: string) => text.replace(/^(read,.*),(\d)$/gm, '$1,-$2')],
  ])('has no figure of rows %s', (_, change) => {
    const document = parsed(change(whole));
    expect(new Set(document.samples.map(({ operation }) => operation))).toEqual(new Set(['write']));
    expect(document.valid).toBe(false);
  });

  test('counts repetitions above ten', () => {
    const row = /^write,(.*),0$/m.exec(whole)?.[1] ?? '';
    const rows = Array.from({ length: 11 }, (_, at) => `write,${row},${at}\n`).join('');
    const document = parsed(`${whole.split('\n')[0]}\n${rows}`, 'ior -w -i 11 -e');
    expect(document).toMatchObject({ complete: true, problems: [] });
    expect(document.samples.at(-1)).toMatchObject({ operation: 'write', iteration: 10 });
  });

  test('with another run appended has the rows of both, each with its own test', () => {
    const rows = parsed(whole + whole).samples.filter(({ metric }) => metric === 'throughput');
    expect(rows.map(({ test }) => test)).toEqual([...Array(6).fill(0), ...Array(6).fill(1)]);
  });

  test('is not complete while a line is still being written', () => {
    expect(parsed(`${whole}wri`)).toMatchObject({ complete: false, problems: [] });
  });

  test('describes its run by its command alone', () => {
    const tests = [{ command: 'ior -i 3 -e', repetitions: 3, printed: [] }];
    expect(parsed(whole)).toMatchObject({ version: null, tests });
  });

  test.each(['3.3.0', '3.30.10', '4.1.0+dev'])('of %s names the version that stands at its beginning', (version) => {
    const text = `${version}Sat Nov 21 05:40:52 2026ior -i 3\n`;
    expect(parsed(text)).toMatchObject({ version, samples: [], problems: ['csv_without_data'] });
    expect(parsed(`took ${text}`).version).toBeNull();
  });

  test('without a row has no figure', () => {
    const nothing = { complete: false, valid: false, samples: [], problems: ['no_result_rows'] };
    expect(parsed(without(/^(?:read|write),.*\n/gm))).toMatchObject(nothing);
  });
});
