import * as z from 'zod';
import { field, numeric } from '../../../lib/common/field';
import { itemLine } from '../../../lib/price/line';
import type { Of } from '../../../lib/schema/document';
import { sets, settingsThatSet } from '../../../lib/storage/common/settings';
import { capacityByDf, spaceByDu } from '../../../lib/storage/common/space';
import { PLAIN_DIRECTORY, XFS_ON_LOOP } from '../../../lib/storage/common/substitutes';
import type { Storage } from '../../../lib/storage/storage';

/** One server of so many MB/s, which caches in its memory. */
const toySchema = z.object({ kind: z.literal('toyfs'), serverMBps: z.number() });
type ToyStorage = Of<typeof toySchema>;

const MOST_MBPS = 10_000;
const MEMORY_BYTES = 64e9;

export const toyfs: Storage<ToyStorage> = {
  kind: 'toyfs',
  label: 'Toy file system',
  configuration: {
    schema: toySchema,
    ...settingsThatSet<ToyStorage>({
      toyServerMBps: sets(
        'serverMBps',
        field(
          numeric(z.number().int().min(100)),
          'a whole number of MB/s from 100',
          'It is the throughput of the server.',
        ),
      ),
    }),
    describe: ({ serverMBps }) => `toyfs, ${serverMBps} MB/s`,
    // The service would refuse these after minutes; they are refused here, with the wrong property.
    check: ({ serverMBps }) => ({
      errors:
        serverMBps <= MOST_MBPS
          ? []
          : [
              {
                id: 'fsxbench:toyfs-throughput',
                property: 'serverMBps',
                must: `at most ${MOST_MBPS}`,
                got: serverMBps,
                next: `Take ${MOST_MBPS}.`,
              },
            ],
      warnings: [],
    }),
  },
  documented: {
    limits: ({ serverMBps }) => [
      {
        name: 'server_network',
        baselineMBps: serverMBps,
        burstMBps: serverMBps,
        source: 'https://toyfs.example/limits',
      },
    ],
    serverMemoryBytes: () => MEMORY_BYTES,
  },
  price: {
    cost: ({ serverMBps }, { label = 'toyfs', ...pricing }) => [
      itemLine(`${label}: throughput`, serverMBps, 'toyfs/throughput', pricing, 'MBps-month'),
    ],
    notAdvised: 'it is sold in one size',
  },
  account: {
    fromDescription: (described, planned = null) =>
      typeof described?.ToyMBps === 'number' ? { kind: 'toyfs', serverMBps: described.ToyMBps } : planned,
    addresses: () => 1,
  },
  client: {
    // As its clients mount it: `du` and `df` give all needed figures.
    filesystems: [{ type: 'toyfs', remote: true, space: spaceByDu, capacity: capacityByDf }],
  },
  // The first that the lab's machine can have.
  substitutes: () => [XFS_ON_LOOP, PLAIN_DIRECTORY],
};
