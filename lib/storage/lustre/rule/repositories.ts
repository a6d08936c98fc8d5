import { shown } from '../../../kit/breach';
import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration, type RepositoryEvent } from '../configuration';
import { isLater, must, oneOf, type Rule } from './rule';

const EVENTS: readonly RepositoryEvent[] = ['NEW', 'CHANGED', 'DELETED'];
const IMPORT_POLICIES = ['NONE', 'NEW', 'NEW_CHANGED', 'NEW_CHANGED_DELETED'];
const MOST_REPOSITORIES = 8;
const LARGEST_CHUNK_MIB = 512_000;
/** Lengths of the paths: FSx API reference, CreateDataRepositoryAssociation. */
const LONGEST_PATH = { fileSystem: 4096, repository: 4357 };

const repositoryCount: Rule = {
  id: 'fsxbench:lustre-repository-count',
  check: ({ dataRepositories = [] }) =>
    dataRepositories.length > MOST_REPOSITORIES
      ? must(
          'dataRepositories',
          `at most ${MOST_REPOSITORIES}`,
          dataRepositories.length,
          'Link a common parent prefix.',
        )
      : undefined,
};

const repositoryVersion: Rule = {
  id: 'fsxbench:lustre-repository-version',
  check: ({ dataRepositories = [], version = DEFAULT_LUSTRE_VERSION }) =>
    dataRepositories.length > 0 && version === '2.10'
      ? must(
          'version',
          '2.12 or 2.15 with data repository associations',
          version,
          'This file system does not support data repository associations; leave it out for 2.15.',
        )
      : undefined,
};

/** Source: https://docs.aws.amazon.com/fsx/latest/APIReference/API_DataRepositoryAssociation.html */
const repositoryTiering: Rule = {
  id: 'fsxbench:lustre-repository-tiering',
  check: ({ dataRepositories = [], storageType }) =>
    dataRepositories.length > 0 && storageType === 'INTELLIGENT_TIERING'
      ? must(
          'dataRepositories',
          'absent with INTELLIGENT_TIERING',
          dataRepositories[0]?.dataRepositoryPath,
          'Take SSD storage, or copy the data.',
        )
      : undefined,
};

const repositoryPaths: Rule = {
  id: 'fsxbench:lustre-repository-path',
  check: ({ dataRepositories = [] }) => {
    for (const { fileSystemPath, dataRepositoryPath } of dataRepositories) {
      const { fileSystem } = LONGEST_PATH;
      if (!isDirectory(fileSystemPath)) {
        return must(
          'fileSystemPath',
          `a directory of 1 to ${fileSystem} characters that begins with a slash`,
          fileSystemPath,
          'Name a directory such as /data.',
        );
      }
      const wrong = wrongS3Path('dataRepositoryPath', dataRepositoryPath);
      if (wrong) return wrong;
    }
    return undefined;
  },
};

/** Neither the directories nor the prefixes of two associations may contain one another. */
const repositoryOverlap: Rule = {
  id: 'fsxbench:lustre-repository-overlap',
  check: ({ dataRepositories = [] }) => {
    for (const [index, one] of dataRepositories.entries()) {
      for (const other of dataRepositories.slice(0, index)) {
        if (contains(one.fileSystemPath, other.fileSystemPath) || contains(other.fileSystemPath, one.fileSystemPath)) {
          const both = `${other.fileSystemPath} and ${one.fileSystemPath}`;
          return must(
            'fileSystemPath',
            'a directory outside those of the other associations',
            both,
            'Take separate ones.',
          );
        }
        if (trimmed(one.dataRepositoryPath) === trimmed(other.dataRepositoryPath)) {
          return must(
            'dataRepositoryPath',
            'a bucket or prefix of its own for each association',
            `${one.dataRepositoryPath} twice`,
            'Take separate prefixes.',
          );
        }
      }
    }
    return undefined;
  },
};

const repositoryEvents: Rule = {
  id: 'fsxbench:lustre-repository-events',
  check: ({ dataRepositories = [] }) => {
    for (const repository of dataRepositories) {
      for (const property of ['autoImport', 'autoExport'] as const) {
        const events = repository[property];
        if (events === undefined) continue;
        const known = events.every((event) => EVENTS.includes(event));
        if (events.length === 0 || !known || new Set(events).size < events.length) {
          const value = `[${events.map(shown).join(', ')}]`;
          return must(property, `one or more of ${EVENTS.join(', ')}, each once`, value, 'Leave it out for none.');
        }
      }
    }
    return undefined;
  },
};

