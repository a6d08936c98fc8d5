import { has } from '../../lint/faults';

test('a compressing file system is assumed until told otherwise', () => {
  const zeros = 'dd if=/dev/zero of=/fsx/a bs=1M count=9';
  expect(has(zeros, 'dd-zeros-compress-away', { compresses: true })?.severity).toBe('error');
  expect(has(zeros, 'dd-zeros-compress-away', { compresses: false })).toBeUndefined();
});
