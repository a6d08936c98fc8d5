import type { Action, WorkloadAction } from '../../schema/plan';
import type { FilesPhase, Workload } from '../../workload/workload';

/** A phase on files takes rounds until it has lasted so long: nobody knows how fast what is mounted is. */
export const FILES_SECONDS = 5;
const MOST_ROUNDS = 5;

interface FilesWork extends FilesPhase {
  readonly rounds: NonNullable<WorkloadAction['rounds']>;
}

/** The action of a tool on files or directories. @throws Error for a tool that works on none */
export function filesAction({ id: tool, files, operations }: Workload, work: FilesWork): Action {
  if (files === undefined) throw new Error(`${tool} cannot work on files`);
  const { operation, items, fileBytes, processesPerClient: ranksPerClient, rounds } = work;
  // A verb alone means files, unless the tool has it for data as well.
  const plain = items === 'files' && !operations.some(({ verb, on }) => verb === operation && on === 'data');
  const pattern = items === 'files' ? `files-${fileBytes}` : 'directories';
  return {
    kind: 'workload',
    tool,
    operation,
    items: plain ? undefined : items,
    command: files.command(work),
    rounds,
    ranksPerClient,
    pattern,
  };
}

/** One operation of a tool on many empty files. @param seconds of a phase on data, which one on files does not exceed @throws Error for a tool that works on none */
export function emptyFilesAction(
  tool: Workload,
  operation: FilesPhase['operation'],
  { ranksPerClient, filesPerRank, seconds }: Readonly<Record<'ranksPerClient' | 'filesPerRank' | 'seconds', number>>,
): Action {
  const rounds = { seconds: Math.min(seconds, FILES_SECONDS), max: MOST_ROUNDS };
  const phase = { operation, items: 'files', count: filesPerRank, fileBytes: 0 } as const;
  return filesAction(tool, { ...phase, processesPerClient: ranksPerClient, rounds });
}
