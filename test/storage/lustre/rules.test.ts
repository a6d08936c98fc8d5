import type { LustreConfiguration } from '../../../lib/storage/lustre/configuration';
import { ADVICE } from '../../../lib/storage/lustre/rule/advice';
import { METADATA_RULES, TIERING_RULES } from '../../../lib/storage/lustre/rule/metadata';
import { REPOSITORY_RULES } from '../../../lib/storage/lustre/rule/repositories';
import { SIZE_RULES, TYPE_RULES } from '../../../lib/storage/lustre/rule/type';
import { checkLustre, LUSTRE_RULES, OPERATION_RULES, validateLustre } from '../../../lib/storage/lustre/rules';
import { MIN } from './configurations';
import { cache, link, repositories, repository } from './rule/cases';

const TABLES = [TYPE_RULES, SIZE_RULES, TIERING_RULES, METADATA_RULES, REPOSITORY_RULES, OPERATION_RULES];

test('every rule is of a file whose tests break each of them', () => {
  const tested = TABLES.flatMap((rules) => Object.values(rules));
  expect(new Set(Object.values(LUSTRE_RULES))).toEqual(new Set(tested));
});

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
  { ...MIN.persistent1, version: '2.10' },
])('what is just within the rules is accepted: %#', (configuration) => {
  expect(checkLustre(configuration).errors).toEqual([]);
});

test.each(Object.entries(MIN))('the smallest file system is accepted: %s', (_, configuration) => {
  expect(checkLustre(configuration).errors).toEqual([]);
});

test('no id is used twice, for acknowledgements name it', () => {
  const ids = [...TABLES, ADVICE].flatMap((rules) => Object.keys(rules));
  expect(new Set(ids).size).toBe(ids.length);
});

test('all broken rules are listed in one error, and no advice among them', () => {
  const wrong = { ...MIN.scratch2, storageCapacityGiB: 1000, perUnitStorageThroughput: 200 };
  expect(checkLustre(wrong).warnings).toEqual([]);
  expect(() => validateLustre(wrong)).toThrow(
    [
      'AWS would refuse this file system (SCRATCH_2 SSD 1000 GiB, 200 MB/s/TiB, no compression):',
      "- 'perUnitStorageThroughput' (200) cannot be combined with SCRATCH_2: its throughput per TiB is fixed. Leave it out. [fsxbench:lustre-throughput-tier]",
      "- 'storageCapacityGiB' must be 1200 or a multiple of 2400 with SCRATCH_2, got 1000. Take 1200 (GiB). [fsxbench:lustre-capacity]",
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
