import * as z from 'zod';
import type { StorageConfiguration } from '../../schema/deployment';
import { warnings } from '../common/settings';
import { XFS_ON_LOOP, xfsFilesystem } from '../common/substitutes';
import type { Storage } from '../storage';

/** All NVMe disks of the client itself: what they are, its instance type says. */
export interface InstanceStoreStorage extends StorageConfiguration {
  readonly kind: 'instance-store';
}

/**
 * Types that may have NVMe disks: storage-optimised families, those with a `d` after their generation, and accelerated ones, of which some do.
 * Source: https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html.
 */
const MAY_HAVE_DISKS = /^(?:[a-z]+\d+[a-z]*d[a-z]*|i[ms]?\d[a-z]*|[fgp]\d[a-z]*|trn\d[a-z]*)[.-]/;

/** Page documenting that its data end with the instance: stopped, hibernated or terminated. */
const LIFETIME_PAGE = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-store-lifetime.html';

const GOOD = [
  '**What good looks like.** No service counts what these disks move: see the clients’ CPU and network, which they do not use, and the samples of the run.',
  'Their data is lost with the instance.',
];

/** The local NVMe disks of the client with XFS on them, as one RAID-0: the floor of latency, and nothing that lasts. */
export const instanceStore: Storage<InstanceStoreStorage> = {
  kind: 'instance-store',
  label: 'instance store',
  configuration: {
    schema: z.looseObject({ kind: z.literal('instance-store') }),
    settings: {},
    withSettings: (configuration) => configuration,
    describe: () => 'XFS on the NVMe disks of the client',
    check: () => ({
      errors: [],
      warnings: warnings({
        'fsxbench:instance-store-lost': `the data of an instance store are lost when the instance stops, fails or is replaced, and a run cannot be resumed after that (${LIFETIME_PAGE})`,
      }),
    }),
  },
  documented: {
    // AWS documents random IOPS of some families, and no throughput.
    limits: () => [],
    conditions: () => ({ storage: 'XFS on instance store' }),
  },
  price: {
    // In the price of the client.
    cost: () => [],
    notAdvised:
      'size and speed are those of the client, no throughput is published, and the data is lost with the instance; StorageBench measures it (arm nvme)',
  },
  account: { fromDescription: (_, planned = null) => planned },
  monitoring: { dashboard: () => ({ reading: GOOD, rows: [] }), alarmMetrics: () => 0 },
  client: {
    filesystems: [xfsFilesystem],
    clientProblem: (_, instanceType) =>
      MAY_HAVE_DISKS.test(instanceType) ? null : 'a type with local NVMe disks, such as c5d.2xlarge or i4i.2xlarge',
  },
  substitutes: () => [XFS_ON_LOOP],
};
