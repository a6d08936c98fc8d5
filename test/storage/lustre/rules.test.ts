import { violationMessage } from '../../../lib/common/violation';
import type { LustreConfiguration } from '../../../lib/storage/lustre/configuration';
import { metadataIopsAbove } from '../../../lib/storage/lustre/documented';
import { ADVICE, checkLustre, LUSTRE_RULES, validateLustre } from '../../../lib/storage/lustre/rules';
import { MIN } from './configurations';

type Cases = Readonly<Record<string, readonly LustreConfiguration[]>>;

/** Values that JSON or JavaScript can ask for although the types do not allow it. */
const anything = (configuration: object) => configuration as LustreConfiguration;

/** Configuration of the compression study. */
const PUBLISHED = { ...MIN.persistent1, storageCapacityGiB: 14_400, perUnitStorageThroughput: 200 } as const;

const repository = { fileSystemPath: '/data', dataRepositoryPath: 's3://bucket/data' };
const linked = (...changes: object[]) =>
  anything({ ...MIN.persistent2, dataRepositories: changes.map((change) => ({ ...repository, ...change })) });
const repositories = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ fileSystemPath: `/d${i}`, dataRepositoryPath: `s3://bucket/d${i}` }));
const link = { importPath: 's3://bucket/in' };
const cache = (sizeGiB: number) => ({ sizingMode: 'USER_PROVISIONED', sizeGiB }) as const;
const iops = (count: number) => ({ mode: 'USER_PROVISIONED', iops: count }) as const;
const NO_CACHE = { sizingMode: 'NO_CACHE' } as const;
const AUTOMATIC = { mode: 'AUTOMATIC' } as const;

