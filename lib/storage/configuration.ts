/** What a file system of FSx for Lustre is asked to be: plain data, before any construct. Units stand in the names. */
export interface LustreConfiguration {
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
}
