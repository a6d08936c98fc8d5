import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import type { ParseDocument, ParsedSample } from '../../lib/schema/parse';
import { casesOf, describeCases, type Expected, FIXTURES } from './corpus';

const cases = casesOf('smallfile');
const OPERATIONS: Readonly<Record<string, string>> = {
  create: 'file_create',
  stat: 'file_stat',
  read: 'file_read',
  rename: 'file_rename',
  delete: 'file_remove',
  cleanup: 'cleanup',
};
/** Place of a key of the corpus in a document. */
const METRICS: Readonly<Record<string, string>> = {
  'files-per-sec': 'operations',
  IOPS: 'io_operations',
  MiBps: 'throughput',
  elapsed: 'seconds',
  files: 'files',
};

function figureOf({ samples }: { readonly samples: readonly ParsedSample[] }, operation: string, metric: string) {
  return samples.find((one) => one.operation === OPERATIONS[operation] && one.metric === metric)?.value;
}

/** Every figure of the corpus of one operation stands in the document, and no rate that the corpus does not have. */
function expectFigures(document: ParseDocument, run: Expected): void {
  const { operation } = run;
  const found = Object.entries(METRICS).map(([key, metric]) => [key, figureOf(document, operation, metric)]);
  expect([operation, found]).toEqual([operation, Object.keys(METRICS).map((key) => [key, run[key]])]);
}

describeCases(cases, ({ path, expected }) => {
  const runs = expected.operations as Expected[];

  test('gives the figures of the JSON files beside it, and says so', () => {
    const document = parseFile(path);
    const from = runs.length === 1 ? join(FIXTURES, runs[0].file) : path.replace(/out$/, '*.json');
    expect(document.figuresFrom).toBe(from);
    for (const run of runs) expectFigures(document, run);
    expect(document.tests.map(({ tasks }) => tasks)).toEqual(runs.map((run) => run['total-threads']));
    expect(new Set(document.samples.map(({ test: number }) => number)).size).toBe(runs.length);
  });

  test.each<Expected>(runs)('$file has the figures of its run', (run) => {
    const document = parseFile(join(FIXTURES, run.file));
    expect(document).toMatchObject({ tool: 'smallfile', version: '3.1', complete: true });
    expectFigures(document, run);
    expect(document.tests[0]).toMatchObject({ tasks: run['total-threads'], nodes: 1 });
  });

  test('alone gives what it prints, within its digits', () => {
    const document = parseText(path, readFileSync(path, 'utf8'));
    for (const run of runs) {
      const [rate, seconds] = ['operations', 'seconds'].map((metric) => figureOf(document, run.operation, metric));
      if (run.elapsed < 0.001) expect(rate).toBeNull();
      else expect(rate).toBeCloseTo(run['files-per-sec'], 5);
      expect(seconds).toBeCloseTo(run.elapsed, 6);
      expect(figureOf(document, run.operation, 'files')).toBe(run.files);
    }
  });
});

const OPS = readFileSync(join(FIXTURES, 'smallfile_ops.out'), 'utf8');
const CREATE = OPS.slice(0, OPS.indexOf(' '.repeat(33), OPS.indexOf('MiB/sec')));
const LOOP = 'for o in create stat read rename delete cleanup; do python3 smallfile_cli.py --operation $o; done';
const cmd = (command: string) => ({ command, exitStatus: 0, tool: 'smallfile' as const });
const verdict = ({ complete, valid, problems, cautions }: ParseDocument) => ({ complete, valid, problems, cautions });
const GOOD = { complete: true, valid: true, problems: [], cautions: [] };

test('a run that went well is complete and valid, also without its last line end', () => {
  expect(verdict(parseText('x.out', CREATE))).toEqual(GOOD);
  expect(parseText('x.out', CREATE.trimEnd())).toEqual(parseText('x.out', CREATE));
});

test('a figure that may be cut is none', () => {
  const { complete, samples } = parseText('x.out', CREATE.trimEnd().slice(0, -1));
  expect(complete).toBe(false);
  expect(samples.filter(({ metric }) => metric === 'throughput')).toEqual([]);
});