/** Configurations by the one rule that each breaks. */
const REFUSED: Cases = {
  'deployment-type': [anything({ ...MIN.scratch2, deploymentType: 'SCRATCH_1' })],
  'storage-type': [
    { ...MIN.persistent2, storageType: 'HDD' },
    { ...MIN.scratch2, storageType: 'INTELLIGENT_TIERING' },
    anything({ ...MIN.scratch2, storageType: 'NVME' }),
  ],
  version: [
    { ...MIN.persistent2, metadata: undefined, version: '2.10' },
    { ...MIN.persistent2, version: '2.12' },
    { ...MIN.tiering, version: '2.12' },
    anything({ ...MIN.persistent1, version: '2.16' }),
  ],
  compression: [anything({ ...MIN.persistent1, dataCompressionType: 'ZSTD' })],
  'capacity-unit': [{ ...MIN.persistent1, storageCapacityGiB: 24_000_000 }],
  'throughput-tier': [
    { ...MIN.persistent1, perUnitStorageThroughput: undefined },
    { ...MIN.persistent1, perUnitStorageThroughput: 125 },
    { ...MIN.hdd12, perUnitStorageThroughput: 50 },
    { ...MIN.persistent2, perUnitStorageThroughput: 200 },
    { ...MIN.scratch2, perUnitStorageThroughput: 200 },
    { ...MIN.tiering, perUnitStorageThroughput: 125 },
  ],
  capacity: [
    ...[1300, 3600, 0].map((storageCapacityGiB) => ({ ...MIN.persistent1, storageCapacityGiB })),
    { ...MIN.scratch2, storageCapacityGiB: undefined },
    ...[600, Number.NaN].map((storageCapacityGiB) => ({ ...MIN.persistent2, storageCapacityGiB })),
    { ...MIN.hdd12, storageCapacityGiB: 1800 },
    { ...MIN.hdd40, storageCapacityGiB: 6000 },
    { ...MIN.efa, storageCapacityGiB: 2400 },
    { ...MIN.efa, perUnitStorageThroughput: 125 },
    { ...MIN.tiering, storageCapacityGiB: 0 },
  ],
  'drive-cache': [
    { ...MIN.hdd12, driveCacheType: undefined },
    { ...MIN.persistent1, driveCacheType: 'READ' },
  ],
  'throughput-capacity': [
    ...[undefined, 6000, 2_004_000].map((throughputCapacity) => ({ ...MIN.tiering, throughputCapacity })),
    { ...MIN.persistent2, throughputCapacity: 4000 },
    { ...MIN.scratch2, throughputCapacity: 4000 },
  ],
  'read-cache': [
    { ...MIN.tiering, dataReadCache: undefined },
    anything({ ...MIN.tiering, dataReadCache: { sizingMode: 'BIG' } }),
    { ...MIN.persistent2, dataReadCache: NO_CACHE },
  ],
  'read-cache-size': [
    { ...MIN.tiering, dataReadCache: cache(31) },
    { ...MIN.tiering, throughputCapacity: 8000, dataReadCache: cache(262_145) },
    { ...MIN.tiering, throughputCapacity: 1000, dataReadCache: cache(7) },
    anything({ ...MIN.tiering, dataReadCache: { ...NO_CACHE, sizeGiB: 64 } }),
  ],
  'metadata-type': [
    { ...MIN.persistent1, metadata: AUTOMATIC },
    { ...MIN.scratch2, metadata: iops(1500) },
  ],
  'metadata-mode': [
    { ...MIN.tiering, metadata: undefined },
    anything({ ...MIN.persistent2, metadata: { mode: 'MANUAL', iops: 1500 } }),
  ],
  'metadata-iops': [
    ...[5000, 18_000, 204_000].map((count) => ({ ...MIN.persistent2, metadata: iops(count) })),
    { ...MIN.tiering, metadata: iops(18_000) },
    anything({ ...MIN.persistent2, metadata: { ...AUTOMATIC, iops: 1500 } }),
  ],
  'metadata-min': [
    { ...MIN.persistent2, storageCapacityGiB: 12_000, metadata: iops(6000) },
    { ...MIN.persistent2, storageCapacityGiB: 2400, metadata: iops(1500) },
    // How AUTOMATIC rounds between multiples of 24,000 GiB is not documented: rounded up.
    { ...MIN.persistent2, storageCapacityGiB: 50_400, metadata: iops(24_000) },
  ],
  efa: [
    { ...MIN.efa, metadata: undefined },
    { ...MIN.persistent1, efaEnabled: true },
  ],
  'efa-throughput': [{ ...MIN.tiering, throughputCapacity: 2000, efaEnabled: true }],
  'repository-count': [{ ...MIN.persistent2, dataRepositories: repositories(9) }],
  'repository-version': [{ ...MIN.persistent1, version: '2.10', dataRepositories: [repository] }],
  'repository-tiering': [{ ...MIN.tiering, dataRepositories: [repository] }],
  'repository-path': [
    linked({ fileSystemPath: 'data' }),
    linked({ dataRepositoryPath: 'https://bucket' }),
    linked({ dataRepositoryPath: 's3://B/data' }),
  ],
  'repository-overlap': [
    linked({}, { fileSystemPath: '/data/sub', dataRepositoryPath: 's3://bucket/sub' }),
    linked({ fileSystemPath: '/data/sub' }, { fileSystemPath: '/data/', dataRepositoryPath: 's3://bucket/sub' }),
    linked({ fileSystemPath: '/' }, { fileSystemPath: '/x', dataRepositoryPath: 's3://bucket/x' }),
    linked({}, { fileSystemPath: '/database', dataRepositoryPath: 's3://bucket/data/' }),
  ],
  'repository-events': [
    linked({ autoImport: [] }),
    linked({ autoExport: ['NEW', 'RENAMED'] }),
    linked({ autoExport: ['NEW', 'NEW'] }),
  ],
  'import-chunk': [
    linked({ importedFileChunkSizeMiB: 0 }),
    { ...MIN.persistent1, s3Link: { ...link, importedFileChunkSizeMiB: 512_001 } },
  ],
  's3-link-type': [{ ...MIN.persistent2, s3Link: link }],
  's3-link-alone': [{ ...MIN.persistent1, s3Link: link, dataRepositories: [repository] }],
  's3-link-path': [
    { ...MIN.persistent1, s3Link: { importPath: 'bucket' } },
    { ...MIN.persistent1, s3Link: { ...link, exportPath: 's3://other/out' } },
    anything({ ...MIN.persistent1, s3Link: { ...link, autoImportPolicy: 'ALL' } }),
  ],
  'backup-retention': [91, -1, 0.5].map((retentionDays) => ({ ...MIN.persistent1, backups: { retentionDays } })),
  'backup-type': [{ ...MIN.scratch2, backups: { retentionDays: 1 } }],
  'backup-link': [
    { ...MIN.persistent2, dataRepositories: [repository], backups: { retentionDays: 7 } },
    { ...MIN.persistent1, s3Link: link, backups: { retentionDays: 7 } },
  ],
  'backup-time': [
    ...['24:00', '105:00', '05:000'].map((dailyStartTime) => ({
      ...MIN.persistent1,
      backups: { retentionDays: 7, dailyStartTime },
    })),
    { ...MIN.persistent1, backups: { retentionDays: 0, dailyStartTime: '05:00' } },
  ],
  'log-level': [anything({ ...MIN.persistent1, logLevel: 'ALL' })],
  maintenance: [{ ...MIN.persistent1, weeklyMaintenanceStartTime: '0:03:00' }],
};

