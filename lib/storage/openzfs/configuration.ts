import * as z from 'zod';
import type { Of } from '../../schema/document';
import { MAINTENANCE_TIME } from '../kit/maintenance';

/** One file server, or two of which one stands by, in the zone of the clients. */
export const DEPLOYMENT_TYPES = ['SINGLE_AZ_2', 'SINGLE_AZ_HA_2'] as const;

export const COMPRESSIONS = ['none', 'lz4', 'zstd'] as const;

/** A file system of FSx for OpenZFS on SSD, as it is asked for. What goes together is the rules' affair (rules.ts). */
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
  /** Record size of the root volume. @default 128 */
  recordKiB: z.number().optional(),
  /** Weekly maintenance window: `d:HH:MM` in UTC, 1 is Monday. @default - the service chooses it */
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
