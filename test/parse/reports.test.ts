import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
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

/** What an output gives, a line each: the verdict, its tests, its values, and statistics of more than these. */
function outlineOf({ file: _, schema: __, samples, summary, tests, ...verdict }: ParseDocument): string {
  const values = Map.groupBy(samples, ({ operation, metric, unit }) => `${operation} ${metric}, ${unit}`);
  return [
    JSON.stringify(verdict),
    ...tests.map((one) => `test ${JSON.stringify(one)}`),
    ...[...values].map(([name, ones]) => `${name}: ${ones.map(({ value }) => value).join('; ')}`),
    ...summary.filter(({ basis }) => basis !== 'samples').map((line) => `statistics ${JSON.stringify(line)}`),
  ].join('\n');
}

// Read the difference before you update a snapshot: the figures stand in the output.
test.each([
  ['IOR 2.10 without totals and summary', 'ior2103_rw.out'],
  ['IOR 2.10.3 with -v -v: rows and summary for a spreadsheet', 'ior2103_spreadsheet.out'],
  ['IOR 2.10.3 without -v prints a summary alone', 'ior2103_summary_only.out'],
  ['IOR 3.0.1: options with =, a summary of 21 columns', 'ior301_two_runs.out'],
  ['IOR 3.0.1: removes', 'ior301_wr_i2.out'],
  ['io500 calls IOR as a library: neither summary nor end, and yet complete', 'ior34dev_io500_write.out'],
  ['mdtest 1.9.3: a title without a unit, and statistics over iterations of rank 0', 'md193_summary_plain.out'],
  ['mdtest 1.9.4-rc1: iterations with a date', 'md194rc1_verbose.out'],
  ['mdtest 1.9.4-rc1 with -B: statistics over ranks', 'md194rc1_no_barriers.out'],
  ['mdtest 3.4.0+dev with a colon is 3.3.0', 'md34dev_colon.out'],
  ['mdtest 3.4.0+dev without a colon is 4.0.0', 'md34dev_nocolon.out'],
  ['mdtest of January 2021: the deviation of the ranks, and none of the iterations', 'md34dev_ranks_first.out'],
  ['fio 3.0 to 3.7 align the names of directions to the right', 'fio37_randrw.out'],
  ['fio 2.14 of Amazon Linux 2, whose KB are 1024 bytes', 'fio214_amazon_linux_2.out'],
  ['fio 2.14 with two groups, percentiles and syncs', 'fio214_two_groups.out'],
  ['fio 3.7 with two groups, percentiles and syncs', 'fio37_two_groups.out'],
  ['JSON of fio 2.14 has latencies, and a sum of its processes', 'fio214_two_groups.json'],
  ['fio without group_reporting: the group has a figure of its own, and a caution', 'fio_two_processes_text.out'],
  ['dd of busybox and its time', 'dd_busybox_time.out'],
  ['dd in German', 'dd_de.out'],
  ['dd of an old coreutils, with GNU time', 'dd_old_gnu_time.out'],
  ['lst: rates in MB/s are those of older releases, in MiB/s', 'lst_mbs.out'],
  ['elbencho 2.1: the last column is the command, each word between quotes', 'elbencho21.csv'],
  ['elbencho 2.1: a command line between quotes word by word', 'elbencho21_direct.out'],
  ['elbencho 2.3: times with units, and syncs between phases', '../tools/elbencho_data_write.out'],
  ['smallfile 3.0: its version first and its rates last', 'smallfile30_create.out'],
  ['smallfile 3.1 of 2018: minimum for threshold, and requests of none', 'smallfile31_minimum.out'],
  ['smallfile 3.1: too few files are an error of it, and a caution', 'smallfile31_too_few.out'],
  ['smallfile 3.2: a sign of per cent behind its threshold, times with all digits', '../tools/smallfile32_create.out'],
])('%s', (_, name) => {
  expect(outlineOf(documentOf(name))).toMatchSnapshot();
});

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
    ['containerd', (line, at) => `2025-11-28T05:00:${two(at)}.1Z ${at % 9 ? 'stdout' : 'stderr'} F ${line}`],
    ['a log of Go', (line, at) => `2025/11/28 05:00:${two(at)} ${line}`],
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

  test.each([
    ['pdsh', 'n9: ', 'n10: '],
    ['compose', 'fio-9   | ', 'fio-10  | '],
    ['kubectl logs --prefix', '[pod/fio-0/fio] ', '[pod/fio-1/fio] '],
  ])('lines of several hosts are read one host after the other, in whatever order %s prints them', (_, one, other) => {
    const fio = textOf('fio_two_processes_text.out').trimEnd().split('\n');
    const text = fio.map((line) => `${one}${line}\n${other}${line}\n`).join('');
    const document = parseText('x', text);
    expect(document.problems).toEqual([]);
    expect(valuesOf(document)['write throughput']).toEqual([537, 524, 1061, 537, 524, 1061]);
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
  });
});

