import type { Action } from '../../schema/plan';
import type { FilesPhase, Workload } from '../../workload/workload';

/** A phase on files takes rounds until it has lasted so long: nobody knows how fast what is mounted is. */
export const FILES_SECONDS = 5;
const MOST_ROUNDS = 5;

interface FilesRounds {
  readonly ranksPerClient: number;
  /** Files of each process in a round. */
  readonly filesPerRank: number;
  /** The longest that rounds are added for. @default {@link FILES_SECONDS} */
  readonly seconds?: number;
}

/** One operation of a tool on many empty files, in rounds. @throws Error for a tool that works on none */
export function filesAction(
  { id: tool, files, operations }: Workload,
  operation: FilesPhase['operation'],
  { ranksPerClient, filesPerRank, seconds = FILES_SECONDS }: FilesRounds,
): Action {
  if (files === undefined) throw new Error(`${tool} cannot work on files`);
  const command = files.command({
    ...{ operation, items: 'files', count: filesPerRank, fileBytes: 0, processesPerClient: ranksPerClient },
  });
  const plain = !operations.some(({ verb, on }) => verb === operation && on === 'data');
  return {
    ...{ kind: 'workload', tool, operation, ...(plain ? {} : { items: 'files' }), command, ranksPerClient },
    ...{ rounds: { seconds: Math.min(seconds, FILES_SECONDS), most: MOST_ROUNDS }, pattern: 'files-0' },
  };
}
