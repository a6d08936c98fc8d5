import { parseFile, parseText } from '../../lib/parse';
import type { ParseDocument } from '../../lib/schema/parse';
import { type Case, casesOf, type Expected } from './corpus';
import { expectedVerdict, verdictOf } from './verdict';

const cases = casesOf('shell-time');
const SCALE: Readonly<Record<string, number>> = { 'kB/s': 1e-3, 'MB/s': 1, 'GB/s': 1e3 };

test('the corpus of dd is there', () => {
  expect(cases).toHaveLength(9);
});

describe.each<Case>(cases)('$id', ({ path, expected }) => {
  let document: ParseDocument;
  beforeAll(() => {
    document = parseFile(path);
  });
  const values = (operations: string[], metric: string) =>
    document.samples
      .filter((one) => operations.includes(one.operation) && one.metric === metric)
      .map(({ value }) => value);

  test('gives the verdict of the corpus', () => {
    expect(verdictOf(document, expected)).toEqual(expectedVerdict(expected));
  });

  test('gives every copy with its bytes, seconds and rate', () => {
    const copies = ['read', 'write', 'copy'];
    expect(values(copies, 'bytes')).toEqual(expected.dd.map(({ bytes }: Expected) => bytes));
    expect(values(copies, 'seconds')).toEqual(expected.dd.map(({ seconds }: Expected) => seconds));
    for (const [index, { rate_text }] of (expected.dd as Expected[]).entries()) {
      const [rate, unit] = rate_text.split(' ');
      expect(values(copies, 'throughput')[index]).toBeCloseTo(Number(rate) * (SCALE[unit] as number), 9);
    }
  });

  test('gives every time block under its label', () => {
    const blocks = expected.time_blocks as Expected[];
    expect(values(['real'], 'seconds')).toEqual(blocks.map(({ real_s }) => real_s));
    expect(values(['user'], 'seconds')).toEqual(blocks.map(({ user_s }) => user_s));
    expect(values(['sys'], 'seconds')).toEqual(blocks.map(({ sys_s }) => sys_s));
    expect(document.samples.filter(({ operation }) => operation === 'real').map(({ test }) => test)).toEqual(
      blocks.map(({ label }, index) => label ?? index),
    );
  });
});

test('tells reads from writes by the command', () => {
  const found = cases.find(({ id }) => id === 'dd_gnutime_v') as Case;
  const operations = parseFile(found.path).samples.filter(({ metric }) => metric === 'bytes');
  expect(operations.map(({ operation }) => operation)).toEqual(['write', 'read']);
});

test('counts a copy once when dd showed its progress', () => {
  const text = [
    '33554432 bytes (34 MB, 32 MiB) copied, 1 s, 33.5 MB/s\r67108864 bytes (67 MB, 64 MiB) copied, 2 s, 33.5 MB/s',
    '96+0 records in',
    '96+0 records out',
    '100663296 bytes (101 MB, 96 MiB) copied, 3.00012 s, 33.6 MB/s',
    '',
  ].join('\n');
  expect(
    parseText('x.out', text)
      .samples.filter(({ metric }) => metric === 'bytes')
      .map(({ value }) => value),
  ).toEqual([100663296]);
});

test('is complete only when all that the command announced is there', () => {
  const cmd = { command: 'time dd if=/a of=/b bs=1M', exitStatus: 0, tool: 'dd' as const };
  const whole =
    '1+0 records in\n1+0 records out\n1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s\n\nreal\t0m0.510s\nuser\t0m0.000s\nsys\t0m0.100s\n';
  expect(parseText('x.out', whole, cmd).complete).toBe(true);
  expect(parseText('x.out', whole).complete).toBe(false);
  expect(parseText('x.out', whole.slice(0, whole.indexOf('sys')), cmd).complete).toBe(false);
});
