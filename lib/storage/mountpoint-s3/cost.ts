import { itemLine, unknownQuantity } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import type { CostOptions } from '../slices/price';
import { describeMountpoint, type MountpointStorage, partMiBOf } from './configuration';
import { READ_PART_BYTES } from './documented';

/** List price: what is stored, and each request, of which only the run knows how many there are. */
export function mountpointLines(
  configuration: MountpointStorage,
  { region, label = 'S3', storedGiB, book = PUBLISHED }: CostOptions,
): readonly CostLine[] {
  const item = 's3/standard/storage';
  const what = `${label}: storage (${describeMountpoint(configuration)})`;
  const requests = (way: 'write' | 'read', bytes: number) =>
    unknownQuantity(`${label}: requests that ${way}`, book.priceOf(`s3/standard/${way}-requests`, region), {
      unit: '1000 requests',
      reason: `requests are billed: one for each ${bytes / 2 ** 20} MiB of a large file, ${way === 'write' ? 'and three more for the file' : 'and others to look it up'}`,
    });
  return [
    storedGiB === undefined
      ? unknownQuantity(what, book.priceOf(item, region))
      : itemLine(what, storedGiB, item, { region, book }, 'GB-month'),
    requests('write', partMiBOf(configuration) * 2 ** 20),
    requests('read', READ_PART_BYTES),
  ];
}
