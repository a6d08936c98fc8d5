import { TIERING_RULES } from '../../../../lib/storage/lustre/rule/metadata';
import { checkLustre } from '../../../../lib/storage/lustre/rules';
import { MIN } from '../configurations';
import { anything, type Case, refuses } from './cases';

const CACHES =
  '{"sizingMode":"NO_CACHE"}, {"sizingMode":"PROPORTIONAL_TO_THROUGHPUT_CAPACITY"} or a size such as {"sizingMode":"USER_PROVISIONED","sizeGiB":5000}';

const REFUSED: Case[] = [
  [
    'throughput-capacity',
    { ...MIN.tiering, throughputCapacity: undefined },
    "'throughputCapacity' must be 1000, 2000 or a multiple of 4000 up to 2000000 MB/s with INTELLIGENT_TIERING, got nothing. Take 4000.",
  ],
  [
    'throughput-capacity',
    { ...MIN.tiering, throughputCapacity: 6000 },
    "'throughputCapacity' must be 1000, 2000 or a multiple of 4000 up to 2000000 MB/s with INTELLIGENT_TIERING, got 6000. Take 8000.",
  ],
  [
    'throughput-capacity',
    { ...MIN.tiering, throughputCapacity: 2_004_000 },
    "'throughputCapacity' must be 1000, 2000 or a multiple of 4000 up to 2000000 MB/s with INTELLIGENT_TIERING, got 2004000. Take 2000000.",
  ],
  [
    'throughput-capacity',
    { ...MIN.persistent2, throughputCapacity: 4000 },
    "'throughputCapacity' (4000) cannot be combined with PERSISTENT_2 SSD: only INTELLIGENT_TIERING has it. Set 'perUnitStorageThroughput' instead.",
  ],
  [
    'throughput-capacity',
    { ...MIN.scratch2, throughputCapacity: 4000 },
    "'throughputCapacity' (4000) cannot be combined with SCRATCH_2: only INTELLIGENT_TIERING has it. Leave it out.",
  ],
  [
    'read-cache',
    { ...MIN.tiering, dataReadCache: undefined },
    `'dataReadCache' must be ${CACHES} with INTELLIGENT_TIERING, got nothing. A proportional one has 5000 GiB for each 1000 MB/s.`,
  ],
  [
    'read-cache',
    anything({ ...MIN.tiering, dataReadCache: { sizingMode: 'BIG' } }),
    `'dataReadCache' must be ${CACHES} with INTELLIGENT_TIERING, got {"sizingMode":"BIG"}. A proportional one has 5000 GiB for each 1000 MB/s.`,
  ],
  [
    'read-cache',
    { ...MIN.persistent2, dataReadCache: { sizingMode: 'NO_CACHE' } },
    `'dataReadCache' ({"sizingMode":"NO_CACHE"}) cannot be combined with PERSISTENT_2 SSD: only INTELLIGENT_TIERING has it. Leave it out.`,
  ],
  [
    'read-cache-size',
    { ...MIN.tiering, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 31 } },
    "'dataReadCache.sizeGiB' must be a whole number from 32 to 131072 GiB at 4000 MB/s, got 31. 20000 is the size that AWS calls proportional.",
  ],
  [
    'read-cache-size',
    { ...MIN.tiering, throughputCapacity: 8000, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 262_145 } },
    "'dataReadCache.sizeGiB' must be a whole number from 64 to 262144 GiB at 8000 MB/s, got 262145. 40000 is the size that AWS calls proportional.",
  ],
  [
    'read-cache-size',
    anything({ ...MIN.tiering, dataReadCache: { sizingMode: 'NO_CACHE', sizeGiB: 64 } }),
    "'dataReadCache.sizeGiB' (64) cannot be combined with NO_CACHE: only USER_PROVISIONED has a size. Leave it out.",
  ],
  [
    'read-cache-size',
    { ...MIN.tiering, throughputCapacity: 1000, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 7 } },
    "'dataReadCache.sizeGiB' must be a whole number from 8 to 32768 GiB at 1000 MB/s, got 7. 5000 is the size that AWS calls proportional.",
  ],
];

refuses(TIERING_RULES, REFUSED);

test.each([1000, 2000])('%i MB/s are accepted, with the warning that CloudFormation may lag', (throughputCapacity) => {
  const { errors, warnings } = checkLustre({ ...MIN.tiering, throughputCapacity });
  expect(errors).toEqual([]);
  expect(warnings.map(({ id }) => id)).toContain('fsxbench:lustre-new-tiering');
});
