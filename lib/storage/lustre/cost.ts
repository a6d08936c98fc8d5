import { costLine, noPrice, unknownQuantity } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine, Prices } from '../../schema/cost';
import type { LustreConfiguration } from './configuration';
import { automaticMetadataIops, describeLustre, kindOf } from './documented';
import { readCacheGiB } from './limits';

/**
 * List price of a file system. Compression changes nothing in it: what is provisioned is what is paid.
 *
 * @param storedGiB what Intelligent-Tiering is billed for; elsewhere it does not matter
 */
export function lustreLines(
  configuration: LustreConfiguration,
  region: string,
  {
    label = 'FSx for Lustre',
    storedGiB,
    book = PUBLISHED,
  }: { readonly label?: string; readonly storedGiB?: number; readonly book?: Prices } = {},
): readonly CostLine[] {
  const { storageCapacityGiB = 0, perUnitStorageThroughput, driveCacheType, customerManagedKey } = configuration;
  const kind = kindOf(configuration);
  const priced = (what: string, quantity: number, item: string, unit: string) =>
    costLine(`${label}: ${what}`, quantity, book.priceOf(item, region), { ...noPrice(item, region), unit });
  const lines: CostLine[] = [];
  if (kind === 'PERSISTENT_2_INTELLIGENT_TIERING') {
    const { throughputCapacity = 0 } = configuration;
    lines.push(priced('throughput', throughputCapacity, `fsx/${kind}/throughput`, 'MBps-month'));
    const cache = readCacheGiB(configuration);
    if (cache > 0) lines.push(priced('read cache', cache, `fsx/${kind}/read-cache`, 'GB-month'));
    // Requests are billed, too, by use.
    for (const what of ['storage', 'monitoring'])
      lines.push(
        storedGiB === undefined
          ? unknownQuantity(`${label}: ${what}`, book.priceOf(`fsx/${kind}/${what}`, region))
          : priced(what, storedGiB, `fsx/${kind}/${what}`, 'GB-month'),
      );
    const { metadata } = configuration;
    const iops = metadata?.mode === 'USER_PROVISIONED' ? metadata.iops : 0;
    lines.push(priced('metadata IOPS', iops, `fsx/${kind}/metadata-iops`, 'IOPS-month'));
  } else {
    const tier = [kind ?? 'unknown', perUnitStorageThroughput, driveCacheType].filter((part) => part !== undefined);
    const what = `storage (${describeLustre(configuration)})`;
    lines.push(priced(what, storageCapacityGiB, `fsx/${tier.join('/')}`, 'GB-month'));
    const extra = extraMetadataIops(configuration);
    if (extra > 0)
      lines.push(priced('metadata IOPS above the included ones', extra, 'fsx/metadata-iops', 'IOPS-month'));
  }
  if (customerManagedKey) lines.push(priced('key', 1, 'kms/key', 'month'));
  return lines;
}

/**
 * Metadata IOPS that are paid for: those above what AUTOMATIC would give to the capacity. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html.
 */
export function extraMetadataIops({ metadata, storageCapacityGiB = 0 }: LustreConfiguration): number {
  if (metadata?.mode !== 'USER_PROVISIONED') return 0;
  return Math.max(0, metadata.iops - automaticMetadataIops(storageCapacityGiB));
}
