import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import { READ_BOUNDS } from '../../lib/parse/file';
import type { ParseDocument } from '../../lib/schema/parse';
import { FIXTURES } from './corpus';

/** Small cases after outputs that other people published, and outputs of old releases that were built and run for this. */
const REPORTS = join(FIXTURES, '..', 'reports');
const textOf = (name: string) => readFileSync(join(REPORTS, name), 'utf8');
const documentOf = (name: string) => parseFile(join(REPORTS, name));

/** The values of a document by operation and metric, in their order. */
function valuesOf({ samples }: ParseDocument): Record<string, (number | null)[]> {
  const values: Record<string, (number | null)[]> = {};
  for (const { operation, metric, value } of samples) {
    const key = `${operation} ${metric}`;
    values[key] = [...(values[key] ?? []), value];
  }
  return values;
}
const linesOf = ({ summary }: ParseDocument, operation: string, metric = 'operations') =>
  summary.filter((line) => line.operation === operation && line.metric === metric);

const SOUND = { complete: true, valid: true, problems: [] };

describe('an output whose lines have a prefix', () => {
  const PLAIN = textOf('ior_indented.out').replace(/^ {4}/gm, '');
  const expected = parseText('x', PLAIN);
  const lines = PLAIN.trimEnd().split('\n');
  const decorated = (decorate: (line: string, index: number) => string) => `${lines.map(decorate).join('\n')}\n`;
  const two = (index: number) => String(index % 60).padStart(2, '0');

  test.each<[string, (line: string, index: number) => string]>([
    ['kubectl logs --timestamps', (line, at) => `2025-11-28T05:00:${two(at)}.123456789Z ${line}`],
    ['CloudWatch, with an offset and no milliseconds', (line, at) => `2025-11-28T05:00:${two(at)}+00:00 ${line}`],
    ['aws logs tail', (line, at) => `2025-11-28T05:00:${two(at)}.001000+00:00 ior/ior/0a1b2c ${line}`],
    ['ts', (line, at) => `Nov 28 05:00:${two(at)} ${line}`],
    ['ts -s', (line, at) => `00:00:${two(at)} ${line}`],
    ["ts '[%F %T]'", (line, at) => `[2025-11-28 05:00:${two(at)}] ${line}`],
    ['journalctl', (line, at) => `Nov 28 05:00:${two(at)} n1 ior[4711]: ${line}`],
    ['pdsh', (line) => `ip-10-0-0-7: ${line}`],
    ['pdsh, whose blank lines end with the colon', (line) => `n1: ${line}`.trimEnd()],
    ['compose', (line) => `ior-1  | ${line}`],
    ['kubectl logs --prefix', (line) => `[pod/ior-abc12/ior] ${line}`],
    ['a quotation in a message', (line) => `> ${line}`],
    ['a quotation of a quotation, without blanks at the end', (line) => `> > ${line}`.trimEnd()],
    ['a list in Markdown', (line) => `\t${line}`],
    ['an indentation that blank lines lack', (line) => (line === '' ? '' : `      ${line}`)],
    ['a host and a time', (line, at) => `n1: 2025-11-28T05:00:${two(at)}Z ${line}`],
    ['colours of compose', (line) => `\u001b[36mior-1  |\u001b[0m ${line}`],
    ['CR LF', (line) => `  ${line}\r`],
    ['no-break spaces', (line) => line.replaceAll(' ', '\u00a0')],
  ])('reads as it does without: %s', (_, decorate) => {
    expect(parseText('x', decorated(decorate))).toEqual(expected);
  });

  test('a line without the prefix ends it: nothing is stripped', () => {
    const text = `${decorated((line) => `n1: ${line}`)}n2 said something\n`;
    expect(parseText('x', text).valid).toBe(false);
  });

  test('what begins every line of a short list is its content', () => {
    const du = '4096\t/fsx/a\n4096\t/fsx/b\n4096\t/fsx/c\n';
    expect(parseText('x', du).samples).toHaveLength(3);
    const errors = 'dd: error writing /fsx/a: No space left on device\n'.repeat(3);
    expect(parseText('x', errors).problems).toContain('no_space');
  });

  test('a large output is read in parts with the prefix of all of it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'prefix-'));
    const path = join(folder, 'x.out');
    writeFileSync(
      path,
      decorated((line, at) => `2025-11-28T05:00:${two(at)}.123456789Z ${line}`),
    );
    const read = parseFile(path, undefined, { ...READ_BOUNDS, part: 500, line: 700 });
    expect({ ...read, file: 'x' }).toEqual(expected);
    rmSync(folder, { recursive: true });
  });

  test.each(['ior_indented.out', 'ior_kubectl_timestamps.out', 'ior_pdsh.out', 'ior_utf16.out'])('%s', (name) => {
    expect(documentOf(name)).toMatchObject({ ...SOUND, tool: 'ior', version: '4.0.0' });
    expect(valuesOf(documentOf(name))).toMatchObject({ 'write throughput': [181.42], 'read throughput': [2200.63] });
  });

  test.each([
    ['utf16le', Buffer.from(`\ufeff${PLAIN}`, 'utf16le')],
    ['utf16be', Buffer.from(`\ufeff${PLAIN}`, 'utf16le').swap16()],
    ['utf-8 with a mark', Buffer.from(`\ufeff${PLAIN}`)],
  ])('a byte-order mark names the encoding: %s', (_, bytes) => {
    const folder = mkdtempSync(join(tmpdir(), 'mark-'));
    const path = join(folder, 'x.out');
    writeFileSync(path, bytes);
    for (const part of [READ_BOUNDS.part, 500])
      expect({ ...parseFile(path, undefined, { ...READ_BOUNDS, part }), file: 'x' }).toEqual(expected);
    rmSync(folder, { recursive: true });
  });
});

