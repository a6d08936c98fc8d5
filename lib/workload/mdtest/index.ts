import { IOR_RELEASE, RELEASE_IN_PATH } from '../kit/iorRelease';
import { accessByOption } from '../kit/lint/access';
import { directoryOperations, filesOperations } from '../kit/operations';
import type { Workload } from '../workload';
import { mdtestCommand, publishedMdtestCommand } from './command';
import { MDTEST_RULES, mdtestOptions } from './lint';
import { isMdtest, parseMdtest } from './text';
import { mdtestValues } from './values';

/** Commands of the plans run one operation at a time. */
const INTENDED = ['phases_not_run'];
const files = filesOperations(INTENDED);
const directories = directoryOperations(INTENDED);

/** mdtest, part of IOR: file and directory operations per second, by many processes, started by MPI. */
export const mdtest: Workload = {
  id: 'mdtest',
  label: 'mdtest',
  // As the AWS metadata blog started it, rank after rank on the next client; and it has room for 1,024 characters of path.
  launch: { by: 'mpi', ranksInTurn: true, inDataDirectory: true },
  // Its option -d: dir|dir1@dir2@dir3 (github.com/hpc/ior, src/mdtest.c).
  separators: '@',
  // It has no --version; of 3.2.1 and before it calls itself 1.9.3.
  version: { argv: ['mdtest', '-n', '1', '-d', 'files'], version: /^mdtest-([\w.+]+) was launched/m },
  release: IOR_RELEASE,
  // It opens no directories, and renames them only in a command of all operations (tried with 3.3.0 and 4.0.0).
  operations: [...Object.values(files), directories.create, directories.stat, directories.remove],
  reports: { processes: true, machines: true, bytes: { silent: 'it counts files' } },
  values: mdtestValues,
  files: {
    operations: { files: ['create', 'stat', 'read', 'remove'], directories: ['create', 'stat', 'remove'] },
    fills: true,
    command: ({ operation, items, count, fileBytes }) => mdtestCommand({ operation, items, files: count, fileBytes }),
    study: publishedMdtestCommand,
  },
  stragglers: { of: 'processes', silence: () => 'mdtest waits for the last process before its clock stops' },
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
