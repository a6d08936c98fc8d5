import type { Offered, OfferRow } from '../../schema/cost';
import { KINDS } from './documented';

/**
 * Interprets rows of the price list AmazonFSx. Columns and usage types are those of AWS's lists: `USW2-Storage` is SCRATCH_2,
 * `USW2-Storage.SSD.50` a tier (https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonFSx/current/us-west-2/index.json
 * of 2026-07-14, as others recorded it). Rows not listed here, such as Intelligent-Tiering storage, are ignored.
 */
export function lustreOffer(row: OfferRow, usage: string): Offered | null {
  if (row.filesystemtype !== 'Lustre') return null;
  const { productfamily, storagetype, unit } = row;
  const tiering = /intelligent|\bINT\b/i.test(`${storagetype} ${usage}`);
  if (productfamily === 'Provisioned Throughput' && /^Mi?Bps-Mo$/i.test(unit ?? ''))
    return { item: 'fsx/PERSISTENT_2_INTELLIGENT_TIERING/throughput', unit: 'MBps-month' };
  if (productfamily === 'Provisioned IOPS' && unit === 'IOPS-Mo') {
    const item = tiering ? 'fsx/PERSISTENT_2_INTELLIGENT_TIERING/metadata-iops' : 'fsx/metadata-iops';
    return { item, unit: 'IOPS-month' };
  }
  if (unit !== 'GB-Mo' || tiering) return null;
  const item = usage.endsWith('BackupUsage') ? 'fsx/backup' : storageItem(row, usage);
  return item === null ? null : { item, unit: 'GB-month' };
}

/** Storage by type, throughput and cache. */
function storageItem({ storagetype, throughputcapacity, pricedescription }: OfferRow, usage: string): string | null {
  if (storagetype === 'HDD') {
    const known = KINDS.PERSISTENT_1_HDD.perUnit.some((tier) => String(tier) === throughputcapacity);
    const cache = /cache/i.test(`${usage} ${pricedescription}`) ? 'READ' : 'NONE';
    return known ? `fsx/PERSISTENT_1_HDD/${throughputcapacity}/${cache}` : null;
  }
  if (storagetype !== 'SSD') return null;
  if (usage === 'Storage') return 'fsx/SCRATCH_2';
  const kind = (['PERSISTENT_1_SSD', 'PERSISTENT_2_SSD'] as const).find((each) =>
    KINDS[each].perUnit.some((tier) => usage === `Storage.SSD.${tier}`),
  );
  return kind === undefined ? null : `fsx/${kind}/${usage.split('.').at(-1)}`;
}
