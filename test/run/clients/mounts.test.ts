import { unmounted } from '../../../lib/run/clients/directory';
import type { ClientConfig } from '../../../lib/schema/client';

type Arm = ClientConfig['arms'][string];
const LUSTRE = { mountPoint: '/fsx/lz4', type: 'lustre', device: '10.0.0.15@tcp:/fsxvol' };
const arm = (mountedAt: Arm['mountedAt']): Arm => ({
  mountPoint: '/fsx/lz4/data',
  filesystem: 'lustre',
  actually: 'Lustre',
  ...(mountedAt ? { mountedAt } : {}),
});
const mount = (mountPoint: string, type: string, device: string) => ({ mountPoint, type, device, options: 'rw' });
const root = mount('/', 'xfs', '/dev/nvme0n1p1');

test('an arm is where it was while its mount is there, and where nobody recorded one', () => {
  const mounts = [root, mount('/fsx/lz4', 'autofs', 'systemd-1'), { ...LUSTRE, options: 'rw' }];
  expect(unmounted(arm(LUSTRE), () => mounts)).toBeNull();
  expect(unmounted(arm(undefined), () => [root])).toBeNull();
});

test.each([
  ['nothing', [root], 'nothing is mounted there'],
  ['an automount', [root, mount('/fsx/lz4', 'autofs', 'systemd-1')], 'systemd-1 (autofs)'],
  [
    'another volume on it',
    [root, { ...LUSTRE, options: 'rw' }, mount('/fsx/lz4', 'lustre', '10.0.0.9@tcp:/other')],
    '10.0.0.9@tcp:/other (lustre)',
  ],
])('an arm whose mount is gone, with %s in its place, is named with the next step', (_, mounts, found) => {
  const problem = unmounted(arm(LUSTRE), () => mounts);
  expect(problem).toContain('10.0.0.15@tcp:/fsxvol (lustre) is no longer mounted at /fsx/lz4');
  expect(problem).toContain(found);
  expect(problem).toContain('mount it again, and continue with --resume');
});

test('a disk that has another number after a reboot is the same arm', () => {
  const disk = { mountPoint: '/data', type: 'xfs', device: '/dev/nvme1n1' };
  expect(unmounted(arm(disk), () => [root, mount('/data', 'xfs', '/dev/nvme2n1')])).toBeNull();
});

test('an arm of which no mount was recorded asks for none: without a table of mounts there is nothing to read', () => {
  const read = jest.fn(() => []);
  expect(unmounted(arm(undefined), read)).toBeNull();
  expect(read).not.toHaveBeenCalled();
});
