import type { LustreConfiguration } from '../../lib/storage/configuration';
import { checkLustre, LUSTRE_ADVICE, LUSTRE_RULES, validateLustre } from '../../lib/storage/rules';
import { MIN } from './configurations';

/** What JSON or JavaScript can ask for although the types do not allow it. */
const anything = (configuration: object) => configuration as LustreConfiguration;

const repository = { fileSystemPath: '/data', dataRepositoryPath: 's3://bucket/data' };
const link = { importPath: 's3://bucket/in' };

/** What the compression study used. */
const PUBLISHED = { ...MIN.persistent1, storageCapacityGiB: 14_400, perUnitStorageThroughput: 200 } as const;

/** Rule, configuration, and the exact words that a person reads. */
const REFUSED: [id: string, configuration: LustreConfiguration, message: string][] = [
  [
    'deployment-type',
    anything({ ...MIN.scratch2, deploymentType: 'SCRATCH_1' }),
    "'deploymentType' must be SCRATCH_2, PERSISTENT_1 or PERSISTENT_2, got SCRATCH_1: take PERSISTENT_2 unless a published study used another",
  ],
  [
    'storage-type',
    { ...MIN.persistent2, storageType: 'HDD' },
    "'storageType' must be SSD or INTELLIGENT_TIERING with PERSISTENT_2, got HDD: HDD needs PERSISTENT_1",
  ],
  [
    'storage-type',
    { ...MIN.scratch2, storageType: 'INTELLIGENT_TIERING' },
    "'storageType' must be SSD with SCRATCH_2, got INTELLIGENT_TIERING: INTELLIGENT_TIERING needs PERSISTENT_2",
  ],
  [
    'storage-type',
    anything({ ...MIN.scratch2, storageType: 'NVME' }),
    "'storageType' must be SSD with SCRATCH_2, got NVME: leave it out for SSD",
  ],
  [
    'version',
    { ...MIN.persistent2, metadata: undefined, version: '2.10' },
    "'version' must be 2.12 or 2.15 with PERSISTENT_2 SSD, got 2.10: leave it out for 2.15",
  ],
  [
    'version',
    { ...MIN.persistent2, version: '2.12' },
    "'version' must be 2.15 when a metadata configuration is specified, got 2.12: leave it out for 2.15",
  ],
  [
    'version',
    { ...MIN.tiering, version: '2.12' },
    "'version' must be 2.15 with PERSISTENT_2 INTELLIGENT_TIERING, got 2.12: leave it out for 2.15",
  ],
  [
    'version',
    anything({ ...MIN.persistent1, version: '2.16' }),
    "'version' must be 2.10, 2.12 or 2.15 with PERSISTENT_1 SSD, got 2.16: leave it out for 2.15",
  ],
  [
    'compression',
    anything({ ...MIN.persistent1, dataCompressionType: 'ZSTD' }),
    "'dataCompressionType' must be NONE or LZ4, got ZSTD: LZ4 is the only algorithm of the service",
  ],
  [
    'key',
    { ...MIN.scratch2, customerManagedKey: true },
    "'customerManagedKey' must be false with SCRATCH_2, which always uses the key of the service, got true: take a persistent type to use a key of your own",
  ],
  [
    'throughput-tier',
    { ...MIN.persistent1, perUnitStorageThroughput: undefined },
    "'perUnitStorageThroughput' must be one of [50,100,200] MB/s/TiB with PERSISTENT_1 SSD, got nothing: set 50 or more",
  ],
  [
    'throughput-tier',
    { ...MIN.persistent1, perUnitStorageThroughput: 125 },
    "'perUnitStorageThroughput' must be one of [50,100,200] MB/s/TiB with PERSISTENT_1 SSD, got 125: the nearest is 100",
  ],
  [
    'throughput-tier',
    { ...MIN.hdd12, perUnitStorageThroughput: 50 },
    "'perUnitStorageThroughput' must be one of [12,40] MB/s/TiB with PERSISTENT_1 HDD, got 50: the nearest is 40",
  ],
  [
    'throughput-tier',
    { ...MIN.persistent2, perUnitStorageThroughput: 200 },
    "'perUnitStorageThroughput' must be one of [125,250,500,1000] MB/s/TiB with PERSISTENT_2 SSD, got 200: the nearest is 250",
  ],
  [
    'throughput-tier',
    { ...MIN.scratch2, perUnitStorageThroughput: 200 },
    "'perUnitStorageThroughput' must be absent with SCRATCH_2, got 200: leave it out",
  ],
  [
    'throughput-tier',
    { ...MIN.tiering, perUnitStorageThroughput: 125 },
    "'perUnitStorageThroughput' must be absent with PERSISTENT_2 INTELLIGENT_TIERING, got 125: leave it out and set 'throughputCapacity'",
  ],
  [
    'capacity',
    { ...MIN.persistent1, storageCapacityGiB: 1300 },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_1 SSD, got 1300: take 1200 or 2400 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.persistent1, storageCapacityGiB: 3600 },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_1 SSD, got 3600: take 2400 or 4800 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.scratch2, storageCapacityGiB: undefined },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with SCRATCH_2, got nothing: take 1200 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.persistent2, storageCapacityGiB: 600 },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_2 SSD, got 600: take 1200 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.persistent2, storageCapacityGiB: Number.NaN },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_2 SSD, got NaN: take 1200 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.hdd12, storageCapacityGiB: 1800 },
    "'storageCapacityGiB' must be a multiple of 6000 with PERSISTENT_1 HDD at 12 MB/s/TiB, got 1800: take 6000 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.hdd40, storageCapacityGiB: 6000 },
    "'storageCapacityGiB' must be a multiple of 1800 with PERSISTENT_1 HDD at 40 MB/s/TiB, got 6000: take 5400 or 7200 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.efa, storageCapacityGiB: 2400 },
    "'storageCapacityGiB' must be a multiple of 4800 with PERSISTENT_2 SSD at 1000 MB/s/TiB and EFA, got 2400: take 4800 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.efa, perUnitStorageThroughput: 125 },
    "'storageCapacityGiB' must be a multiple of 38400 with PERSISTENT_2 SSD at 125 MB/s/TiB and EFA, got 4800: take 38400 (GiB)",
  ],
  [
    'capacity',
    { ...MIN.tiering, storageCapacityGiB: 0 },
    "'storageCapacityGiB' must be absent with PERSISTENT_2 INTELLIGENT_TIERING, which is elastic, got 0: leave it out",
  ],
  [
    'drive-cache',
    { ...MIN.hdd12, driveCacheType: undefined },
    "'driveCacheType' must be NONE or READ with storage type HDD, got nothing: READ adds an SSD read cache of 20 % of the capacity",
  ],
  [
    'drive-cache',
    { ...MIN.persistent1, driveCacheType: 'READ' },
    "'driveCacheType' must be absent with PERSISTENT_1 SSD: it belongs to storage type HDD, got READ: leave it out",
  ],
  [
    'throughput-capacity',
    { ...MIN.tiering, throughputCapacity: undefined },
    "'throughputCapacity' must be a multiple of 4000 up to 2000000 MB/s with INTELLIGENT_TIERING, got nothing: take 4000",
  ],
  [
    'throughput-capacity',
    { ...MIN.tiering, throughputCapacity: 6000 },
    "'throughputCapacity' must be a multiple of 4000 up to 2000000 MB/s with INTELLIGENT_TIERING, got 6000: take 8000",
  ],
  [
    'throughput-capacity',
    { ...MIN.tiering, throughputCapacity: 2_004_000 },
    "'throughputCapacity' must be a multiple of 4000 up to 2000000 MB/s with INTELLIGENT_TIERING, got 2004000: take 2000000",
  ],
  [
    'throughput-capacity',
    { ...MIN.persistent2, throughputCapacity: 4000 },
    "'throughputCapacity' must be absent with PERSISTENT_2 SSD, got 4000: set 'perUnitStorageThroughput' instead",
  ],
  [
    'throughput-capacity',
    { ...MIN.scratch2, throughputCapacity: 4000 },
    "'throughputCapacity' must be absent with SCRATCH_2, got 4000: leave it out",
  ],
  [
    'read-cache',
    { ...MIN.tiering, dataReadCache: undefined },
    "'dataReadCache' must be given with INTELLIGENT_TIERING, its sizingMode one of NO_CACHE, PROPORTIONAL_TO_THROUGHPUT_CAPACITY, USER_PROVISIONED, got nothing: PROPORTIONAL_TO_THROUGHPUT_CAPACITY gives 20000 GiB for each 4000 MB/s",
  ],
  [
    'read-cache',
    anything({ ...MIN.tiering, dataReadCache: { sizingMode: 'BIG' } }),
    `'dataReadCache' must be given with INTELLIGENT_TIERING, its sizingMode one of NO_CACHE, PROPORTIONAL_TO_THROUGHPUT_CAPACITY, USER_PROVISIONED, got {"sizingMode":"BIG"}: PROPORTIONAL_TO_THROUGHPUT_CAPACITY gives 20000 GiB for each 4000 MB/s`,
  ],
  [
    'read-cache',
    { ...MIN.persistent2, dataReadCache: { sizingMode: 'NO_CACHE' } },
    `'dataReadCache' must be absent with PERSISTENT_2 SSD: it belongs to INTELLIGENT_TIERING, got {"sizingMode":"NO_CACHE"}: leave it out`,
  ],
  [
    'read-cache-size',
    { ...MIN.tiering, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 31 } },
    "'dataReadCache.sizeGiB' must be a whole number from 32 to 131072 GiB at 4000 MB/s, got 31: 20000 is what AWS holds to be proportional",
  ],
  [
    'read-cache-size',
    { ...MIN.tiering, throughputCapacity: 8000, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 262_145 } },
    "'dataReadCache.sizeGiB' must be a whole number from 64 to 262144 GiB at 8000 MB/s, got 262145: 40000 is what AWS holds to be proportional",
  ],
  [
    'read-cache-size',
    anything({ ...MIN.tiering, dataReadCache: { sizingMode: 'NO_CACHE', sizeGiB: 64 } }),
    "'dataReadCache.sizeGiB' must be absent with NO_CACHE, got 64: it belongs to USER_PROVISIONED",
  ],
  [
    'metadata-type',
    { ...MIN.persistent1, metadata: { mode: 'AUTOMATIC' } },
    `'metadata' must be absent with PERSISTENT_1, got {"mode":"AUTOMATIC"}: a metadata configuration needs PERSISTENT_2`,
  ],
  [
    'metadata-type',
    { ...MIN.scratch2, metadata: { mode: 'USER_PROVISIONED', iops: 1500 } },
    `'metadata' must be absent with SCRATCH_2, got {"mode":"USER_PROVISIONED","iops":1500}: a metadata configuration needs PERSISTENT_2`,
  ],
  [
    'metadata-mode',
    { ...MIN.tiering, metadata: { mode: 'AUTOMATIC' } },
    "'metadata.mode' must be USER_PROVISIONED with INTELLIGENT_TIERING, got AUTOMATIC: set 'metadata' to USER_PROVISIONED with 6000 or 12000 IOPS",
  ],
  [
    'metadata-mode',
    { ...MIN.tiering, metadata: undefined },
    "'metadata.mode' must be USER_PROVISIONED with INTELLIGENT_TIERING, got nothing: set 'metadata' to USER_PROVISIONED with 6000 or 12000 IOPS",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 5000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000: take 6000",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 18_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 18000: take 24000",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 204_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 204000: take 192000",
  ],
  [
    'metadata-iops',
    { ...MIN.tiering, metadata: { mode: 'USER_PROVISIONED', iops: 24_000 } },
    "'metadata.iops' must be 6000 or 12000 with INTELLIGENT_TIERING, got 24000: 6000 is the smaller",
  ],
  [
    'metadata-iops',
    anything({ ...MIN.persistent2, metadata: { mode: 'AUTOMATIC', iops: 1500 } }),
    "'metadata.iops' must be absent with AUTOMATIC, got 1500: take USER_PROVISIONED to choose the IOPS",
  ],
  [
    'efa',
    { ...MIN.efa, metadata: undefined },
    "'efaEnabled' must be false but for PERSISTENT_2 file systems with metadata configuration, got true: set 'metadata'",
  ],
  [
    'efa',
    { ...MIN.persistent1, efaEnabled: true },
    "'efaEnabled' must be false but for PERSISTENT_2 file systems with metadata configuration, got true: take PERSISTENT_2 and set 'metadata'",
  ],
  [
    'repository-count',
    {
      ...MIN.persistent2,
      dataRepositories: Array.from({ length: 9 }, (_, i) => ({
        fileSystemPath: `/d${i}`,
        dataRepositoryPath: `s3://bucket/d${i}`,
      })),
    },
    "'dataRepositories' must be at most 8, got 9: link a common parent prefix",
  ],
  [
    'repository-version',
    { ...MIN.persistent1, version: '2.10', dataRepositories: [repository] },
    "'version' must be 2.12 or 2.15 with data repository associations, got 2.10: This file system does not support data repository associations; leave it out for 2.15",
  ],
  [
    'repository-path',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, fileSystemPath: 'data' }] },
    "'fileSystemPath' must be a directory of 1 to 4096 characters that begins with a slash, got data: name a directory such as /data",
  ],
  [
    'repository-path',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, dataRepositoryPath: 'https://bucket' }] },
    "'dataRepositoryPath' must be s3://bucket or s3://bucket/prefix of at most 4357 characters, got https://bucket: name a bucket",
  ],
  [
    'repository-path',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, dataRepositoryPath: 's3://B/data' }] },
    "'dataRepositoryPath' must be s3://bucket or s3://bucket/prefix of at most 4357 characters, got s3://B/data: name a bucket",
  ],
  [
    'repository-overlap',
    {
      ...MIN.persistent2,
      dataRepositories: [repository, { fileSystemPath: '/data/sub', dataRepositoryPath: 's3://bucket/sub' }],
    },
    "'fileSystemPath' must be a directory outside those of the other associations, got /data and /data/sub: take separate ones",
  ],
  [
    'repository-overlap',
    {
      ...MIN.persistent2,
      dataRepositories: [
        { ...repository, fileSystemPath: '/' },
        { fileSystemPath: '/x', dataRepositoryPath: 's3://bucket/x' },
      ],
    },
    "'fileSystemPath' must be a directory outside those of the other associations, got / and /x: take separate ones",
  ],
  [
    'repository-overlap',
    {
      ...MIN.persistent2,
      dataRepositories: [repository, { fileSystemPath: '/database', dataRepositoryPath: 's3://bucket/data/' }],
    },
    "'dataRepositoryPath' must be a bucket or prefix of its own for each association, got s3://bucket/data/ twice: take separate prefixes",
  ],
  [
    'repository-events',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, autoImport: [] }] },
    "'autoImport' must be one or more of NEW, CHANGED, DELETED, each once, got []: leave it out for none",
  ],
  [
    'repository-events',
    anything({ ...MIN.persistent2, dataRepositories: [{ ...repository, autoExport: ['NEW', 'RENAMED'] }] }),
    "'autoExport' must be one or more of NEW, CHANGED, DELETED, each once, got [NEW, RENAMED]: leave it out for none",
  ],
  [
    'repository-events',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, autoExport: ['NEW', 'NEW'] }] },
    "'autoExport' must be one or more of NEW, CHANGED, DELETED, each once, got [NEW, NEW]: leave it out for none",
  ],
  [
    'import-chunk',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, importedFileChunkSizeMiB: 0 }] },
    "'importedFileChunkSizeMiB' must be a whole number of MiB from 1 to 512000, got 0: leave it out for 1024",
  ],
  [
    'import-chunk',
    { ...MIN.persistent1, s3Link: { ...link, importedFileChunkSizeMiB: 512_001 } },
    "'importedFileChunkSizeMiB' must be a whole number of MiB from 1 to 512000, got 512001: leave it out for 1024",
  ],
  [
    's3-link-type',
    { ...MIN.persistent2, s3Link: link },
    "'s3Link' must be absent with PERSISTENT_2, got s3://bucket/in: link the bucket through 'dataRepositories'",
  ],
  [
    's3-link-alone',
    { ...MIN.persistent1, s3Link: link, dataRepositories: [repository] },
    "'s3Link' must be absent beside 'dataRepositories', got s3://bucket/in: use data repository associations only",
  ],
  [
    's3-link-path',
    { ...MIN.persistent1, s3Link: { importPath: 'bucket' } },
    "'importPath' must be s3://bucket or s3://bucket/prefix of at most 4357 characters, got bucket: name a bucket",
  ],
  [
    's3-link-path',
    { ...MIN.persistent1, s3Link: { ...link, exportPath: 's3://other/out' } },
    "'exportPath' must be in the bucket of the import path, bucket, got s3://other/out: take a prefix there",
  ],
  [
    's3-link-path',
    anything({ ...MIN.persistent1, s3Link: { ...link, autoImportPolicy: 'ALL' } }),
    "'autoImportPolicy' must be NONE, NEW, NEW_CHANGED or NEW_CHANGED_DELETED, got ALL: leave it out for NONE",
  ],
  [
    'backup-retention',
    { ...MIN.persistent1, backups: { retentionDays: 91 } },
    "'backups.retentionDays' must be a whole number of days from 0 to 90, got 91: 0 means none",
  ],
  [
    'backup-type',
    { ...MIN.scratch2, backups: { retentionDays: 1 } },
    "'backups' must be absent with SCRATCH_2, got a retention of 1 days: take a persistent type for backups",
  ],
  [
    'backup-link',
    { ...MIN.persistent2, dataRepositories: [repository], backups: { retentionDays: 7 } },
    "'backups' must be absent with a link to S3, got a retention of 7 days: Backups cannot be created on S3-linked file systems",
  ],
  [
    'backup-link',
    { ...MIN.persistent1, s3Link: link, backups: { retentionDays: 7 } },
    "'backups' must be absent with a link to S3, got a retention of 7 days: Backups cannot be created on S3-linked file systems",
  ],
  [
    'backup-time',
    { ...MIN.persistent1, backups: { retentionDays: 7, dailyStartTime: '24:00' } },
    "'backups.dailyStartTime' must be a time as HH:MM, got 24:00: such as 05:00, in UTC",
  ],
  [
    'backup-time',
    { ...MIN.persistent1, backups: { retentionDays: 0, dailyStartTime: '05:00' } },
    "'backups.dailyStartTime' must be absent when no backup is retained, got 05:00: set 'retentionDays' to 1 or more",
  ],
  [
    'log-level',
    anything({ ...MIN.persistent1, logLevel: 'ALL' }),
    "'logLevel' must be DISABLED, WARN_ONLY, ERROR_ONLY or WARN_ERROR, got ALL: WARN_ERROR logs the most",
  ],
  [
    'maintenance',
    { ...MIN.persistent1, weeklyMaintenanceStartTime: '0:03:00' },
    "'weeklyMaintenanceStartTime' must be a time as d:HH:MM with d from 1 (Monday) to 7, got 0:03:00: such as 7:03:00, in UTC",
  ],
  [
    'metadata-mode',
    anything({ ...MIN.persistent2, metadata: { mode: 'MANUAL', iops: 1500 } }),
    "'metadata.mode' must be AUTOMATIC or USER_PROVISIONED, got MANUAL: name one of them",
  ],
];

