import { nearest } from '../../lib/common/nearest';

const SETTINGS = ['clients', 'instanceType', 'expiresAfterHours', 'efa', 'arms'];

// A third of the letters may differ, and one of a short word: inserted, left out, replaced, or swapped with its neighbour.
test.each([
  ['expires', 'expiresAfterHours'],
  ['cleints', 'clients'],
  ['CLIENTS', 'clients'],
  ['clientele', 'clients'],
  ['instancetype', 'instanceType'],
  ['instanceTpye', 'instanceType'],
  ['expiresAfterDays', 'expiresAfterHours'],
  ['armz', 'arms'],
  ['rams', 'arms'],
  ['efs', 'efa'],
  ['ab', undefined],
  ['zzzzz', undefined],
  ['', undefined],
])('%j is meant as %p', (word, meant) => expect(nearest(word, SETTINGS)).toBe(meant));

test.each([
  // 2 of 6 letters, 3 of 8: no more than a third.
  ['abcdef', 'abcdxy', true],
  ['abcdef', 'abcxyz', false],
  ['abcdefgh', 'abcdefxy', true],
  ['abcdefgh', 'abcdexyz', false],
  ['ab', 'ax', true],
  ['ab', 'xy', false],
  // Two swaps of neighbours are two edits.
  ['badcef', 'abcdef', true],
])('%s for %s is a typo: %p', (word, right, typo) => expect(nearest(word, [right])).toBe(typo ? right : undefined));

test('of several that are close, the closest is meant, and of equals the first', () => {
  expect(nearest('armss', ['armory', 'arms', 'farms'])).toBe('arms');
  expect(nearest('arm', ['army', 'arms'])).toBe('army');
  expect(nearest('arm', [])).toBeUndefined();
});
