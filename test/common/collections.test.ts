import { binarySearch, chunks, groupOf, keyOf, memberBy, omitUndefined, ownValue } from '../../lib/common/collections';

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

// Clients of a fleet of eight: all, the first of them, or one of so many equal groups; what is left over works for none.
test.each([
  [8, 2, 'all', 'abcdefgh'],
  [8, 2, 'A', 'abcd'],
  [8, 2, 'B', 'efgh'],
  [8, 3, 'A', 'ab'],
  [8, 3, 'C', 'ef'],
  [7, 2, 'B', 'def'],
  [8, 2, 'first1', 'a'],
  [8, 2, 'first3', 'abc'],
  [8, 2, 'first10', 'abcdefgh'],
  [1, 2, 'A', ''],
])('of %i clients in %i groups, %s is "%s"', (clients, groups, group, members) => {
  expect(groupOf(LETTERS.slice(0, clients), groups, group).join('')).toBe(members);
});

test.each([
  [8, 4, ['abcd', 'efgh']],
  [7, 3, ['abc', 'def', 'g']],
  [3, 3, ['abc']],
  [1, 3, ['a']],
  [0, 3, []],
])('%i items in chunks of %i', (items, size, expected) => {
  expect(chunks(LETTERS.slice(0, items), size).map((chunk) => chunk.join(''))).toEqual(expected);
});

test.each([0, 1, 2, 7, 9, 10])('the least good number from 0 to 10 is found: %i', (least) => {
  expect(binarySearch((value) => value >= least, -1, 10)).toBe(least);
});

test('parts of a key are told apart, whatever they are', () => {
  const keys = [keyOf('a', 'b'), keyOf('a,b'), keyOf('ab'), keyOf('b', 'a'), keyOf('a', null), keyOf('a', 'null')];
  expect(new Set([...keys, keyOf('1'), keyOf(1)]).size).toBe(8);
});

test('a table has its own values alone', () => {
  expect([ownValue({ a: 1 }, 'a'), ownValue({ a: 1 }, 'b'), ownValue({ a: 1 }, 'constructor')]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});

test('only what is undefined is left out', () => {
  expect(omitUndefined({ a: undefined, b: null, c: 0, d: '', e: false })).toStrictEqual({
    b: null,
    c: 0,
    d: '',
    e: false,
  });
});

test('of members with one name the first is taken; without one, the names are told in their order', () => {
  const all = [
    { name: 'b', at: 1 },
    { name: 'a', at: 2 },
    { name: 'b', at: 3 },
  ];
  expect(memberBy(all, 'name', 'b', "'plan'")).toEqual({ name: 'b', at: 1 });
  expect(() => memberBy(all.slice(0, 2), 'name', 'x\ny', "'plan'", '. Try a.')).toThrow(
    "'plan' must be one of b, a, got 'x y'. Try a.",
  );
});
