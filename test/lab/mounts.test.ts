import { detachLoops, loopDevicesOf } from '../../lib/lab/mounts';

const mockImages: Record<string, string> = {
  loop0: '/lab/one/disk.img\n',
  loop1: '/lab/one-more/disk.img\n',
  loop2: '/lab/one/gone.img (deleted)\n',
  sda: '/lab/one/disk.img\n',
};
jest.mock('node:fs/promises', () => ({
  ...jest.requireActual('node:fs/promises'),
  readdir: async () => [...Object.keys(mockImages), 'loop9'],
  readFile: async (path: string) => mockImages[path.split('/')[3] ?? ''] ?? Promise.reject(new Error('ENOENT')),
}));
const mockRun = jest.fn();
jest.mock('../../lib/lab/processes', () => ({
  ...jest.requireActual('../../lib/lab/processes'),
  runCommand: async (...words: unknown[]) => mockRun(...words),
}));

test('loop devices of a folder are those with images in it, also removed ones, and not of a folder whose name begins alike', async () => {
  const own = [
    { device: '/dev/loop0', image: '/lab/one/disk.img' },
    { device: '/dev/loop2', image: '/lab/one/gone.img' },
  ];
  expect(await loopDevicesOf('/lab/one')).toEqual(own);
  mockRun.mockImplementation((_, [, device]: string[]) => delete mockImages[device?.slice('/dev/'.length) ?? '']);
  expect(await detachLoops('/lab/one')).toEqual([]);
  expect(mockRun.mock.calls).toEqual(own.map(({ device }) => ['losetup', ['--detach', device]]));
  expect(Object.keys(mockImages)).toEqual(['loop1', 'sda']);
});
