import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { compressedFrom, type PredictRequest, predict } from '../../lib';
import { type CacheFit, mixLimits } from '../../lib/predict';
import type { LustreConfiguration } from '../../lib/storage/lustre/configuration';
import { MIN } from '../storage/lustre/configurations';

const claims = (study: string) =>
  JSON.parse(readFileSync(join(__dirname, '../../claims', `${study}.json`), 'utf8')).claims as readonly {
    readonly id: string;
    readonly value: number;
    readonly figures?: readonly { readonly value: number }[];
  }[];
const claimed = (study: string, id: string): number[] => {
  const found = claims(study).find((claim) => claim.id === id);
  if (found === undefined) throw new Error(`no claim ${id}`);
  return [found.value, ...(found.figures ?? []).map(({ value }) => value)];
};

const CACHES = { memoryGiB: null, readCacheGiB: 0, readCacheMBps: null, source: '' };

/** The compression study: 14,400 GiB, four c5n.9xlarge clients for each file system. */
const STUDY: LustreConfiguration = {
  deploymentType: 'PERSISTENT_1',
  storageCapacityGiB: 14_400,
  perUnitStorageThroughput: 200,
  dataCompressionType: 'LZ4',
};
const CLIENTS = { count: 4, instanceType: 'c5n.9xlarge' };
const REQUEST: PredictRequest = { configuration: STUDY, ratio: 3.75, clients: CLIENTS };
const rates = (request: PredictRequest) =>
  Object.fromEntries(
    predict(request).limits.map(({ name, baselineMBps, burstMBps }) => [name, [baselineMBps, burstMBps]]),
  );

test('table 1 of the compression study comes out to the last digit', () => {
  const { server_network, disk, disk_compressed } = rates(REQUEST);
  expect(server_network).toEqual(claimed('aws-compression-blog', 'compression.limit.network'));
  expect(disk).toEqual(claimed('aws-compression-blog', 'compression.limit.disk'));
  expect(disk_compressed).toEqual(claimed('aws-compression-blog', 'compression.limit.disk_times_ratio'));
  expect(predict(REQUEST)).toMatchObject({
    throughputMBps: { baseline: 10_800, burst: 12_960 },
    binding: { burst: 'disk_compressed' },
    perClient: { ceilingMBps: { baseline: 3750, burst: 3750 }, shareMBps: { baseline: 2700, burst: 3240 } },
  });
});

test('the documented figures of the other studies come out, too', () => {
  const none: LustreConfiguration = { ...STUDY, dataCompressionType: 'NONE' };
  expect([predict({ configuration: none }).throughputMBps.baseline]).toEqual(
    claimed('parallelcluster-dask-blog', 'dask.claimed'),
  );
  const [creates] = claimed('aws-metadata-blog', 'metadata.create_per_iops') as [number];
  const [deletes] = claimed('aws-metadata-blog', 'metadata.delete_per_iops') as [number];
  const metadata = (storageCapacityGiB: number, iops?: number) =>
    predict({
      configuration: {
        deploymentType: 'PERSISTENT_2',
        storageCapacityGiB,
        perUnitStorageThroughput: 250,
        metadata: iops === undefined ? { mode: 'AUTOMATIC' } : { mode: 'USER_PROVISIONED', iops },
      },
    }).metadataPerSecond;
  for (const iops of [12_000, 192_000]) {
    expect(metadata(12_000, iops)).toEqual({
      file_create: iops * creates,
      file_remove: iops * deletes,
      dir_create: iops / 10,
      dir_rename: iops / 10,
      dir_remove: iops / 5,
    });
  }
  expect(metadata(1200)?.file_remove).toBe(claimed('aws-metadata-blog', 'metadata.automatic.small')[0]);
  expect(metadata(12_000)?.file_remove).toBe(claimed('aws-metadata-blog', 'metadata.automatic.large')[0]);
});

