import { REPOSITORY_RULES } from '../../../../lib/storage/lustre/rule/repositories';
import { checkLustre } from '../../../../lib/storage/lustre/rules';
import { MIN } from '../configurations';
import { anything, type Case, link, refuses, repository } from './cases';

const REFUSED: Case[] = [
  [
    'repository-count',
    {
      ...MIN.persistent2,
      dataRepositories: Array.from({ length: 9 }, (_, i) => ({
        fileSystemPath: `/d${i}`,
        dataRepositoryPath: `s3://bucket/d${i}`,
      })),
    },
    "'dataRepositories' must be at most 8, got 9. Link a common parent prefix.",
  ],
  [
    'repository-version',
    { ...MIN.persistent1, version: '2.10', dataRepositories: [repository] },
    "'version' must be 2.12 or 2.15 with data repository associations, got 2.10. This file system does not support data repository associations; leave it out for 2.15.",
  ],
  [
    'repository-tiering',
    { ...MIN.tiering, dataRepositories: [repository] },
    "'dataRepositories' (s3://bucket/data) cannot be combined with INTELLIGENT_TIERING: it has no data repository associations. Use SSD storage, or copy the data.",
  ],
  [
    'repository-path',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, fileSystemPath: 'data' }] },
    "'fileSystemPath' must be a directory of 1 to 4096 characters that begins with a slash, got data. Name a directory such as /data.",
  ],
  [
    'repository-path',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, dataRepositoryPath: 'https://bucket' }] },
    "'dataRepositoryPath' must be s3://bucket or s3://bucket/prefix of at most 4357 characters, got https://bucket. Name a bucket.",
  ],
  [
    'repository-path',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, dataRepositoryPath: 's3://B/data' }] },
    "'dataRepositoryPath' must be s3://bucket or s3://bucket/prefix of at most 4357 characters, got s3://B/data. Name a bucket.",
  ],
  [
    'repository-overlap',
    {
      ...MIN.persistent2,
      dataRepositories: [repository, { fileSystemPath: '/data/sub', dataRepositoryPath: 's3://bucket/sub' }],
    },
    "'fileSystemPath' must be a directory outside those of the other associations, got /data and /data/sub. Take separate ones.",
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
    "'fileSystemPath' must be a directory outside those of the other associations, got / and /x. Take separate ones.",
  ],
  [
    'repository-overlap',
    {
      ...MIN.persistent2,
      dataRepositories: [repository, { fileSystemPath: '/database', dataRepositoryPath: 's3://bucket/data/' }],
    },
    "'dataRepositoryPath' must be a separate bucket or prefix for each association, got s3://bucket/data/ twice. Take separate prefixes.",
  ],
  [
    'repository-events',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, autoImport: [] }] },
    "'autoImport' must be one or more of NEW, CHANGED, DELETED, each once, got []. Leave it out for none.",
  ],
  [
    'repository-events',
    anything({ ...MIN.persistent2, dataRepositories: [{ ...repository, autoExport: ['NEW', 'RENAMED'] }] }),
    "'autoExport' must be one or more of NEW, CHANGED, DELETED, each once, got [NEW, RENAMED]. Leave it out for none.",
  ],
  [
    'repository-events',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, autoExport: ['NEW', 'NEW'] }] },
    "'autoExport' must be one or more of NEW, CHANGED, DELETED, each once, got [NEW, NEW]. Leave it out for none.",
  ],
  [
    'import-chunk',
    { ...MIN.persistent2, dataRepositories: [{ ...repository, importedFileChunkSizeMiB: 0 }] },
    "'importedFileChunkSizeMiB' must be a whole number of MiB from 1 to 512000, got 0. Leave it out for 1024.",
  ],
  [
    'import-chunk',
    { ...MIN.persistent1, s3Link: { ...link, importedFileChunkSizeMiB: 512_001 } },
    "'importedFileChunkSizeMiB' must be a whole number of MiB from 1 to 512000, got 512001. Leave it out for 1024.",
  ],
  [
    's3-link-type',
    { ...MIN.persistent2, s3Link: link },
    "'s3Link' (s3://bucket/in) cannot be combined with PERSISTENT_2: it is linked by data repository associations only. Link the bucket through 'dataRepositories'.",
  ],
  [
    's3-link-alone',
    { ...MIN.persistent1, s3Link: link, dataRepositories: [repository] },
    "'s3Link' (s3://bucket/in) cannot be combined with 'dataRepositories': a file system has one kind of link. Use data repository associations only.",
  ],
  [
    's3-link-path',
    { ...MIN.persistent1, s3Link: { importPath: 'bucket' } },
    "'importPath' must be s3://bucket or s3://bucket/prefix of at most 4357 characters, got bucket. Name a bucket.",
  ],
  [
    's3-link-path',
    { ...MIN.persistent1, s3Link: { ...link, exportPath: 's3://other/out' } },
    "'exportPath' must be in the bucket of the import path, bucket, got s3://other/out. Take a prefix there.",
  ],
  [
    's3-link-path',
    anything({ ...MIN.persistent1, s3Link: { ...link, autoImportPolicy: 'ALL' } }),
    "'autoImportPolicy' must be NONE, NEW, NEW_CHANGED or NEW_CHANGED_DELETED, got ALL. Leave it out for NONE.",
  ],
];

refuses(REPOSITORY_RULES, REFUSED);

describe('a path', () => {
  const ids = (change: object) =>
    checkLustre(anything({ ...MIN.persistent2, dataRepositories: [{ ...repository, ...change }] })).errors.map(
      ({ id }) => id,
    );
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
