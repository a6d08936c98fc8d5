import { bindingOf } from '../../../lib/storage/common/limits';
import { candidates } from '../../../lib/storage/lustre/candidates';
import type { LustreConfiguration } from '../../../lib/storage/lustre/configuration';
import {
  limitsOf,
  metadataRates,
  readCacheGiB,
  serverMemoryBytes,
  serverMemoryGiB,
} from '../../../lib/storage/lustre/limits';
import { serverNamesOf, serversOf } from '../../../lib/storage/lustre/servers';
import type { LimitOptions } from '../../../lib/storage/slices/documented';
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

test('the limits of the compression study are those of its table 1', () => {
  expect(numbers(STUDY, { ratio: 3.75, clients: CLIENTS })).toEqual({
    client_nic: [25_000, 25_000],
    client_oss_path: [15_000, 15_000],
    server_network: [10_800, 18_720],
    disk: [2880, 3456],
    disk_compressed: [10_800, 12_960],
  });
});

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

test.each<[string, LustreConfiguration, Record<string, [number, number]>]>([
  ['SCRATCH_2', MIN.scratch2, { server_network: [240, 1560], disk: [120, 120] }],
  [
    'P1-50, 2400 GiB',
    { ...MIN.persistent1, storageCapacityGiB: 2400 },
    { server_network: [600, 3120], disk: [120, 576] },
  ],
  ['P2-125', MIN.persistent2, { server_network: [384, 1560], disk: [150, 600] }],
  ['P2-1000, 4800 GiB, EFA', MIN.efa, { server_network: [12_480, 12_480], disk: [4800, 4800] }],
  ['HDD-12', MIN.hdd12, { server_network: [240, 2250], disk: [72, 300] }],
  ['HDD-40', MIN.hdd40, { server_network: [270, 2340], disk: [72, 270] }],
  ['Intelligent-Tiering', MIN.tiering, { server_network: [12_500, 12_500], disk: [4000, 4000] }],
])('%s writes as fast as the guide says', (_, configuration, expected) => {
  expect(numbers(configuration)).toEqual(expected);
});

test.each([
  // kind, MB/s per TiB, network, disk read, disk write, GiB of memory: the guide's table.
  ['scratch2', 0, [200, 1300], [200, 200], [100, 100], 6.7],
  ['persistent1', 50, [250, 1300], [50, 240], [50, 240], 2.2],
  ['persistent1', 100, [500, 1300], [100, 240], [100, 240], 4.4],
  ['persistent1', 200, [750, 1300], [200, 240], [200, 240], 8.8],
  ['persistent2', 125, [320, 1300], [125, 500], [125, 500], 3.4],
  ['persistent2', 250, [640, 1300], [250, 500], [250, 500], 6.8],
  ['persistent2', 500, [1300, 1300], [500, 500], [500, 500], 13.7],
  ['persistent2', 1000, [2600, 2600], [1000, 1000], [1000, 1000], 27.3],
  ['hdd12', 12, [40, 375], [12, 80], [12, 50], 0.4],
  ['hdd40', 40, [150, 1300], [40, 250], [40, 150], 1.5],
] as const)(
  'the rates for each 1000 GiB are those of the guide: %s at %i',
  (kind, tier, network, read, write, memory) => {
    const perUnitStorageThroughput = tier === 0 ? undefined : tier;
    const configuration: LustreConfiguration = { ...MIN[kind], perUnitStorageThroughput };
    const size = MIN[kind].storageCapacityGiB / 1000;
    const scaled = (rates: readonly number[]) => rates.map((rate) => Math.round(rate * size * 1000) / 1000);
    expect(numbers(configuration)).toEqual({ server_network: scaled(network), disk: scaled(write) });
    expect(numbers(configuration, { mode: 'read' }).disk).toEqual(scaled(read));
    expect(serverMemoryGiB(configuration)).toBeCloseTo(memory * size, 9);
  },
);

test('scratch and hard disks read faster than they write', () => {
  expect(numbers(MIN.scratch2, { mode: 'read' }).disk).toEqual([240, 240]);
  expect(numbers(MIN.hdd12, { mode: 'read' }).disk).toEqual([72, 480]);
});

