import type { CostLine } from '../schema/cost';
import type { SearchOptions } from '../storage/search';
import { itemLine, unknownQuantity } from './line';

const ITEM = 'fsx/backup';

/**
 * Price of a backup of FSx. It is billed by the space that it takes, which FSx does not report: after compression, without what other
 * backups of the file system already hold.
 *
 * @param bytes what the file system had if it were restored, which is the most that is stored
 */
export function fsxBackupLines(options: SearchOptions, bytes: number | undefined): readonly CostLine[] {
  if (bytes !== undefined) return [itemLine('backup, at most', bytes / 2 ** 30, ITEM, options, 'GB-month')];
  const reason = 'FSx does not say how much a backup stores';
  return [unknownQuantity('backup', options.book.priceOf(ITEM, options.region), { reason })];
}
