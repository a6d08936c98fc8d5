import type { FilesPhase } from '../workload';

/** Its option for each operation; a creation makes the directories first, as a phase of its own. */
const PHASES = { create: ['-d', '-w'], stat: ['--stat'], read: ['-r'], remove: ['-F'] } as const;

/**
 * elbencho's arguments for one operation on one client and one round. Never run here: the options are those of its recorded commands and
 * of its help (https://github.com/breuner/elbencho, source/ProgArgs.cpp); test/workload/elbencho.test.ts reads recorded output.
 *
 * Each thread has a directory by its rank, and the ranks begin at a number that holds the round and the client, so that none is another's
 * up to 1,000 threads. All files of a thread are in one directory.
 */
export function elbenchoCommand({ operation, count, fileBytes, processesPerClient }: FilesPhase): string[] {
  const size = fileBytes === 0 ? [] : ['-s', String(fileBytes), '-b', String(fileBytes)];
  return [
    ...['elbencho', ...PHASES[operation], '-t', String(processesPerClient), '-n', '1', '-N', String(count)],
    ...[...size, '--nolive', '--rankoffset', '{round}0{client}000', '{dir}'],
  ];
}
