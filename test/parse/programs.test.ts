import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import { describeRecorded, recordedIn } from '../../lib/parse/recorded';
import { readWorkload } from '../../lib/run/task/readWorkload';
import type { RecordedWork } from '../../lib/workload/common/measured';
import { splitLines } from '../../lib/workload/common/parse/lines';
import { RECORDER } from '../../lib/workload/registry';
import { fsxbenchIn } from '../cli/support';
import { temporaryFolder } from '../run/bench';
import { ENDED, workload } from '../support/records';
import { casesOf, expectedVerdict, FIXTURES, verdictOf } from './corpus';

const FIELDS: Readonly<Record<string, string>> = {
  seconds: 'wall_s',
  user_seconds: 'user_s',
  system_seconds: 'system_s',
  bytes_read: 'read_bytes',
  bytes_written: 'written_bytes',
  exit_status: 'exit_status',
};

test.each(casesOf('command', 'command-of-a-tool'))('$id gives its times, bytes and status', ({ path, expected }) => {
  const document = parseFile(path);
  expect(document.tool).toBe('command');
  expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  expect(document.samples.map(({ metric, value }) => [FIELDS[metric], value])).toEqual(
    Object.entries(expected.figures),
  );
  for (const { value, reason } of document.samples)
    expect(value === null ? reason : 'a value').toBe(value === null ? 'not reported by the kernel' : 'a value');
});

test('what the program itself printed is not its measurement: dd in it is no dd', () => {
  const path = join(FIXTURES, 'command_dd_inside.out');
  expect(parseFile(path).samples.map(({ operation }) => operation)).toEqual(Array(6).fill('run'));
});

test('talk of errors is the program’s own, and its status decides', () => {
  const measured = readFileSync(join(FIXTURES, 'command_cp_verbose.out'), 'utf8');
  const document = parseText('x.out', `ERROR: No space left on device\n${measured}`);
  expect(document).toMatchObject({ complete: true, valid: true, problems: [] });
});

test.each([
  ['a line that is cut', '{"schema":"fsxbench.command/1","exit_status":0,"wall_s":1.2'],
  ['a line before the end', '{"schema":"fsxbench.command/1","exit_status":0,"wall_s":1.2}\nmore\n'],
])('%s is no measurement', (_, text) => {
  const none = { complete: false, valid: false, samples: [] };
  expect(parseText('x.out', text, undefined, '', 'command')).toMatchObject(none);
});

test.each([1, 2, 137])('exit status %i of the program is a problem', (status) => {
  const measured = readFileSync(join(FIXTURES, 'command_cp_verbose.out'), 'utf8');
  const document = parseText('x.out', measured.replace(/"exit_status": ?0/, `"exit_status":${status}`));
  expect(document).toMatchObject({ complete: true, valid: false, problems: [`exit_status_${status}`] });
});

test('a figure that is no number is null with its reason', () => {
  const text = '{"schema":"fsxbench.command/1","exit_status":0,"wall_s":"soon","user_s":-1}\n';
  const { samples } = parseText('x.out', text, undefined, '', 'command');
  expect(samples.map(({ value }) => value)).toEqual([null, null, null, null, null, 0]);
  for (const { value, reason } of samples) expect(reason).toBe(value === null ? 'not printed' : undefined);
});

const path = (name: string) => join(FIXTURES, `${name}.out`);
const printed = (name: string) => JSON.parse(readFileSync(path(name), 'utf8').trim().split('\n').at(-1) as string);

test.each(casesOf('dask'))('$id gives the figures that it printed, or what is wrong', ({ path: file, expected }) => {
  const document = parseFile(file, 'dask');
  expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  const values = document.samples.filter(({ iteration, metric }) => iteration === null && metric !== 'throughput');
  expect(values.map(({ value }) => value).sort()).toEqual(Object.values(expected.figures).sort());
});

