import * as z from 'zod';
import { oneOfNumbers, oneOfWords, whole } from '../../common/field';
import { IN_GIB } from '../../common/quantity';
import { type Findings, refusing } from '../../common/violation';
import type { Of } from '../../schema/document';
import { MAINTENANCE_TIME } from '../common/maintenance';
import { isWhole, sets, warnings } from '../common/settings';
import { includedIops, LEVELS, PERFORMANCE_PAGE, SSD_IOPS, STORAGE_GIB } from './documented';

/** One file server, or two of which one stands by, in the zone of the clients. */
export const DEPLOYMENT_TYPES = ['SINGLE_AZ_2', 'SINGLE_AZ_HA_2'] as const;

export const COMPRESSIONS = ['none', 'lz4', 'zstd'] as const;

/** The configuration of an FSx for OpenZFS file system on SSD. Valid combinations are checked separately. */
export const openZfsSchema = z.object({
  kind: z.literal('openzfs'),
  deploymentType: z.enum(DEPLOYMENT_TYPES),
  storageCapacityGiB: z.number(),
  /** MB/s. */
  throughputMBps: z.number(),
  /** Compression of the root volume, which is what clients mount. @default none */
  compression: z.enum(COMPRESSIONS).optional(),
  /** SSD IOPS. @default - 3 per GiB, which the price includes */
  iops: z.number().optional(),
  /** Record size of the root volume of an existing file system: that of a stack is the service's default. */
  recordKiB: z.number().optional(),
  /** Weekly maintenance window that the service has chosen: `d:HH:MM` in UTC, 1 is Monday. @default - not known yet */
  weeklyMaintenanceStartTime: z.string().regex(MAINTENANCE_TIME).optional(),
});
export type OpenZfsStorage = Of<typeof openZfsSchema>;

/** In a line, for people: `OpenZFS SINGLE_AZ_2 1200 GiB, 640 MB/s, LZ4`. */
export function describeOpenZfs(configuration: OpenZfsStorage): string {
  const { deploymentType, storageCapacityGiB, throughputMBps, compression = 'none', iops, recordKiB } = configuration;
  return [
    `OpenZFS ${deploymentType} ${storageCapacityGiB} GiB`,
    `${throughputMBps} MB/s`,
    ...(iops === undefined ? [] : [`${iops} IOPS`]),
    ...(recordKiB === undefined ? [] : [`records of ${recordKiB} KiB`]),
    ...(compression === 'none' ? [] : [compression === 'lz4' ? 'LZ4' : 'zstd']),
  ].join(', ');
}

/** The context keys of an FSx for OpenZFS file system. Arms differ in compression, so it has no key. */
export const OPENZFS_SETTINGS = {
  openzfsDeploymentType: sets(
    'deploymentType',
    oneOfWords(DEPLOYMENT_TYPES, 'SINGLE_AZ_HA_2 has a second server that stands by.'),
  ),
  openzfsStorageCapacity: sets(
    'storageCapacityGiB',
    whole(STORAGE_GIB.min, STORAGE_GIB.max, ' of GiB', 'It is the size of the SSD storage.', IN_GIB),
  ),
  openzfsThroughput: sets(
    'throughputMBps',
    oneOfNumbers([...LEVELS.keys()], 'It is the throughput capacity in MB/s, which chooses the server.'),
  ),
  openzfsIops: sets('iops', whole(1, SSD_IOPS.max, '', `The price includes ${SSD_IOPS.perGiB} per GiB.`)),
} as const;

/** Errors for which FSx would refuse it, by property, and warnings about comparisons. */
export function checkOpenZfs(configuration: OpenZfsStorage): Findings {
  const { storageCapacityGiB, throughputMBps, iops } = configuration;
  const { errors, refuse } = refusing(configuration, 'fsxbench:openzfs');
  const { min, max } = STORAGE_GIB;
  if (!isWhole(storageCapacityGiB, STORAGE_GIB))
    refuse('capacity', 'storageCapacityGiB', `a whole number of GiB from ${min} to ${max}`, 'It is that of the SSDs.');
  const level = LEVELS.get(throughputMBps);
  if (level === undefined) {
    const next = `Each chooses a server: ${PERFORMANCE_PAGE}`;
    refuse('throughput', 'throughputMBps', `one of ${[...LEVELS.keys()].join(', ')}`, next);
  }
  const least = includedIops(storageCapacityGiB);
  if (iops !== undefined && !isWhole(iops, { min: least, max: SSD_IOPS.max })) {
    const must = `a whole number from ${least}, which the price of ${storageCapacityGiB} GiB includes, to ${SSD_IOPS.max}`;
    refuse('iops', 'iops', must, `Leave it out for ${least}.`);
  }
  return {
    errors,
    warnings: warnings({
      'fsxbench:openzfs-burst':
        level?.networkMBps.burst !== level?.networkMBps.baseline &&
        `with ${throughputMBps} MB/s the server bursts to ${level?.diskMBps.burst} MB/s of disk throughput while it has credits, so a long run mixes two rates; watch FileServerDiskThroughputBalance, or take 2560 MB/s and more`,
    }),
  };
}
