import type { StorageConfiguration } from '../../schema/storage';

/** What a file system of FSx for Lustre is asked to be: plain data, before any construct. Units stand in the names. */
export interface LustreConfiguration {
  /** @default lustre: configurations are older than the kinds */
  readonly kind?: 'lustre';
  readonly deploymentType: 'SCRATCH_2' | 'PERSISTENT_1' | 'PERSISTENT_2';
  /** @default SSD */
  readonly storageType?: 'SSD' | 'HDD' | 'INTELLIGENT_TIERING';
  /** GiB. Required but for INTELLIGENT_TIERING, where it must be absent. */
  readonly storageCapacityGiB?: number;
  /** MB/s per TiB. Required for PERSISTENT_1 and PERSISTENT_2 on SSD or HDD, forbidden elsewhere. */
  readonly perUnitStorageThroughput?: number;
  /** MB/s; INTELLIGENT_TIERING only. */
  readonly throughputCapacity?: number;
  /** @default NONE */
  readonly dataCompressionType?: 'NONE' | 'LZ4';
  /** PERSISTENT_2 only; cannot be added after creation. */
  readonly metadata?: { readonly mode: 'AUTOMATIC' } | { readonly mode: 'USER_PROVISIONED'; readonly iops: number };
  /** @default false */
  readonly efaEnabled?: boolean;
  /** HDD only, and required there. */
  readonly driveCacheType?: 'NONE' | 'READ';
  /** INTELLIGENT_TIERING only, and required there. */
  readonly dataReadCache?:
    | { readonly sizingMode: 'NO_CACHE' }
    | { readonly sizingMode: 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' }
    | { readonly sizingMode: 'USER_PROVISIONED'; readonly sizeGiB: number };
  /** @default 2.15, always: what AWS would choose itself cannot be mounted from Amazon Linux 2023 */
  readonly version?: '2.10' | '2.12' | '2.15';
  /**
   * Encrypt with a key of the account instead of the key of the service; persistent types only.
   * @default false
   */
  readonly customerManagedKey?: boolean;
  /** Directories linked to S3, at most 8. @default - none */
  readonly dataRepositories?: readonly DataRepository[];
  /** The older link of a whole file system to S3; not on PERSISTENT_2, and never together with {@link dataRepositories}. @default - none */
  readonly s3Link?: S3Link;
  /** Daily backups; persistent types without any link to S3. @default - no automatic backup */
  readonly backups?: Backups;
  /** Which events of the data repositories go to CloudWatch Logs. @default - none */
  readonly logLevel?: 'DISABLED' | 'WARN_ONLY' | 'ERROR_ONLY' | 'WARN_ERROR';
  /** When AWS may patch the servers, as `d:HH:MM` in UTC with 1 = Monday. @default - a time that AWS chooses */
  readonly weeklyMaintenanceStartTime?: string;
}

/** The same as the storage of an arm. */
export interface LustreStorage extends LustreConfiguration, StorageConfiguration {
  readonly kind: 'lustre';
}

/** A configuration that is of Lustre, or of the time when there was nothing else; `null` for one of another kind. */
export function asLustre(configuration: Partial<StorageConfiguration> | null | undefined): LustreConfiguration | null {
  if (configuration == null || (configuration.kind ?? 'lustre') !== 'lustre') return null;
  return configuration as unknown as LustreConfiguration;
}

/** What happens in S3 or in the file system that is carried over to the other side. */
export type RepositoryEvent = 'NEW' | 'CHANGED' | 'DELETED';

/** A directory of the file system that is linked to a bucket or to a prefix in it. */
interface DataRepository {
  /** Directory on the file system, with a leading slash: `/reference`. */
  readonly fileSystemPath: string;
  /** `s3://bucket` or `s3://bucket/prefix`. */
  readonly dataRepositoryPath: string;
  /** @default - no automatic import */
  readonly autoImport?: readonly RepositoryEvent[];
  /** @default - no automatic export */
  readonly autoExport?: readonly RepositoryEvent[];
  /** Import the metadata of what is in the bucket already. @default false */
  readonly importMetadataOnCreate?: boolean;
  /** MiB of a file on one disk, 1 to 512000. @default 1024 */
  readonly importedFileChunkSizeMiB?: number;
}

/** The older link of a whole file system to S3. */
interface S3Link {
  /** `s3://bucket` or `s3://bucket/prefix`. */
  readonly importPath: string;
  /** In the bucket of the import path. @default - a prefix that AWS chooses */
  readonly exportPath?: string;
  /** @default NONE */
  readonly autoImportPolicy?: 'NONE' | 'NEW' | 'NEW_CHANGED' | 'NEW_CHANGED_DELETED';
  /** MiB of a file on one disk, 1 to 512000. @default 1024 */
  readonly importedFileChunkSizeMiB?: number;
}

/** Automatic backups. */
interface Backups {
  /** 1 to 90; 0 is the same as no backups. */
  readonly retentionDays: number;
  /** `HH:MM` in UTC. @default - a time that AWS chooses */
  readonly dailyStartTime?: string;
  /** @default false */
  readonly copyTags?: boolean;
}

/** The version that is asked for when a configuration names none. */
export const DEFAULT_LUSTRE_VERSION = '2.15';
