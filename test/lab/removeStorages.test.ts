import { removeStorages, removeSubstitutes } from '../../lib/lab/removeStorages';

/** Things that each part of the work cannot take away, and those that were removed. */
const mock = { left: {} as Record<string, string[]>, removed: [] as string[] };
function mockLeft(what: string) {
  return async (...asked: unknown[]) =>
    mock.left[`${what} ${asked.find((one) => typeof one === 'string') ?? ''}`.trim()] ?? [];
}
async function mockRemoved(_: unknown, folder: string) {
  mock.removed.push(folder);
  return [];
}
jest.mock('../../lib/lab/mounts', () => ({ unmountBelow: mockLeft('mount'), detachLoops: mockLeft('loop') }));
jest.mock('../../lib/lab/model/machine', () => ({ stopModels: mockLeft('models') }));
jest.mock('../../lib/lab/model/disks', () => ({ releaseDisks: mockLeft('disks') }));
jest.mock('../../lib/lab/substitutes', () => ({
  stopSubstitutes: mockLeft('programs'),
  substituteFolder: (_: unknown, arm: string) => `/sub/${arm}`,
}));
jest.mock('../../lib/lab/paths', () => ({
  foldersIn: () => ['lz4', 'none'],
  removeFolder: mockRemoved,
  removeFoldersIn: mockRemoved,
}));

const paths = { mounts: '/mnt', substitutes: '/sub' } as never;
const works = [
  ['a lab', () => removeStorages(paths), ['/mnt', '/sub'], ['/sub', '/mnt']],
  ['an arm', () => removeSubstitutes(paths, ['lz4']), ['/mnt/lz4', '/sub/lz4'], ['/sub/lz4', '/mnt/lz4']],
] as const;

test.each(works)(
  '%s names what is still there and keeps its folders, which go with the last of it',
  async (_, work, [at, own], all) => {
    const cases = { 'disks lz4': 'limits', programs: 'programs', [`mount ${at}`]: 'a', [`mount ${own}`]: 'b' };
    mock.removed = [];
    for (const [part, left] of Object.entries(cases)) {
      mock.left = { [part]: [left] };
      expect(await work()).toEqual([left]);
    }
    mock.left = { [`loop ${own}`]: ['/dev/loop7'] };
    expect(await work()).toEqual(['/dev/loop7 is still in use by another process']);
    mock.left = { ...mock.left, 'disks lz4': ['limits'], programs: ['programs'], [`mount ${at}`]: ['a'] };
    expect(await work()).toEqual(['limits', 'programs', 'a']);
    expect(mock.removed).toEqual([]);
    mock.left = {};
    expect([await work(), mock.removed]).toEqual([[], all]);
  },
);