test('some Regions have less network burst, and only where it is less; no burst is below its baseline', () => {
  const region = 'eu-central-1';
  // The guide has 530 for each TiB, and 750 sustained at 200 MB/s/TiB.
  expect(numbers(STUDY, { region }).server_network).toEqual([10_800, 10_800]);
  expect(numbers({ ...STUDY, perUnitStorageThroughput: 100 }, { region }).server_network).toEqual([7200, 7632]);
  expect(numbers(MIN.hdd12, { region }).server_network).toEqual([240, 2250]);
  expect(numbers(MIN.persistent2, { region }).server_network).toEqual([384, 1560]);
});

test('one client gets 5 Gbit/s from a file system with one server, whatever its network', () => {
  const limits = limitsOf(
    { ...MIN.persistent2, perUnitStorageThroughput: 1000 },
    { clients: { ...CLIENTS, count: 1 } },
  );
  expect(bindingOf(limits)?.baseline).toMatchObject({ name: 'client_oss_path', baselineMBps: 625 });
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

test('a burst of the clients counts as a burst', () => {
  const clients = { count: 2, networkBaselineMbps: 2500, networkBurstMbps: 10_000 };
  expect(numbers(STUDY, { clients }).client_nic).toEqual([625, 2500]);
});

test('every limit says where it comes from', () => {
  const limits = limitsOf(STUDY, { ratio: 2, clients: CLIENTS });
  expect(limits.filter(({ source }) => !/https:.*\/LustreGuide\/[a-z-]+\.html/.test(source))).toEqual([]);
  expect(limits).toHaveLength(5);
});

test('a configuration that cannot exist has no limits, rather than wrong ones', () => {
  expect(limitsOf({ ...STUDY, perUnitStorageThroughput: 125 })).toEqual([]);
  expect(limitsOf({ ...STUDY, storageCapacityGiB: undefined })).toEqual([]);
  expect(bindingOf([])).toBeNull();
  expect(serverMemoryGiB({ ...STUDY, perUnitStorageThroughput: 125 })).toBeNull();
  expect(serverMemoryBytes({ ...STUDY, perUnitStorageThroughput: 125 })).toBeNull();
});

test('the memory of the servers is known, so that more data than that can be planned', () => {
  expect(serverMemoryGiB(STUDY)).toBeCloseTo(126.72, 6);
  expect(serverMemoryBytes(STUDY)).toBe(Math.round(126.72 * 2 ** 30));
  expect(serverMemoryGiB(MIN.efa)).toBeCloseTo(131.04, 6);
  expect(serverMemoryGiB(MIN.tiering)).toBeCloseTo(71.526, 3);
});

test('the read cache is a fifth of hard disks, or what was provisioned', () => {
  expect(readCacheGiB(MIN.hdd12)).toBe(1200);
  expect(readCacheGiB({ ...MIN.hdd12, driveCacheType: 'NONE' })).toBe(0);
  expect(readCacheGiB({ ...MIN.tiering, throughputCapacity: 8000 })).toBe(40_000);
  expect(readCacheGiB({ ...MIN.tiering, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 64 } })).toBe(64);
  expect(readCacheGiB({ ...MIN.tiering, dataReadCache: { sizingMode: 'NO_CACHE' } })).toBe(0);
  expect(readCacheGiB(STUDY)).toBe(0);
});

test('metadata rates follow the provisioned IOPS; without a configuration none is published', () => {
  const at = (iops: number) => metadataRates({ ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops } });
  expect(at(12_000)).toEqual({
    file_create: 24_000,
    file_remove: 12_000,
    dir_create: 1200,
    dir_rename: 1200,
    dir_remove: 2400,
  });
  expect(at(192_000)).toMatchObject({ file_create: 384_000, file_remove: 192_000, dir_create: 19_200 });
  expect(metadataRates(STUDY)).toBeNull();
  const automatic = { ...MIN.persistent2, storageCapacityGiB: 9600, metadata: { mode: 'AUTOMATIC' } } as const;
  expect(metadataRates(automatic)?.file_create).toBe(12_000);
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