/** Configurations by the one remark that each draws. */
const ADVISED: Cases = {
  scratch: [{ ...MIN.scratch2, storageCapacityGiB: 4800 }],
  'old-version': [
    { ...PUBLISHED, version: '2.10' },
    { ...PUBLISHED, version: '2.12' },
  ],
  'no-metadata-configuration': [{ ...MIN.persistent2, storageCapacityGiB: 4800, metadata: undefined }],
  'automatic-metadata': [{ ...MIN.persistent2, storageCapacityGiB: 9600, metadata: AUTOMATIC }],
  'new-tiering': [{ ...MIN.tiering, throughputCapacity: 8000, metadata: AUTOMATIC }],
  'one-server': [{ ...MIN.persistent1, storageCapacityGiB: 2400 }],
  'hdd-without-cache': [{ ...MIN.hdd12, storageCapacityGiB: 12_000, driveCacheType: 'NONE' }],
  'no-read-cache': [{ ...MIN.tiering, throughputCapacity: 8000, dataReadCache: NO_CACHE }],
  backups: [{ ...PUBLISHED, backups: { retentionDays: 1 } }],
  linked: [{ ...PUBLISHED, dataRepositories: [repository] }],
};

const flat = (cases: Cases) =>
  Object.entries(cases).flatMap(([id, all]) => all.map((configuration) => [id, configuration] as const));

test.each(flat(REFUSED))('%s: %j is refused by this rule alone, in the words of the snapshot', (id, configuration) => {
  const [error, ...more] = checkLustre(configuration).errors;
  expect([error?.id, more]).toEqual([`fsxbench:lustre-${id}`, []]);
  expect(error && violationMessage(error)).toMatchSnapshot();
});

test.each(flat(ADVISED))(
  '%s: %j is accepted with this warning alone, in the words of the snapshot',
  (id, configuration) => {
    const { errors, warnings } = checkLustre(configuration);
    expect([errors, warnings.map((warning) => warning.id)]).toEqual([[], [`fsxbench:lustre-${id}`]]);
    expect(warnings[0]?.message).toMatchSnapshot();
  },
);

test('every rule and every advice has a configuration here, under an id of its own, for acknowledgements name it', () => {
  expect(Object.keys(REFUSED).sort()).toEqual(Object.keys(LUSTRE_RULES).sort());
  expect(Object.keys(ADVISED).sort()).toEqual(Object.keys(ADVICE).sort());
  expect(Object.keys(ADVICE).filter((id) => id in LUSTRE_RULES)).toEqual([]);
});

test.each<LustreConfiguration>([
  ...Object.values(MIN),
  ...[1000, 2000, 2_000_000].map((throughputCapacity) => ({ ...MIN.tiering, throughputCapacity })),
  { ...MIN.tiering, dataReadCache: cache(32) },
  { ...MIN.tiering, dataReadCache: cache(131_072) },
  { ...MIN.tiering, throughputCapacity: 8000, dataReadCache: cache(262_144) },
  { ...MIN.persistent2, dataRepositories: repositories(8) },
  { ...MIN.persistent1, version: '2.12', dataRepositories: repositories(1) },
  linked({}, { fileSystemPath: '/database', dataRepositoryPath: 's3://bucket' }),
  linked({ importedFileChunkSizeMiB: 512_000, autoImport: ['DELETED'] }),
  // A path that CloudFormation fills in later is not judged.
  linked({ dataRepositoryPath: `s3://\${Token[TOKEN.12]}/data` }),
  { ...MIN.persistent1, s3Link: { ...link, exportPath: 's3://bucket', importedFileChunkSizeMiB: 1 } },
  { ...MIN.scratch2, s3Link: { ...link, autoImportPolicy: 'NEW_CHANGED_DELETED' } },
  { ...MIN.persistent1, backups: { retentionDays: 90, dailyStartTime: '23:59' } },
  { ...MIN.scratch2, backups: { retentionDays: 0 } },
  { ...MIN.persistent1, s3Link: link, backups: { retentionDays: 0 } },
  { ...MIN.persistent1, weeklyMaintenanceStartTime: '7:23:59', logLevel: 'ERROR_ONLY' },
  { ...MIN.persistent2, metadata: undefined, version: '2.12' },
  { ...MIN.persistent1, version: '2.10' },
])('what is just within the rules is accepted: %j', (configuration) => {
  expect(checkLustre(configuration).errors).toEqual([]);
});

