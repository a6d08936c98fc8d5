import fc from 'fast-check';
import { IOR_VERSIONS } from '../../lib/workload/common/iorRelease';
import { FIO_DATA } from '../../lib/workload/fio/command';
import { iorDefaultPattern, iorPattern } from '../../lib/workload/ior/pattern';

describe('data of a percentage', () => {
  const data = FIO_DATA;
  const percentOf = (target: number) => data.ofRatio(target)?.percent ?? Number.NaN;

  test('stand for each target of the axis within 4 % of it', () => {
    for (const target of [1, 1.65, 2.6, 3.5])
      expect(Math.abs((data.ofRatio(target)?.expectedRatio ?? 0) / target - 1)).toBeLessThan(0.04);
  });

  test('are ever more alike for targets that compress more', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 8, noNaN: true }), fc.double({ min: 1, max: 8, noNaN: true }), (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(percentOf(low)).toBeLessThanOrEqual(percentOf(high));
      }),
    );
  });

  test.each([0, 0.99, 8.01, Number.NaN])('are none for a target of %p, where nothing was measured', (target) => {
    expect(data.ofRatio(target)).toBeNull();
  });

  test('are known by their id, and no other is', () => {
    const pattern = data.ofRatio(2.6);
    expect(data.known(pattern?.id ?? '')).toEqual(pattern);
    expect(data.known('fio-1')).toBeNull();
  });
});

test('IOR 4.0.0 is never asked for "incompressible", which compresses 32:1', () => {
  expect(iorPattern('4.0.0', 1)).toMatchObject({ option: 'random' });
  expect(iorPattern('3.3.0', 1)).toMatchObject({ option: 'incompressible' });
});

test('IOR stands for a target only where its buffers have that ratio', () => {
  expect(iorPattern('3.3.0', 3.5)?.id).toBe('ior-default');
  expect(iorPattern('4.0.0', 3.5)).toBeNull();
  for (const version of IOR_VERSIONS) for (const target of [1.65, 2.6]) expect(iorPattern(version, target)).toBeNull();
});

test('the default pattern of 3.3.0 compresses twice as well as that of 4.0.0', () => {
  expect(IOR_VERSIONS.map((version) => iorDefaultPattern(version).expectedRatio)).toEqual([3.556, 1.882]);
});
