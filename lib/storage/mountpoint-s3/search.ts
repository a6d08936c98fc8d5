import { type Account, askAll } from '../../kit/aws/account';
import { type ResourceSearch, STACK_NAME_TAG, stackInName } from '../search';
import { mountpointLines } from './cost';

/** What tells the bucket of an arm from others of its stack. */
export const ARM_TAG = 'fsxbench:mountpoint-s3';

/** A bucket's tags: nobody's where it has none, or is gone by now. */
async function tagsOf(account: Account, Bucket: string): Promise<ReadonlyMap<string | undefined, string | undefined>> {
  const { TagSet = [] } = await account.ask('s3:GetBucketTagging', { Bucket }).catch((error: Error) => {
    if (/^NoSuch(TagSet|Bucket)/.test(error.name)) return { TagSet: [] };
    throw error;
  });
  return new Map(TagSet.map(({ Key, Value }) => [Key, Value]));
}

/** Buckets of arms. The tags of other people's are not asked for: that would be a request for each, and some refuse it. */
export const mountpointSearch: ResourceSearch = {
  label: 'buckets of Mountpoint for Amazon S3',
  find: async (account, { region, book, stacks }) => {
    const all = await askAll(account, 's3:ListBuckets', { BucketRegion: region }, (page) => page.Buckets);
    const ours = all.flatMap(({ Name = '' }) => (stackInName(stacks, Name) === undefined ? [] : Name));
    const tagged = await Promise.all(ours.map(async (id) => ({ id, tags: await tagsOf(account, id) })));
    return tagged
      .filter(({ tags }) => tags.has(ARM_TAG))
      .map(({ id, tags }) => ({
        id,
        what: 'bucket of an arm',
        stack: tags.get(STACK_NAME_TAG),
        lines: mountpointLines({ kind: 'mountpoint-s3' }, { region, book }).slice(0, 1),
        remove: `aws s3 rb s3://${id} --force`,
      }));
  },
};
