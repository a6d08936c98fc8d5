import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LONG_RUN, writeLargeLog } from '../../bench/shared/largeLog';
import { parseFile, TooLarge } from '../../lib/parse';
import { READ_BOUNDS } from '../../lib/parse/file';
import { readWorkload } from '../../lib/run/task/readWorkload';
import { runCli } from '../support/peak';
import { workload } from '../support/records';
import { casesOf } from './corpus';

const folder = mkdtempSync(join(tmpdir(), 'large-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FIO_MIXED = join(__dirname, '../fixtures/tools/fio_mixed.out');
const named = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const ior = workload('ior');

test('an output reads the same in parts of a few lines as in one piece', () => {
  let inParts = 0;
  for (const { id, path } of casesOf()) {
    const text = readFileSync(path, 'utf8');
    const longest = text.split('\n').reduce((most, line) => Math.max(most, Buffer.byteLength(line)), 0);
    const line = Math.max(200, longest + 1);
    if (Buffer.byteLength(text) > line) inParts += 1;
    expect({ id, ...parseFile(path, undefined, { ...READ_BOUNDS, part: 200, line }) }).toEqual({
      id,
      ...parseFile(path),
    });
  }
  expect(inParts).toBeGreaterThan(200);
});

test('memory stays as it is however long a log is, with every figure of the run in it', () => {
  const [short, long] = [10e6, 120e6].map((bytes) => {
    const log = join(folder, `${bytes}.out`);
    writeLargeLog(log, bytes);
    const { stdout, megabytes } = runCli(['parse', '--json', log]);
    expect({ ...JSON.parse(stdout), file: LONG_RUN }).toEqual(parseFile(LONG_RUN));
    return megabytes;
  }) as [number, number];
  process.stdout.write(`log of 10 MB: ${short} MB, of 120 MB: ${long} MB\n`);
  expect(long).toBeLessThan(short + 40);
});

test('a line without an end takes no memory, and of one that is overwritten the last state counts', () => {
  const text = readFileSync(LONG_RUN, 'utf8');
  const progress = `Jobs: 4 (f=4): [W(4)]${' '.repeat(80)}\r`.repeat(2000);
  const at = text.indexOf('write  ');
  const path = named('progress.out', `${text.slice(0, at)}${progress}${text.slice(at)}`);
  const read = parseFile(path, undefined, { ...READ_BOUNDS, part: 10_000, line: 20_000 });
  expect(read.samples).toEqual(parseFile(LONG_RUN).samples);
  expect(read.complete).toBe(true);
});

test('fio’s JSON takes the memory of a job, however many it has and however long they are', () => {
  const fio = JSON.parse(readFileSync(FIO_MIXED, 'utf8'));
  const bins = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`${at * 1024}`, at]));
  const [job] = fio.jobs;
  // As JSON+ prints it.
  const withBins = { ...job, read: { ...job.read, clat_ns: { ...job.read.clat_ns, bins } } };
  const written = (jobs: number) =>
    named(`fio${jobs}.json`, JSON.stringify({ ...fio, jobs: Array(jobs).fill(withBins) }, null, 2));
  const [few, many] = [100, 1000].map((jobs) => {
    const path = written(jobs);
    const { stdout, megabytes } = runCli(['parse', '--json', path]);
    const { samples, complete, problems } = JSON.parse(stdout);
    expect({ complete, problems }).toEqual({ complete: true, problems: [] });
    expect(samples).toEqual(Array(jobs).fill(parseFile(FIO_MIXED).samples).flat());
    return megabytes;
  }) as [number, number];
  process.stdout.write(`JSON of 5 MB: ${few} MB, of 50 MB: ${many} MB\n`);
  expect(many).toBeLessThan(few + 40);
});

test('JSON that is too large for one piece is refused by its size, with its name and what to do', () => {
  const path = named(
    'ior.json',
    readFileSync(join(__dirname, '../fixtures/tools/ior330_Thit_json.summary.json'), 'utf8'),
  );
  const bounds = { ...READ_BOUNDS, part: 1000, whole: 10_000 };
  expect(() => parseFile(path, undefined, bounds)).toThrow(TooLarge);
  expect(() => parseFile(path, undefined, bounds)).toThrow(
    /^'.*ior\.json' has 0\.\d MB of a form that is read in one piece, .*: cut it into its runs and parse each by itself$/,
  );
});

test('more values than memory has room for are refused, and a task of a run with them has its reason', () => {
  const text = readFileSync(LONG_RUN, 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('write ') && line.length < 120);
  const path = named('rows.out', text.slice(0, text.indexOf(rows[0] as string)) + `${rows.join('\n')}\n`.repeat(40));
  expect(() => parseFile(path)).toThrow(/rows\.out' \(4\.\d MB\) has more than 200,000 values: cut it/);
  const { measured, failure } = readWorkload(ior, [{ outcome: { status: 0 } as never, outputFile: path }]);
  expect(failure).toMatch(/rows\.out' .* has more than 200,000 values/);
  expect(measured).toEqual([expect.objectContaining({ operation: 'write', value: null, reason: failure })]);
});

test('is opened once: a second look at a pipe would wait for a writer that has gone', () => {
  const path = join(folder, 'short.out');
  writeFileSync(path, 'a line\n');
  const open = jest.spyOn(fs, 'openSync');
  try {
    parseFile(path);
    expect(open.mock.calls.filter(([name]) => name === path)).toHaveLength(1);
  } finally {
    open.mockRestore();
  }
});
