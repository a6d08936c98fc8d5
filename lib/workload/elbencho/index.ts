import { type FilesMetrics, filesOfClients } from '../kit/clients';
import { filesOperations } from '../kit/operations';
import type { Workload } from '../workload';
import { elbenchoCommand } from './command';
import { isElbenchoCsv, parseElbenchoCsv } from './csv';
import { isElbencho, parseElbencho } from './text';

/** Files are created and read in the phases that move data, whose plain rate is that of requests. */
const PRINTED: Readonly<Record<string, FilesMetrics>> = {
  file_create: { operation: 'write', rate: 'file_operations', files: 'files' },
  file_read: { operation: 'read', rate: 'file_operations', files: 'files' },
};

/** elbencho: data and file operations, by the threads of each client. The compression ratio of its data was never measured, so plans use it only for files. */
export const elbencho: Workload = {
  id: 'elbencho',
  label: 'elbencho',
  launch: { by: 'each-client' },
  version: { argv: ['elbencho', '--version'], version: /Version: *([\w.-]+)/ },
  operations: Object.values(filesOperations([])),
  values: (_, { id }, documents) =>
    filesOfClients(id, PRINTED[id] ?? { operation: id, rate: 'operations', files: 'files' }, documents),
  files: {
    operations: { files: ['create', 'stat', 'read', 'remove'], directories: [] },
    fills: true,
    command: elbenchoCommand,
    standsIn: { as: 'elbencho', message: 'the clients do not wait for each other' },
  },
  stragglers: {
    of: 'clients',
    silence: ({ clients }) => (clients < 2 ? 'only clients are told apart, and there was one client' : null),
  },
  output: {
    formats: [
      { recognizes: isElbencho, parse: parseElbencho },
      { recognizes: isElbenchoCsv, parse: parseElbenchoCsv },
    ],
  },
};