test('an analysis has its years one by one, and the bytes of its workers over its time', () => {
  const { years, bytes_read, seconds } = printed('dask_local');
  const { samples } = parseFile(path('dask_local'), 'dask');
  const of = (metric: string) => samples.filter((one) => one.metric === metric).map(({ value }) => value);
  expect(of('year')).toEqual(years.map(({ year }: { year: number }) => year));
  expect(of('year_mean')).toEqual(years.map(({ mean_k }: { mean_k: number }) => mean_k));
  expect(of('throughput')).toEqual([bytes_read / seconds / 1e6]);
});

const ANALYSIS = { ...printed('dask_local') };
const parsed = (change: object) =>
  parseText('x.out', `${JSON.stringify({ ...ANALYSIS, ...change })}\n`, undefined, '', 'dask');

test('fewer than three whole years have no trend, and say why', () => {
  const { samples, valid } = parsed({ trend_k_per_decade: null, trend_error_k_per_decade: null, years: [] });
  expect(valid).toBe(true);
  const none = { value: null, reason: 'fewer than three whole years' };
  for (const metric of ['trend', 'trend_error'])
    expect(samples.find((one) => one.metric === metric)).toMatchObject(none);
});

test('an analysis whose workers read less than the files hold is cautioned about', () => {
  expect(parsed({ bytes_read: 0.5 * ANALYSIS.file_bytes }).cautions).toEqual(['files_not_read']);
  for (const whole of [{}, { bytes_read: 0.95 * ANALYSIS.file_bytes }]) expect(parsed(whole).cautions).toEqual([]);
});

test.each([
  ['a time that is no number', { seconds: 'soon' }, false],
  ['a time below zero', { seconds: -1 }, false],
  ['another program', { program: 'other' }, false],
  ['a falling trend', { trend_k_per_decade: -0.3 }, true],
])('%s: an analysis has ended only if it has its time', (_, change, complete) => {
  expect(parsed(change).complete).toBe(complete);
  if ('trend_k_per_decade' in change)
    expect(parsed(change).samples.find(({ metric }) => metric === 'trend')?.value).toBe(change.trend_k_per_decade);
});

test('the values of a run are those of its operation, the time first', () => {
  const action = workload('dask', { operation: 'run', ranksPerClient: 2 });
  const { measured, failure } = readWorkload(action, [{ outcome: ENDED, outputFile: path('dask_local') }]);
  expect(failure).toBeNull();
  expect(measured[0]).toMatchObject({ operation: 'analyse', metric: 'seconds', value: ANALYSIS.seconds, unit: 's' });
});

test.each(casesOf('lazyload'))('$id gives the figures that it printed, or what is wrong', ({ path, expected }) => {
  const document = parseFile(path, 'lazyload');
  expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  expect(document.samples.map(({ value }) => value).sort()).toEqual(Object.values(expected.figures).sort());
});

const DONE = {
  ...{ schema: 'fsxbench.lazyload/1', phase: 'first', files: 4, bytes: 4000, file_bytes: 4000, seconds: 2 },
  ...{ released_before: 4, released_after: 0 },
};
const loaded = (change: object) =>
  parseText('x.out', `${JSON.stringify({ ...DONE, ...change })}\n`, undefined, '', 'lazyload');

test.each([
  ['a first read of files that were all in the bucket', {}, [], []],
  ['a first read of files that were there already', { released_before: 3 }, [], ['files_loaded_before']],
  ['a second read of files that were not there', { phase: 'second' }, [], ['files_released_before']],
  ['a read after which files are still in the bucket', { released_after: 1 }, ['files_released'], []],
  ['another phase', { phase: 'third' }, ['truncated'], []],
])('%s', (_, change, problems, cautions) => {
  expect(loaded(change)).toMatchObject({ problems, cautions });
});

test('clients are summed over the time of the slowest, with the bytes that it read', () => {
  const action = workload('lazyload', { operation: 'run', operationId: 'preload' });
  const files = [2, 4, 1].map((seconds) => {
    const outputFile = join(temporaryFolder(), `${seconds}.out`);
    const result = { ...DONE, phase: 'preload', seconds, bytes: 4e6, file_bytes: 5e6 };
    writeFileSync(outputFile, `${JSON.stringify(result)}\n`);
    return { outcome: ENDED, outputFile };
  });
  const { measured, failure } = readWorkload(action, files);
  expect(failure).toBeNull();
  expect(measured[0]).toMatchObject({ operation: 'preload', metric: 'throughput', unit: 'MB/s', value: 3 });
  const of = (name: string) => measured.find(({ metric }) => metric === name)?.value;
  expect(['files', 'bytes', 'file_bytes', 'seconds'].map(of)).toEqual([12, 12e6, 15e6, 4]);
});

