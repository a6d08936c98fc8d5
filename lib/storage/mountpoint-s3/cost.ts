import { type Account, askAll, type Tagged, tagOf } from '../../common/aws/account';
import { type CostOptions, costLine, itemLine, unknownQuantity } from '../../price/line';
import { HOURS_PER_MONTH, PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import { type ResourceSearch, stackInName, stackOf } from '../search';
import { MOUNTPOINT_WORDS, type MountpointStorage, PART_BYTES, READ_PART_BYTES } from './configuration';

/** Requests for a file other than those that move its data: three if it is written, one to look it up if it is read. */
const MORE_REQUESTS = { write: 3, read: 1 } as const;

/** List price: what is stored, and the requests that write and read all of it once a month, if its size is known. */
export function mountpointLines(
  _configuration: MountpointStorage,
  { region, label = 'S3', storedGiB, files, book = PUBLISHED }: CostOptions,
): readonly CostLine[] {
  const item = 's3/standard/storage';
  const what = `${label}: storage (${MOUNTPOINT_WORDS})`;
  const requests = (way: 'write' | 'read', bytes: number): CostLine => {
    const price = book.priceOf(`s3/standard/${way}-requests`, region);
    const unit = '1000 requests';
    if (storedGiB === undefined)
      return unknownQuantity(`${label}: requests that ${way}`, price, {
        unit,
        reason: `requests are billed: one for each ${bytes / 2 ** 20} MiB of a large file, ${way === 'write' ? 'and three more for the file' : 'and others to look it up'}`,
      });
    const parts = Math.max(files ?? 0, (storedGiB * 2 ** 30) / bytes) + (files ?? 0) * MORE_REQUESTS[way];
    const line = costLine(`${label}: requests that ${way} all data once a month`, parts / 1000, price, {
      missing: `s3/standard/${way}-requests`,
      reason: `the price of s3/standard/${way}-requests in ${region} is unknown`,
      unit,
    });
    return { ...line, hourly: line.onceUsd == null ? null : line.onceUsd / HOURS_PER_MONTH, onceUsd: 0 };
  };
  return [
    storedGiB === undefined
      ? unknownQuantity(what, book.priceOf(item, region))
      : itemLine(what, storedGiB, item, { region, book }, 'GB-month'),
    requests('write', PART_BYTES),
    requests('read', READ_PART_BYTES),
  ];
}

/** Tag that identifies the bucket of an arm among those of its stack. */
export const ARM_TAG = 'fsxbench:mountpoint-s3';

/** A bucket's tags; empty if it has no tags or no longer exists. */
async function tagsOf(account: Account, Bucket: string): Promise<Tagged> {
  const { TagSet: Tags = [] } = await account.ask('s3:GetBucketTagging', { Bucket }).catch((error: Error) => {
    if (/^NoSuch(TagSet|Bucket)/.test(error.name)) return { TagSet: [] };
    throw error;
  });
  return { Tags };
}

/** Buckets of arms. Tags of other buckets are not requested, since each needs a request, and some refuse it. */
export const mountpointSearch: ResourceSearch = {
  label: 'Mountpoint buckets',
  find: async (account, { region, book, stacks }) => {
    const all = await askAll(account, 's3:ListBuckets', { BucketRegion: region }, 'Buckets');
    const ours = all.flatMap(({ Name = '' }) => (stackInName(stacks, Name) === undefined ? [] : Name));
    const tagged = await Promise.all(ours.map(async (id) => ({ id, ...(await tagsOf(account, id)) })));
    return tagged
      .filter((one) => tagOf(one, ARM_TAG) !== undefined)
      .map(({ id, ...one }) => ({
        id,
        what: 'bucket of an arm',
        stack: stackOf(one),
        lines: mountpointLines({ kind: 'mountpoint-s3' }, { region, book }).slice(0, 1),
        remove: `aws s3 rb s3://${id} --force`,
      }));
  },
};