test('a file misses the runs that the words of its loop announce', () => {
  expect(parseText('x.out', OPS, cmd(LOOP)).complete).toBe(true);
  const { complete, incompleteReason } = parseText('x.out', CREATE, cmd(LOOP));
  expect([complete, incompleteReason]).toEqual([false, 'the command announces more runs']);
});

test('a failed thread has no time, and its run no rate', () => {
  const { samples } = parseText('x.out', OPS);
  const removes = samples.filter(({ operation }) => operation === 'file_remove');
  expect(removes.map(({ metric, value, reason }) => [metric, value, reason])).toEqual([
    ['operations', null, 'No such file or directory'],
    ['seconds', 0, undefined],
    ['files', 0, undefined],
  ]);
});

test('one failed thread of several makes the run not valid, whatever the exit status', () => {
  const failed = CREATE.replace(/(thr = 02.*status = )ok/, '$1ERR: Input/output error');
  const document = parseText('x.out', failed, cmd('smallfile_cli.py --top /fsx'));
  expect(document).toMatchObject({ complete: false, valid: false, problems: ['io_error', 'truncated'] });
  const said = `${failed}WARNING: at least one thread encountered error, test may be incomplete\n`;
  expect(parseText('x.out', said)).toMatchObject({ complete: true, valid: false, problems: ['io_error'] });
});

test.each([
  ['a head', 'host = ', ['no_result_rows']],
  ['threads', 'total threads', ['no_result_rows']],
  ['totals', 'files/sec', ['truncated']],
  ['a rate', 'IOPS = ', ['truncated']],
])('an output that ends after %s is neither complete nor valid', (_, next, problems) => {
  const document = parseText('x.out', CREATE.slice(0, CREATE.indexOf(`\n${next}`) + 1));
  expect(document).toMatchObject({ complete: false, valid: false, problems });
});

test('a share of the files below the threshold needs its warning', () => {
  const few = CREATE.replace('100.00% of', ' 50.00% of');
  expect(parseText('x.out', few)).toMatchObject({ complete: false, problems: ['truncated'] });
  const warned = `${few}WARNING: not enough total files processed before 1st thread finished, change test parameters\n`;
  expect(verdict(parseText('x.out', warned))).toEqual({ ...GOOD, cautions: ['few_files_measured'] });
});

test.each([
  ['WARNING: failed to get some responses from workload generators', 'threads_missing'],
  ['WARNING: thread 03 on host a never completed', 'threads_missing'],
  ['ERROR: ssh thread for host a completed with status 255', 'io_error'],
  ['control-C signal seen (SIGINT)', 'interrupted'],
])('%s is the problem %s', (line, code) => {
  const { valid, problems } = parseText('x.out', CREATE.replace('total files', `${line}\ntotal files`));
  expect({ valid, problems }).toEqual({ valid: false, problems: [code] });
});

test('hosts are nodes, and files are those of all threads', () => {
  const hosts = CREATE.replace('hosts in test : None', "hosts in test : ['10.0.0.1', '10.0.0.2']");
  expect(parseText('x.out', hosts).tests[0]).toMatchObject({ nodes: 2, tasks: 4, items: 600, blockBytes: 16384 });
});

test.each([
  ['4', 4096],
  ['0', null],
])('a record of %s KiB is %p bytes in one transfer', (size, bytes) => {
  const text = CREATE.replace(/(record size \(KB, 0 = maximum\) : )\d+/, `$1${size}`);
  expect(parseText('x.out', text).tests[0]?.transferBytes).toBe(bytes);
});

