import { type Ceiling, ceilingLines } from '../../lib/dashboard/graph';

const arms = ['none', 'lz4', 'zstd'].map((name) => ({ name, colour: 'red' }));
const linesOf = (values: readonly (number | null)[], label = (_: number) => 'network') =>
  ceilingLines(arms, ({ name }): Ceiling[] => {
    const at = arms.findIndex((arm) => arm.name === name);
    const value = values[at] ?? null;
    return value === null ? [] : [{ label: label(at), value }];
  }).map(({ label: words, value }) => `${words} ${value}`);

test('a ceiling that arms share is one line, which names them unless it holds for all', () => {
  expect(linesOf([1, 1, 1])).toEqual(['network 1']);
  expect(linesOf([1, 1, 2])).toEqual(['network (none and 1 more) 1', 'network (zstd) 2']);
  expect(linesOf([1, null, 1])).toEqual(['network (none and 1 more) 1']);
  expect(linesOf([null, 5, null])).toEqual(['network (lz4) 5']);
  expect(linesOf([1, 1, 1], (at) => (at === 1 ? 'disks' : 'network'))).toEqual([
    'network (none and 1 more) 1',
    'disks (lz4) 1',
  ]);
});
