import type { DataPhase, FilesPhase } from '../workload';

/** Its option for each operation; a creation makes the directories first, as a phase of its own. */
const PHASES = { create: ['-d', '-w'], stat: ['--stat'], read: ['-r'], remove: ['-F'] } as const;

/**
 * elbencho's arguments for one operation on one client and one round (run with 2.3-1). Each thread has a directory by its rank, and the ranks begin at a number that holds the round and the client, so that none is another's
 * up to 1,000 threads. All files of a thread are in one directory.
 */
export function elbenchoCommand({ operation, count, fileBytes, processesPerClient }: FilesPhase): string[] {
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
export function elbenchoDataCommand(phase: DataPhase, percent: number): string[] {
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