const ADVISED: [id: string, configuration: LustreConfiguration, message: string][] = [
  [
    'scratch',
    { ...MIN.scratch2, storageCapacityGiB: 4800 },
    "'deploymentType' SCRATCH_2 keeps no second copy: a failing server takes its files with it, and a long run ends there; prefer a persistent type for runs of hours",
  ],
  [
    'old-version',
    { ...PUBLISHED, version: '2.10' },
    "'version' 2.10 is not the current one, and Amazon Linux 2023 cannot mount it; leave it out for 2.15",
  ],
  ['old-version', { ...PUBLISHED, version: '2.12' }, "'version' 2.12 is not the current one; leave it out for 2.15"],
  [
    'no-metadata-configuration',
    { ...MIN.persistent2, storageCapacityGiB: 4800, metadata: undefined },
    "'metadata' is absent: it cannot be added after creation, and AWS publishes no metadata rate for such a file system; set USER_PROVISIONED with the IOPS wanted",
  ],
  [
    'automatic-metadata',
    { ...MIN.persistent2, storageCapacityGiB: 9600, metadata: { mode: 'AUTOMATIC' } },
    "'metadata' AUTOMATIC gives 6000 IOPS at 9600 GiB and changes them with the capacity; take USER_PROVISIONED where results shall be compared",
  ],
  [
    'few-metadata-iops',
    { ...MIN.persistent2, storageCapacityGiB: 12_000, metadata: { mode: 'USER_PROVISIONED', iops: 6000 } },
    "'metadata.iops' 6000 is below the 12000 that the price of 12000 GiB includes; 12000 costs the same",
  ],
  [
    'one-server',
    { ...MIN.persistent1, storageCapacityGiB: 2400 },
    'one file server holds all data, so that no client gets more than 5 Gbit/s (625 MB/s) whatever its network; take more capacity to measure the tier',
  ],
  [
    'hdd-without-cache',
    { ...MIN.hdd12, storageCapacityGiB: 12_000, driveCacheType: 'NONE' },
    "'driveCacheType' NONE leaves every read that misses memory to hard disks; take READ unless the disks are what is measured",
  ],
  [
    'no-read-cache',
    { ...MIN.tiering, throughputCapacity: 8000, dataReadCache: { sizingMode: 'NO_CACHE' } },
    "'dataReadCache' NO_CACHE makes a read that misses memory take tens of milliseconds; take PROPORTIONAL_TO_THROUGHPUT_CAPACITY unless that is what is measured",
  ],
  [
    'backups',
    { ...PUBLISHED, backups: { retentionDays: 1 } },
    "'backups' may run during a measurement, and they are kept and billed after the file system is gone; leave them out of a benchmark",
  ],
  [
    'linked',
    { ...PUBLISHED, dataRepositories: [repository] },
    'the link to S3 moves data over the network of the file servers, which counts as theirs in the metrics; keep measured directories outside it',
  ],
  [
    'quota',
    { ...PUBLISHED, storageCapacityGiB: 103_200 },
    "'storageCapacityGiB' 103200 is above the default quota of 100800 GiB in a Region; have it raised in Service Quotas before deploying",
  ],
  [
    'quota',
    { ...MIN.hdd12, storageCapacityGiB: 108_000 },
    "'storageCapacityGiB' 108000 is above the default quota of 102000 GiB for a file system on HDD; have it raised in Service Quotas before deploying",
  ],
  [
    'tiering-throughput-quota',
    { ...MIN.tiering, throughputCapacity: 104_000, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 832 } },
    "'throughputCapacity' 104000 is above the default quota of 100000 MB/s in a Region; have it raised in Service Quotas before deploying",
  ],
  [
    'tiering-cache-quota',
    { ...MIN.tiering, throughputCapacity: 24_000 },
    "'dataReadCache' of 120000 GiB is above the default quota of 100800 GiB in a Region; have it raised in Service Quotas before deploying",
  ],
];