describe('JSON', () => {
  const name = 'smallfile_ops.1.json';
  const json = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));
  const read = (results: object, params: object = {}) => {
    const changed = { params: { ...json.params, ...params }, results: { ...json.results, ...results } };
    return parseText(name, JSON.stringify({ ...json, ...changed }, null, 4));
  };
  const NO_RESULT = { complete: false, valid: false, problems: ['no_result_rows'] };

  test('several in one text are read in turn', () => {
    const two = JSON.stringify(json) + JSON.stringify({ ...json, params: { ...json.params, operation: 'mkdir' } });
    const { complete, tests, samples } = parseText(name, two);
    expect(complete).toBe(true);
    expect(tests).toHaveLength(2);
    expect([...new Set(samples.map(({ operation }) => operation))]).toEqual(['file_create', 'dir_create']);
  });

  test('with the keys of later versions is read alike', () => {
    const later = JSON.stringify(json)
      .replaceAll('files-per-sec', 'filesPerSec')
      .replace('total-threads', 'totalhreads')
      .replace('total-data-GB', 'totalDataGB')
      .replace(/(host)-(set)|(files)-per-(thread)|(file)-(size)"/g, (key) => key.replaceAll('-', '_'));
    expect(parseText(name, later)).toEqual(parseText(name, JSON.stringify(json)));
  });

  test('the bytes that were moved are those of all files, of the size asked for', () => {
    const { samples, tests } = parseText(name, JSON.stringify(json));
    const [files, moved] = ['files', 'bytes'].map((metric) => samples.find((one) => one.metric === metric)?.value ?? 0);
    expect(moved).toBeCloseTo((files ?? 0) * (tests[0]?.blockBytes ?? 0), 0);
    expect(moved).toBeGreaterThan(0);
  });

  test('sizes are bytes; those that are not told, or as large as the file, are none', () => {
    const sizes = (params: object) => {
      const [one] = read({}, params).tests;
      return [one?.transferBytes, one?.blockBytes, one?.items];
    };
    expect(sizes({})).toEqual([null, 16_384, 600]);
    expect(sizes({ 'file-size': undefined })).toEqual([null, null, 600]);
    expect(sizes({ 'files-per-thread': undefined })).toEqual([null, 16_384, null]);
    const [threadless] = read({ 'total-threads': undefined }).tests;
    expect(threadless).toMatchObject({ items: null, command: null, repetitions: null, printed: [] });
  });

  test('that breaks off has no figures', () => {
    const text = readFileSync(join(FIXTURES, name), 'utf8');
    const document = parseText(name, text.slice(0, text.indexOf('"01"')));
    expect(document).toMatchObject({ complete: false, valid: false, problems: ['truncated'], samples: [] });
  });

  test('without results is no result', () => {
    const document = parseText(name, JSON.stringify({ ...json, results: {} }));
    expect(document).toMatchObject({ ...NO_RESULT, samples: [] });
  });

  test.each(['elapsed', 'files', 'total-threads', 'IOPS', 'MiBps'])('without its %s is no whole result', (key) => {
    expect(read({ [key]: undefined })).toMatchObject(NO_RESULT);
  });

  test('of fewer threads than were started is not valid', () => {
    const missing = { complete: false, valid: false, problems: ['threads_missing'] };
    expect(read({}, { 'host-set': 'a,b' })).toMatchObject(missing);
  });

  test('a figure that is no number is null with its reason', () => {
    const [sample] = read({ 'files-per-sec': 'NaN' }).samples;
    expect(sample).toMatchObject({ metric: 'operations', value: null, reason: 'printed as NaN' });
  });
});

describe('a log beside its JSON files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'smallfile-'));
    writeFileSync(join(folder, 'a.out'), OPS);
  });
  const put = (from: string, to: string) => copyFileSync(join(FIXTURES, from), join(folder, to));

  test('keeps its own figures of the runs that have none', () => {
    put('smallfile_ops.5.json', 'a.json');
    const document = parseFile(join(folder, 'a.out'));
    expect(document.figuresFrom).toBe(join(folder, 'a.json'));
    expect(figureOf(document, 'stat', 'operations')).toBe(435998.3367983368);
    expect(figureOf(document, 'create', 'operations')).toBe(16233.935719);
    const stats = document.summary.filter(({ operation }) => operation === 'file_stat');
    const rate = stats.find(({ metric }) => metric === 'operations');
    expect(rate).toMatchObject({ mean: 435998.3367983368, count: 1 });
  });

  test('is not mixed with the file of another run', () => {
    const other = JSON.parse(readFileSync(join(FIXTURES, 'smallfile_ops.5.json'), 'utf8'));
    other.results.elapsed = 0.5;
    writeFileSync(join(folder, 'a.json'), JSON.stringify(other));
    put('smallfile_partial.0.json', 'a.0.json');
    writeFileSync(join(folder, 'a.1.json'), 'no JSON');
    const document = parseFile(join(folder, 'a.out'));
    expect(document).not.toHaveProperty('figuresFrom');
    expect(document.samples).toEqual(parseText('a.out', OPS).samples);
  });
});
