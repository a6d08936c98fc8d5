import type { LustreConfiguration } from '../../../lib/storage/lustre/configuration';

/** The smallest file system of each kind that AWS accepts. */
export const MIN = {
  scratch2: { deploymentType: 'SCRATCH_2', storageCapacityGiB: 1200 },
  persistent1: { deploymentType: 'PERSISTENT_1', storageCapacityGiB: 1200, perUnitStorageThroughput: 50 },
  hdd12: {
    deploymentType: 'PERSISTENT_1',
    storageType: 'HDD',
    storageCapacityGiB: 6000,
    perUnitStorageThroughput: 12,
    driveCacheType: 'READ',
  },
  hdd40: {
    deploymentType: 'PERSISTENT_1',
    storageType: 'HDD',
    storageCapacityGiB: 1800,
    perUnitStorageThroughput: 40,
    driveCacheType: 'READ',
  },
  persistent2: {
    deploymentType: 'PERSISTENT_2',
    storageCapacityGiB: 1200,
    perUnitStorageThroughput: 125,
    metadata: { mode: 'USER_PROVISIONED', iops: 1500 },
  },
  efa: {
    deploymentType: 'PERSISTENT_2',
    storageCapacityGiB: 4800,
    perUnitStorageThroughput: 1000,
    metadata: { mode: 'USER_PROVISIONED', iops: 6000 },
    efaEnabled: true,
  },
  tiering: {
    deploymentType: 'PERSISTENT_2',
    storageType: 'INTELLIGENT_TIERING',
    throughputCapacity: 4000,
    metadata: { mode: 'USER_PROVISIONED', iops: 6000 },
    dataReadCache: { sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' },
  },
} as const satisfies Record<string, LustreConfiguration>;
