import { filesOfClients } from '../kit/clients';
import { filesOperations } from '../kit/operations';
import type { FilesPhase, Workload } from '../workload';
import { exactFigures } from './exact';
import { isSmallfileJson, parseSmallfileJson } from './json';
import { isSmallfile, parseSmallfile } from './text';

const OPERATIONS = { create: 'create', stat: 'stat', read: 'read', remove: 'delete' } as const;

/** smallfile takes sizes of files in KiB. */
const FILE_BYTES_STEP = 1024;

/**
 * smallfile's arguments for one operation on one client and one round (tried with 3.2).
 *
 * - `--stonewall N`: else a phase ends with the first thread, and part of the files are not counted.
 * - `--network-sync-dir`: the clients do not wait for each other, and must not clean up one directory.
 * - Below `--top` each client has a directory by its host name, and each thread one in it.
 */
function smallfileCommand({ operation, count, fileBytes, processesPerClient }: FilesPhase): string[] {
  return [
    'smallfile_cli.py',
    ...['--top', '{dir}', '--network-sync-dir', '{dir}/sync.client{client}', '--prefix', 'round{round}.'],
    ...['--operation', OPERATIONS[operation], '--threads', String(processesPerClient), '--files', String(count)],
    ...['--files-per-dir', String(count), '--file-size', String(fileBytes / FILE_BYTES_STEP), '--stonewall', 'N'],
  ];
}

/** smallfile: operations on many small files, by the threads of each client. */
export const smallfile: Workload = {
  id: 'smallfile',
  label: 'smallfile',
  // Its option --top is split at commas (github.com/distributed-system-analysis/smallfile, parse.py).
  launch: { by: 'each-client', executable: 'smallfile_cli.py', separators: ',' },
  // It has no --version; a run of one file names it.
  version: {
    argv: ['smallfile_cli.py', '--top', '.', '--threads', '1', '--files', '1', '--operation', 'create'],
    version: /^ *version : ([\d.]+)/m,
  },
  operations: Object.values(filesOperations([])),
  reports: {
    ...{ processes: true, machines: true, bytes: true },
    stragglers: {
      of: 'clients',
      silence: ({ clients }) => (clients < 2 ? 'only clients are told apart, and there was one client' : null),
    },
  },
  values: (_, { id }, documents) =>
    filesOfClients(id, { operation: id, rate: 'operations', files: 'files' }, documents),
  files: {
    operations: { files: ['create', 'stat', 'read', 'remove'], directories: [] },
    fills: true,
    fileBytesStep: FILE_BYTES_STEP,
    command: smallfileCommand,
    standsIn: {
      as: 'smallfile',
      message: 'the clients do not wait for each other, and the processes are threads of Python',
    },
  },
  output: {
    formats: [
      { recognizes: isSmallfile, parse: parseSmallfile },
      { recognizes: isSmallfileJson, parse: parseSmallfileJson, ofJson: true },
    ],
    program: 'smallfile_cli\\.py',
    withSideFiles: exactFigures,
  },
};
