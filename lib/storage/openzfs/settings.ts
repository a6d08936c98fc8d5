import * as z from 'zod';
import { field, numeric, oneOfWords, type SettingsOf } from '../../kit/field';
import { DEPLOYMENT_TYPES, type OpenZfsStorage } from './configuration';
import { LEVELS, RECORD_KIB, SSD_IOPS, STORAGE_GIB } from './documented';

const whole = (min: number, max: number, what: string, next: string) =>
  field(numeric(z.number().int().min(min).max(max)), `a whole number ${what}from ${min} to ${max}`, next);

const oneNumberOf = (numbers: readonly number[], next: string) =>
  field(numeric(z.number().refine((value) => numbers.includes(value))), `one of ${numbers.join(', ')}`, next);

/** The context keys of a file system of FSx for OpenZFS. Compression is what arms compare, so it has none. */
export const OPENZFS_SETTINGS = {
  openzfsDeploymentType: oneOfWords(DEPLOYMENT_TYPES, 'SINGLE_AZ_HA_2 has a second server that stands by.'),
  openzfsStorageCapacity: whole(STORAGE_GIB.min, STORAGE_GIB.max, 'of GiB ', 'It is the size of the SSD storage.'),
  openzfsThroughput: oneNumberOf(
    [...LEVELS.keys()],
    'It is the throughput capacity in MB/s, which chooses the server.',
  ),
  openzfsIops: whole(1, SSD_IOPS.max, '', `The price includes ${SSD_IOPS.perGiB} per GiB.`),
  openzfsRecordKiB: oneNumberOf(RECORD_KIB, 'A record is read, compressed and written as a whole.'),
} as const;

/** With the user's settings on it. */
export function withSettings(
  configuration: OpenZfsStorage,
  settings: SettingsOf<typeof OPENZFS_SETTINGS>,
): OpenZfsStorage {
  const asked: Partial<OpenZfsStorage> = {
    deploymentType: settings.openzfsDeploymentType,
    storageCapacityGiB: settings.openzfsStorageCapacity,
    throughputMBps: settings.openzfsThroughput,
    iops: settings.openzfsIops,
    recordKiB: settings.openzfsRecordKiB,
  };
  return { ...configuration, ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) };
}
