import * as z from 'zod';
import type { Of } from '../../schema/document';
import { DEPLOYMENT_TYPES, STORAGE_TYPES } from './types';

/** Events in S3 or in the file system that are carried over to the other side. */
const REPOSITORY_EVENTS = ['NEW', 'CHANGED', 'DELETED'] as const;
export type RepositoryEvent = (typeof REPOSITORY_EVENTS)[number];

/** A directory of the file system that is linked to a bucket or to a prefix in it. */
const dataRepositorySchema = z.object({
  /** Directory on the file system, with a leading slash: `/reference`. */
  fileSystemPath: z.string(),
  /** `s3://bucket` or `s3://bucket/prefix`. */
  dataRepositoryPath: z.string(),
  /** @default - no automatic import */
  autoImport: z.array(z.enum(REPOSITORY_EVENTS)).optional(),
  /** @default - no automatic export */
  autoExport: z.array(z.enum(REPOSITORY_EVENTS)).optional(),
  /** Import the metadata of what is in the bucket already. @default false */
  importMetadataOnCreate: z.boolean().optional(),
  /** MiB of a file on one disk, 1 to 512000. @default 1024 */
  importedFileChunkSizeMiB: z.number().optional(),
});

/** The older link of a whole file system to S3. */
const s3LinkSchema = z.object({
  /** `s3://bucket` or `s3://bucket/prefix`. */
  importPath: z.string(),
  /** In the bucket of the import path. @default - a prefix that AWS chooses */
  exportPath: z.string().optional(),
  /** @default NONE */
  autoImportPolicy: z.enum(['NONE', 'NEW', 'NEW_CHANGED', 'NEW_CHANGED_DELETED']).optional(),
  /** MiB of a file on one disk, 1 to 512000. @default 1024 */
  importedFileChunkSizeMiB: z.number().optional(),
});

/** Configuration of an FSx for Lustre file system as plain data, with units in the names. rules.ts checks combinations. */
export const lustreSchema = z.object({
  kind: z.literal('lustre'),
  deploymentType: z.enum(DEPLOYMENT_TYPES),
  /** @default SSD */
  storageType: z.enum(STORAGE_TYPES).optional(),
  /** GiB. Required except with INTELLIGENT_TIERING, which does not have it. */
  storageCapacityGiB: z.number().optional(),
  /** MB/s per TiB. Required for PERSISTENT_1 and PERSISTENT_2 on SSD or HDD, forbidden elsewhere. */
  perUnitStorageThroughput: z.number().optional(),
  /** MB/s; INTELLIGENT_TIERING only. */
  throughputCapacity: z.number().optional(),
  /** @default NONE */
  dataCompressionType: z.enum(['NONE', 'LZ4']).optional(),
  /** PERSISTENT_2 only; cannot be added after creation. */
  metadata: z
    .union([
      z.object({ mode: z.literal('AUTOMATIC') }),
      z.object({ mode: z.literal('USER_PROVISIONED'), iops: z.number() }),
    ])
    .optional(),
  /** @default false */
  efaEnabled: z.boolean().optional(),
  /** HDD only, and required there. */
  driveCacheType: z.enum(['NONE', 'READ']).optional(),
  /** INTELLIGENT_TIERING only, and required there. */
  dataReadCache: z
    .union([
      z.object({ sizingMode: z.enum(['NO_CACHE', 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY']) }),
      z.object({ sizingMode: z.literal('USER_PROVISIONED'), sizeGiB: z.number() }),
    ])
    .optional(),
  /** @default 2.15, always: what AWS would choose itself cannot be mounted from Amazon Linux 2023 */
  version: z.enum(['2.10', '2.12', '2.15']).optional(),
  /** Directories linked to S3, at most 8. @default - none */
  dataRepositories: z.array(dataRepositorySchema).optional(),
  /** The older link of a whole file system to S3; not on PERSISTENT_2, and never together with `dataRepositories`. @default - none */
  s3Link: s3LinkSchema.optional(),
  /** Daily backups, kept from 1 to 90 days, 0 for none; persistent types without any link to S3. @default - no automatic backup */
  backups: z
    .object({
      retentionDays: z.number(),
      /** `HH:MM` in UTC. @default - a time that AWS chooses */
      dailyStartTime: z.string().optional(),
      /** @default false */
      copyTags: z.boolean().optional(),
    })
    .optional(),
  /** OSTs that a file is striped over: -1 for all, 0 for the file system's default layout. @default -1 */
  stripeCount: z.number().optional(),
  /** Data repository events that go to CloudWatch Logs. @default - none */
  logLevel: z.enum(['DISABLED', 'WARN_ONLY', 'ERROR_ONLY', 'WARN_ERROR']).optional(),
  /** When AWS may patch the servers, as `d:HH:MM` in UTC with 1 = Monday. @default - a time that AWS chooses */
  weeklyMaintenanceStartTime: z.string().optional(),
});
export type LustreStorage = Of<typeof lustreSchema>;
/** Configuration of FSx for Lustre as programs give it: the kind may be left out. */
export type LustreConfiguration = Omit<LustreStorage, 'kind'> & Partial<Pick<LustreStorage, 'kind'>>;

/** The version that is asked for when a configuration names none. */
export const DEFAULT_LUSTRE_VERSION = '2.15';
