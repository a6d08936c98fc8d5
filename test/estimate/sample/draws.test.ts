import { makeRandom } from '../../../lib/estimate';
import { Compressor } from '../../../lib/estimate/measure/compressor';
import { measurePiece } from '../../../lib/estimate/measure/measure';
import { Draws, stretchBytes } from '../../../lib/estimate/sample/draws';
import { randomBytes, wordsText } from '../random';
import { allocatorsOf } from '../trial';

const MIB = 2 ** 20;

test('small trees are drawn whole, then one stretch of each group of its type, in groups of up to sixteen', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const draws = new Draws(makeRandom(seed));
    const first = Array.from({ length: 16 }, () => draws.weightOf('a', MIB));
    expect(first).toEqual(new Array(16).fill(1));
    for (const type of ['b', 'c']) {
      const weights = Array.from({ length: 4 * (1 + 2 + 4 + 8) + 5 * 16 }, () => draws.weightOf(type, MIB));
      let at = 0;
      for (const size of [1, 2, 4, 8, 16].flatMap((size) => new Array<number>(size < 16 ? 4 : 5).fill(size))) {
        const group = weights.slice(at, at + size);
        expect(group.filter((weight) => weight > 0)).toEqual([size]);
        at += size;
      }
    }
  }
});

test('every stretch of a group is drawn as often as the others', () => {
  const draws = new Draws(makeRandom(5));
  draws.weightOf('a', 16 * MIB);
  for (let stretch = 0; stretch < 60; stretch += 1) draws.weightOf('a', MIB);
  const drawn = new Array<number>(16).fill(0);
  for (let stretch = 0; stretch < 16 * 4000; stretch += 1)
    if (draws.weightOf('a', MIB) > 0) drawn[stretch % 16] = (drawn[stretch % 16] as number) + 1;
  // Of 4,000 draws each is met 250 times, give or take 15.5.
  for (const count of drawn) expect(Math.abs(count - 250)).toBeLessThan(5 * 15.5);
});

test('a piece with weights takes what its stretches take alone, and names what was drawn', () => {
  const allocators = allocatorsOf([4096, 131_072, 1_048_576]);
  const records = allocators.map(({ geometry }) => geometry.recordBytes);
  const random = makeRandom(9);
  const data = Buffer.concat([
    wordsText(random, MIB),
    Buffer.concat([randomBytes(random, MIB / 2), wordsText(random, MIB / 2)]),
    Buffer.alloc(MIB),
    wordsText(random, 2 * MIB),
    randomBytes(random, 300_001),
  ]);
  const compressor = new Compressor(MIB);
  const measure = (offset: number, length: number, weights?: readonly number[]) =>
    measurePiece(compressor, allocators, { fileBytes: data.length, offset, length, weights }, (into, from, bytes) => {
      data.copy(into, 0, from, from + bytes);
      return bytes;
    });
  const stretch = stretchBytes(records);
  const weights = [0, 4, 2, 0, 8, 1];
  const alone = weights.map((_, at) => measure(at * stretch, Math.min(stretch, data.length - at * stretch)));
  measure(0, data.length, weights).forEach(({ allocatedBytes, pointers, drawn }, index) => {
    const blocks = alone.map((measured) => measured[index]?.allocatedBytes as number);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    expect(drawn).toEqual(blocks.filter((_, at) => weights[at] !== 0));
    expect(allocatedBytes).toBe(sum(index === 0 ? blocks : (drawn as number[])));
    expect(pointers).toBe(sum(alone.map((measured) => measured[index]?.pointers as number)));
  });
});
