import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summarise } from '../../../lib/analysis/summary';
import type { Sample } from '../../../lib/schema/sample';
import { parseSamples as parseLines } from '../../../lib/store/documents';
import { readRun } from '../../../lib/store/readRun';
import { syntheticRun } from '../../report/syntheticRun';
import { writeRun } from '../../report/writeRun';

const folders: string[] = [];
const written = (...args: Parameters<typeof writeRun>): string => {
  const folder = writeRun(...args);
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const parseSamples = (text: string) => parseLines(text.split('\n'));

test('gives back what was written, file by file', async () => {
  const record = syntheticRun({ repeats: 1, compressibilities: [1, 2.6] });
  const read = await readRun(written(record));
  expect(read).toEqual({
    ...record,
    metrics: [record.metrics[1], record.metrics[0]],
    raw: [...record.raw].sort((a, b) => (a.path < b.path ? -1 : 1)),
  });
});

test('cut at any byte, a samples file gives only samples that were whole', () => {
  const { samples } = syntheticRun({ repeats: 1, compressibilities: [1] });
  const text = samples.map((sample) => `${JSON.stringify(sample)}\n`).join('');
  for (let length = 0; length <= text.length; length += 7) {
    const { samples: read, problems } = parseSamples(text.slice(0, length));
    expect(read).toEqual(samples.slice(0, read.length));
    expect(problems.length).toBeLessThanOrEqual(1);
  }
});

test('leaves out a line that is JSON but no sample, and names the field', () => {
  const [sample] = syntheticRun({ repeats: 1, compressibilities: [1] }).samples;
  const { samples, problems } = parseSamples(
    `${JSON.stringify({ ...sample, value: '12' })}\n${JSON.stringify(sample)}\n`,
  );
  expect(samples).toEqual([sample]);
  expect(problems[0]?.message).toMatch(/^line 1 is not a sample \(value: .+\) and is left out$/);
});

test('counts a line that stands in the file again only once, and says so', async () => {
  const record = syntheticRun({ repeats: 2, compressibilities: [1] });
  const folder = written({ ...record, samples: record.samples.flatMap((sample) => [sample, sample]) });
  const read = await readRun(folder);
  expect(read.samples).toEqual(record.samples);
  expect(read.problems).toEqual([
    { file: 'samples.jsonl', message: expect.stringMatching(/^lines 2, 4, 6 and \d+ more repeat earlier lines/) },
  ]);
  expect(summarise(read).moved).toEqual(summarise(record).moved);
});

test('leaves out the samples of another run, and says so', async () => {
  const record = syntheticRun({ repeats: 2, compressibilities: [1] });
  const others = record.samples.map((sample) => ({ ...sample, run: '20250101T000000Z-other', value: 1 }));
  const read = await readRun(written({ ...record, samples: [...others, ...record.samples] }));
  expect(read.samples).toEqual(record.samples);
  expect(read.problems).toEqual([
    {
      file: 'samples.jsonl',
      message: `has ${others.length} samples of another run (20250101T000000Z-other), which are left out`,
    },
  ]);
});

test('takes the samples of a folder that was named anew, and says whose they are', async () => {
  const record = syntheticRun({ repeats: 1, compressibilities: [1] });
  const named = (run: string) => record.samples.slice(0, 1).map((sample) => ({ ...sample, run }));
  const renamed = { ...record, status: record.status && { ...record.status, run: 'renamed' } };
  const problemOf = async (...others: string[]) => {
    const read = await readRun(written({ ...renamed, samples: [...record.samples, ...others.flatMap(named)] }));
    expect(read.samples).toHaveLength(record.samples.length);
    return read.problems.map(({ file, message }) => `${file} ${message}`);
  };
  const whose = `samples.jsonl has the samples of ${record.run}, not of renamed`;
  expect(await problemOf()).toEqual([whose]);
  expect(await problemOf('b', 'c', 'd', 'e')).toEqual([
    `${whose}; it has 4 samples of another run (b, c, d), which are left out`,
  ]);
});

test('leaves out a sample whose time is no date: it would have no place in the run', () => {
  const [sample] = syntheticRun({ repeats: 1, compressibilities: [1] }).samples;
  const { samples, problems } = parseSamples(`${JSON.stringify({ ...sample, startedAt: 'yesterday' })}\n`);
  expect(samples).toEqual([]);
  expect(problems[0]?.message).toBe('line 1 is not a sample (startedAt: is not a date) and is left out');
});

test('names lines with the same fault together, and takes lines as Windows ends them', () => {
  const [sample] = syntheticRun({ repeats: 1, compressibilities: [1] }).samples;
  const text = `\uFEFF${JSON.stringify(sample)}\r\n${Array.from({ length: 50 }, (_, at) => `#${at}\r\n`).join('')}`;
  const { samples, problems } = parseSamples(text);
  expect(samples).toEqual([sample]);
  const [problem, ...others] = problems;
  expect([problem?.message, others]).toEqual(['lines 2, 3, 4 and 47 more are not samples and are left out', []]);
  const left = (count: number) => parseSamples('#\n'.repeat(count)).problems[0]?.message;
  expect(left(3)).toBe('lines 1, 2, 3 are not samples and are left out');
  expect(left(5)).toBe('lines 1, 2, 3 and 2 more are not samples and are left out');
});

test('a text that is the JSON of another sample’s list stays a text, and that a list', () => {
  const [sample] = syntheticRun({ repeats: 1, compressibilities: [1] }).samples as [Sample];
  const lines = [
    { ...sample, note: '["a"]' },
    { ...sample, repeat: sample.repeat + 1, note: ['a'] },
  ];
  const { samples } = parseSamples(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(samples).toEqual(lines);
});

test('reads a run of which only the samples are left', async () => {
  const record = syntheticRun({ repeats: 2, compressibilities: [2.6] });
  const folder = written({
    ...record,
    plan: null,
    manifest: null,
    status: null,
    metrics: [],
    environment: [],
    raw: [],
  });
  const read = await readRun(folder);
  expect(read.run).toBe(record.run);
  expect(read.problems.map(({ file, message }) => `${file} ${message}`)).toEqual([
    'plan.json is missing',
    'manifest.json is missing',
    'status.json is missing',
  ]);
  expect(summarise(read).comparisons).toHaveLength(2);
});

test.each([
  ['not JSON', '{"schema": "fsxbench.plan/1", ', 'is not JSON'],
  ['another schema', '{"schema": "fsxbench.status/1"}', 'does not have the expected form (schema: '],
  [
    'of a newer version',
    '{"schema": "fsxbench.plan/9"}',
    'does not have the expected form (it is fsxbench.plan/9, and this fsxbench knows fsxbench.plan/1: update fsxbench)',
  ],
])('reports a plan that is %s, and goes on', async (_, text, message) => {
  const folder = written(syntheticRun({ repeats: 1, compressibilities: [1] }));
  writeFileSync(join(folder, 'plan.json'), text);
  const read = await readRun(folder);
  expect(read.plan).toBeNull();
  expect(read.problems[0]?.message).toContain(message);
  expect(summarise(read).validity).toBe('INVALID');
});

test('refuses a folder that holds no run, and names the next step', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fsxbench-report-'));
  folders.push(folder);
  appendFileSync(join(folder, 'holiday.txt'), 'sun');
  await expect(readRun(folder)).rejects.toThrow(
    `'run' must be the folder of a run, with plan.json and samples.jsonl in it, got '${folder}'; npx fsxbench list shows the runs`,
  );
});