test.each<[LustreConfiguration['deploymentType'], number, number]>([
  ['PERSISTENT_1', 50, 5],
  ['PERSISTENT_1', 100, 5],
  ['PERSISTENT_1', 200, 3.75],
  ['PERSISTENT_2', 125, 2.56],
  ['PERSISTENT_2', 250, 2.56],
  ['PERSISTENT_2', 500, 2.6],
  ['PERSISTENT_2', 1000, 2.6],
])('beyond the knee of %s-%p, %p, more compression brings nothing for good', (deploymentType, perUnit, knee) => {
  const configuration: LustreConfiguration = { ...STUDY, deploymentType, perUnitStorageThroughput: perUnit };
  const at = (ratio: number) => predict({ configuration, ratio });
  expect(at(knee).knee).toBe(knee);
  expect(at(knee * 2).throughputMBps.baseline).toBe(at(knee).throughputMBps.baseline);
  expect(at(knee * 0.9).throughputMBps.baseline).toBeLessThan(at(knee).throughputMBps.baseline);
  expect([at(knee * 0.9).binding.baseline, at(knee * 2).binding.baseline]).toEqual([
    'disk_compressed',
    'server_network',
  ]);
});

test('what was measured without compression predicts LZ4 within 2 %', () => {
  const [none] = claimed('aws-compression-blog', 'compression.none.sustained') as [number];
  const [lz4] = claimed('aws-compression-blog', 'compression.lz4.burst') as [number];
  const network = rates(REQUEST).server_network?.[1] as number;
  // 3.5556 is the ratio of IOR 3.3.0's data in records of 128 KiB.
  expect(Math.abs(compressedFrom(none, 3.5556, network) / lz4 - 1)).toBeLessThan(0.02);
  expect(compressedFrom(none, 100, network)).toBe(network);
});

test('compression takes nothing away from a rate that was measured above the documented network', () => {
  expect(compressedFrom(5000, 2, 4000)).toBe(5000);
});

test('a prediction repeats what it holds for, and is null for what nobody said', () => {
  const conditions = (request: PredictRequest) => JSON.parse(JSON.stringify(predict(request).conditions));
  expect(conditions({ configuration: MIN.efa })).toEqual({
    mode: 'write',
    readShare: 0,
    ratio: null,
    clients: null,
    workingSetGiB: null,
    region: null,
  });
  const clients = { count: 2, instanceType: 'c6in.32xlarge' };
  const asked = { ratio: 1.5, workingSetGiB: 70, region: 'eu-west-1' };
  const request = { configuration: MIN.efa, readShare: 0.25, ...asked };
  expect(conditions({ ...request, clients: { ...clients, efa: true } })).toEqual({
    mode: 'mixed',
    readShare: 0.25,
    ...asked,
    clients: { ...clients, efa: true },
  });
  expect(conditions({ ...request, clients })).toMatchObject({ clients: { ...clients, efa: false } });
});

test('servers are counted, or there is a reason why they are not', () => {
  expect(predict(REQUEST)).toMatchObject({ servers: { oss: 6 }, serversReason: undefined });
  const efs = { kind: 'efs', throughputMode: 'elastic' };
  expect(predict({ configuration: efs })).toMatchObject({
    servers: null,
    serversReason: expect.stringContaining('EFS'),
  });
});

test('what speaks against a configuration stands in its prediction', () => {
  expect(predict({ configuration: MIN.scratch2 }).warnings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('does not replicate data'),
  );
});

test('a single client bursts as far as its card does', () => {
  const { perClient } = predict({ ...REQUEST, clients: { count: 4, instanceType: 'c5.2xlarge' } });
  expect(perClient?.ceilingMBps).toEqual({ baseline: 312.5, burst: 1250 });
});

test('the cards of EFA count only over EFA, and the path of a volume bursts as the type of the client does', () => {
  const of = (request: PredictRequest, limit: string) => {
    const { baselineMBps, burstMBps } = predict(request).limits.find(({ name }) => name === limit) ?? {};
    return [baselineMBps, burstMBps];
  };
  const cards = (efa: boolean) => ({
    configuration: MIN.efa,
    clients: { count: 1, instanceType: 'c6in.32xlarge', efa },
  });
  expect([true, false].map((efa) => of(cards(efa), 'client_nic')[0])).toEqual([25_000, 12_500]);
  const gp3 = { kind: 'ebs', filesystem: 'xfs', volumeType: 'gp3', volumeGiB: 1000, iops: 8000, throughputMiBps: 1000 };
  const [baseline = 0, burst = 0] = of(
    { configuration: gp3, clients: { count: 1, instanceType: 'c5.large' } },
    'client_ebs_path',
  );
  expect([baseline, burst]).toEqual([81.25, 593.75]);
});

