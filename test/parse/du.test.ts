import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import type { ParseDocument } from '../../lib/schema/parse';
import { casesOf, type Expected, FIXTURES } from './corpus';

/** Outputs of du and compsize: their own, and those that were taken after a run of IOR or fio. */
const cases = casesOf('du', 'ior-text', 'fio-json')
  .filter(({ expected }) => expected.entries ?? expected.du)
  .map(({ id, path, expected }) => ({
    id,
    path: expected.format === 'du' ? path : join(FIXTURES, `${id}.du.txt`),
    entries: (expected.entries ?? expected.du) as Expected[],
    compsize: (expected.compsize ?? []) as Expected[],
  }));

test('the corpus of du is there', () => {
  expect(cases).toHaveLength(32);
});

describe.each(cases)('$id', ({ path, entries, compsize }) => {
  let document: ParseDocument;
  beforeAll(() => {
    document = parseFile(path);
  });

  test('gives every size, exact or as an interval, and no other', () => {
    const got = document.samples.filter(({ operation }) => /^(?:apparent|allocated|disk_usage.*)$/.test(operation));
    const sizes = got.filter(({ test }) => !compsize.some(({ type }) => type === test));
    expect(sizes.map(({ test, value, low }) => [test, value, low ?? null])).toEqual(
      entries.map(({ file, bytes_upper, bytes_lower_exclusive }) => [file, bytes_upper, bytes_lower_exclusive]),
    );
    for (const [index, { apparent }] of entries.entries()) {
      if (apparent !== null) expect(sizes[index]?.operation).toBe(apparent ? 'apparent' : 'allocated');
    }
  });

  test('gives what compsize found', () => {
    const figures = (operation: string) =>
      document.samples
        .filter((one) => one.operation === operation && compsize.some(({ type }) => type === one.test))
        .map(({ test, value }) => [test, value]);
    expect(figures('allocated')).toEqual(compsize.map(({ type, disk_bytes }) => [type, disk_bytes]));
    expect(figures('uncompressed')).toEqual(compsize.map(({ type, uncompressed_bytes }) => [type, uncompressed_bytes]));
    expect(figures('referenced')).toEqual(compsize.map(({ type, referenced_bytes }) => [type, referenced_bytes]));
  });
});

const sizes = (text: string) =>
  parseText('x.out', text).samples.map(({ operation, value, low }) => [operation, value, low]);

test.each([
  ['$ du -sh f\n12G\tf\n', ['allocated', 12 * 2 ** 30, 11 * 2 ** 30]],
  ['+ du -sh --si f\n1.2M\tf\n', ['allocated', 1_200_000, 1_100_000]],
  ['[ec2-user@ip fsx]$ du -s f\n5\tf\n', ['allocated', 5120, 4096]],
  ['$ du -sm f\n5\tf\n', ['allocated', 5 * 2 ** 20, 4 * 2 ** 20]],
  ['$ du -sb f\n5\tf\n', ['apparent', 5, undefined]],
  ['$ du --apparent-size --block-size=1 f\n5\tf\n', ['apparent', 5, undefined]],
  ['$ du -sh f\n0\tf\n', ['allocated', 0, undefined]],
])('%j stands for the bytes that its call means', (text, want) => {
  expect(sizes(text)).toEqual([want]);
});

test('sizes of which the output does not show the kind are not thrown together', () => {
  const { samples, summary } = parseText('x.out', '4202496\tf\n16777216\tf\n');
  expect(samples.map(({ operation, value }) => [operation, value])).toEqual([
    ['disk_usage', 4202496],
    ['disk_usage_2', 16777216],
  ]);
  expect(summary.map(({ count }) => count)).toEqual([1, 1]);
});

test('the command of the run before is not that of du', () => {
  const document = parseFile(join(FIXTURES, 'ior330_du_default_xfs.du.txt'));
  expect(document).toMatchObject({ tool: 'du', command: null, valid: true });
});

test('a number and a tab in the output of something else is no size', () => {
  expect(sizes('some job\n12\tapples\n$ du -sh f\n1.0K\tf\n13\tpears\n')).toEqual([['allocated', 1024, 922]]);
});

test('rounded figures of compsize are bounded', () => {
  const text =
    'Type       Perc     Disk Usage   Uncompressed Referenced  \nTOTAL       28%       18M          64M          64M       \n';
  expect(parseText('x.out', text).samples[0]).toMatchObject({
    ...{ operation: 'allocated', test: 'TOTAL', value: 18 * 2 ** 20, low: 17 * 2 ** 20, high: 19 * 2 ** 20 },
  });
});
