import { shown } from '../../../common/violation';
import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration, type RepositoryEvent } from '../configuration';
import { DEPLOYMENTS, typeOf } from '../types';
import { isLater, must, oneOf, type Rules } from './rule';

const EVENTS: readonly RepositoryEvent[] = ['NEW', 'CHANGED', 'DELETED'];
const IMPORT_POLICIES = ['NONE', 'NEW', 'NEW_CHANGED', 'NEW_CHANGED_DELETED'];
const MOST_REPOSITORIES = 8;
const LARGEST_CHUNK_MIB = 512_000;
/** Lengths of the paths: FSx API reference, CreateDataRepositoryAssociation. */
const LONGEST_PATH = { fileSystem: 4096, repository: 4357 };

export const REPOSITORY_RULES: Rules = {
  'repository-count': ({ dataRepositories: { length } = [] }) =>
    length > MOST_REPOSITORIES &&
    must('dataRepositories', `at most ${MOST_REPOSITORIES}`, 'Link a common parent prefix.', length),

  'repository-version': ({ dataRepositories = [], version = DEFAULT_LUSTRE_VERSION }) =>
    dataRepositories.length > 0 &&
    version === '2.10' &&
    must(
      'version',
      '2.12 or 2.15 with data repository associations',
      'This file system does not support data repository associations; leave it out for 2.15.',
    ),

  /** Source: https://docs.aws.amazon.com/fsx/latest/APIReference/API_DataRepositoryAssociation.html */
  'repository-tiering': ({ dataRepositories: [first] = [], deploymentType, storageType }) =>
    first !== undefined &&
    typeOf({ deploymentType, storageType })?.repositories === false &&
    must(
      'dataRepositories',
      { conflict: `${storageType}: it has no data repository associations` },
      'Use SSD storage, or copy the data.',
      first.dataRepositoryPath,
    ),

  'repository-path': ({ dataRepositories = [] }) => {
    for (const { fileSystemPath, dataRepositoryPath } of dataRepositories) {
      const directory = `a directory of 1 to ${LONGEST_PATH.fileSystem} characters that begins with a slash`;
      if (!isDirectory(fileSystemPath))
        return must('fileSystemPath', directory, 'Name a directory such as /data.', fileSystemPath);
      const wrong = wrongS3Path('dataRepositoryPath', dataRepositoryPath);
      if (wrong) return wrong;
    }
    return undefined;
  },

  /** Neither the directories nor the prefixes of two associations may contain one another. */
  'repository-overlap': ({ dataRepositories = [] }) => {
    for (const [index, one] of dataRepositories.entries())
      for (const other of dataRepositories.slice(0, index)) {
        if (contains(one.fileSystemPath, other.fileSystemPath) || contains(other.fileSystemPath, one.fileSystemPath)) {
          const both = `${other.fileSystemPath} and ${one.fileSystemPath}`;
          const outside = 'a directory outside those of the other associations';
          return must('fileSystemPath', outside, 'Take separate ones.', both);
        }
        if (trimmed(one.dataRepositoryPath) === trimmed(other.dataRepositoryPath)) {
          const own = 'a separate bucket or prefix for each association';
          return must('dataRepositoryPath', own, 'Take separate prefixes.', `${one.dataRepositoryPath} twice`);
        }
      }
    return undefined;
  },

  'repository-events': ({ dataRepositories = [] }) => {
    for (const repository of dataRepositories)
      for (const property of ['autoImport', 'autoExport'] as const) {
        const events = repository[property];
        if (events === undefined) continue;
        const known = events.every((event) => EVENTS.includes(event));
        if (events.length === 0 || !known || new Set(events).size < events.length) {
          const value = `[${events.map(shown).join(', ')}]`;
          return must(property, `one or more of ${EVENTS.join(', ')}, each once`, 'Leave it out for none.', value);
        }
      }
    return undefined;
  },

  'import-chunk': ({ dataRepositories = [], s3Link }) => {
    const sizes = [...dataRepositories, s3Link].map((link) => link?.importedFileChunkSizeMiB);
    const wrong = sizes.find(
      (size) => size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= LARGEST_CHUNK_MIB),
    );
    const whole = `a whole number of MiB from 1 to ${LARGEST_CHUNK_MIB}`;
    return wrong !== undefined && must('importedFileChunkSizeMiB', whole, 'Leave it out for 1024.', wrong);
  },

  's3-link-type': ({ deploymentType, s3Link }) =>
    s3Link !== undefined &&
    DEPLOYMENTS[deploymentType]?.s3Link === false &&
    must(
      's3Link',
      { conflict: `${deploymentType}: it is linked by data repository associations only` },
      ({ name }) => `Link the bucket through '${name('dataRepositories')}'.`,
      s3Link.importPath,
    ),

  's3-link-alone': ({ dataRepositories = [], s3Link }) =>
    s3Link !== undefined &&
    dataRepositories.length > 0 &&
    must(
      's3Link',
      { conflict: ({ name }) => `'${name('dataRepositories')}': a file system has one kind of link` },
      'Use data repository associations only.',
      s3Link.importPath,
    ),

  's3-link-path': ({ s3Link }) => {
    if (s3Link === undefined) return undefined;
    const { importPath, exportPath, autoImportPolicy = 'NONE' } = s3Link;
    const wrong =
      wrongS3Path('importPath', importPath) || (exportPath !== undefined && wrongS3Path('exportPath', exportPath));
    if (wrong) return wrong;
    if (
      exportPath !== undefined &&
      !isLater(importPath + exportPath) &&
      bucketOf(exportPath) !== bucketOf(importPath)
    ) {
      const there = `in the bucket of the import path, ${bucketOf(importPath)}`;
      return must('exportPath', there, 'Take a prefix there.', exportPath);
    }
    return (
      !IMPORT_POLICIES.includes(autoImportPolicy) &&
      must('autoImportPolicy', oneOf(IMPORT_POLICIES), 'Leave it out for NONE.', autoImportPolicy)
    );
  },
};

/** True for a file system with any link to S3. */
export const isLinked = ({ dataRepositories = [], s3Link }: LustreConfiguration): boolean =>
  dataRepositories.length > 0 || s3Link !== undefined;

/** A line break, or what Unicode counts as one, is refused by the API's pattern. */
const isLine = (text: unknown, max: number): text is string =>
  typeof text === 'string' && text.length <= max && !/[\0\u0085\u2028\u2029\r\n]/.test(text);

const isDirectory = (path: unknown): boolean => isLine(path, LONGEST_PATH.fileSystem) && path.startsWith('/');

function wrongS3Path(property: string, path: unknown) {
  const { repository } = LONGEST_PATH;
  const named = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$)/;
  const fine = (typeof path === 'string' && isLater(path)) || (isLine(path, repository) && named.test(path));
  const form = `s3://bucket or s3://bucket/prefix of at most ${repository} characters`;
  return !fine && must(property, form, 'Name a bucket.', path);
}

const bucketOf = (path: string): string => path.split('/')[2] ?? '';

const trimmed = (path: string): string => path.replace(/\/+$/, '');

const contains = (parent: string, path: string): boolean => `${trimmed(path)}/`.startsWith(`${trimmed(parent)}/`);
