import {
  clientsOf,
  DATA_SIZE,
  HOURS,
  PROCESSES,
  quantity,
  RATIO,
  regionOf,
  SHARE,
  word,
} from '../../../lib/cli/input/quantity';

test.each([
  [RATIO, '2.5', 2.5],
  [RATIO, '3x', 3],
  [RATIO, '1', 1],
  [SHARE, '20%', 0.2],
  [SHARE, '0%', 0],
  [SHARE, '100%', 1],
  [HOURS, '0.25', 0.25],
  [HOURS, '30min', 0.5],
  [HOURS, '3', 3],
  [HOURS, '2d', 48],
  [HOURS, '454d', 454 * 24],
  [DATA_SIZE, '400GiB', 400],
  [DATA_SIZE, '1TiB', 1024],
  [DATA_SIZE, '20TB', 20e12 / 2 ** 30],
  [PROCESSES, '16', 16],
])('%# %j is read as %d', (field, text, value) => expect(quantity('--x', text, field)).toBeCloseTo(value, 9));

test.each([
  [RATIO, '0.9'],
  [RATIO, 'two'],
  [SHARE, '101%'],
  [SHARE, '-1%'],
  [SHARE, '0.2'],
  [HOURS, '0.2'],
  [HOURS, '456d'],
  [DATA_SIZE, '400'],
  [DATA_SIZE, '0GiB'],
  [PROCESSES, '0'],
  [PROCESSES, '1.5'],
])('%# %j is refused with the flag and what was got', (field, text) => {
  expect(() => quantity('--x', text, field)).toThrow(new RegExp(`'--x' must be .*got '${text}'`));
});

test('what is not given is nothing, and a word is one of its set', () => {
  expect(quantity('--x', undefined, RATIO)).toBeUndefined();
  expect(word('--mode', 'read', ['write', 'read'])).toBe('read');
  expect(() => word('--mode', 'append', ['write', 'read'])).toThrow("'--mode' must be write or read, got 'append'");
});

test.each([
  ['us-east-1', undefined],
  ['us-eats-1', 'did you mean us-east-1?'],
  ['eu-wst-1', 'did you mean eu-west-1?'],
  ['moon', "got 'moon'"],
])('the Region %s is taken, or %p', (region, words) => {
  if (words === undefined) expect(regionOf(region)).toBe(region);
  else expect(() => regionOf(region, 'AWS_REGION')).toThrow(words);
});

test('clients are given with their type, one of them by default', () => {
  expect(clientsOf('4', 'c5n.9xlarge', true)).toEqual({ count: 4, instanceType: 'c5n.9xlarge', efa: true });
  expect(clientsOf(undefined, 'c5n.9xlarge', false)).toEqual({ count: 1, instanceType: 'c5n.9xlarge', efa: false });
  expect(clientsOf(undefined, undefined, false)).toBeUndefined();
  expect(() => clientsOf('4', undefined, false)).toThrow("'--clients' needs --instance");
  expect(() => clientsOf('0', 'c5n.9xlarge', false)).toThrow("'--clients' must be");
  expect(() => clientsOf(undefined, 'qqqq.zz', false)).toThrow('use one such as c5n.9xlarge');
});
