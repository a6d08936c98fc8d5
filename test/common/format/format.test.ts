import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import {
  commandLine,
  compressibilityLabel,
  describeCompressibility,
  firstOf,
  firstThree,
  listed,
  printable,
  renderTable,
  shellWord,
} from '../../../lib/common/format/text';
import * as units from '../../../lib/common/format/units';

test.each([
  [0, '0'],
  [12460, '12,460'],
  [1234567.4, '1,234,567'],
  [999.4, '999'],
  [999.6, '1,000'],
  [9.996, '10.0'],
  [99.96, '100'],
  [56.789, '56.8'],
  [3.456, '3.46'],
  [0.012345, '0.0123'],
  [7, '7'],
  [-1234.5, '−1,235'],
  [0.00000012, '0.000000'],
  [Number.NaN, '–'],
  [null, '–'],
  // 0.07 × 100 in binary fractions.
  [0.07 * 100, '7'],
])('plain(%p) shows three significant digits, or whole numbers: %p', (value, text) => {
  expect(units.plain(value)).toBe(text);
});

test.each([
  [999.96, '1,000'],
  [99.996, '100.0'],
  [1234.5, '1,235'],
  [-0.123456, '−0.1235'],
  [null, '–'],
])('precise(%p) shows four significant digits: %p', (value, text) => expect(units.precise(value)).toBe(text));

test.each([
  [1.816, '1.82', '1.8'],
  [0.97, '0.97', '0.97'],
  [12.34, '12.3', '12'],
  [9.996, '10.0', '10'],
  [0.996, '1.00', '1.0'],
])('a quotient of %p is %p in tables and %p in words', (value, table, words) => {
  expect([units.ratio(value), units.roughRatio(value)]).toEqual([table, words]);
});

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 KiB'],
  [11.72 * 2 ** 30, '11.7 GiB'],
  [2 ** 40, '1 TiB'],
  [2 ** 63, '8,192 PiB'],
])('bytes(%p) is %p', (value, text) => expect(units.bytes(value)).toBe(text));

test.each([
  [500_000, '500 kB'],
  [2_000_000, '2 MB'],
  [4096, '4 KiB'],
  [102_400_000, '97.7 MiB'],
  [3901, '3.81 KiB'],
])('fileSize(%p) is %p', (value, text) => expect(units.fileSize(value)).toBe(text));

test.each([
  [3.21, '3.2 s'],
  [5, '5 s'],
  [59.6, '1 min'],
  [754, '12 min 34 s'],
  [43200, '12 h'],
  [45_296, '12 h 34 min'],
])('duration(%p) is %p', (value, text) => expect(units.duration(value)).toBe(text));

test.each([
  [0, '$0.00'],
  [0.0004, 'under $0.001'],
  [0.0123, '$0.012'],
  [27.304, '$27.30'],
])('usd(%p) is %p', (value, text) => expect(units.usd(value)).toBe(text));

test('a small quotient is not rounded away', () => {
  expect([0.00321, 0.0949, 0.0999, 0].map(units.ratio)).toEqual(['0.0032', '0.095', '0.10', '0.00']);
  expect(units.roughRatio(0.00321)).toBe('0.0032');
});

test('a moment is in UTC, and what is no date stays as it was', () => {
  expect(units.moment('2026-11-21T00:02:03.999+01:00')).toBe('20 Nov 2026, 23:02:03 UTC');
  expect(units.moment('yesterday')).toBe('yesterday');
});

test.each([
  ['B/s', 0.0001],
  ['kB/s', 0.1],
  ['KiB/s', 0.1024],
  ['MB/s', 100],
  ['MiB/s', 104.8576],
  ['GB/s', 100_000],
  ['GiB/s', 107_374.1824],
])('100 %s are %d MB/s', (unit, MBps) => expect(units.toMBps(100, unit)).toBeCloseTo(MBps, 9));

test('what is no throughput stays itself', () => {
  expect(units.toMBps(100, 'op/s')).toBeNull();
  expect(units.toMBps(100, 'constructor')).toBeNull();
});

test.each([
  [1.7, 1.95, '1.70–1.95'],
  [0.01, 100, '0.010–100'],
  [0.000001, 1_157_351_255, 'under 0.01 to over 100'],
  [0.05, 250, '0.050 to over 100'],
  [1, 1.3, '1.00–1.30'],
  [0.9163, 0.99601, '0.92–0.996'],
  [1.000004, 1.3, '1.000004–1.30'],
  [0.9996, 1.0004, '1.00–1.00'],
  [0.00312, 0.00341, '0.0031–0.0034'],
  [150, 180, '150–180'],
  [0.001, 3, 'under 0.01 to 3.00'],
])('the interval from %d to %d is told as %s', (low, high, words) => {
  expect(units.ratioRange({ low, high })).toBe(words);
});

