import { askedOf, optionOf } from '../common/asked';
import { Calibration } from '../common/calibration';
import { dataOfClients, type FilesMetrics, filesOfClients } from '../common/clients';
import { filesOperations, READ, WRITE } from '../common/operations';
import type { DataPhase, FilesPhase, Workload } from '../workload';
import { isElbenchoCsv, parseElbenchoCsv } from './csv';
import { ELBENCHO_RULES, elbenchoOptions } from './lint';
import { isElbencho, parseElbencho } from './text';

/** Files are created and read in the phases that move data, whose plain rate is that of requests. */
const PRINTED: Readonly<Record<string, FilesMetrics>> = {
  file_create: { operation: 'write', rate: 'file_operations' },
  file_read: { operation: 'read', rate: 'file_operations' },
};

const elbenchoValues: Workload['values'] = ({ command }, { id, on }, documents) => {
  if (on !== 'data') return filesOfClients(id, PRINTED[id] ?? { operation: id, rate: 'operations' }, documents);
  const synced = command.includes('--sync');
  const clients = documents.flatMap(({ samples }) => {
    const last = (operation: string, metric: string) =>
      samples.findLast((sample) => sample.operation === operation && sample.metric === metric);
    const [bytes, seconds] = [last(id, 'bytes'), last(id, 'seconds')];
    const sync = last('sync', 'seconds');
    if (!bytes?.value || !seconds?.value) return [];
    if (!synced) return [{ bytes: bytes.value, seconds: seconds.value }];
    // Syncs are phases of their own, before and after each other: the one that counts comes behind the write.
    if (!sync || samples.indexOf(sync) < samples.indexOf(seconds)) return [];
    return [{ bytes: bytes.value, seconds: seconds.value + (sync.value ?? 0) }];
  });
  if (clients.length < documents.length) return [];
  return dataOfClients(
    id,
    clients.map((client) => client.bytes),
    clients.map((client) => client.seconds),
  );
};

/**
 * elbencho's `--blockvarpct` against the ratio that LZ4 reached on what it wrote: 64 MiB each by elbencho 2.3-1,
 * `elbencho -w -t 2 -s 32m -b 1m --blockvarpct P --blockvaralgo balanced FILE FILE`, then
 * `fsxbench estimate compression --on zfs --exact --record 128K` and `--record 1M` on them.
 *
 * So many percent of each block are random, at its beginning, and the rest repeats eight bytes. Before 2.0-7 it was so many of a hundred
 * blocks that were new at all, and nothing compressed (https://github.com/breuner/elbencho/blob/master/CHANGELOG.md).
 */
export const ELBENCHO_DATA = new Calibration('elbencho', [
  [100, 1, 1],
  [86, 1.136, 1.153],
  [80, 1.241, 1.242],
  [75, 1.318, 1.319],
  [69, 1.428, 1.438],
  [64, 1.54, 1.542],
  [59, 1.649, 1.672],
  [57, 1.704, 1.729],
  [54, 1.8, 1.828],
  [50, 1.936, 1.968],
  [47, 2.044, 2.097],
  [44, 2.183, 2.244],
  [40, 2.387, 2.46],
  [37, 2.528, 2.665],
  [34, 2.745, 2.874],
  [31, 3.003, 3.158],
  [28, 3.314, 3.504],
  [26, 3.543, 3.761],
  [25, 3.644, 3.875],
  [22, 4.047, 4.409],
  [20, 4.395, 4.824],
  [17, 5.094, 5.681],
  [15, 5.657, 6.389],
  [12, 6.522, 7.983],
  [10, 7.698, 9.458],
  [8, 9.061, 11.601],
]);

/** Its option for each operation; a creation makes the directories first, as a phase of its own. */
const PHASES = { create: ['-d', '-w'], stat: ['--stat'], read: ['-r'], remove: ['-F'] } as const;

/**
 * elbencho's arguments for one operation on one client and one round (run with 2.3-1). Each thread has a directory by its rank, and the ranks begin at a number that holds the round and the client, so that none is another's
 * up to 1,000 threads. All files of a thread are in one directory.
 */
