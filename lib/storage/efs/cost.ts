import { costLine, noPrice, unknownQuantity } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import { MBPS_PER_MIBPS } from '../kit/limits';
import type { CostOptions } from '../slices/price';
import { describeEfs, type EfsStorage } from './configuration';

/** List price of a file system: what is stored, what is provisioned, and with elastic throughput each byte that is moved. */
export function efsLines(
  configuration: EfsStorage,
  { region, label = 'EFS', storedGiB, book = PUBLISHED }: CostOptions,
): readonly CostLine[] {
  const { availability = 'regional', throughputMode, provisionedThroughputMiBps = 0 } = configuration;
  const priced = (what: string, quantity: number, item: string, unit: string) =>
    costLine(`${label}: ${what}`, quantity, book.priceOf(item, region), { ...noPrice(item, region), unit });
  const item = `efs/${availability}/storage`;
  const what = `storage (${describeEfs(configuration)})`;
  const lines: CostLine[] = [
    storedGiB === undefined
      ? unknownQuantity(`${label}: ${what}`, book.priceOf(item, region))
      : priced(what, storedGiB, item, 'GB-month'),
  ];
  if (throughputMode === 'provisioned') {
    const megabytes = provisionedThroughputMiBps * MBPS_PER_MIBPS;
    lines.push(priced('throughput', megabytes, 'efs/provisioned-throughput', 'MBps-month'));
  }
  if (throughputMode === 'elastic') {
    const reason = 'elastic throughput is billed by the bytes that are moved';
    for (const way of ['read', 'write']) {
      const price = book.priceOf(`efs/elastic-${way}`, region);
      lines.push(unknownQuantity(`${label}: bytes that clients ${way}`, price, { unit: 'GB', reason }));
    }
  }
  return lines;
}
