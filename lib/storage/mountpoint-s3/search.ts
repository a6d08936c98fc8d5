import { type Account, askAll, type Tagged, tagOf } from '../../common/aws/account';
import { type ResourceSearch, stackInName, stackOf } from '../search';
import { mountpointLines } from './cost';

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