test.each(REFUSED)('%s: %j is refused', (id, configuration, message) => {
  expect(checkLustre(configuration).errors).toEqual([{ id: `fsxbench:lustre-${id}`, message }]);
});

test('every rule has a configuration that breaks it', () => {
  const shown = new Set(REFUSED.map(([id]) => `fsxbench:lustre-${id}`));
  expect(LUSTRE_RULES.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
});

test.each(ADVISED)('%s: %j is accepted with a warning', (id, configuration, message) => {
  expect(checkLustre(configuration)).toEqual({ errors: [], warnings: [{ id: `fsxbench:lustre-${id}`, message }] });
});

test('every advice has a configuration that calls for it', () => {
  const shown = new Set(ADVISED.map(([id]) => `fsxbench:lustre-${id}`));
  expect(LUSTRE_ADVICE.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
});

test('the file system of the published study draws no remark', () => {
  expect(checkLustre(PUBLISHED)).toEqual({ errors: [], warnings: [] });
});

const cache = (sizeGiB: number) => ({ sizingMode: 'USER_PROVISIONED', sizeGiB }) as const;
const repositories = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ fileSystemPath: `/d${i}`, dataRepositoryPath: `s3://bucket/d${i}` }));

test.each<LustreConfiguration>([
  { ...MIN.tiering, throughputCapacity: 2_000_000 },
  { ...MIN.tiering, dataReadCache: cache(32) },
  { ...MIN.tiering, dataReadCache: cache(131_072) },
  { ...MIN.tiering, throughputCapacity: 8000, dataReadCache: cache(262_144) },
  { ...MIN.persistent2, dataRepositories: repositories(8) },
  { ...MIN.persistent1, version: '2.12', dataRepositories: repositories(1) },
  {
    ...MIN.persistent2,
    dataRepositories: [repository, { ...repository, fileSystemPath: '/database', dataRepositoryPath: 's3://bucket' }],
  },
  {
    ...MIN.persistent2,
    dataRepositories: [{ ...repository, importedFileChunkSizeMiB: 512_000, autoImport: ['DELETED'] }],
  },
  { ...MIN.persistent1, s3Link: { ...link, exportPath: 's3://bucket', importedFileChunkSizeMiB: 1 } },
  { ...MIN.scratch2, s3Link: { ...link, autoImportPolicy: 'NEW_CHANGED_DELETED' } },
  { ...MIN.persistent1, backups: { retentionDays: 90, dailyStartTime: '23:59' } },
  { ...MIN.scratch2, backups: { retentionDays: 0 } },
  { ...MIN.persistent1, s3Link: link, backups: { retentionDays: 0 } },
  { ...MIN.persistent1, weeklyMaintenanceStartTime: '7:23:59', logLevel: 'ERROR_ONLY' },
  { ...MIN.persistent2, metadata: undefined, version: '2.12' },
  { ...MIN.persistent1, version: '2.10', customerManagedKey: true },
])('what is just within the rules is accepted: %#', (configuration) => {
  expect(checkLustre(configuration).errors).toEqual([]);
});

