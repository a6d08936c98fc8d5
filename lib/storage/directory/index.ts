import * as z from 'zod';
import { capacityByDf, spaceByDu } from '../common/space';
import { PLAIN_DIRECTORY, spaceFromCompsize } from '../common/substitutes';
import type { Filesystem } from '../filesystem';
import type { Storage } from '../storage';

/** Any file system of which nothing more is known than what POSIX says. */
const plain: Filesystem = { type: 'other', space: spaceByDu, capacity: capacityByDf };

/** A network file system whose servers keep their data on Btrfs: what they take, only the servers know. */
const servedFromBtrfs: Filesystem = {
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

/** Existing directories, which `run --local` compares. Which they are only the machine knows that started the run. Nothing is deployed or paid for. */
export const directory: Storage = {
  kind: 'directory',
  label: 'directory',
  configuration: {
    schema: z.looseObject({ kind: z.literal('directory') }),
    settings: {},
    withSettings: (configuration) => configuration,
    describe: () => 'a directory of this computer',
    check: () => ({ errors: [], warnings: [] }),
  },
  documented: { limits: () => [] },
  price: { cost: () => [] },
  account: { fromDescription: () => null },
  client: { filesystems: [plain, servedFromBtrfs] },
  substitutes: () => [PLAIN_DIRECTORY],
};
