import { bindingOf, type LimitOptions } from '../../../lib/storage/common/limits';
import { candidates } from '../../../lib/storage/lustre/candidates';
import type { LustreConfiguration } from '../../../lib/storage/lustre/configuration';
import { limitsOf, readCacheGiB, serverMemoryBytes, serverMemoryGiB } from '../../../lib/storage/lustre/limits';
import { performance } from '../../../lib/storage/lustre/prediction';
import { metadataTargetsOf, serverNamesOf, serversOf } from '../../../lib/storage/lustre/servers';
import { MIN } from './configurations';

/** The compression study: 14,400 GiB, four c5n.9xlarge clients for each file system. */
const STUDY: LustreConfiguration = {
  deploymentType: 'PERSISTENT_1',
  storageCapacityGiB: 14_400,
  perUnitStorageThroughput: 200,
  dataCompressionType: 'LZ4',
};
const CLIENTS = { count: 4, networkBaselineMbps: 50_000 };

function numbers(configuration: LustreConfiguration, options: LimitOptions = {}) {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return Object.fromEntries(
    limitsOf(configuration, options).map(({ name, baselineMBps, burstMBps }) => [
      name,
      [round(baselineMBps), round(burstMBps)],
    ]),
  );
}

test('compression moves the limit from the disk towards the network', () => {
  const names = (options: LimitOptions, configuration = STUDY) => {
    const binding = bindingOf(limitsOf(configuration, options));
    return [binding?.baseline.name, binding?.burst.name];
  };
  expect(names({})).toEqual(['disk', 'disk']);
  expect(names({ ratio: 3 })).toEqual(['disk_compressed', 'disk_compressed']);
  expect(names({ ratio: 5, clients: CLIENTS })).toEqual(['server_network', 'client_oss_path']);
  expect(names({ ratio: 5, clients: { ...CLIENTS, count: 1 } })).toEqual(['client_oss_path', 'client_oss_path']);
  expect(names({ ratio: 5 }, { ...STUDY, dataCompressionType: 'NONE' })).toEqual(['disk', 'disk']);
});

test('a client is limited to 100 Gbit/s, and over EFA to 700 without a limit for each server', () => {
  const clients = { count: 1, networkBaselineMbps: 800_000 };
  expect(numbers(MIN.efa, { clients }).client_nic).toEqual([12_500, 12_500]);
  const overEfa = numbers(MIN.efa, { clients: { ...clients, efa: true } });
  expect(overEfa.client_nic).toEqual([87_500, 87_500]);
  expect(overEfa).not.toHaveProperty('client_oss_path');
  // Clients with EFA gain nothing on a file system without EFA.
  expect(numbers(STUDY, { clients: { ...clients, efa: true } })).toHaveProperty('client_oss_path');
});

test('a configuration that cannot exist has no limits, rather than wrong ones', () => {
  expect(limitsOf({ ...STUDY, perUnitStorageThroughput: 125 })).toEqual([]);
  expect(limitsOf({ ...STUDY, storageCapacityGiB: undefined })).toEqual([]);
  expect(bindingOf([])).toBeNull();
  expect(serverMemoryGiB({ ...STUDY, perUnitStorageThroughput: 125 })).toBeNull();
  expect(serverMemoryBytes({ ...STUDY, perUnitStorageThroughput: 125 })).toBeNull();
});

test('the read cache is a fifth of hard disks, or what was provisioned', () => {
  expect(readCacheGiB(MIN.hdd12)).toBe(1200);
  expect(readCacheGiB({ ...MIN.hdd12, driveCacheType: 'NONE' })).toBe(0);
  expect(readCacheGiB({ ...MIN.tiering, throughputCapacity: 8000 })).toBe(40_000);
  expect(readCacheGiB({ ...MIN.tiering, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 64 } })).toBe(64);
  expect(readCacheGiB({ ...MIN.tiering, dataReadCache: { sizingMode: 'NO_CACHE' } })).toBe(0);
  expect(readCacheGiB(STUDY)).toBe(0);
});

test.each<[string, LustreConfiguration, ReturnType<typeof serversOf>]>([
  ['1200 GiB SSD', MIN.persistent1, { oss: 1, ost: 1, mds: 1 }],
  ['14400 GiB SSD', STUDY, { oss: 6, ost: 12, mds: 1 }],
  [
    '24000 metadata IOPS',
    { ...MIN.persistent2, storageCapacityGiB: 4800, metadata: { mode: 'USER_PROVISIONED', iops: 24_000 } },
    { oss: 2, ost: 4, mds: 2 },
  ],
  [
    'automatic metadata',
    { ...MIN.persistent2, storageCapacityGiB: 48_000, metadata: { mode: 'AUTOMATIC' } },
    { oss: 20, ost: 40, mds: 2 },
  ],
  ['EFA', MIN.efa, { oss: 1, ost: null, mds: 1 }],
  ['HDD-12', MIN.hdd12, { oss: 1, ost: 4, mds: 1 }],
  ['HDD-40, 3600 GiB', { ...MIN.hdd40, storageCapacityGiB: 3600 }, { oss: 2, ost: null, mds: 1 }],
  ['Intelligent-Tiering at 8000 MB/s', { ...MIN.tiering, throughputCapacity: 8000 }, { oss: 2, ost: null, mds: 1 }],
])('the servers and targets are counted: %s', (_, configuration, expected) => {
  expect(serversOf(configuration)).toEqual(expected);
});