function elbenchoCommand({ operation, count, fileBytes, processesPerClient }: FilesPhase): string[] {
  const size = fileBytes === 0 ? [] : ['-s', String(fileBytes), '-b', String(fileBytes)];
  return [
    ...['elbencho', ...PHASES[operation], '-t', String(processesPerClient), '-n', '1', '-N', String(count)],
    ...[...size, '--nolive', '--rankoffset', '{round}0{client}000', '{dir}'],
  ];
}

const MIB = 2 ** 20;

/**
 * elbencho's arguments for one client in one data phase: a file for each thread, below a directory by its rank, so that each client finds its
 * files again.
 *
 * - The generator `balanced` is neither the default, in whose numbers three of 64 bits are always 0, nor the slow `strong` one.
 * - elbencho syncs in a phase of its own after the write, but not after one that its time limit ended. Buffered writes therefore end at
 *   their size; those with O_DIRECT, which leave nothing to sync, at their time.
 */
function elbenchoDataCommand(phase: DataPhase, percent: number): string[] {
  const { operation, seconds, maxBytesPerProcess, processesPerClient, direct } = phase;
  const writes = operation === 'write';
  return [
    'elbencho',
    ...(writes ? ['-d', '-w', '--blockvarpct', String(percent), '--blockvaralgo', 'balanced'] : ['-r']),
    ...['-t', String(processesPerClient), '-n', '1', '-N', '1'],
    ...['-s', `${Math.max(1, Math.floor(maxBytesPerProcess / MIB))}m`, '-b', '1m', '--nolive'],
    ...(direct ? ['--direct'] : []),
    ...(writes && !direct ? ['--sync'] : ['--timelimit', String(seconds)]),
    ...['--rankoffset', '{client}000', '{dir}'],
  ];
}

/** elbencho: data and file operations, by the threads of each client. */
export const elbencho: Workload = {
  id: 'elbencho',
  label: 'elbencho',
  // Several paths have commas or @ between them, and numbers in square brackets stand for several (elbencho --help-all).
  launch: { by: 'each-client', separators: ',@[]' },
  // From 2.1 on; before, its data were others (pattern.ts).
  version: { argv: ['elbencho', '--version'], version: /Version: *((?:2\.[1-9]|[3-9]\.|\d{2})[\w.-]*)/ },
  operations: [WRITE, READ, ...Object.values(filesOperations([]))],
  reports: {
    processes: { silent: 'its console output names no threads' },
    machines: { silent: 'each client runs it by itself' },
    bytes: true,
    // `Elapsed ms`, and three decimals of `Elapsed time`.
    clockStep: 0.001,
    stragglers: {
      of: 'clients',
      silence: ({ clients }) => (clients < 2 ? 'only clients are told apart, and there was one client' : null),
    },
  },
  values: elbenchoValues,
  data: {
    maxTarget: ELBENCHO_DATA.maxTarget,
    ofRatio: (target) => {
      const pattern = ELBENCHO_DATA.ofRatio(target);
      return pattern && { pattern, command: (phase) => elbenchoDataCommand(phase, pattern.percent) };
    },
    knownPattern: (id) => ELBENCHO_DATA.known(id),
    readsCutFiles: false,
    asked: (command) => askedOf([optionOf(command, '-s'), optionOf(command, '-N')], optionOf(command, '--timelimit')),
  },
  files: {
    operations: { files: ['create', 'stat', 'read', 'remove'], directories: [] },
    fills: true,
    command: elbenchoCommand,
    standsIn: { as: 'elbencho', message: 'the clients do not wait for each other' },
  },
  lint: { options: elbenchoOptions, rules: ELBENCHO_RULES, versionedName: true },
  output: {
    formats: [
      { recognizes: isElbencho, parse: parseElbencho },
      { recognizes: isElbenchoCsv, parse: parseElbenchoCsv },
    ],
  },
};
