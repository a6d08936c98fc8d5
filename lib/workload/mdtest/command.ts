import type { FileOperation } from '../../schema/plan';
import type { Items } from '../workload';

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

/** mdtest tests both kinds unless one is given. */
const KIND = { files: ['-F'], directories: ['-D'], both: [] } as const;

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
export function mdtestCommand({ operation, items = 'files', files, fileBytes }: MdtestOptions): string[] {
  const bytes = String(fileBytes);
  return [
    ...['mdtest', ...KIND[items], '-v', ONLY[operation], '-u', '-n', String(files)],
    ...(operation === 'create' && fileBytes > 0 ? ['-w', bytes] : []),
    ...(operation === 'read' && fileBytes > 0 ? ['-e', bytes] : []),
    ...['-d', '{dirs}'],
  ];
}

/** The AWS metadata blog's command, argument for argument: 4,000 files a rank, three times, all operations in one go; the blog's are files. */
export function publishedMdtestCommand(files: number, iterations: number, items: Items | 'both' = 'files'): string[] {
  return ['mdtest', ...KIND[items], '-v', '-n', String(files), '-i', String(iterations), '-u', '-d', '{dir}'];
}
