import * as z from 'zod';
import type { LustreStorage } from './configuration';
import { KINDS, STORAGE_TYPES } from './documented';

const text = z.string();
const number = z.number();
const flag = z.boolean();

const unique = <T extends string>(values: readonly T[]) => [...new Set(values)] as unknown as readonly [T, ...T[]];

/** A file system of FSx for Lustre as plans and deployments have it. What goes together is the rules' affair (rules.ts). */
export const lustreSchema: z.ZodType<LustreStorage> = z.looseObject({
  kind: z.literal('lustre'),
  deploymentType: z.enum(['SCRATCH_2', 'PERSISTENT_1', 'PERSISTENT_2']),
  storageType: z.enum(unique(Object.values(STORAGE_TYPES).flat())).optional(),
  storageCapacityGiB: number.optional(),
  perUnitStorageThroughput: number.optional(),
  throughputCapacity: number.optional(),
  dataCompressionType: z.enum(['NONE', 'LZ4']).optional(),
  metadata: z
    .union([
      z.looseObject({ mode: z.literal('AUTOMATIC') }),
      z.looseObject({ mode: z.literal('USER_PROVISIONED'), iops: number }),
    ])
    .optional(),
  efaEnabled: flag.optional(),
  driveCacheType: z.enum(['NONE', 'READ']).optional(),
  dataReadCache: z
    .union([
      z.looseObject({ sizingMode: z.enum(['NO_CACHE', 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY']) }),
      z.looseObject({ sizingMode: z.literal('USER_PROVISIONED'), sizeGiB: number }),
    ])
    .optional(),
  version: z.enum(unique(Object.values(KINDS).flatMap(({ versions }) => versions))).optional(),
  customerManagedKey: flag.optional(),
  weeklyMaintenanceStartTime: text.optional(),
}) as unknown as z.ZodType<LustreStorage>;
