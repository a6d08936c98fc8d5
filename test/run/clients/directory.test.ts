import { DataDirectory } from '../../../lib/run/clients/directory';
import type { Commands } from '../../../lib/storage/filesystem';
import { filesystemNamed } from '../../../lib/storage/filesystems';

test.each([
  ['xfs', ['mv -T /mnt/a/u /mnt/a/u.left-1', 'mkdir -p /mnt/a/u']],
  ['fuse', ['remove /mnt/a/u', 'mkdir -p /mnt/a/u']],
])('what an earlier attempt left on %s is out of the way before the next', async (type, expected) => {
  const lines: string[] = [];
  const commands = {
    each: async (all: readonly (readonly string[])[]) => {
      lines.push(...all.map((argv) => argv.join(' ')));
      return null;
    },
  } as unknown as Commands;
  const removal = (paths: readonly string[]) => ['remove', ...paths];
  const place = { mountPoint: '/mnt/a', directory: '/mnt/a/u', commands, seconds: 60, owned: () => [], removal };
  const data = new DataDirectory({ filesystem: filesystemNamed(type), place, list: () => ['u'] });
  await data.make({ kind: 'make-directory', fresh: true });
  expect(lines).toEqual(expected);
});
