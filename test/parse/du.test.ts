import { join } from 'node:path';
import { parseFile, parseText } from '../../lib/parse';
import type { ParseDocument } from '../../lib/schema/parse';
import { casesOf, type Expected, FIXTURES } from './corpus';

/** Outputs of du and compsize: separate ones, and those that were taken after a run of IOR or fio. */
const cases = casesOf('du', 'ior-text', 'fio-json')
  .filter(({ expected }) => expected.entries ?? expected.du)
  .map(({ id, path, expected }) => ({
    id,
    path: expected.format === 'du' ? path : join(FIXTURES, `${id}.du.txt`),
    entries: (expected.entries ?? expected.du) as Expected[],
    compsize: (expected.compsize ?? []) as Expected[],
  }));

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
  ['$ du -sB1M f\n5\tf\n', ['allocated', 5 * 2 ** 20, 4 * 2 ** 20]],
  ['$ du -sBM f\n5M\tf\n', ['allocated', 5 * 2 ** 20, 4 * 2 ** 20]],
  ['$ du -sB1 f\n5\tf\n', ['allocated', 5, undefined]],
  ['$ du -s -B 512 f\n5\tf\n', ['allocated', 2560, 2048]],
  ['$ du -s --block-size=4K f\n5\tf\n', ['allocated', 20_480, 16_384]],
  ['$ du -s --human-readable f\n5\tf\n', ['allocated', 5, undefined]],
  ['$ du -s /bench/mh\n5\tf\n', ['allocated', 5120, 4096]],
  ['$ du -sm f\n0\tf\n', ['allocated', 0, undefined]],
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

test('cautions that sizes without a unit are taken for bytes, where nothing says so', () => {
  const cautions = (text: string, command: string | null = null) =>
    parseText('x.out', text, { command, exitStatus: 0, tool: null }).cautions;
  expect(cautions('3355444\tf\n')).toEqual(['unit_assumed']);
  expect(cautions('3.2G\tf\n0\tg\n')).toEqual([]);
  expect(cautions('3355444\tf\n', 'du f')).toEqual([]);
  expect(cautions('$ du -B1 f\n3355444\tf\n')).toEqual([]);
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
    operation: 'allocated',
    test: 'TOTAL',
    value: 18 * 2 ** 20,
    low: 17 * 2 ** 20,
    high: 19 * 2 ** 20,
  });
});

describe('the command of du', () => {
  const read = (command: string | null, text = '4096\tf\n8192\tg\n') =>
    parseText('x.out', text, { command, exitStatus: 0, tool: 'du' });
  const operations = (command: string) => read(command).samples.map(({ operation }) => operation);

  test('says which of the two sizes a list has, and nothing where its calls differ', () => {
    expect(operations('du -sB1 f g')).toEqual(['allocated', 'allocated']);
    expect(operations('cd x && du -sb f g')).toEqual(['apparent', 'apparent']);
    expect(operations('du -sB1 f; du -sB1 g')).toEqual(['allocated', 'allocated']);
    expect(operations('du -sB1 f; du -sb g')).toEqual(['disk_usage', 'disk_usage']);
    expect(operations('ls f')).toEqual(['disk_usage', 'disk_usage']);
  });

  test('says in which unit bare numbers are', () => {
    const first = (command: string) => read(command).samples[0];
    for (const command of ['du -k f g', 'cd du && du f g'])
      expect(first(command)).toMatchObject({ operation: 'allocated', value: 4096 * 1024, low: 4095 * 1024 });
    expect(first('du -sm f; du -sm g')).toMatchObject({ value: 4096 * 2 ** 20 });
    expect(first('du -k f; du -B1 g')).toMatchObject({ value: null, reason: 'the calls of du print different units' });
  });

  test('announces its answers: with fewer, or a last line that is cut, it is not complete', () => {
    expect(read('du -sB1 f; du -sB1 g')).toMatchObject({ complete: true, problems: [], tests: [] });
    for (const command of ['du -s f; du -s g; du -s h', 'ls f', null])
      expect([command, read(command).complete]).toEqual([command, false]);
    expect(read('du -sB1 f g', '4096\tf\n8192').complete).toBe(false);
    // Of calls that the output shows each needs its own answer.
    const shown = '$ du -sB1 f\n4096\tf\n$ du -sB1 g\n';
    expect(read('du -sB1 f; du -sB1 g', shown).complete).toBe(false);
    expect(read('du -sB1 f; du -sB1 g', `${shown}8192\tg\n`).complete).toBe(true);
  });

  test('without an answer has no result', () => {
    expect(read('du -sh f', '$ du -sh f\n')).toMatchObject({
      complete: false,
      valid: false,
      samples: [],
      problems: ['no_result_rows'],
    });
  });
});
