import type { Quota } from '../slices/account';
import type { LustreStorage } from './configuration';
import { DEFAULT_STORAGE_QUOTA_GIB, DEFAULT_TIERING_QUOTA } from './documented';
import { readCacheGiB } from './limits';

/** Codes: the links of docs.aws.amazon.com/general/latest/gr/fsx.html, and answers of ListServiceQuotas. */
const OF_TYPE: readonly { readonly types: readonly string[]; readonly count: string; readonly storage: string }[] = [
  { types: ['PERSISTENT_1'], count: 'L-9AFA1F09', storage: 'L-C8640C82' },
  { types: ['PERSISTENT_2'], count: 'L-FD6F2F22', storage: 'L-8F1B9C74' },
  { types: ['SCRATCH_1', 'SCRATCH_2'], count: 'L-C48231E5', storage: 'L-AD2FC696' },
];

const isTiering = ({ storageType }: LustreStorage): boolean => storageType === 'INTELLIGENT_TIERING';

/**
 * For each deployment type the number of file systems and their storage; for Intelligent-Tiering, which has no capacity, throughput and
 * read cache. A single file system above the quota is the rules' affair.
 */
export const LUSTRE_QUOTAS: readonly Quota<LustreStorage>[] = [
  ...OF_TYPE.flatMap(({ types, count, storage }): Quota<LustreStorage>[] => {
    const own = ({ deploymentType }: LustreStorage): boolean => types.includes(deploymentType);
    const type = types.at(-1) as string;
    const label = type.replace(/^SCRATCH.*/, 'SCRATCH');
    return [
      {
        service: 'fsx',
        code: count,
        unit: 'file systems',
        name: `${label} file systems`,
        of: (configuration) => (own(configuration) ? 1 : 0),
      },
      {
        service: 'fsx',
        code: storage,
        unit: 'GiB',
        name: `${label} storage`,
        usual: { value: DEFAULT_STORAGE_QUOTA_GIB, warning: 'fsxbench:storageQuota', of: type },
        // Hard disks have a quota of their own, for each file system, which the rules know.
        of: (configuration) =>
          own(configuration) && configuration.storageType !== 'HDD' ? (configuration.storageCapacityGiB ?? 0) : 0,
      },
    ];
  }),
  {
    service: 'fsx',
    code: 'L-0CD18A5D',
    unit: 'MB/s',
    name: 'Intelligent-Tiering throughput',
    usual: {
      value: DEFAULT_TIERING_QUOTA.throughputMBps,
      warning: 'fsxbench:tieringThroughputQuota',
      of: 'INTELLIGENT_TIERING',
    },
    of: (configuration) => (isTiering(configuration) ? (configuration.throughputCapacity ?? 0) : 0),
  },
  {
    service: 'fsx',
    code: 'L-B7391FCE',
    unit: 'GiB',
    name: 'Intelligent-Tiering read cache',
    usual: {
      value: DEFAULT_TIERING_QUOTA.readCacheGiB,
      warning: 'fsxbench:tieringCacheQuota',
      of: 'read cache of INTELLIGENT_TIERING',
    },
    of: (configuration) => (isTiering(configuration) ? readCacheGiB(configuration) : 0),
  },
];
