import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintCommand } from '../../../lib/lint';
import { parseText } from '../../../lib/parse';
import { INTENDED } from '../../../lib/run/task/readWorkload';
import { dd, type LoopPhase, loopOf } from '../../../lib/workload/dd';
import { operationOf } from '../../../lib/workload/lookup';
import { workload } from '../../support/records';

const SCRIPT = join(__dirname, '../../../assets/client/bin/copy-loops');

const STUDY: readonly LoopPhase[] = [
  { loop: 'create_large_file', threads: 1, count: 1024, size: '100M' },
  { loop: 'read_large_file', threads: 1, count: 1024, size: '100M' },
  { loop: 'create_small_files', threads: 1, count: 100_000, size: '500kB' },
  { loop: 'read_small_files', threads: 1, count: 100_000, size: '500kB' },
];
const publishedOf = (phase: LoopPhase): string => loopOf(phase).published;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'loops-'));
});

function run(...words: readonly (string | number)[]): { status: number | null; output: string } {
  const [loop, ...rest] = words.map(String);
  // The driver keeps both streams in one file.
  const { status, stdout } = spawnSync('bash', ['-c', '"$0" "$@" 2>&1', SCRIPT, loop ?? '', directory, ...rest], {
    encoding: 'utf8',
  });
  return { status, output: stdout };
}

describe('bad calls are refused with what is allowed', () => {
  test.each([
    [['write_large_file', 1, 1, '1M'], "LOOP must be create_large_file, .*, got 'write_large_file'"],
    [['create_large_file', 0, 1, '1M'], "THREADS must be a whole number from 1 to 9999, got '0'"],
    [['create_large_file', 1, '1e3', '1M'], "COUNT must be a whole number from 1, got '1e3'"],
    [['create_large_file', 1, 1, '1 M'], "SIZE must be bytes, or such as 500kB or 100M, got '1 M'"],
    [['create_large_file', 1, 1, '1M', '1M'], 'usage: copy-loops LOOP DIRECTORY THREADS COUNT SIZE'],
    [['create_large_file', 1, 1], 'usage: copy-loops LOOP DIRECTORY THREADS COUNT SIZE'],
  ])('%j', (words, message) => {
    const { status, output } = run(...words);
    expect([status, output]).toEqual([2, expect.stringMatching(message)]);
    expect(readdirSync(directory)).toEqual([]);
  });
});

test('a directory that is not there is not made: it may be an arm that is not mounted', () => {
  const missing = join(directory, 'arm');
  const { status, stderr } = spawnSync('bash', [SCRIPT, 'create_large_file', missing, '1', '1', '1'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, `copy-loops: DIRECTORY must be a directory, got '${missing}'\n`]);
  expect(existsSync(missing)).toBe(false);
});

test('what the threads said is kept nowhere else, also when one fails', () => {
  const temporary = join(directory, 'temporary');
  mkdirSync(temporary);
  for (const loop of ['create_large_file', 'read_small_files'])
    spawnSync('bash', [SCRIPT, loop, directory, '2', '1', '1'], { env: { ...process.env, TMPDIR: temporary } });
  expect(readdirSync(directory)).toContain('thread2');
  expect(readdirSync(temporary)).toEqual([]);
});

test('a thread that fails leaves no last line, so that its times are no result', () => {
  run('create_small_files', 2, 3, '4kB');
  rmSync(join(directory, 'thread2/small'), { recursive: true });
  const { status, output } = run('read_small_files', 2, 3, '4kB');
  expect(status).toBe(1);
  expect(output).toContain('# read_small_files: thread 2 of 2');
  expect(parseText('x.out', output, undefined, '', 'dd').complete).toBe(false);
});

test('a read that fails in the middle is no result, although dd says of it what it says of every read', () => {
  // The kernel lets it be opened, and no byte of it be read.
  mkdirSync(join(directory, 'thread1/large.txt'), { recursive: true });
  const { status, output } = run('read_large_file', 1, 1, '64K');
  expect(output).toMatch(/dd: error reading .*\ndd: f\w*sync failed for '\/dev\/null'/);
  expect([status, output]).toEqual([1, expect.not.stringContaining('# done')]);
});

