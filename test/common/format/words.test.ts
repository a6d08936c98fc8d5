import {
  compressibilityLabel,
  describeCompressibility,
  firstOf,
  firstThree,
  listed,
  renderTable,
} from '../../../lib/common/format/text';

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