const textOf = (name: string): string => readFileSync(join(FIXTURES, `${name}.out`), 'utf8');

test.each(casesOf('darshan'))('$id gives the figures that darshan-parser --total prints', ({ path, expected }) => {
  const document = parseFile(path);
  expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  const sums: Record<string, number> = {};
  for (const { test: record, operation, metric, value } of document.samples)
    if (String(record).startsWith('POSIX'))
      sums[`${operation} ${metric}`] = (sums[`${operation} ${metric}`] ?? 0) + (value ?? 0);
  // Times are rounded in each record, and so are their sums.
  const figures = Object.entries<number>(expected.figures).map(([name, value]) => [name, expect.closeTo(value, 4)]);
  expect(sums).toEqual(Object.fromEntries(figures));
});

test('a log without an end, and one without records, have problems', () => {
  const text = textOf('darshan_ior_shared');
  const cut = { tool: 'darshan', complete: false, valid: false, problems: ['truncated'] };
  expect(parseText('x.out', text.slice(0, text.lastIndexOf('POSIX_BYTES_READ')))).toMatchObject(cut);
  expect(parseText('x.out', text.slice(0, 200)).problems).toContain('no_result_rows');
});

test('what a program did is read from its log as it was started', () => {
  expect(recordedIn(join(FIXTURES, 'darshan_ior_fpp.out'))).toMatchObject({
    processes: 4,
    seconds: 0.1385,
    files: { shared: 0, partly: 0, own: 4 },
    opens: 8,
    syncs: 4,
    write: { bytes: 16 * 2 ** 20, operations: 64, transferBytes: 2 ** 18, order: 'sequential' },
    read: { bytes: 16 * 2 ** 20, operations: 64, transferBytes: 2 ** 18, order: 'sequential' },
  });
  const shared = recordedIn(join(FIXTURES, 'darshan_ior_shared.out'));
  expect(shared).toMatchObject({
    files: { shared: 1, partly: 0, own: 0 },
    write: { bytes: 16 * 2 ** 20, transferBytes: 2 ** 16, order: 'random' },
  });
  expect(describeRecorded(shared)).toBe(
    '4 processes wrote 16 MiB in random transfers of 64 KiB and read 16 MiB in random transfers of 64 KiB, in 1 file of all processes, with 8 opens, 0 stats and 0 syncs, in 0.1 s: 12 % of their time in transfers, 0 % in other calls on files.',
  );
});

/** A log of four processes as darshan-parser prints it: records of rank, file and counters. */
function logOf(...records: readonly (readonly [rank: number, file: number, counters: Record<string, number>])[]) {
  const rows = records.flatMap(([rank, file, counters]) =>
    Object.entries(counters).map(([name, value]) => {
      const [, module = 'POSIX', counter = name] = /^(STDIO)_(.+)/.exec(name) ?? [];
      return [module, rank, file, `${module}_${counter}\t${value}`, '/f', '/', 'ext4'];
    }),
  );
  const lines = rows.map((row) => `${row.join('\t')}\n`).join('');
  return RECORDER.work(splitLines(`# darshan log version: 3.41\n# nprocs: 4\n${lines}`));
}

test('the work in a log is that of the files with nearly all bytes, in the size and order of most transfers', () => {
  const sizes = { ACCESS1_ACCESS: 110, ACCESS1_COUNT: 1, ACCESS2_ACCESS: 100, ACCESS2_COUNT: 9 };
  const shared = { BYTES_WRITTEN: 1010, WRITES: 10, SEQ_WRITES: 6, CONSEC_WRITES: 6, STATS: -1, ...sizes };
  const work = logOf([-1, 1, shared], [0, 2, { BYTES_WRITTEN: 5, WRITES: 1, STATS: 5 }]);
  expect(work.files).toEqual({ shared: 1, partly: 0, own: 0 });
  // The first transfer of each of four processes follows none.
  expect(work.write).toEqual({ bytes: 1010, operations: 10, transferBytes: 100, order: 'sequential' });
  // What could not be kept of one file is known of the other.
  expect(work.stats).toBe(5);
  const mixed = logOf([0, 1, { BYTES_READ: 300 }], [0, 2, { STDIO_BYTES_WRITTEN: 60, STDIO_BYTES_READ: 40 }]);
  expect(mixed.streamed).toBe(0.25);
});