test('servers are named after their first target, in hexadecimal', () => {
  expect(serverNamesOf(STUDY)).toEqual({
    oss: ['OSS0000', 'OSS0002', 'OSS0004', 'OSS0006', 'OSS0008', 'OSS000a'],
    ost: Array.from({ length: 12 }, (_, n) => `OST000${n.toString(16)}`),
    mds: ['MDS0000'],
    mdt: ['MDT0000'],
  });
  expect(serverNamesOf(MIN.efa)).toBeNull();
});

// One for each 12,000 IOPS, the seventeenth in hexadecimal.
test.each([
  [1500, 1, 'MDT0000'],
  [12_000, 1, 'MDT0000'],
  [24_000, 2, 'MDT0001'],
  [192_000, 16, 'MDT000f'],
  [204_000, 17, 'MDT0010'],
])('%d metadata IOPS have %d metadata targets, of which %s is the last', (iops, count, last) => {
  const names = metadataTargetsOf(iops);
  expect([names.length, names[0], names.at(-1)]).toEqual([count, 'MDT0000', last]);
});

test('the next cheaper metadata IOPS are one level lower, and never below what the capacity includes', () => {
  const lesser = (storageCapacityGiB: number, iops: number) => {
    const metadata = { mode: 'USER_PROVISIONED', iops } as const;
    const found = candidates.lesser?.({ kind: 'lustre', ...MIN.persistent2, storageCapacityGiB, metadata });
    return found?.metadata?.mode === 'USER_PROVISIONED' ? found.metadata.iops : null;
  };
  expect([lesser(1200, 36_000), lesser(1200, 12_000), lesser(1200, 1500), lesser(12_000, 12_000)]).toEqual([
    24_000,
    6000,
    null,
    null,
  ]);
});

test('of equal limits the first binds, sustained and in a burst', () => {
  const limit = (name: string, baselineMBps: number, burstMBps: number) => ({
    name,
    source: '',
    baselineMBps,
    burstMBps,
  });
  const limits = [limit('client_nic', 900, 900), limit('server_network', 500, 800), limit('disk', 500, 800)];
  const { baseline, burst } = bindingOf(limits as never) ?? {};
  expect([baseline?.name, burst?.name]).toEqual(['server_network', 'server_network']);
});

test.each<[LustreConfiguration, string, boolean | null | undefined, string]>([
  [MIN.scratch2, 'eu-west-1', undefined, ''],
  [MIN.scratch2, 'cn-north-1', false, 'AWS does not sell SCRATCH_2 in cn-north-1'],
  [MIN.persistent2, 'us-east-1', undefined, ''],
  [MIN.persistent2, 'cn-northwest-1', false, 'AWS does not sell PERSISTENT_2 in cn-northwest-1'],
  [MIN.persistent2, 'me-central-1', null, 'AWS sells PERSISTENT_2 in a limited number of Regions, and me-central-1 is'],
  [MIN.tiering, 'cn-north-1', false, 'AWS does not sell Intelligent-Tiering in cn-north-1'],
])('%j in %s', (configuration, region, met, reason) => {
  const sold = candidates.soldIn?.({ kind: 'lustre', ...configuration }, region);
  expect([sold?.met, sold?.reason ?? '']).toEqual([met, expect.stringContaining(reason)]);
});

test.each<[number, 'disk' | 'memory' | undefined, number, 'disk' | 'network']>([
  [0, undefined, 1, 'network'],
  [0.5, undefined, 1, 'network'],
  [0.5, 'memory', 1, 'network'],
  [0, undefined, 1e9, 'disk'],
  [0.5, 'memory', 1e9, 'disk'],
  [1, 'disk', 1, 'disk'],
  [1, 'memory', 1e9, 'network'],
])('a share of reads of %s from %s, %s files of 1 MB: the %s limits', (readShare, servedFrom, files, name) => {
  const limits = ['disk', 'network'].map((name, at) => ({ name, baselineMBps: 100 + at, burstMBps: 200, source: '' }));
  const run = { readShare, servedFrom, files, fileBytes: 1e6 };
  expect(performance.field?.throughput({ kind: 'lustre', ...MIN.hdd12 }, limits, run).bottleneck).toBe(name);
});