test.each(Object.entries(MIN))('the smallest file system is accepted: %s', (_, configuration) => {
  expect(checkLustre(configuration).errors).toEqual([]);
});

test('no id is used twice, for acknowledgements name it', () => {
  const ids = [...LUSTRE_RULES, ...LUSTRE_ADVICE].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('all broken rules are listed in one error, and no advice among them', () => {
  const wrong = { ...MIN.scratch2, storageCapacityGiB: 1000, perUnitStorageThroughput: 200, customerManagedKey: true };
  expect(checkLustre(wrong).warnings).toEqual([]);
  expect(() => validateLustre(wrong)).toThrow(
    [
      'AWS would refuse this file system (SCRATCH_2 SSD 1000 GiB, 200 MB/s/TiB, no compression):',
      "- 'customerManagedKey' must be false with SCRATCH_2, which always uses the key of the service, got true: take a persistent type to use a key of your own [fsxbench:lustre-key]",
      "- 'perUnitStorageThroughput' must be absent with SCRATCH_2, got 200: leave it out [fsxbench:lustre-throughput-tier]",
      "- 'storageCapacityGiB' must be 1200 or a multiple of 2400 with SCRATCH_2, got 1000: take 1200 (GiB) [fsxbench:lustre-capacity]",
    ].join('\n'),
  );
});

test('validation hands back the warnings of what is legal', () => {
  expect(validateLustre(MIN.scratch2).map(({ id }) => id)).toEqual([
    'fsxbench:lustre-scratch',
    'fsxbench:lustre-one-server',
  ]);
});

test('a path that CloudFormation fills in later is not judged', () => {
  const dataRepositoryPath = `s3://\${Token[TOKEN.12]}/data`;
  const later = { ...MIN.persistent2, dataRepositories: [{ fileSystemPath: '/data', dataRepositoryPath }] };
  expect(checkLustre(later).errors).toEqual([]);
});
