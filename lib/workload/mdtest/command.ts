import type { FileOperation } from '../../schema/plan';
import type { Items } from '../workload';

/** One mdtest command of the measuring plan: one operation on files or directories, in one round's directories. */
interface MdtestOptions {
  readonly operation: Exclude<FileOperation, 'all'>;
  /** @default files */
  readonly items?: Items;
  /** Files or directories of each rank; all of them are in one directory of its own. */
  readonly files: number;
  /** Bytes that are written to a file when it is created, and read back. */
  readonly fileBytes: number;
}

/** mdtest tests both kinds unless it is told one. */
const KIND = { files: ['-F'], directories: ['-D'], both: [] } as const;

/** mdtest's name for each operation, when it is to do that one alone. */
const ONLY = { create: '-C', stat: '-T', read: '-E', remove: '-r' } as const;

/**
 * mdtest's arguments for one operation on one round of files.
 *
 * - Nothing bounds it in time: `-W` of 3.3.0 keeps wrong books with `-z` and with `-i`, and excludes `-I` (tried with 3.3.0), so one
 *   directory would have to hold all files of a rank. Rounds of a fixed number of files are repeated instead.
 * - `-u`: a directory for each rank, or all ranks wait for one directory's lock.
 * - Neither `-N`: 3.3.0 refuses it with several directories. Caches are dropped, and ranks are moved on by a client, instead.
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
