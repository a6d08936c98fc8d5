import { type CostOptions, itemLine, unknownQuantity } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine, Offered, OfferRow } from '../../schema/cost';
import type { LustreConfiguration } from './configuration';
import { automaticMetadataIops, describeLustre } from './documented';
import { readCacheGiB } from './limits';
import { isElastic, kindOf, LUSTRE_TYPES, perUnitsOf } from './types';

/** List price of a file system, by its provisioned size, with or without compression. */
export function lustreLines(
  configuration: LustreConfiguration,
  { region, label = 'FSx for Lustre', storedGiB, book = PUBLISHED }: CostOptions,
): readonly CostLine[] {
  const { storageCapacityGiB = 0, perUnitStorageThroughput, driveCacheType } = configuration;
  const kind = kindOf(configuration);
  const priced = (what: string, quantity: number, item: string, unit: string) =>
    itemLine(`${label}: ${what}`, quantity, item, { region, book }, unit);
  const lines: CostLine[] = [];
  if (isElastic(configuration)) {
    const { throughputCapacity = 0 } = configuration;
    lines.push(priced('throughput', throughputCapacity, `fsx/${kind}/throughput`, 'MBps-month'));
    const cache = readCacheGiB(configuration);
    if (cache > 0) lines.push(priced('read cache', cache, `fsx/${kind}/read-cache`, 'GB-month'));
    // Requests are also billed, by use.
    for (const what of ['storage', 'monitoring'])
      lines.push(
        storedGiB === undefined
          ? unknownQuantity(`${label}: ${what}`, book.priceOf(`fsx/${kind}/${what}`, region))
          : priced(what, storedGiB, `fsx/${kind}/${what}`, 'GB-month'),
      );
    const { metadata } = configuration;
    const iops = `fsx/${kind}/metadata-iops`;
    lines.push(
      metadata?.mode === 'AUTOMATIC'
        ? unknownQuantity(`${label}: metadata IOPS`, book.priceOf(iops, region), {
            unit: 'IOPS-month',
            reason: 'AWS does not publish how many metadata IOPS AUTOMATIC gives to Intelligent-Tiering',
          })
        : priced('metadata IOPS', metadata?.iops ?? 0, iops, 'IOPS-month'),
    );
  } else {
    const tier = [kind ?? 'unknown', perUnitStorageThroughput, driveCacheType].filter((part) => part !== undefined);
    const what = `storage (${describeLustre(configuration)})`;
    lines.push(priced(what, storageCapacityGiB, `fsx/${tier.join('/')}`, 'GB-month'));
    const extra = extraMetadataIops(configuration);
    if (extra > 0)
      lines.push(priced('metadata IOPS above the included ones', extra, 'fsx/metadata-iops', 'IOPS-month'));
  }
  return lines;
}

/** Metadata IOPS that are paid for: those above AUTOMATIC's for the capacity. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html. */
export function extraMetadataIops({ metadata, storageCapacityGiB = 0 }: LustreConfiguration): number {
  if (metadata?.mode !== 'USER_PROVISIONED') return 0;
  return Math.max(0, metadata.iops - automaticMetadataIops(storageCapacityGiB));
}

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

function storageItem({ storagetype, throughputcapacity, pricedescription }: OfferRow, usage: string): string | null {
  if (storagetype === 'HDD') {
    const known = perUnitsOf(LUSTRE_TYPES.PERSISTENT_1_HDD).some((tier) => String(tier) === throughputcapacity);
    const cache = /cache/i.test(`${usage} ${pricedescription}`) ? 'READ' : 'NONE';
    return known ? `fsx/PERSISTENT_1_HDD/${throughputcapacity}/${cache}` : null;
  }
  if (storagetype !== 'SSD') return null;
  for (const [kind, type] of Object.entries(LUSTRE_TYPES))
    for (const { perUnit } of type.tiers) {
      const [item, own] = perUnit === null ? [kind, type.usage] : [`${kind}/${perUnit}`, `${type.usage}.${perUnit}`];
      if (usage === own) return `fsx/${item}`;
    }
  return null;
}