test('metadata of several clients are bounded by the processors of all of them', () => {
  const configuration = { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 24_000 } } as const;
  const clients = { count: 4, instanceType: 'c5.large' };
  const { runMetadataPerSecond } = predict({ configuration, files: 200_000, streams: { processes: 100 }, clients });
  expect(runMetadataPerSecond?.file_create).toMatchObject({ expected: 4 * 2 * 3600, bottleneck: 'client_cpu' });
});

test('one client gets no more than the whole file system', () => {
  const configuration = { ...MIN.persistent2, perUnitStorageThroughput: 250, storageCapacityGiB: 1200 };
  const { perClient, throughputMBps } = predict({
    configuration,
    clients: { count: 64, instanceType: 'c6in.8xlarge' },
  });
  // Its path to the one server would carry 625 MB/s.
  expect(throughputMBps).toEqual({ baseline: 300, burst: 600 });
  expect(perClient?.ceilingMBps).toEqual(throughputMBps);
});

describe('a mix of reads and writes', () => {
  const sourceAt = (readShare: number, more: Partial<PredictRequest> = {}) =>
    predict({ configuration: MIN.scratch2, readShare, ...more }).limits.find(({ name }) => name === 'disk')?.source;

  test('has the sources of both directions, one alone that of its own', () => {
    const [writes, reads] = [sourceAt(0), sourceAt(1)];
    expect([writes, reads]).toEqual([expect.stringMatching(/^100 MB/), expect.stringMatching(/^200 MB/)]);
    expect(sourceAt(0.5)).toBe(`time shared between writes (${writes}) and reads (${reads})`);
  });

  test('names the cache of those reads that come from one, and none where nothing is read from any', () => {
    const sources = (configuration: LustreConfiguration, readShare: number, workingSetGiB: number) =>
      predict({ configuration, readShare, workingSetGiB }).limits.map(({ source }) => source);
    // The network carries them all the same.
    const network = expect.not.stringContaining('of the reads');
    expect(sources(MIN.scratch2, 0.5, 1)).toEqual([
      network,
      expect.stringContaining('; 100 % of the reads from memory, bypassing the disks ('),
    ]);
    expect(sources(MIN.hdd12, 0.5, 1000)).toEqual([
      network,
      expect.stringContaining('; 100 % of the reads from the read cache ('),
    ]);
    for (const [readShare, workingSetGiB] of [
      [0, 1000],
      [0.5, 100_000],
    ] as const)
      for (const source of sources(MIN.hdd12, readShare, workingSetGiB))
        expect(source).not.toContain('of the reads from');
  });

  const rate = fc.double({ min: 1, max: 1e5, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const NO_HITS = { memoryGiB: null, readCacheGiB: 0, hitShare: 0, hitsFrom: null };

  test('lies between its directions whichever of their ends differ, and takes as long as both of its parts', () => {
    const limit = (name: 'server_network' | 'disk', baselineMBps: number, burstMBps: number) => [
      { name, baselineMBps, burstMBps, source: '' },
    ];
    const pair = fc.record({ baseline: rate, burst: rate });
    const reads = (write: fc.Arbitrary<{ baseline: number; burst: number }>) =>
      write.chain((one) =>
        fc.tuple(
          fc.constant(one),
          fc.oneof(
            pair,
            rate.map((burst) => ({ ...one, burst })),
            rate.map((baseline) => ({ ...one, baseline })),
          ),
        ),
      );
    fc.assert(
      fc.property(fc.constantFrom('server_network', 'disk'), reads(pair), share, (name, [write, read], readShare) => {
        const [mixed] = mixLimits(
          limit(name, write.baseline, write.burst),
          limit(name, read.baseline, read.burst),
          readShare,
          NO_HITS,
          CACHES,
        );
        for (const [got, ofWrites, ofReads] of [
          [mixed?.baselineMBps ?? 0, write.baseline, read.baseline],
          [mixed?.burstMBps ?? 0, write.burst, read.burst],
        ] as const) {
          const seconds = (1 - readShare) / ofWrites + readShare / ofReads;
          expect(got * seconds).toBeCloseTo(1, 9);
        }
      }),
    );
  });

  test('is never slower for what comes from a read cache, which may be slower than the disks', () => {
    fc.assert(
      fc.property(rate, rate, rate, share, (write, read, readCacheMBps, readShare) => {
        const disk = (MBps: number) => [{ name: 'disk', baselineMBps: MBps, burstMBps: MBps, source: '' }] as const;
        const at = (fit: CacheFit) =>
          mixLimits(disk(write), disk(read), readShare, fit, { ...CACHES, readCacheGiB: 1, readCacheMBps })[0];
        const with_ = at({ ...NO_HITS, readCacheGiB: 1, hitShare: 1, hitsFrom: 'read cache' })?.baselineMBps;
        expect(with_ ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual((at(NO_HITS)?.baselineMBps ?? 0) * (1 - 1e-9));
      }),
    );
  });

  test('is never slower for what comes from a cache', () => {
    const kinds: LustreConfiguration[] = [MIN.scratch2, MIN.hdd12, MIN.hdd40, MIN.tiering, MIN.persistent2];
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        share,
        fc.constantFrom(1, 500),
        (configuration, readShare, workingSetGiB) => {
          const without = predict({ configuration, readShare }).throughputMBps;
          const hits = predict({ configuration, readShare, workingSetGiB }).throughputMBps;
          expect(hits.baseline).toBeGreaterThanOrEqual(without.baseline);
          expect(hits.burst).toBeGreaterThanOrEqual(without.burst);
        },
      ),
    );
  });
});

test('data that fill the memory exactly are read from it', () => {
  const at = (workingSetGiB?: number) => predict({ configuration: STUDY, readShare: 1, workingSetGiB }).cache;
  expect(at(at().memoryGiB ?? 0)).toMatchObject({ hitShare: 1, hitsFrom: 'memory' });
});

test('one client is limited by its path to the servers, not by its network card', () => {
  expect(predict({ ...REQUEST, clients: { count: 1, instanceType: 'c5n.9xlarge' } })).toMatchObject({
    binding: { baseline: 'client_oss_path', burst: 'client_oss_path' },
    throughputMBps: { baseline: 3750, burst: 3750 },
  });
});

test('reads from memory pass the disks by, misses do not', () => {
  const configuration: LustreConfiguration = { ...STUDY, dataCompressionType: 'NONE' };
  const read = (more: Partial<PredictRequest>) => predict({ configuration, readShare: 1, ...more });
  expect(read({}).throughputMBps.baseline).toBe(2880);
  // 14.4 × 8.8 GiB of memory.
  expect(read({ workingSetGiB: 126 })).toMatchObject({
    binding: { baseline: 'server_network' },
    cache: { hitsFrom: 'memory', hitShare: 1 },
    throughputMBps: { baseline: 10_800, burst: 18_720 },
    knee: null,
  });
  expect(read({ workingSetGiB: 127 })).toMatchObject({ cache: { hitsFrom: null }, throughputMBps: { baseline: 2880 } });
});

test('the read cache of hard disks reads as fast as its SSD is documented', () => {
  const configuration: LustreConfiguration = { ...MIN.hdd12 };
  const read = (workingSetGiB: number) =>
    predict({ configuration, readShare: 1, workingSetGiB }).throughputMBps.baseline;
  // 6,000 GiB: 12 MB/s/TiB from disks; 1,200 GiB of cache at 200.
  expect([read(1200), read(1201)]).toEqual([240, 72]);
});

test('reads served from memory pass the read cache by: neither it nor the disks limit them', () => {
  const { cache, limits } = predict({ configuration: MIN.hdd12, readShare: 1, servedFrom: 'memory' });
  expect(cache).toMatchObject({ hitShare: 1, hitsFrom: 'memory' });
  expect(limits.map(({ name }) => name)).toEqual(['server_network']);
});

test('compression speeds up the disks behind a cache, and neither enlarges the cache nor speeds it up', () => {
  const disks = (workingSetGiB: number, ratio: number) =>
    predict({
      configuration: { ...MIN.hdd12, dataCompressionType: 'LZ4' },
      readShare: 1,
      workingSetGiB,
      ratio,
    }).limits.find(({ name }) => name === 'disk_compressed')?.baselineMBps;
  // From the cache at its documented 240 MB/s; of more than it holds, from disks of 72 MB/s, whose bytes alone shrink.
  expect([1.5, 2, 3].map((ratio) => disks(1200, ratio))).toEqual([240, 240, 240]);
  expect([1.5, 2, 3].map((ratio) => disks(1201, ratio))).toEqual([108, 144, 216]);
});

test('a documented burst below what holds for good takes nothing away from that', () => {
  const { limits, binding, throughputMBps, burst } = predict({
    configuration: STUDY,
    ratio: 20,
    region: 'eu-central-1',
  });
  expect(limits.find(({ name }) => name === 'server_network')).toMatchObject({
    baselineMBps: 10_800,
    burstMBps: 10_800,
  });
  expect(throughputMBps).toEqual({ baseline: 10_800, burst: 10_800 });
  expect(binding).toEqual({ baseline: 'server_network', burst: 'server_network' });
  expect(burst.reason).toBe('there is no burst: the ceiling is sustained');
  // The disks burst to 3,456 MB/s, and the network carries what that is at 2.5:1.
  const { throughputMBps: compressed } = predict({ configuration: STUDY, ratio: 2.5, region: 'eu-central-1' });
  expect(compressed).toEqual({ baseline: 7200, burst: 8640 });
});

test('what nobody publishes is null and says why', () => {
  expect(predict(REQUEST)).toMatchObject({
    burst: { seconds: null, reason: expect.stringContaining('AWS does not publish the size') },
    metadataPerSecond: null,
    metadataReason: expect.stringContaining('only for file systems with a metadata configuration'),
  });
  expect(predict({ configuration: MIN.tiering, readShare: 1 }).undocumented).toEqual([
    expect.stringContaining('reads that miss the caches'),
  ]);
  expect(predict({ configuration: MIN.tiering, readShare: 1, workingSetGiB: 20_000 }).undocumented).toEqual([]);
});

test('data with a ratio are compressed where a configuration leaves that open', () => {
  const { dataCompressionType: _, ...rest } = STUDY;
  const open: LustreConfiguration = rest;
  const at = (ratio?: number) => predict({ configuration: open, ratio });
  expect([at().throughputMBps.baseline, at(2).throughputMBps.baseline]).toEqual([2880, 5760]);
  expect([at().configuration.dataCompressionType, at(2).configuration.dataCompressionType]).toEqual(['NONE', 'LZ4']);
});

test.each<[string, Partial<PredictRequest<LustreConfiguration>>, string]>([
  [
    'a size that AWS does not sell',
    { configuration: { ...STUDY, storageCapacityGiB: 1300 } },
    "'storageCapacityGiB' must be",
  ],
  [
    'metadata IOPS below those that AUTOMATIC gives',
    {
      configuration: {
        ...MIN.persistent2,
        storageCapacityGiB: 12_000,
        metadata: { mode: 'USER_PROVISIONED', iops: 6000 },
      },
    },
    "'metadata.iops' must be at least 12000 with 12000 GiB, got 6000",
  ],
  ['a ratio that LZ4 cannot give', { ratio: 256 }, "'ratio' must be from 1 to 255"],
  ['a ratio the other way round', { ratio: 0.5 }, "'ratio' must be from 1 to 255, as uncompressed ÷ compressed size"],
  [
    'a ratio without compression',
    { configuration: { ...STUDY, dataCompressionType: 'NONE' }, ratio: 2 },
    "'ratio' (2) cannot be combined with a file system whose compression is off",
  ],
  [
    'a ratio that is no number',
    { ratio: Number.NaN },
    'If your files are so small that their ratio is below 1, run npx fsxbench advise --data PATH',
  ],
  [
    'no client',
    { clients: { count: 0, instanceType: 'c5n.9xlarge' } },
    "'clients.count' must be a whole number from 1",
  ],
  ['an unknown type', { clients: { count: 1, instanceType: 'c9.huge' } }, 'got c9.huge. Use one such as c5n.9xlarge.'],
  [
    'EFA of the third generation',
    { configuration: MIN.efa, clients: { count: 1, instanceType: 'c5n.18xlarge', efa: true } },
    'over EFA',
  ],
  [
    'EFA without a file system for it',
    { clients: { count: 1, instanceType: 'c6in.32xlarge', efa: true } },
    'without EFA',
  ],
  ['half a client', { clients: { count: 1.5, instanceType: 'c5n.9xlarge' } }, "'clients.count' must be a whole number"],
  [
    'more clients than any cluster has',
    { clients: { count: 10_001, instanceType: 'c5n.9xlarge' } },
    "'clients.count' must be a whole number from 1 to 10000, got 10001",
  ],
  ['more reads than there are bytes', { readShare: 1.1 }, "'readShare' must be from 0 to 1"],
  ['fewer reads than none', { readShare: -0.1 }, "'readShare' must be from 0 to 1"],
  ['a working set of nothing', { workingSetGiB: 0 }, "'workingSetGiB' must be above 0, got 0"],
  ['a working set without end', { workingSetGiB: Number.POSITIVE_INFINITY }, "'workingSetGiB' must be above 0"],
  ['a Region that there is not', { region: 'atlantis' }, "'region' must be the name of a Region such as us-east-1"],
])('%s is refused', (_, change, message) => {
  expect(() => predict({ ...REQUEST, ...change })).toThrow(message);
});

test('every problem of a request is told at once', () => {
  const wrong = { configuration: { ...STUDY, storageCapacityGiB: 1300 }, readShare: 2, region: 'atlantis' };
  expect(() => predict(wrong)).toThrow(/^'storageCapacityGiB' .*\n'readShare' .*\n'region' .*$/);
});

test('a ratio of 1 says nothing of compression, whatever it is', () => {
  const none: LustreConfiguration = { ...STUDY, dataCompressionType: 'NONE' };
  expect(predict({ configuration: none, ratio: 1 }).throughputMBps).toEqual(
    predict({ configuration: none }).throughputMBps,
  );
});

test('more capacity, clients or compression never make a prediction worse', () => {
  const request = fc.record({
    steps: fc.integer({ min: 1, max: 60 }),
    perUnit: fc.constantFrom(125, 250, 500, 1000),
    ratio: fc.double({ min: 1, max: 20, noNaN: true }),
    count: fc.integer({ min: 1, max: 100 }),
    readShare: fc.double({ min: 0, max: 1, noNaN: true }),
    workingSetGiB: fc.integer({ min: 1, max: 1000 }),
  });
  fc.assert(
    fc.property(request, request, (a, b) => {
      const at = (one: typeof a) => {
        const { steps, ratio, count } = one;
        const { perUnit, readShare, workingSetGiB } = a;
        return predict({
          configuration: {
            ...MIN.persistent2,
            perUnitStorageThroughput: perUnit,
            storageCapacityGiB: steps * 2400,
            metadata: { mode: 'AUTOMATIC' },
            dataCompressionType: 'LZ4',
          },
          ratio,
          readShare,
          workingSetGiB,
          clients: { count, instanceType: 'c6in.16xlarge' },
        }).throughputMBps;
      };
      const max = {
        ...a,
        steps: Math.max(a.steps, b.steps),
        ratio: Math.max(a.ratio, b.ratio),
        count: Math.max(a.count, b.count),
      };
      expect(at(max).baseline).toBeGreaterThanOrEqual(at(a).baseline);
      expect(at(max).burst).toBeGreaterThanOrEqual(at(a).burst);
    }),
  );
});

test('no figure carries the noise of binary fractions', () => {
  const noisy = (value: object): string[] =>
    JSON.stringify(value)
      .match(/\d+\.\d{7,}/g)
      ?.map(String) ?? [];
  for (const storageCapacityGiB of [1200, 14_400, 98_400])
    for (const perUnitStorageThroughput of [50, 100, 200])
      for (const readShare of [0, 0.7]) {
        const configuration: LustreConfiguration = {
          deploymentType: 'PERSISTENT_1',
          storageCapacityGiB,
          perUnitStorageThroughput,
          dataCompressionType: 'LZ4',
        };
        expect(noisy(predict({ configuration, readShare, ratio: 3.7 }))).toEqual([]);
      }
  const scratch: LustreConfiguration = { deploymentType: 'SCRATCH_2', storageCapacityGiB: 98_400 };
  expect(noisy(predict({ configuration: scratch, readShare: 0.7 }))).toEqual([]);
});