describe('IOR of old releases and inside io500', () => {
  test('2.10 without totals and summary', () => {
    const document = documentOf('ior2103_rw.out');
    expect(document).toMatchObject({ ...SOUND, tool: 'ior', version: '2.10.3' });
    expect(valuesOf(document)).toMatchObject({
      'write throughput': [853.28, 860.19],
      'read throughput': [768.01, 797.59],
      'read access_time': [5.3, 5.1],
    });
    expect(document.tests).toMatchObject([{ tasks: 16, nodes: 2, repetitions: 2, transferBytes: 2 ** 22 }]);
  });

  test('2.10.3 with -v -v: rows and summary for a spreadsheet', () => {
    const document = documentOf('ior2103_spreadsheet.out');
    expect(document).toMatchObject(SOUND);
    expect(valuesOf(document)).toMatchObject({
      'write throughput': [1729.17, 2345.6],
      'write total_time': [0.001735, 0.001279],
      'read throughput': [4824, 10888],
    });
    expect(document.tests).toMatchObject([
      { tasks: 3, nodes: 1, blockBytes: 2 ** 20, printed: [{ meanMiBps: 2037.38, meanOps: 8149.53 }, {}] },
    ]);
  });

  test('2.10.3 without -v prints a summary alone', () => {
    const document = documentOf('ior2103_summary_only.out');
    expect(document).toMatchObject({ ...SOUND, samples: [] });
    expect(linesOf(document, 'read', 'throughput')).toMatchObject([
      { max: 11910.29, min: 4246.79, mean: 8078.54, stddev: 3831.75, count: 2, basis: 'iterations', unit: 'MiB/s' },
    ]);
    const once = textOf('ior2103_summary_only.out')
      .replace(/(repetitions +=) 2/, '$1 1')
      .replace(/^.*EXCEL\n/gm, '');
    expect(valuesOf(parseText('x', once))).toEqual({ 'write throughput': [2461.33], 'read throughput': [11910.29] });
  });

  test('3.0.1: options with =, a summary of 21 columns, removes', () => {
    const document = documentOf('ior301_two_runs.out');
    expect(document).toMatchObject({ ...SOUND, version: '3.0.1' });
    expect(valuesOf(document)).toMatchObject({ 'write throughput': [613.2], 'write total_time': [7.83] });
    expect(document.tests).toMatchObject([
      {
        command: '/opt/ior/src/ior -vv -Z -b 200m -t 20m -a POSIX -w -k -o /scratch/a/ior_test',
        tasks: 24,
        nodes: 2,
        transferBytes: 20971520,
        blockBytes: 209715200,
        began: 'Mon Dec 30 14:43:10 2024',
        finished: 'Mon Dec 30 14:43:18 2024',
      },
    ]);
    const twice = documentOf('ior301_wr_i2.out');
    expect(twice).toMatchObject({
      ...SOUND,
      tests: [{ repetitions: 2, printed: [{ minMiBps: 971.45, maxOps: null }, {}] }],
    });
    expect(valuesOf(twice)['remove total_time']).toEqual([0.004355, 0.004566]);
    expect(parseText('x', textOf('ior301_wr_i2.out').repeat(2))).toMatchObject({ ...SOUND, tests: [{}, {}] });
  });

  test.each(['ior2103_rw', 'ior2103_spreadsheet', 'ior2103_summary_only', 'ior301_wr_i2'])(
    '%s cut anywhere is incomplete',
    (name) => {
      const text = textOf(`${name}.out`);
      for (let at = 0; at < text.trimEnd().length; at += 7)
        expect({ at, complete: parseText('x', text.slice(0, at)).complete }).toEqual({ at, complete: false });
    },
  );

  test('the io500 application calls it as a library: neither summary nor end, and yet complete', () => {
    const document = documentOf('ior34dev_io500_write.out');
    expect(document).toMatchObject({
      ...SOUND,
      version: '3.4.0+dev',
      tests: [{ tasks: 64, nodes: 4, stonewall: [{ leastTransfers: 45700, mostTransfers: 102400 }] }],
    });
    expect(valuesOf(document)).toMatchObject({
      'write throughput': [23966],
      'write operations': [11992],
      'write total_time': [546.9],
    });
  });

  test('an io500 output without the row of what it asked for is incomplete', () => {
    const text = textOf('ior34dev_io500_write.out');
    const cut = text.slice(0, text.indexOf('\nwrite') + 1);
    expect(parseText('x', cut)).toMatchObject({ complete: false, valid: false, problems: ['no_result_rows'] });
    const asked = text.replace(' -w -D', ' -w -r -D');
    expect(parseText('x', asked)).toMatchObject({ complete: false, problems: ['missing_iterations'] });
  });

  test.each([1, 3])('an ordinary IOR of %d repetitions that was killed after one is incomplete', (repetitions) => {
    const text = textOf('ior34dev_killed_plain.out')
      .replace('-i 3', `-i ${repetitions}`)
      .replace(/(repetitions +:) 3/, `$1 ${repetitions}`);
    expect(parseText('x', text)).toMatchObject({ complete: false, valid: false });
    expect(parseText('x', text).problems).toContain('no_finish_line');
    expect(parseText('x', text).problems.includes('missing_iterations')).toBe(repetitions > 1);
  });

  test('rows in other columns are named as such, not as missing', () => {
    const text = textOf('ior301_wr_i2.out')
      .replace(/^access .*\n/m, '')
      .replace(/^(write|read) +\d.* (\d) +\n/gm, '$1 100.00 7 $2\n');
    expect(parseText('x', text).problems).toContain('rows_not_read');
    expect(parseText('x', text).problems).not.toContain('no_result_rows');
  });
});