test('a small file that cannot be read, or written, is no result, whatever comes after it', () => {
  run('create_small_files', 1, 3, '4kB');
  const small = join(directory, 'thread1/small');
  rmSync(join(small, 'randfile1.txt'));
  mkdirSync(join(small, 'randfile1.txt'));
  for (const loop of ['read_small_files', 'create_small_files'])
    expect([loop, run(loop, 1, 3, '4kB').status]).toEqual([loop, 1]);
});

test('an output that was cut off is incomplete', () => {
  const { output } = run('create_large_file', 2, 1, '64K');
  for (const end of [/# done.*$/s, /\nreal.*$/s])
    expect(parseText('x.out', output.replace(end, ''), undefined, '', 'dd').complete).toBe(false);
});

test('every loop moves what it was told, in as many threads, and its times are values', () => {
  for (const [index, { loop }] of STUDY.entries()) {
    const [count, size, bytes] = loop.includes('large') ? [3, '64K', 3 * 65_536] : [5, '500kB', 5 * 500_000];
    const { status, output } = run(loop, 2, count, size);
    const document = parseText('x.out', output);
    expect([loop, status, document.tool, document.complete, document.valid]).toEqual([loop, 0, 'dd', true, true]);
    const phase = STUDY[index] as LoopPhase;
    const [verb, items] = loop.includes('large') ? ['write', undefined] : ['create', 'files' as const];
    const operation = operationOf(
      workload(dd.id, {
        operation: loop.startsWith('read') ? 'read' : (verb as 'write'),
        command: loopOf(phase).command,
        ...(items === undefined ? {} : { items }),
      }),
    );
    expect(operation).toMatchObject({ id: loop, metric: 'seconds' });
    expect(document.cautions.filter((code) => !INTENDED.includes(code))).toEqual([]);
    const values = new Map(dd.values({} as never, operation, [document]).map(({ metric, value }) => [metric, value]));
    expect(values.get('bytes')).toBe(2 * bytes);
    expect(values.get('files')).toBe(loop.includes('large') ? 2 : 10);
    expect(values.get('seconds')).toBe(values.get('last_done'));
    expect(values.get('seconds')).toBeGreaterThanOrEqual(values.get('first_done') as number);
  }
});

test('a file that was cut short is seen in the bytes', () => {
  run('create_large_file', 1, 2, '64K');
  truncateSync(join(directory, 'thread1/large.txt'), 100);
  const { output } = run('read_large_file', 1, 2, '64K');
  expect(output).toMatch(/# done: read_large_file, 1 threads, 1 files, 100 bytes\n$/);
});

test('the lines that it stands for are those that the study printed, with their flaws', () => {
  const lines = STUDY.map(publishedOf);
  expect(lines[0]).toBe('dd if=/dev/urandom of={dir}/large.txt iflag=fullblock bs=100M count=1024');
  expect(lines.map((line) => lintCommand(line).map(({ id }) => id))).toEqual([
    ['random-source-cpu-bound', 'dd-missing-fsync'],
    ['dd-sync-of-null', 'dd-missing-block-size', 'dd-buffered-read'],
    ['random-source-cpu-bound'],
    ['dd-missing-block-size', 'dd-buffered-read'],
  ]);
  const unfinished = (lines[2] as string).replace('; done', '');
  expect(lintCommand(unfinished).map(({ id }) => id)).toContain('shell-missing-done');
});

test('the script runs the lines that it stands for', () => {
  const script = readFileSync(SCRIPT, 'utf8');
  for (const line of ['iflag=fullblock bs="$3" count="$2"', 'of=/dev/null conv=fdatasync', '</dev/urandom >'])
    expect(script).toContain(line);
  expect(execFileSync('bash', ['-n', SCRIPT], { encoding: 'utf8' })).toBe('');
});
