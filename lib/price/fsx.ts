import type { CostLine } from '../schema/cost';
import type { SearchOptions } from '../storage/search';
import { costLine, noPrice, unknownQuantity } from './line';

const ITEM = 'fsx/backup';

/**
 * Price of a backup of FSx. It is billed for what it stores, which FSx does not say: after compression, and beside what other backups
 * of the file system hold already.
 *
 * @param bytes what the file system had if it were restored, which is the most that is stored
 */
export function fsxBackupLines({ region, book }: SearchOptions, bytes: number | undefined): readonly CostLine[] {
  const price = book.priceOf(ITEM, region);
  if (bytes === undefined)
    return [unknownQuantity('backup', price, { reason: 'FSx does not say how much a backup stores' })];
  return [costLine('backup, at most', bytes / 2 ** 30, price, { ...noPrice(ITEM, region), unit: 'GB-month' })];
}