describe('mdtest by the form of its rows', () => {
  test('1.9.3: a title without a unit, and statistics over iterations of the fastest rank', () => {
    const document = documentOf('md193_summary_plain.out');
    expect(document).toMatchObject({ ...SOUND, tool: 'mdtest', version: '1.9.3', tests: [{ tasks: 120, nodes: 10 }] });
    expect(linesOf(document, 'file_create')).toMatchObject([{ mean: 24178.498, count: 1, basis: 'iterations' }]);
    expect(linesOf(document, 'file_remove')).toMatchObject([{ mean: 27038.896 }]);
    const thrice = textOf('md193_summary_plain.out').replace('of 1 iterations', 'of 3 iterations');
    expect(linesOf(parseText('x', thrice), 'file_stat')).toMatchObject([{ count: 3 }]);
    expect(linesOf(parseText('x', thrice.replace(' -u -L', ' -B -u')), 'file_stat')).toMatchObject([
      { count: 360, basis: 'ranks x iterations' },
    ]);
    expect(parseText('x', thrice.replaceAll('node(s)', 'nodes')).tool).toBe('mdtest');
  });

  test('3.4.0+dev with a colon is 3.3.0, without one 4.0.0', () => {
    const colon = documentOf('md34dev_colon.out');
    expect(colon).toMatchObject(SOUND);
    expect(linesOf(colon, 'file_create')).toMatchObject([{ count: 64, basis: 'ranks x iterations' }]);
    const bare = documentOf('md34dev_nocolon.out');
    expect(bare).toMatchObject({ ...SOUND, tests: [{ tasks: 64 }] });
    expect(linesOf(bare, 'file_create')).toMatchObject([
      { max: 78051.074, min: 71002.31, mean: 74001.12, stddev: 3617.201, count: 3, basis: 'iterations' },
    ]);
  });

  test.each([
    ['md34dev_colon.out', 'operations'],
    ['md34dev_nocolon.out', 'rank0_operations'],
  ])('%s: lines of -v mean what its rows do', (name, metric) => {
    const line = 'V-1: Rank   0 Line  1399   File creation     :          0.016 sec,       6418.118 ops/sec\n';
    const text = textOf(name).replace(/\n(?=\nSUMMARY)/, `\n${line}`);
    expect(valuesOf(parseText('x', text))).toMatchObject({ [`file_create ${metric}`]: [6418.118] });
  });

  test('statistics over ranks come before those over iterations, with the deviation where its heading stands', () => {
    const rows = (heading: string, figures: string) =>
      textOf('md34dev_colon.out').replace(
        /^ {3}Operation.*\n.*\n(?: {3}.*\n)+/m,
        `   Operation         per Rank: ${heading}\n   ---------\n${['File creation', 'File stat', 'File read', 'File removal', 'Tree creation', 'Tree removal'].map((label) => `   ${label.padEnd(26)}: ${figures}\n`).join('')}`,
      );
    const early = rows('Max Min Mean Std Dev per Iteration: Max Min Mean', '9.000 1.000 5.000 2.000 8.000 6.000 7.000');
    expect(linesOf(parseText('x', early), 'file_stat')).toMatchObject([
      { max: 8, min: 6, mean: 7, stddev: null, count: 1, basis: 'iterations', reason: 'not printed' },
    ]);
    expect(linesOf(parseText('x', early), 'file_stat', 'rank_operations')).toMatchObject([{ mean: 5, stddev: 2 }]);
    const late = rows('Max Min Mean per Iteration: Max Min Mean Std Dev', '9.000 1.000 5.000 8.000 6.000 7.000 0.500');
    expect(linesOf(parseText('x', late), 'file_stat')).toMatchObject([{ mean: 7, stddev: 0.5 }]);
  });
});
