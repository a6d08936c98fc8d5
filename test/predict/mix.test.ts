import { type CacheFit, cacheFit, mixLimits } from '../../lib/predict';
import type { Limit } from '../../lib/storage/common/limits';
import type { ServerCaches } from '../../lib/storage/performance';

const caches = (memoryGiB: number | null, readCacheGiB = 0, readCacheMBps: number | null = null): ServerCaches =>
  ({ memoryGiB, readCacheGiB, readCacheMBps, source: 'the documentation' }) as ServerCaches;

test.each<[string, ServerCaches, Parameters<typeof cacheFit>[1], number, CacheFit['hitsFrom']]>([
  ['nothing is said', caches(100), {}, 0, null],
  ['a working set as large as the memory', caches(100), { workingSetGiB: 100 }, 1, 'memory'],
  ['one that is a little larger gets no hits', caches(100), { workingSetGiB: 100.1 }, 0, null],
  ['no documented memory', caches(null), { workingSetGiB: 1 }, 0, null],
  ['one that fits into the read cache alone', caches(100, 500), { workingSetGiB: 500 }, 1, 'read cache'],
  ['one that fits into both is in memory', caches(100, 500), { workingSetGiB: 100 }, 1, 'memory'],
  ['one that fits into neither', caches(100, 500), { workingSetGiB: 501 }, 0, null],
  ['what is said to be in memory', caches(null, 500), { servedFrom: 'memory' }, 1, 'memory'],
])('reads come from a cache: %s', (_, own, asked, hitShare, hitsFrom) => {
  const { memoryGiB, readCacheGiB } = own;
  expect(cacheFit(own, asked)).toEqual({ memoryGiB, readCacheGiB, hitShare, hitsFrom });
});

const limit = (name: string, baselineMBps: number, burstMBps = 2 * baselineMBps) =>
  ({ name, baselineMBps, burstMBps, source: `the ${name}` }) as unknown as Limit;
const served = (hitShare = 0, hitsFrom: CacheFit['hitsFrom'] = null): CacheFit => ({
  memoryGiB: 1,
  readCacheGiB: 1,
  hitShare,
  hitsFrom,
});

// Disks write 1,000 MB/s and read 1,500. A share r of reads, of which h hit, takes (1 − r) ÷ 1,000 + r (1 − h) ÷ 1,500 seconds for a MB.
test.each<[string, number, CacheFit, ServerCaches, number | null]>([
  ['writes alone', 0, served(), caches(1), 1000],
  ['reads alone', 1, served(), caches(1), 1500],
  ['half of each', 0.5, served(), caches(1), 1200],
  ['half of each, two fifths of the reads from memory', 0.5, served(0.4, 'memory'), caches(1), 1 / (0.0005 + 0.0002)],
  ['reads that are all in memory need no disk', 1, served(1, 'memory'), caches(1), null],
  ['half of each, all reads from memory', 0.5, served(1, 'memory'), caches(1), 2000],
  ['reads from a read cache of 2,000 MB/s', 1, served(1, 'read cache'), caches(1, 1, 2000), 2000],
  ['nine tenths of nine tenths from it', 0.9, served(0.9, 'read cache'), caches(1, 1, 2000), 2000 / 0.81],
  ['a cache is not slower than its disks', 0.9, served(0.9, 'read cache'), caches(1, 1, 500), 1500 / 0.81],
  ['the disks bind before the cache', 0.5, served(0.4, 'read cache'), caches(1, 1, 2000), 1 / (0.0005 + 0.0002)],
])('disks under a mix: %s', (_, share, own, of, MBps) => {
  const mixed = mixLimits([limit('disk', 1000)], [limit('disk', 1500)], share, own, of);
  expect(mixed.map(({ baselineMBps }) => baselineMBps)).toEqual(MBps === null ? [] : [expect.closeTo(MBps, 6)]);
  // Without a read cache, both rates of a disk are twice as high in a burst.
  if (own.hitsFrom !== 'read cache')
    expect(mixed.map(({ burstMBps }) => burstMBps)).toEqual(MBps === null ? [] : [expect.closeTo(2 * MBps, 6)]);
});

test('a network that is the same both ways stays one limit, one that differs is shared, and none depends on caches', () => {
  const same = limit('server_network', 900);
  expect(mixLimits([same], [limit('server_network', 900)], 0.5, served(1, 'memory'), caches(1))).toEqual([same]);
  expect(mixLimits([limit('client', 600)], [limit('client', 300)], 0.5, served(1, 'memory'), caches(1))).toMatchObject([
    { baselineMBps: expect.closeTo(400, 9), burstMBps: expect.closeTo(800, 9) },
  ]);
  // A limit of writes alone stands for both.
  expect(mixLimits([limit('streams', 600)], [], 0.5, served(), caches(1))).toMatchObject([{ baselineMBps: 600 }]);
});

test('the source says where reads come from that a cache serves', () => {
  const sourceOf = (share: number, own: CacheFit) =>
    mixLimits([limit('disk', 1000)], [limit('disk', 1500)], share, own, caches(1, 1, 2000))[0]?.source;
  expect(sourceOf(0.5, served(0.4, 'memory'))).toContain(
    '40 % of the reads from memory, bypassing the disks (the documentation)',
  );
  expect(sourceOf(0.5, served(0.4, 'read cache'))).toContain(
    '40 % of the reads from the read cache (the documentation)',
  );
  expect(sourceOf(0.5, served())).not.toContain('from memory');
  expect(sourceOf(0, served(0.4, 'memory'))).not.toContain('from memory');
});