const chunkSize: Rule = {
  id: 'fsxbench:lustre-import-chunk',
  check: ({ dataRepositories = [], s3Link }) => {
    for (const { importedFileChunkSizeMiB: size } of [...dataRepositories, ...(s3Link ? [s3Link] : [])]) {
      if (size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= LARGEST_CHUNK_MIB)) {
        const requirement = `a whole number of MiB from 1 to ${LARGEST_CHUNK_MIB}`;
        return must('importedFileChunkSizeMiB', requirement, size, 'Leave it out for 1024.');
      }
    }
    return undefined;
  },
};

const linkType: Rule = {
  id: 'fsxbench:lustre-s3-link-type',
  check: ({ deploymentType, s3Link }) =>
    s3Link !== undefined && deploymentType === 'PERSISTENT_2'
      ? must(
          's3Link',
          'absent with PERSISTENT_2',
          s3Link.importPath,
          ({ name }) => `Link the bucket through '${name('dataRepositories')}'.`,
        )
      : undefined,
};

const linkAlone: Rule = {
  id: 'fsxbench:lustre-s3-link-alone',
  check: ({ dataRepositories = [], s3Link }) =>
    s3Link !== undefined && dataRepositories.length > 0
      ? must(
          's3Link',
          ({ name }) => `absent beside '${name('dataRepositories')}'`,
          s3Link.importPath,
          'Use data repository associations only.',
        )
      : undefined,
};

const linkPaths: Rule = {
  id: 'fsxbench:lustre-s3-link-path',
  check: ({ s3Link }) => {
    if (s3Link === undefined) return undefined;
    const { importPath, exportPath, autoImportPolicy = 'NONE' } = s3Link;
    const wrong =
      wrongS3Path('importPath', importPath) ??
      (exportPath === undefined ? undefined : wrongS3Path('exportPath', exportPath));
    if (wrong) return wrong;
    if (
      exportPath !== undefined &&
      !isLater(importPath + exportPath) &&
      bucketOf(exportPath) !== bucketOf(importPath)
    ) {
      return must(
        'exportPath',
        `in the bucket of the import path, ${bucketOf(importPath)}`,
        exportPath,
        'Take a prefix there.',
      );
    }
    return IMPORT_POLICIES.includes(autoImportPolicy)
      ? undefined
      : must('autoImportPolicy', oneOf(IMPORT_POLICIES), autoImportPolicy, 'Leave it out for NONE.');
  },
};

/** True for a file system with any link to S3. */
export function isLinked({ dataRepositories = [], s3Link }: LustreConfiguration): boolean {
  return dataRepositories.length > 0 || s3Link !== undefined;
}

function isDirectory(path: unknown): path is string {
  if (typeof path !== 'string') return false;
  // A line break, or what Unicode counts as one, is refused by the API's pattern.
  return path.startsWith('/') && path.length <= LONGEST_PATH.fileSystem && !hasLineBreak(path);
}

function hasLineBreak(text: string): boolean {
  return /[\0\u0085\u2028\u2029\r\n]/.test(text);
}

function wrongS3Path(property: string, path: unknown): ReturnType<typeof must> | undefined {
  const { repository } = LONGEST_PATH;
  const fine =
    typeof path === 'string' &&
    (isLater(path) ||
      (/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$)/.test(path) &&
        path.length <= repository &&
        !hasLineBreak(path)));
  return fine
    ? undefined
    : must(property, `s3://bucket or s3://bucket/prefix of at most ${repository} characters`, path, 'Name a bucket.');
}

function bucketOf(path: string): string {
  return path.split('/')[2] ?? '';
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '');
}

function contains(parent: string, path: string): boolean {
  return `${trimmed(path)}/`.startsWith(`${trimmed(parent)}/`);
}

export const REPOSITORY_RULES: readonly Rule[] = [
  repositoryCount,
  repositoryVersion,
  repositoryTiering,
  repositoryPaths,
  repositoryOverlap,
  repositoryEvents,
  chunkSize,
  linkType,
  linkAlone,
  linkPaths,
];