// One step further each draws a remark; the last is the file system of the published study.
test.each<LustreConfiguration>([
  { ...MIN.persistent2, storageCapacityGiB: 12_000, metadata: iops(12_000) },
  { ...PUBLISHED, backups: { retentionDays: 0 } },
  PUBLISHED,
])('%j draws no remark', (configuration) => {
  expect(checkLustre(configuration)).toEqual({ errors: [], warnings: [] });
});

test('all broken rules are listed in one error, and no advice among them; warnings of what is legal are handed back', () => {
  const wrong = { ...MIN.scratch2, storageCapacityGiB: 1000, perUnitStorageThroughput: 200 };
  expect(checkLustre(wrong).warnings).toEqual([]);
  expect(() => validateLustre(wrong)).toThrow(
    [
      'AWS would refuse this file system (SCRATCH_2 SSD 1000 GiB, 200 MB/s/TiB, no compression):',
      "- 'perUnitStorageThroughput' (200) cannot be combined with SCRATCH_2: its throughput per TiB is fixed. Leave it out. [fsxbench:lustre-throughput-tier]",
      "- 'storageCapacityGiB' must be 1200 or a multiple of 2400 with SCRATCH_2, got 1000. Take 1200 (GiB). [fsxbench:lustre-capacity]",
    ].join('\n'),
  );
  const ids = validateLustre(MIN.scratch2).map(({ id }) => id);
  expect(ids).toEqual(['fsxbench:lustre-scratch', 'fsxbench:lustre-one-server']);
});

test.each<[capacityGiB: number, min: number]>([
  [1200, 1500],
  [2400, 3000],
  [4800, 6000],
  [9600, 6000],
  [12_000, 12_000],
  [45_600, 12_000],
  [48_000, 24_000],
  [72_000, 36_000],
  [1_000_800, 192_000],
])('%i GiB takes %i metadata IOPS and more, not the level below', (storageCapacityGiB, min) => {
  const at = (count: number) =>
    checkLustre({ ...MIN.persistent2, storageCapacityGiB, metadata: iops(count) }).errors.length === 0;
  expect(metadataIopsAbove(0).filter(at)).toEqual(metadataIopsAbove(0).filter((count) => count >= min));
});

test('Intelligent-Tiering takes every level, AUTOMATIC, and no capacity decides', () => {
  for (const metadata of [AUTOMATIC, ...metadataIopsAbove(0).map(iops)])
    expect(checkLustre({ ...MIN.tiering, metadata }).errors).toEqual([]);
});

describe('a path', () => {
  const ids = (change: object) => checkLustre(linked(change)).errors.map(({ id }) => id);
  const wrong = ['fsxbench:lustre-repository-path'];

  test('may be as long as the API takes, and no longer', () => {
    expect(ids({ fileSystemPath: `/${'d'.repeat(4095)}` })).toEqual([]);
    expect(ids({ fileSystemPath: `/${'d'.repeat(4096)}` })).toEqual(wrong);
    expect(ids({ dataRepositoryPath: `s3://bucket/${'d'.repeat(4345)}` })).toEqual([]);
    expect(ids({ dataRepositoryPath: `s3://bucket/${'d'.repeat(4346)}` })).toEqual(wrong);
  });

  test('has no line break, is a text and begins as it must', () => {
    for (const path of ['/a\nb', '/a\u2028b', 7]) expect(ids({ fileSystemPath: path })).toEqual(wrong);
    for (const path of ['s3://bucket/a\nb', 'see s3://bucket', 7])
      expect(ids({ dataRepositoryPath: path })).toEqual(wrong);
  });
});