describe('IOR of old releases and inside io500', () => {
  test('a summary alone of one repetition is its value', () => {
    const once = textOf('ior2103_summary_only.out')
      .replace(/(repetitions +=) 2/, '$1 1')
      .replace(/^.*EXCEL\n/gm, '');
    expect(valuesOf(parseText('x', once))).toEqual({ 'write throughput': [2461.33], 'read throughput': [11910.29] });
  });

  test('two runs of 3.0.1 in one log are two tests', () => {
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

  test.each([
    [
      'ior-hard',
      '-k -e -o /fsx/io500/x/ior-hard/file -O stoneWallingStatusFile=./results/x/ior-hard.stonewall -t 47008 -b 47008 -s 100000 -w -D 300',
    ],
    ['ior-rnd4K', '-k -e -o /fsx/io500/x/ior-easy/ior_file_easy -t=4096 -b=4096 -s=10000000 -w -D 300 -z'],
  ])('%s of io500, too', (_, options) => {
    const text = textOf('ior34dev_io500_write.out').replace(
      /(Command line +: ).*/,
      `$1./ior -C -Q 1 -g -G 271 ${options}`,
    );
    expect(parseText('x', text)).toMatchObject(SOUND);
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

// A log of two runs is complete only if both are, whichever was cut off.
test.each([
  ['IOR', '../tools/ior330_np1.out'],
  ['mdtest', '../tools/md330_both_i1.out'],
])('of two runs of %s in one log each has to have its end', (_tool, name) => {
  const whole = textOf(name);
  const cut = whole.slice(0, whole.search(/^(?:Finished|-- finished)/m));
  const problemsOf = (...runs: string[]) => parseText('x', runs.join('\n')).problems;
  expect(problemsOf(whole, whole)).not.toContain('no_finish_line');
  expect(problemsOf(cut, whole)).toContain('no_finish_line');
  expect(problemsOf(whole, cut)).toContain('no_finish_line');
});

describe('mdtest by the form of its rows', () => {
  test('statistics of 1.9.3 are over iterations, and with barriers over ranks', () => {
    const thrice = textOf('md193_summary_plain.out').replace('of 1 iterations', 'of 3 iterations');
    expect(linesOf(parseText('x', thrice), 'file_stat')).toMatchObject([{ count: 3 }]);
    expect(linesOf(parseText('x', thrice.replace(' -u -L', ' -B -u')), 'file_stat')).toMatchObject([
      { count: 360, basis: 'ranks x iterations' },
    ]);
    expect(parseText('x', thrice.replaceAll('node(s)', 'nodes')).tool).toBe('mdtest');
  });

  test('a wiki makes one blank of several and one dash of two, and the rows stay what they are', () => {
    const onWiki = (name: string) =>
      parseText(
        'x',
        textOf(name)
          .replace(/^ +/gm, '')
          .replace(/ {2,}/g, ' ')
          .replace(/--(?= )|(?<= )--/g, '–'),
      );
    for (const name of ['md34dev_colon.out', 'md34dev_nocolon.out'])
      expect(onWiki(name)).toMatchObject({ ...SOUND, summary: documentOf(name).summary });
    // Of 1.9 the width says what was counted.
    expect(onWiki('md193_summary_plain.out')).toMatchObject({ valid: false, summary: [] });
  });

  test.each([
    ['md34dev_colon.out', 'operations'],
    ['md34dev_nocolon.out', 'rank0_operations'],
  ])('%s: lines of -v mean what its rows do', (name, metric) => {
    const line = 'V-1: Rank   0 Line  1399   File creation     :          0.016 sec,       6418.118 ops/sec\n';
    const text = textOf(name).replace(/\n(?=\nSUMMARY)/, `\n${line}`);
    expect(valuesOf(parseText('x', text))).toMatchObject({ [`file_create ${metric}`]: [6418.118] });
  });
});

describe('fio of any release', () => {
  test.each([
    ['3.7', 'fio37_randrw.out', /^ {3}read: .*\n/m],
    ['3.7, one process of two', 'fio_two_processes_text.out', /^ {2}write: IOPS=500.*\n/m],
    ['2.14', 'fio214_amazon_linux_2.out', /^ {2}write: .*\n/m],
  ])('a direction of the group without its rows is a problem: %s', (_, name, row) => {
    const text = textOf(name).replace(row, '');
    expect(parseText('x', text)).toMatchObject({ valid: false, problems: ['missing_rows'] });
  });

  test.each([
    ['fio37_randrw.out', { 'read throughput': [76.3], 'write throughput': [25.4] }],
    ['fio214_amazon_linux_2.out', { 'write throughput': [135.0656] }],
  ])('of an excerpt with the groups alone it gives their rates, and says what is missing: %s', (name, rates) => {
    const text = textOf(name).slice(textOf(name).indexOf('Run status group'));
    const document = parseText('x', text);
    expect(document).toMatchObject({ tool: 'fio', valid: false, problems: ['missing_rows'] });
    expect(valuesOf(document)).toMatchObject(rates);
  });

  test('a process that ended with an error makes the output invalid', () => {
    const text = textOf('fio37_randrw.out').replace(/^(?=.*groupid=)/m, 'fio: pid=28242, err=5/file:io_u.c:1747\n');
    expect(parseText('x', text)).toMatchObject({ valid: false, problems: ['job_error_5'] });
  });

  test('a direction in a form of its own is named, not dropped', () => {
    const text = textOf('fio37_randrw.out').replace('read: IOPS=18.6k, BW', 'read: rate=18.6k, BW');
    expect(parseText('x', text).problems).toEqual(['missing_rows', 'rows_not_read']);
  });

  test.each([
    ['read : io=10240MB, bw=1024.0MB/s, iops=26285 , runt= 10000msec', 1073.741824, 26285, 10],
    ['write: io=976563KB, bw=97656KB/s, iops=244, runt=  10000msec', 99.999744, 244, 10],
    ['read : io=800.0KB, bw=655360Kbit/s, iops=1, runt=1000msec', 83.88608, 1, 1],
  ])('a row of fio 2 in any unit: %s', (row, throughput, operations, seconds) => {
    const job = 'a: (groupid=0, jobs=1): err= 0: pid=1: Sat May 23 01:38:30 2020';
    const { samples } = parseText('x', `fio-2.2.10\n${job}\n  ${row}\n`);
    expect(samples.map(({ value }) => value)).toEqual([throughput, operations, seconds]);
  });

  test('without group_reporting the group has a figure of its own, and a caution', () => {
    const json = parseFile(join(FIXTURES, 'fio_seqwrite_perjob.out'));
    expect(json.cautions).toEqual(['single_processes']);
    const [group, single] = linesOf(json, 'write', 'throughput');
    expect([single?.count, single?.basis]).toEqual([3, 'samples']);
    expect(linesOf(json, 'write', 'runtime')).toHaveLength(1);
    // 3 × 48 MiB in the time of the slowest.
    expect(group).toMatchObject({ test: 'group 0', unit: 'MB/s', count: 1, basis: 'sum of processes' });
    expect(group?.mean).toBeCloseTo((3 * 48 * 2 ** 20) / 0.281 / 1e6, 9);
  });

  test('terse lines of single processes have the caution, too', () => {
    const line = readFileSync(join(FIXTURES, 'fio_seqwrite_terse.out'), 'utf8').match(/^3;fio-.*\n/m)?.[0] as string;
    expect(parseText('x', line).cautions).toEqual([]);
    expect(parseText('x', line + line).cautions).toEqual(['single_processes']);
  });

  test('of what --status-interval prints on the way the last counts', () => {
    const text = textOf('fio_two_processes_text.out');
    const report = text.slice(text.indexOf('\nw: (groupid'));
    const twice = text + report.replaceAll('512', '600');
    expect(valuesOf(parseText('x', twice))['write operations']).toEqual([600, 500]);
    const again = text + text;
    expect(valuesOf(parseText('x', again))['write operations']).toEqual([512, 500, 512, 500]);
  });

  const SORTED = textOf('fio_sorted.json');
  test.each([
    ['alone', SORTED],
    ['after a message', `fio: this platform has no O_DIRECT {0}\n${SORTED}`],
    ['between the lines of a log', `TASK [fio] ***\n${SORTED}\nok: [n1]\n`],
    ['within an object of a wrapper', JSON.stringify({ a: { results: JSON.parse(SORTED), z: 1 } })],
  ])('JSON with sorted keys, %s', (_, text) => {
    const document = parseText('x', text);
    expect(document).toMatchObject({ ...SOUND, tool: 'fio', version: 'fio-3.28' });
    expect(valuesOf(document)).toMatchObject({ 'write throughput': [536.870912], 'write latency': [0.006] });
  });

  test('JSON with sorted keys that is cut off is truncated', () => {
    expect(parseText('x', SORTED.slice(0, -30))).toMatchObject({ tool: 'fio', valid: false, problems: ['truncated'] });
  });

  test('latencies of fio 2 are in microseconds', () => {
    const latency = { min: 10, max: 9000, mean: 120.5, stddev: 3 };
    const percentile = { '50.000000': 100, '99.000000': 900, '99.900000': 4000 };
    const rates = { io_bytes: 4096, bw: 4096, iops: 1024, runtime: 1000, total_ios: 1024 };
    const read = { ...rates, lat: latency, clat: { ...latency, percentile } };
    const jobs = [{ jobname: 'r', groupid: 0, error: 0, read, 'job options': { rw: 'randread' } }];
    const values = valuesOf(parseText('x', JSON.stringify({ 'fio version': 'fio-2.14', jobs })));
    expect(values).toMatchObject({
      'randread throughput': [4.194304],
      'randread latency': [0.0001205],
      'randread completion_latency_p50': [0.0001],
      'randread completion_latency_p99': [0.0009],
      'randread completion_latency_p99.9': [0.004],
    });
  });
});

describe('dd of any make and language', () => {
  const COUNTS = '1500+0 records in\n1500+0 records out\n';
  // Printed by coreutils 9.1 under these locales, but for the makes that are named.
  test.each(
    textOf('dd_makes.txt')
      .split('\n\n')
      .map((one) => one.split(/\n(.*)/s)),
  )('%s', (_, text) => {
    expect(outlineOf(parseText('x', `${text}\n`))).toMatchSnapshot();
  });

  test('minutes of busybox count', () => {
    const minutes = textOf('dd_busybox_time.out').replace('0m 1.03s', '2m 1.03s');
    expect(valuesOf(parseText('x', minutes))['real seconds']).toEqual([121.03]);
  });

  test('a rate is that of the bytes and seconds beside it, unless the seconds are rounded more', () => {
    const rate = (status: string) => parseText('x', `${COUNTS}${status}\n`).samples[0];
    expect(rate('1073741824 bytes (1.1 GB, 1.0 GiB) copied, 1.03324 s, 1.0 GB/s')).toMatchObject({
      value: 1073741824 / 1.03324e6,
      reason: 'bytes ÷ seconds; dd rounds it to 1.0 GB/s',
    });
    expect(rate('1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2 s, 450 MB/s')).toEqual({
      operation: 'copy',
      test: 0,
      iteration: null,
      metric: 'throughput',
      unit: 'MB/s',
      value: 450,
    });
  });

  test.each([
    ['none at all', '', 'missing_rows'],
    ['one in another form', '2147483648 bytes transferred at 18024772 bytes/sec\n', 'rows_not_read'],
  ])('records out with a status line of %s is a problem', (_, status, problem) => {
    const time = 'real\t1m59.219s\nuser\t0m0.001s\nsys\t0m28.138s\n';
    expect(parseText('x', `${COUNTS}${status}${time}`)).toMatchObject({ valid: false, problems: [problem] });
    const silent = { command: 'time dd if=/a of=/b status=noxfer', exitStatus: 0, tool: 'dd' };
    expect(parseText('x', `${COUNTS}${time}`, silent).problems).toEqual([]);
  });

  test('of two copies the one without a status line is missing', () => {
    const copy = `${COUNTS}512 bytes copied, 0.000125 s, 4.1 MB/s\n`;
    expect(parseText('x', COUNTS + copy).problems).toEqual(['missing_rows']);
    expect(parseText('x', copy + copy).problems).toEqual([]);
  });
});

describe('du without options prints KiB', () => {
  const bytes = (text: string) => parseText('x', text).samples.map(({ value }) => value);

  test.each([
    ['a bare line', '11722752\t/fsx/data\n', [11722752 * 1024]],
    ['a round size', '1048576\t/fsx/ior.bin\n', [2 ** 30]],
    ['a list', '4\t/fsx/a\n12582912\t/fsx/b\n12582916\t/fsx\n', [4096, 12582912 * 1024, 12582916 * 1024]],
    ['a prompt', '$ du -s /fsx/a /fsx/b\n8\t/fsx/a\n12\t/fsx/b\n', [8192, 12288]],
    ['sudo and no option', '[ec2-user@ip fsx]$ sudo du /fsx/a\n8\t/fsx/a\n', [8192]],
    ['a decimal comma', '$ du -sh /fsx/a\n1,5G\t/fsx/a\n', [1.5 * 2 ** 30]],
  ])('%s', (_, text, expected) => {
    expect(bytes(text)).toEqual(expected);
  });

  test('the assumption is a caution, and a size with a suffix of the same file shows the unit', () => {
    expect(parseText('x', '11722752\t/fsx/data\n').cautions).toEqual(['unit_assumed']);
    expect(bytes('4.1M\tf\n4202496\tf\n')[1]).toBe(4202496);
    expect(bytes('4.1M\tf\n4104\tf\n')[1]).toBe(4104 * 1024);
  });

  test('what it cannot read is a problem', () => {
    const text = "du: cannot read directory '/fsx/b': Permission denied\n8\t/fsx\n";
    expect(parseText('x', `$ du -s /fsx\n${text}`).problems).toEqual(['permission_denied']);
  });
});

describe('lst', () => {
  test('rates in MB/s are that where the command asked for them', () => {
    const asked = { command: 'lst stat --mbs clients', exitStatus: 0, tool: 'lst' };
    expect(parseText('x', textOf('lst_mbs.out'), asked).samples.at(-1)).toMatchObject({ value: 16.6, unit: 'MB/s' });
  });

  test.each(['GB/s', 'bits'])('rates in %s are named, not dropped', (unit) => {
    const text = textOf('lst_mbs.out').replaceAll('MB/s', unit);
    expect(parseText('x', text)).toMatchObject({ valid: false, problems: ['rows_not_read'] });
  });
});

describe('elbencho 2.0 and 2.1, and its services', () => {
  test('between the quotes of its command line is what tells a buffered write', () => {
    const buffered = textOf('elbencho21_direct.out').replace('"--direct" ', '');
    expect(parseText('x', buffered).cautions).toEqual(['buffered_write_no_fsync']);
  });

  test('services in the same log are named: their results cannot be told from iterations', () => {
    const text = textOf('elbencho_services.out');
    for (const log of [text, text.replaceAll(/^Service.*\n/gm, ''), text.replaceAll(/^Preparing.*\n/gm, '')])
      expect(parseText('x', log)).toMatchObject({ valid: false, problems: ['services_in_log'] });
  });

  test.each([
    ['WRITE     Elapsed ms       :', 'WRITE     Elapsed us       :'],
    ['          Throughput MiB/s :', '          Throughput ZB/s  :'],
  ])('a row in a form of its own is named, not dropped: %s', (from, to) => {
    const text = textOf('elbencho21_direct.out').replace(from, to);
    expect(parseText('x', text)).toMatchObject({ valid: false, problems: ['rows_not_read'] });
  });
});

describe('smallfile of any year', () => {
  const TEXT = textOf('smallfile31_minimum.out');
  test.each([
    ['below its minimum', TEXT.replace('100.00%', ' 60.00%'), false],
    [
      'below its minimum, as an exception says',
      `${TEXT.replace('100.00%', ' 60.00%')}output_results.SMFResultException: not enough total files processed before 1st thread finished, change test parameters\n`,
      true,
    ],
    ['without its last rates', TEXT.replace('total IOPS = 0', 'total IOPS = 400'), false],
    [
      'too short for rates',
      TEXT.replace('elapsed time =     0.604\nfiles/sec = 661.943755', 'elapsed time =     0.001'),
      true,
    ],
  ])('a run %s', (_, text, complete) => {
    expect(parseText('x', text).complete).toBe(complete);
  });

  test('3.0 without its last rate is incomplete', () => {
    const text = textOf('smallfile30_create.out');
    expect(parseText('x', text.slice(0, text.indexOf('309.755330 IOPS'))).complete).toBe(false);
  });
});
