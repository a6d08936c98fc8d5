import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const BIN = join(__dirname, '../../assets/client/bin');
const PIPELINE = join(BIN, 'fastq-pipeline');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pipeline-'));
});

const run = (...argv: string[]) => {
  const [program = '', ...words] = argv;
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  return { status, stdout, stderr };
};
const read = (name: string): Buffer => readFileSync(join(directory, name));

test.each([
  [['run', '', '2'], /DIRECTORY must be a directory, got ''/],
  [['make', '.', 'many'], /READS must be a whole number from 1, got 'many'/],
  [['sort', '.', '2'], /usage: fastq-pipeline make/],
])('%j is refused with what is allowed', (words, message) => {
  const { status, stderr } = run(PIPELINE, ...words.map((word) => (word === '.' ? directory : word)));
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(readdirSync(directory)).toEqual([]);
});

test('nothing is sorted that was not made', () => {
  const { status, stderr } = run(PIPELINE, 'run', directory, '2');
  expect([status, stderr]).toEqual([1, expect.stringContaining('there are no reads in')]);
});

test('makes the same reads each time and with every awk, sorts them all, and leaves no intermediates', () => {
  run(PIPELINE, 'make', directory, '3000');
  const reads = read('reads.fastq');
  expect(createHash('sha256').update(reads).digest('hex')).toMatch(/^71d932dac5a0/);
  run(PIPELINE, 'make', directory, '3000');
  expect(read('reads.fastq').equals(reads)).toBe(true);
  const { status, stdout } = run(PIPELINE, 'run', directory, '3');
  expect([status, stdout]).toEqual([0, expect.stringMatching(/\n3000\t3000\t16\t\d+\n$/)]);
  const bases = (text: string): string[] => text.split('\n').filter((_, index) => index % 4 === 1);
  const sorted = bases(gunzipSync(read('sorted.fastq.gz')).toString());
  expect(sorted).toEqual(bases(reads.toString()).sort());
  expect(readdirSync(directory).sort()).toEqual([
    ...['aligned.tsv', 'reads.fastq', 'reference.txt', 'sorted.fastq.gz', 'summary.tsv'],
  ]);
});

test('reads that were cut off in the middle of one are noticed', () => {
  run(PIPELINE, 'make', directory, '1000');
  truncateSync(join(directory, 'reads.fastq'), 100_050);
  const { status } = run(PIPELINE, 'run', directory, '2');
  expect(status).not.toBe(0);
});

describe('declared outputs', () => {
  const measure = (...words: string[]) => {
    const { status, stdout, stderr } = run(join(BIN, 'measure-command'), ...words);
    return { status, stderr, said: JSON.parse(stdout.trim().split('\n').at(-1) as string) };
  };

  test('are counted, files and directories alike', () => {
    writeFileSync(join(directory, 'a'), '12345');
    const { status, said } = measure('--output', join(directory, 'a'), '--output', directory, 'true');
    expect([status, said.exit_status, said.output_bytes]).toEqual([0, 0, 10]);
  });

  test('that are missing or empty fail a program that says it succeeded', () => {
    writeFileSync(join(directory, 'empty'), '');
    const { status, stderr, said } = measure('--output', join(directory, 'empty'), 'true');
    expect([status, said.exit_status, said.output_bytes]).toEqual([66, 66, 0]);
    expect(stderr).toContain(`the output ${join(directory, 'empty')} is missing or empty`);
  });

  test('do not hide the status of a program that failed', () => {
    expect(measure('--output', join(directory, 'none'), 'false').said.exit_status).toBe(1);
  });

  test('are not in the line of a program that declares none', () => {
    expect(measure('true').said).not.toHaveProperty('output_bytes');
  });
});
