import { oneOfNumbers, oneOfWords, whole } from '../../kit/field';
import { IN_GIB, IN_KIB } from '../../kit/quantity';
import { MAINTENANCE_FIELD } from '../kit/maintenance';
import { DEPLOYMENT_TYPES } from './configuration';
import { LEVELS, RECORD_KIB, SSD_IOPS, STORAGE_GIB } from './documented';

/** The context keys of a file system of FSx for OpenZFS. Compression is what arms compare, so it has none. */
export const OPENZFS_SETTINGS = {
  openzfsDeploymentType: oneOfWords(DEPLOYMENT_TYPES, 'SINGLE_AZ_HA_2 has a second server that stands by.'),
  openzfsStorageCapacity: whole(
    STORAGE_GIB.min,
    STORAGE_GIB.max,
    ' of GiB',
    'It is the size of the SSD storage.',
    IN_GIB,
  ),
  openzfsThroughput: oneOfNumbers(
    [...LEVELS.keys()],
    'It is the throughput capacity in MB/s, which chooses the server.',
  ),
  openzfsIops: whole(1, SSD_IOPS.max, '', `The price includes ${SSD_IOPS.perGiB} per GiB.`),
  openzfsRecordKiB: oneOfNumbers(RECORD_KIB, 'A record is read, compressed and written as a whole.', IN_KIB),
  openzfsWeeklyMaintenanceStartTime: MAINTENANCE_FIELD,
} as const;

export const OPENZFS_PROPERTIES = {
  openzfsDeploymentType: 'deploymentType',
  openzfsStorageCapacity: 'storageCapacityGiB',
  openzfsThroughput: 'throughputMBps',
  openzfsIops: 'iops',
  openzfsRecordKiB: 'recordKiB',
  openzfsWeeklyMaintenanceStartTime: 'weeklyMaintenanceStartTime',
} as const;
