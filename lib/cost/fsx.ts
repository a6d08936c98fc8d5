import type { CostLine } from '../schema/cost';
import type { SearchOptions } from '../storage/search';
import { unknownQuantity } from './line';

/** Price of a backup of FSx. */
export const fsxBackupLines = ({ region, book }: SearchOptions): readonly CostLine[] => [
  unknownQuantity('backup', book.priceOf('fsx/backup', region), {
    reason: 'FSx does not say how much a backup stores',
  }),
];
