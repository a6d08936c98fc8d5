import fc from 'fast-check';
import { fioPattern } from '../../lib/workload/fio/pattern';
import { iorDefaultPattern, iorPattern } from '../../lib/workload/ior/pattern';
import { IOR_VERSIONS } from '../../lib/workload/kit/iorRelease';

test('each target of the axis has a fio pattern within 4 % of it', () => {
  for (const target of [1, 1.65, 2.6, 3.5])
    expect(Math.abs(fioPattern(target).expectedRatio / target - 1)).toBeLessThan(0.04);
});

test('more compressible targets never get a smaller percentage', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 8, noNaN: true }), fc.double({ min: 1, max: 8, noNaN: true }), (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(fioPattern(low).percent).toBeLessThanOrEqual(fioPattern(high).percent);
    }),
  );
});

test.each([0, 0.99, 8.01, Number.NaN])('a target of %p, where nothing was measured, is refused', (target) => {
  expect(() => fioPattern(target)).toThrow(`'target' must be a compression ratio from 1 to 8, got ${target}`);
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