const CALLS = 'with 1,200 opens, 30 stats and 5 syncs, in 2 min: 25 % of their time in transfers, 5 % in other calls';
const WROTE = 'wrote 1 GiB in sequential transfers of 1 MiB';
test.each<[string, Partial<RecordedWork>, string]>([
  [
    'files of its own for each process',
    { processes: 4, files: { shared: 0, partly: 0, own: 8 }, read: null },
    `4 processes ${WROTE}, in 2 files of each process’s own, ${CALLS} on files.`,
  ],
  [
    'one process, one file of its own',
    { processes: 1, files: { shared: 0, partly: 0, own: 1 }, read: null, dataSeconds: 30, metadataSeconds: 6 },
    `1 process ${WROTE}, in 1 file of each process’s own, ${CALLS} on files.`,
  ],
  [
    'both ways, in files of all and of some',
    { files: { shared: 2, partly: 1, own: 0 } },
    `4 processes ${WROTE} and read 512 MiB in transfers of many sizes in no single order, in 2 files of all processes and 1 file of some, ${CALLS} on files.`,
  ],
  [
    'no data, and more time in calls than there was',
    { write: null, read: null, files: { shared: 0, partly: 0, own: 0 }, dataSeconds: 0, metadataSeconds: 960 },
    `4 processes moved no data, ${CALLS.replace('25', '0').replace(' 5 %', ' 100 %')} on files.`,
  ],
])('a recorded program in one sentence: %s', (_, given, sentence) => {
  const work: RecordedWork = {
    ...{ processes: 4, seconds: 120, files: { shared: 0, partly: 0, own: 4 }, opens: 1200, stats: 30, syncs: 5 },
    write: { bytes: 2 ** 30, operations: 1024, transferBytes: 2 ** 20, order: 'sequential' },
    read: { bytes: 2 ** 29, operations: 1024, transferBytes: null, order: null },
    ...{ dataSeconds: 120, metadataSeconds: 24, streamed: 0, ...given },
  };
  expect(describeRecorded(work)).toBe(sentence);
});

test('totals have no files, and another tool’s output no program', () => {
  expect(() => RECORDER.work(splitLines(textOf('darshan_ior_fpp_total')))).toThrow(
    'it has no records of files of POSIX: give the log itself',
  );
  expect(() => recordedIn(join(FIXTURES, 'ior400_v.out'))).toThrow('is not a record of a program by darshan');
});

test('a binary log is read by darshan-parser, and without it names what to install', async () => {
  const folder = temporaryFolder();
  const [log = '', parser = ''] = ['user_app.darshan', 'darshan-parser'].map((name) => join(folder, name));
  writeFileSync(log, '3.41');
  const before = process.env.PATH;
  process.env.PATH = folder;
  try {
    const { status, err } = await fsxbenchIn({}, ['parse', log]);
    const install = 'there is no darshan-parser on the PATH to read it: install darshan-util';
    expect([status, err]).toEqual([1, expect.stringContaining(`'${log}' is binary, and ${install}`)]);
    const put = (line: string) => writeFileSync(parser, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    put(`[ "$1" = '${log}' ] && exec /bin/cat '${join(FIXTURES, 'darshan_ior_fpp.out')}'`);
    expect(parseFile(log)).toMatchObject({ file: log, tool: 'darshan', version: '3.5.0', complete: true });
    const error = 'Error: failed to read darshan log file header.';
    put(`echo "${error}" >&2; exit 1`);
    expect(() => parseFile(log)).toThrow(`darshan-parser cannot read '${log}': ${error}`);
  } finally {
    process.env.PATH = before;
  }
});
