import type { ParseDocument } from '../../schema/parse';
import type { FileOperation, WorkloadAction } from '../../schema/plan';
import { IOR_RELEASE, RELEASE_IN_PATH } from '../common/iorRelease';
import { accessByOption } from '../common/lint/access';
import { countedRate, type Measured } from '../common/measured';
import { directoryOperations, filesOperations } from '../common/operations';
import type { Operation } from '../operation';
import type { Items, Workload } from '../workload';
import { MDTEST_RULES, mdtestOptions } from './lint';
import { parseMdtest } from './text';
import { isMdtest } from './textReader';

/** One mdtest command of the measuring plan: one operation on files or directories, in one round's directories. */
interface MdtestOptions {
  readonly operation: Exclude<FileOperation, 'all'>;
  /** @default files */
  readonly items?: Items;
  /** Files or directories per rank, all in the rank's own directory. */
  readonly files: number;
  /** Bytes written to each file when it is created, and read back. */
  readonly fileBytes: number;
}

/** mdtest's option for each kind: it tests both unless one is given. */
export const KIND = { files: ['-F'], directories: ['-D'], both: [] } as const;

/** mdtest's option for each single operation. */
const ONLY = { create: '-C', stat: '-T', read: '-E', remove: '-r' } as const;

/**
 * mdtest's arguments for one operation on one round of files.
 *
 * - It has no time limit: `-W` of 3.3.0 miscounts with `-z` and with `-i`, and excludes `-I` (tested with 3.3.0), so one
 *   directory would have to hold all files of a rank. Rounds of a fixed number of files are repeated instead.
 * - `-u`: a directory per rank, since otherwise all ranks contend for one directory's lock.
 * - No `-N`, since 3.3.0 rejects it with several directories. Caches are dropped, and ranks are shifted by one client, instead.
 * - `-v`: up to 3.3.0 only the lines of iterations are rates of all ranks by one clock (facts-tools, section 4).
 */
function mdtestCommand({ operation, items = 'files', files, fileBytes }: MdtestOptions): string[] {
  const bytes = String(fileBytes);
  return [
    ...['mdtest', ...KIND[items], '-v', ONLY[operation], '-u', '-n', String(files)],
    ...(operation === 'create' && fileBytes > 0 ? ['-w', bytes] : []),
    ...(operation === 'read' && fileBytes > 0 ? ['-e', bytes] : []),
    ...['-d', '{dirs}'],
  ];
}

/** Commands of the plans run one operation at a time. */
const INTENDED = ['phases_not_run'];
const files = filesOperations(INTENDED);
const directories = directoryOperations(INTENDED);

/** mdtest, part of IOR: file and directory operations per second, by many processes, started by MPI. */
export const mdtest: Workload = {
  id: 'mdtest',
  label: 'mdtest',
  // As the AWS metadata blog started it, rank after rank on the next client; and it has room for 1,024 characters of path.
  // Its option -d: dir|dir1@dir2@dir3 (github.com/hpc/ior, src/mdtest.c).
  launch: { by: 'mpi', separators: '@', ranksInTurn: true, inDataDirectory: true },
  // It has no --version; of 3.2.1 and before it calls itself 1.9.3.
  version: {
    argv: ['mdtest', '-n', '1', '-d', 'files'],
    version: /^mdtest-([\w.+]+) was launched/m,
    release: IOR_RELEASE,
    builds: true,
  },
  // It opens no directories, and renames them only in a command of all operations (tried with 3.3.0 and 4.0.0).
  operations: [...Object.values(files), directories.create, directories.stat, directories.remove],
  reports: {
    processes: true,
    machines: true,
    bytes: { silent: 'it counts files' },
    stragglers: { of: 'processes', silence: () => 'mdtest waits for the last process before its clock stops' },
  },
  values: (action, main, documents) => documents.flatMap((document) => valuesOf(action, main, document)),
  files: {
    operations: { files: ['create', 'stat', 'read', 'remove'], directories: ['create', 'stat', 'remove'] },
    fills: true,
    command: ({ operation, items, count, fileBytes }) => mdtestCommand({ operation, items, files: count, fileBytes }),
  },
  output: {
    formats: [{ recognizes: isMdtest, parse: parseMdtest }],
    complaint: /(?:^|\n)(?:Synopsis mdtest\b|mdtest ERROR: )/,
  },
  lint: {
    options: mdtestOptions,
    rules: MDTEST_RULES,
    versionedName: true,
    versionInPath: RELEASE_IN_PATH,
    place: 'd',
    placeIsDirectory: true,
    access: (launched) => {
      const options = mdtestOptions(launched.args);
      return accessByOption(launched, options, 'd', options.has('C') || !options.has('T', 'E', 'r'));
    },
  },
};

/**
 * Rates of all ranks together: of each iteration where mdtest prints it, which is with -v up to 3.3.0, or where there is one iteration
 * only. Otherwise, from 4.0.0, the statistics over iterations (facts-tools, section 4).
 */
function valuesOf(action: WorkloadAction, { id }: Operation, { samples, summary, tests }: ParseDocument): Measured[] {
  const wanted = (operation: string): boolean =>
    action.operation === 'all' ? /^(file|dir)_\w+$/.test(operation) : operation === id;
  const files = tests[0]?.items ?? null;
  const rates = samples.filter(({ operation, metric, value }) => wanted(operation) && metric === 'operations' && value);
  if (rates.length > 0)
    return rates.flatMap(({ operation, iteration, value }) =>
      countedRate({ operation, iteration }, value as number, files),
    );
  return summary
    .filter(
      ({ operation, metric, mean, basis }) =>
        wanted(operation) && metric === 'operations' && mean && basis === 'iterations',
    )
    .flatMap(({ operation, mean, max, min }) => [
      { operation, metric: 'rate', value: mean, unit: 'op/s' },
      { operation, metric: 'rate_max', value: max, unit: 'op/s' },
      { operation, metric: 'rate_min', value: min, unit: 'op/s' },
    ]);
}