test.each([
  [0, '0 %'],
  [4.23, '+4.2 %'],
  [0.01, '0.0 %'],
  [-0.01, '0.0 %'],
  [9.96, '+10 %'],
  [-12.4, '−12 %'],
  [null, '–'],
])('a change of %p per cent is told as %s', (value, text) => expect(units.percentChange(value)).toBe(text));

test('a share is told in per cent; nothing is told of what is no number', () => {
  expect(units.percent(0.042)).toBe('4.20 %');
  expect(units.grouped(Number.POSITIVE_INFINITY)).toBe('–');
});

test.each([
  [999, '999 B'],
  [1000, '1 kB'],
  [1.5e9, '1.5 GB'],
  [247.42e12, '247.4 TB'],
])('decimalBytes(%p) is %p', (value, text) => expect(units.decimalBytes(value)).toBe(text));

test('what is counted is one thing or several', () => {
  expect([0, 1, 1234].map((count) => units.counted(count, 'pair'))).toEqual(['0 pairs', '1 pair', '1,234 pairs']);
  expect(units.counted(2, 'entry', 'entries')).toBe('2 entries');
});

test('of a difference that can be told, nothing is said beyond a factor of ten', () => {
  expect([0.23456789, 9, 9.01, null].map(units.detectable)).toEqual([
    '23.5 %',
    '900 %',
    'more than a factor of ten',
    '–',
  ]);
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j is listed as %j', (words, text) => expect(listed(words)).toBe(text));

test('of a long list the first are named, and that there are more', () => {
  const five = ['a', 'b', 'c', 'd', 'e'];
  expect([firstOf(five), firstOf([...five, 'f', 'g'], ', ')]).toEqual(['a; b; c; d; e', 'a, b, c, d, e and 2 more']);
  expect([firstThree(five.slice(0, 3)), firstThree(five)]).toEqual(['a, b, c', 'a, b, c, …']);
});

test('a table has columns as wide as their widest cell or title, and no blanks at the ends of its lines', () => {
  expect(
    renderTable(
      ['arm', 'MB/s', ''],
      [
        ['none', '1'],
        ['a', '1,234,567', 'x'],
      ],
      (column) => column === 1,
    ),
  ).toBe(['arm        MB/s\n', 'none          1\n', 'a     1,234,567  x\n'].join(''));
});

test('data are made for a ratio, of one for which nothing is compressed, or of all', () => {
  expect([null, 1, 2.6].map(compressibilityLabel)).toEqual(['–', '1:1', '2.6:1']);
  expect([null, 1, 2.6].map(describeCompressibility)).toEqual(['all', 'incompressible', 'made for 2.6:1']);
});

test('a command line is what somebody would type: bare words as they are, others in quotes', () =>
  expect(commandLine(['fio', '--size=1G', '/mnt/a b', '*', "it's", ''])).toBe(
    "fio --size=1G '/mnt/a b' '*' 'it'\\''s' ''",
  ));

test('whatever the words, a shell reads them as they were', () => {
  const words = fc.sample(fc.string({ unit: 'binary-ascii', maxLength: 8 }), { numRuns: 500, seed: 7 });
  const sayable = [
    ...words.map((word) => word.replaceAll('\0', '')),
    '~',
    '$HOME',
    '`id`',
    'a\nb',
    '!x',
    'é;',
    '{a,b}',
  ];
  const script = `printf '%s\\0' ${sayable.map(shellWord).join(' ')}`;
  expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(sayable);
});

test('leaves nothing that a terminal would act on, whatever it is given', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = printable(text).replaceAll('\r\n', '\n');
      expect(shown).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u);
    }),
  );
});

test.each([
  ['\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['\u009b2J', '\\u009b2J'],
  ['abc\u202edcb', 'abc\\u202edcb'],
  ['a\rb', 'a\\u000db'],
  ['a\tb\r\nc\n', 'a\tb\r\nc\n'],
  ['state: failed\r\u001b[Kdone', 'state: failed\\u000d\\u001b[Kdone'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('a document stays what it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const document = JSON.stringify({ text }, null, 2);
      expect(JSON.parse(printable(document))).toEqual({ text });
    }),
  );
});
