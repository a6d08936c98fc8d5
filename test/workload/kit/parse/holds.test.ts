import fc from 'fast-check';
import { holds } from '../../../../lib/workload/common/parse/finding';

/** Few letters: the searched texts then occur, whole and in part. */
const words = (least: number) => fc.string({ unit: fc.constantFrom('a', 'e', 'x', ' ', ',', 'E'), minLength: least });

test('finds what includes finds', () => {
  fc.assert(
    fc.property(words(0), words(1), words(0), fc.boolean(), (before, sign, after, whole) => {
      const text = before + (whole ? sign : sign.slice(1)) + after;
      expect(holds(text, sign)).toBe(text.includes(sign));
    }),
  );
});

test.each([
  ['at the beginning', 'copied, 1 s', 'copied, ', true],
  ['at the end', '12 bytes copied, ', 'copied, ', true],
  ['whose rarest character comes before it could', ', copied', 'copied, ', false],
  ['longer than the text', 'cop', 'copied, ', false],
])('a sign %s', (_, text, sign, found) => {
  expect(holds(text, sign)).toBe(found);
});
