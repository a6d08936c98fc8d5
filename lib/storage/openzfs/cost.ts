import { costLine } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import type { CostOptions } from '../slices/price';
import { describeOpenZfs, type OpenZfsStorage } from './configuration';
import { includedIops } from './documented';

/** The price list of FSx is not read for OpenZFS: which of its rows are whose, no page says. */
const reasonOf = (item: string, region: string): string =>
  `no price of ${item} in ${region} is known: take it from https://aws.amazon.com/fsx/openzfs/pricing/, and give it with --prices`;

/** List price: storage, throughput capacity, and IOPS beyond those that come with the storage. */
export function openZfsLines(
  configuration: OpenZfsStorage,
  { region, label = 'OpenZFS', book = PUBLISHED }: CostOptions,
): readonly CostLine[] {
  const { deploymentType, storageCapacityGiB, throughputMBps, iops = 0 } = configuration;
  const line = (what: string, quantity: number, item: string, unit: string): CostLine[] => {
    const name = `fsx/openzfs/${deploymentType}/${item}`;
    return quantity <= 0
      ? []
      : [costLine(`${label}: ${what}`, quantity, book.priceOf(name, region), { reason: reasonOf(name, region), unit })];
  };
  return [
    ...line(`storage (${describeOpenZfs(configuration)})`, storageCapacityGiB, 'storage', 'GB-month'),
    ...line('throughput', throughputMBps, 'throughput', 'MBps-month'),
    ...line('IOPS', iops - includedIops(storageCapacityGiB), 'iops', 'IOPS-month'),
  ];
}
