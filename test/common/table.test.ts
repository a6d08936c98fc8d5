import { readFileSync } from 'node:fs';
import { type Mount, mountAbove, mountsBelow, parseMounts, readMounts } from '../../lib/common/mounts';

const TABLE = [
  '/dev/root / ext4 rw 0 0',
  'systemd-1 /fsx autofs rw,fd=29 0 0',
  '10.0.0.15@tcp:/abcdefgh /fsx lustre rw,flock 0 0',
  '/dev/loop0 /fsx/in\\040side\\134x btrfs rw,compress-force=lzo 0 0',
  'tmpfs /fsx/inside tmpfs rw 0 0',
  '',
].join('\n');
const MOUNTS = parseMounts(TABLE);
const points = (mounts: readonly Mount[]) => mounts.map(({ mountPoint }) => mountPoint);

test('a table is read line by line, with the spaces that the kernel writes as octal', () => {
  expect(points(MOUNTS)).toEqual(['/', '/fsx', '/fsx', '/fsx/in side\\x', '/fsx/inside']);
  expect(MOUNTS[3]).toEqual({
    device: '/dev/loop0',
    mountPoint: '/fsx/in side\\x',
    type: 'btrfs',
    options: 'rw,compress-force=lzo',
  });
});

test('a line that is no mount is passed over', () => {
  expect(parseMounts('\nnonsense\n/dev/sda /a\n')).toEqual([]);
});

test.each([
  ['/', 'ext4'],
  ['/home', 'ext4'],
  ['/fsx', 'lustre'],
  ['/fsx/', 'lustre'],
  ['/fsx/data', 'lustre'],
  ['/fsx2', 'ext4'],
  ['/fsx/inside', 'tmpfs'],
  ['/fsx/inside2', 'lustre'],
  ['/fsx/in side\\x/f', 'btrfs'],
  ['/fsx/../home', 'ext4'],
])('%s lies on %s: the nearest mount, and the one that covers others', (path, type) => {
  expect(mountAbove(path, MOUNTS)?.type).toBe(type);
});

test('a path above every mount lies on none', () => {
  expect(mountAbove('/', parseMounts('tmpfs /tmp tmpfs rw 0 0'))).toBeUndefined();
});

test('below a folder are the mounts on it and in it, and not those of its neighbour', () => {
  expect(points(mountsBelow('/fsx/inside', MOUNTS))).toEqual(['/fsx/inside']);
  expect(points(mountsBelow('/fsx', MOUNTS))).toEqual(['/fsx', '/fsx', '/fsx/in side\\x', '/fsx/inside']);
  expect(points(mountsBelow('/', MOUNTS))).toHaveLength(5);
  expect(mountsBelow('/fs', MOUNTS)).toEqual([]);
});

test("this machine's own table is read whole", () => {
  const lines = readFileSync('/proc/self/mounts', 'utf8').trim().split('\n');
  expect(readMounts()).toHaveLength(lines.length);
  expect(mountAbove('/proc/self')?.type).toBe('proc');
});
