import type { Quota } from '../slices/account';
import type { LustreStorage } from './configuration';
import { readCacheGiB } from './limits';
import { DEFAULT_STORAGE_QUOTA_GIB, DEFAULT_TIERING_QUOTA, DEPLOYMENTS, isElastic } from './types';

/**
 * For each deployment type the number of file systems and their storage; for Intelligent-Tiering, which has no capacity, throughput and
 * read cache. A single file system above the quota is the rules' affair.
 */
export const LUSTRE_QUOTAS: readonly Quota<LustreStorage>[] = [
  ...Object.entries(DEPLOYMENTS).flatMap(([type, { quota }]): Quota<LustreStorage>[] => {
    const own = ({ deploymentType }: LustreStorage): boolean => deploymentType === type;
    const { label, count, storage } = quota;
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
        // Hard disks have their own quota, for each file system, which the rules know.
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
    of: (configuration) => (isElastic(configuration) ? (configuration.throughputCapacity ?? 0) : 0),
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
    of: (configuration) => (isElastic(configuration) ? readCacheGiB(configuration) : 0),
  },
];
