import type { Benchmark, Scale } from '../../lib/benchmark/benchmark';
import { clusterBench } from '../../lib/benchmark/cluster';
import { compressionBench } from '../../lib/benchmark/compression';
import { metadataBench } from '../../lib/benchmark/metadata';
import { offloadBench } from '../../lib/benchmark/offload';
import { storageBench } from '../../lib/benchmark/storage';
import { makePlan } from '../../lib/plan/plan';

// Clients as the studies had them, in claims/ and the pages of the benchmarks; at scale smoke the smallest that work.
test.each<[Benchmark, Scale, string, number, number]>([
  [compressionBench, 'published', 'c5n.9xlarge', 8, 144],
  [compressionBench, 'smoke', 'c5n.large', 2, 2],
  [metadataBench, 'published', 'c5.9xlarge', 200, 4],
  [metadataBench, 'smoke', 'c5.large', 4, 2],
  [storageBench, 'published', 'c5.2xlarge', 1, 8],
  [storageBench, 'smoke', 'c5.large', 1, 2],
  [clusterBench, 'published', 'c5n.18xlarge', 8, 36],
  [clusterBench, 'smoke', 'c5n.large', 2, 1],
  [offloadBench, 'published', 'c5n.18xlarge', 2, 32],
  [offloadBench, 'smoke', 'c5n.9xlarge', 1, 8],
])('$name at scale %s has its clients', ({ fleet }, scale, instanceType, clients, ranksPerClient) => {
  expect(fleet(scale)).toMatchObject({ instanceType, clients, ranksPerClient });
});

// USD at list prices depend on these: capacities and rates of all arms.
const lustre = (storageCapacityGiB: number, perUnitStorageThroughput?: number, more: object = {}) => ({
  ...{ kind: 'lustre', storageType: 'SSD', storageCapacityGiB, ...more },
  ...(perUnitStorageThroughput === undefined ? {} : { perUnitStorageThroughput }),
});
test.each<[string, Benchmark, Scale, Record<string, object>]>([
  [
    'two of 14,400 GiB at 200 MB/s/TiB, one with LZ4',
    ...([compressionBench, 'published'] as const),
    {
      none: lustre(14_400, 200, { deploymentType: 'PERSISTENT_1', dataCompressionType: 'NONE' }),
      lz4: lustre(14_400, 200, { deploymentType: 'PERSISTENT_1', dataCompressionType: 'LZ4' }),
    },
  ],
  [
    'the smallest two',
    ...([compressionBench, 'smoke'] as const),
    { none: lustre(1200, 50), lz4: lustre(1200, 50, { dataCompressionType: 'LZ4' }) },
  ],
  [
    'six of 12,000 GiB, of two rates with three levels of metadata IOPS',
    ...([metadataBench, 'published'] as const),
    Object.fromEntries(
      [250, 1000].flatMap((rate) =>
        [null, 12_000, 192_000].map((iops) => [
          `p${rate}-${iops ?? 'none'}`,
          lustre(12_000, rate, iops === null ? {} : { metadata: { mode: 'USER_PROVISIONED', iops } }),
        ]),
      ),
    ),
  ],
  [
    'the smallest three',
    ...([metadataBench, 'smoke'] as const),
    {
      'p125-none': lustre(1200, 125),
      'p125-1500': lustre(1200, 125, { metadata: { mode: 'USER_PROVISIONED', iops: 1500 } }),
      'p125-24000': lustre(1200, 125, { metadata: { mode: 'USER_PROVISIONED', iops: 24_000 } }),
    },
  ],
  [
    '14,400 GiB of SCRATCH_2',
    clusterBench,
    'published',
    { scratch: lustre(14_400, undefined, { deploymentType: 'SCRATCH_2' }) },
  ],
  [
    'the smallest SCRATCH_2',
    clusterBench,
    'smoke',
    { scratch: lustre(1200, undefined, { deploymentType: 'SCRATCH_2' }) },
  ],
  [
    'volumes of 1,200 GiB, two servers of 600, the smallest Lustre and EFS',
    ...([storageBench, 'published'] as const),
    {
      ...Object.fromEntries(
        ['xfs', 'btrfs', 'btrfs-lzo', 'btrfs-zstd'].map((name) => [
          name,
          { kind: 'ebs', volumeType: 'gp2', volumeGiB: 1200 },
        ]),
      ),
      moosefs: { kind: 'moosefs', chunkservers: 2, instanceType: 'c5.xlarge', volumeGiB: 600 },
      lustre: lustre(1200, undefined, { deploymentType: 'SCRATCH_2' }),
      efs: { kind: 'efs', throughputMode: 'bursting' },
    },
  ],
])('the arms of a study: %s', (_, { arms }, scale, expected) => {
  const found = arms(scale);
  expect(found.map(({ name }) => name)).toEqual(Object.keys(expected));
  for (const { name, storage } of found) expect(storage).toMatchObject(expected[name] ?? {});
});

test.each([
  ['published', 720],
  ['smoke', 5],
] as const)('the blog’s write at scale %s takes as long as its command: %i minutes', (scale, minutes) => {
  const request = {
    ...{ benchmark: compressionBench, plan: 'published', scale, hourlyUsd: 0 },
    arms: compressionBench.arms(scale).map(({ name }) => ({ name, description: '' })),
    fleet: { clients: 8, instanceType: 'c5n.9xlarge', ranksPerClient: 144 },
  };
  const { steps } = makePlan({ ...request, set: [`minutes=${minutes}`] });
  const write = steps.find(({ phase }) => phase === 'measure');
  expect([write?.expectedSeconds, write?.deadlineSeconds]).toEqual([minutes * 60, 2 * minutes * 60 + 600]);
  expect(JSON.stringify(write?.tasks)).toContain(`"-T","${minutes}"`);
  if (scale === 'published')
    expect(makePlan(request).steps.map(({ expectedSeconds }) => expectedSeconds)).toContain(43_200);
});
