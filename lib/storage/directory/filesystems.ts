import type { Filesystem } from '../filesystem';
import { spaceFromCompsize } from '../kit/btrfs';
import { capacityByDf, spaceByDu } from '../kit/space';

/** Any file system of which nothing more is known than what POSIX says. */
export const plain: Filesystem = { type: 'other', space: spaceByDu, capacity: capacityByDf };

/** A network file system whose servers keep their data on Btrfs: what they take, only the servers know. */
export const servedFromBtrfs: Filesystem = {
  type: 'served-from-btrfs',
  space: {
    source: 'compsize',
    async read({ commands, directory, seconds, spaceCommand }) {
      const failure =
        spaceCommand === undefined
          ? 'client.json names no spaceCommand that asks the servers'
          : await commands.each([[...spaceCommand, directory]], seconds);
      return { measured: spaceFromCompsize(commands.output, failure), failure };
    },
  },
  capacity: capacityByDf,
};
