import { itemLine, unknownQuantity } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import type { CandidatesCapability, Family } from '../candidates';
import { settingsBy } from '../common/settings';
import type { CostOptions } from '../slices/price';
import { AVAILABILITIES, describeEfs, EFS_SETTINGS, type EfsStorage } from './configuration';
import { INCLUDED_MIBPS_PER_GIB, meteredBytes, PROVISIONED_MIBPS } from './documented';

/** List price of a file system: what is stored, what is provisioned beyond what that includes, and with elastic throughput each byte that is moved. */
export function efsLines(
  configuration: EfsStorage,
  { region, label = 'EFS', storedGiB, book = PUBLISHED }: CostOptions,
): readonly CostLine[] {
  const { availability = 'regional', throughputMode, provisionedThroughputMiBps = 0 } = configuration;
  const priced = (what: string, quantity: number, item: string, unit: string) =>
    itemLine(`${label}: ${what}`, quantity, item, { region, book }, unit);
  const item = `efs/${availability}/storage`;
  const what = `storage (${describeEfs(configuration)})`;
  const lines: CostLine[] = [
    storedGiB === undefined
      ? unknownQuantity(`${label}: ${what}`, book.priceOf(item, region))
      : priced(what, storedGiB, item, 'GB-month'),
  ];
  if (throughputMode === 'provisioned') {
    const billed = Math.max(0, provisionedThroughputMiBps - (storedGiB ?? 0) * INCLUDED_MIBPS_PER_GIB);
    const beyond = storedGiB === undefined ? 'throughput' : 'throughput beyond what the stored data include';
    lines.push(priced(beyond, billed, 'efs/provisioned-throughput', 'MiBps-month'));
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

const SERIES: Readonly<Record<(typeof AVAILABILITIES)[number], string>> = {
  regional: 'EFS Regional',
  'one-zone': 'EFS One Zone',
};

/**
 * The file systems of EFS that could be bought: with provisioned throughput in each size, and with elastic throughput. Bursting is none of
 * them, since its throughput follows from what happens to be stored.
 */
export const candidates: CandidatesCapability<EfsStorage> = {
  families: () =>
    AVAILABILITIES.flatMap((availability): Family<EfsStorage>[] => [
      {
        sizes: PROVISIONED_MIBPS.max - PROVISIONED_MIBPS.min + 1,
        at: (size) => ({
          kind: 'efs',
          throughputMode: 'provisioned',
          provisionedThroughputMiBps: PROVISIONED_MIBPS.min + size,
          availability,
        }),
      },
      { sizes: 1, at: () => ({ kind: 'efs', throughputMode: 'elastic', availability }) },
    ]),
  fileBytes: meteredBytes,
  settings: settingsBy(EFS_SETTINGS),
  series: Object.values(SERIES),
  seriesOf: ({ availability = 'regional' }) => SERIES[availability],
};
