import type * as z from 'zod';
import type { Field } from '../../lib/common/field';
import type { StorageConfiguration } from '../../lib/schema/deployment';
import type { StorageNeed } from '../../lib/storage/candidates';
import { storageNamed, storageOf } from '../../lib/storage/lookup';
import { STORAGES } from '../../lib/storage/registry';
import { MIN } from './lustre/configurations';

/** Three clients with 5 Gbit/s, 10 in a burst, and 600 and 1,200 MB/s to EBS; data that compress 2:1. */
const CLIENTS = {
  count: 3,
  ...{ networkBaselineMbps: 5000, networkBurstMbps: 10_000 },
  ...{ ebsBaselineMBps: 600, ebsBurstMBps: 1200 },
};
const USER_PROVISIONED = { mode: 'USER_PROVISIONED', iops: 24_000 };
const NIC = [1875, 3750];
/** As much in a burst as sustained. */
const both = (MBps: number) => [MBps, MBps];
const [MIB, GIB] = [1.048576, 2 ** 30];
/** USD per hour of so many units at a price per month. */
const hourly = (quantity: number, usd: number) => (quantity * usd) / 730;

/** The figures that a user reads of a file system: MB/s sustained and in a burst, USD per hour, bytes, and counts. */
interface Figures {
  readonly read: Readonly<Record<string, readonly number[]>>;
  /** @default - as reads */
  readonly write?: Figures['read'];
  readonly hourly: readonly (number | null)[];
  /** With alarms about data, and about metadata. */
  readonly alarms: readonly [number, number];
  readonly addresses: number;
  readonly quotas?: Readonly<Record<string, number>>;
  readonly bytes?: number | null;
  readonly memory?: number;
  readonly launches?: readonly (readonly [count: number, volumesGiB: readonly number[]])[];
}

/** The limits before those of disks, by the number of file servers and the rates of their network. */
const lustre = (servers: number, network: readonly number[]) => ({
  ...{ client_nic: NIC, client_oss_path: [3 * servers * 625, 3 * servers * 625], server_network: network },
});
const efs = (file_system: readonly number[], metered: readonly number[]) => ({
  ...{ client_nic: NIC, client_efs_path: both(1500 * MIB), file_system, metered_throughput: metered },
});

// Rates, memory and prices of us-east-1 are those that AWS documents; the arithmetic is done here.
test.each<[StorageConfiguration & Record<string, unknown>, Figures]>([
  [
    {
      ...{ kind: 'lustre', deploymentType: 'PERSISTENT_1', storageCapacityGiB: 14_400 },
      ...{ perUnitStorageThroughput: 200, dataCompressionType: 'LZ4' },
    },
    {
      read: {
        ...lustre(6, [14.4 * 750, 14.4 * 1300]),
        ...{ disk: [14.4 * 200, 14.4 * 240], disk_compressed: [14.4 * 400, 14.4 * 480] },
      },
      hourly: [hourly(14_400, 0.29)],
      // 12 targets, network and disk of 6 servers, and reads and writes; the CPU of the one metadata server with operations.
      alarms: [12 + 12 + 2, 12 + 12 + 1 + 1],
      addresses: 6 + 1,
      quotas: { 'PERSISTENT_1 file systems': 1, 'PERSISTENT_1 storage': 14_400 },
      bytes: 14_400 * GIB,
      memory: Math.round(14.4 * 8.8 * GIB),
    },
  ],
  [
    { kind: 'lustre', ...MIN.persistent2, storageCapacityGiB: 4800, metadata: USER_PROVISIONED },
    {
      read: { ...lustre(2, [4.8 * 320, 4.8 * 1300]), disk: [4.8 * 125, 4.8 * 500] },
      // 4,800 GiB include 6,000 metadata IOPS.
      hourly: [hourly(4800, 0.145), hourly(18_000, 0.055)],
      alarms: [4 + 4 + 2, 4 + 4 + 1 + 2 + 2 * 2],
      addresses: 2 + 2,
      quotas: { 'PERSISTENT_2 file systems': 1, 'PERSISTENT_2 storage': 4800 },
      bytes: 4800 * GIB,
      memory: Math.round(4.8 * 3.4 * GIB),
    },
  ],
  [
    { kind: 'lustre', ...MIN.hdd40, storageCapacityGiB: 3600 },
    {
      read: { ...lustre(2, [3.6 * 150, 3.6 * 1300]), disk: [3.6 * 40, 3.6 * 250] },
      write: { ...lustre(2, [3.6 * 150, 3.6 * 1300]), disk: [3.6 * 40, 3.6 * 150] },
      hourly: [hourly(3600, 0.099)],
      // The number of targets is not published: at least one for each server.
      alarms: [2 + 4 + 2, 2 + 4 + 1 + 1],
      addresses: 2 + 1,
      quotas: { 'PERSISTENT_1 file systems': 1 },
      bytes: 3600 * GIB,
      memory: Math.round(3.6 * 1.5 * GIB),
    },
  ],
  [
    { kind: 'lustre', ...MIN.tiering, throughputCapacity: 8000 },
    {
      read: { ...lustre(2, [25_000, 25_000]), disk: [8000, 8000] },
      hourly: [hourly(8000, 0.52), hourly(40_000, 0.09), null, null, null],
      alarms: [2 + 4 + 2, 2 + 4 + 1 + 1 + 2],
      addresses: 2 + 1,
      quotas: {
        ...{ 'PERSISTENT_2 file systems': 1, 'Intelligent-Tiering throughput': 8000 },
        'Intelligent-Tiering read cache': 40_000,
      },
      bytes: null,
      memory: 2 * 76.8e9,
    },
  ],
  [
    { kind: 'efs', throughputMode: 'bursting' },
    {
      read: efs([3072 * MIB, 5120 * MIB], [3 * MIB, 300 * MIB]),
      write: efs([1024 * MIB, 3072 * MIB], [MIB, 100 * MIB]),
      hourly: [null],
      // Connections, limits and the balance of credits, and what shows activity.
      alarms: [4 + 2, 4 + 1],
      addresses: 1,
      quotas: { 'EFS file systems': 1 },
    },
  ],
  [
    { kind: 'efs', throughputMode: 'provisioned', provisionedThroughputMiBps: 256 },
    {
      read: efs([3072 * MIB, 10_240 * MIB], both(768 * MIB)),
      write: efs([1024 * MIB, 3414 * MIB], both(256 * MIB)),
      hourly: [null, hourly(256, 6)],
      alarms: [3 + 2, 3 + 1],
      addresses: 1,
      quotas: { 'EFS file systems': 1 },
    },
  ],
  [
    {
      ...{ kind: 'openzfs', deploymentType: 'SINGLE_AZ_HA_2', storageCapacityGiB: 2048 },
      ...{ throughputMBps: 1280, iops: 10_000 },
    },
    {
      read: { client_nic: NIC, server_network: [3125, 6250], disk: [1280, 3125] },
      hourly: [null, null, null],
      alarms: [4 + 2, 4 + 1],
      addresses: 2,
      quotas: {
        ...{ 'OpenZFS file systems': 1, 'OpenZFS SSD storage': 2048 },
        ...{ 'OpenZFS throughput': 1280, 'OpenZFS disk IOPS': 10_000 },
      },
      bytes: 2048 * GIB,
      memory: 64e9,
    },
  ],
  [
    {
      ...{ kind: 'ebs', filesystem: 'xfs', volumeType: 'gp3', volumeGiB: 500, volumes: 3 },
      ...{ iops: 4000, throughputMiBps: 250 },
    },
    {
      read: { client_ebs_path: [600, 1200], disk: both(750 * MIB) },
      // Each volume includes 3,000 IOPS and 125 MiB/s.
      hourly: [hourly(1500, 0.08), hourly(3000, 0.005), hourly(375, 0.04)],
      alarms: [3 * 2 + 2, 3 * 2],
      addresses: 0,
      quotas: { 'EBS gp3 storage': 1500 / 1024 },
      bytes: 1500 * GIB,
    },
  ],
  [
    { kind: 'ebs', filesystem: 'xfs', volumeType: 'gp2', volumeGiB: 500, volumes: 2 },
    {
      read: { client_ebs_path: [600, 1200], disk: both(500 * MIB) },
      hourly: [hourly(1000, 0.1)],
      alarms: [2 * 3 + 2, 2 * 3],
      addresses: 0,
      quotas: { 'EBS gp2 storage': 1000 / 1024 },
      bytes: 1000 * GIB,
    },
  ],
  [
    { kind: 'ebs', filesystem: 'xfs', volumeType: 'io2', volumeGiB: 500, volumes: 2, iops: 40_000 },
    {
      read: { client_ebs_path: [600, 1200], disk: both(8000 * MIB) },
      hourly: [hourly(1000, 0.125), hourly(64_000, 0.065), hourly(16_000, 0.0455)],
      alarms: [2 * 2 + 2, 2 * 2],
      addresses: 0,
      quotas: { 'EBS io2 storage': 1000 / 1024 },
      bytes: 1000 * GIB,
    },
  ],
  [
    {
      ...{ kind: 'moosefs', chunkservers: 4, instanceType: 'c5.4xlarge', copies: 2 },
      ...{ volumesPerServer: 3, volumeGiB: 500, volumeIops: 4000, volumeThroughputMiBps: 300 },
    },
    {
      read: { client_nic: NIC, server_network: [2500, 5000], server_ebs: [2375, 2375], disk: both(3600 * MIB) },
      write: { client_nic: NIC, server_network: [1250, 2500], server_ebs: [1187.5, 1187.5], disk: both(1800 * MIB) },
      hourly: [
        ...[0.17, hourly(30, 0.08), 4 * 0.68, hourly(40, 0.08)],
        ...[hourly(6000, 0.08), hourly(12_000, 0.005), hourly(12 * 175, 0.04)],
      ],
      alarms: [2 + 2, 2 + 1],
      addresses: 0,
      bytes: 3000 * GIB,
      memory: 4 * 32 * GIB,
      launches: [
        [1, [30]],
        [4, [10, 500, 500, 500]],
      ],
    },
  ],
  [
    { kind: 'lustre-zfs', servers: 2, instanceType: 'i4i.32xlarge', compression: 'off' },
    {
      read: { client_nic: NIC, server_network: [18_750, 18_750] },
      hourly: [2 * 10.9824, hourly(100, 0.08)],
      alarms: [2 + 2, 2 + 1],
      addresses: 0,
      memory: 2 * 1024 * GIB,
      launches: [[2, [50]]],
    },
  ],
  [
    { kind: 'mountpoint-s3' },
    {
      // 5,500 and 3,500 requests/s, each of 8 and of 16 MiB.
      read: { client_nic: NIC, requests: both(44_000 * MIB) },
      write: { client_nic: NIC, requests: both(56_000 * MIB) },
      hourly: [null, null, null],
      alarms: [1 + 2, 1],
      addresses: 0,
    },
  ],
])('the figures of %j are those of the documentation', (configuration, figures) => {
  const { documented, price, account, monitoring } = storageOf(configuration);
  for (const mode of ['read', 'write'] as const) {
    const limits = documented.limits(configuration, { mode, ratio: 2, region: 'us-east-1', clients: CLIENTS });
    const found = limits.map(({ name, baselineMBps, burstMBps }) => [name, [baselineMBps, burstMBps]]);
    const right = Object.entries((mode === 'write' && figures.write) || figures.read);
    expect(found).toEqual(right.map(([name, rates]) => [name, rates.map((rate) => expect.closeTo(rate, 6))]));
    // What a user can check: each figure with its factors, next to the page that documents it.
    expect(limits.map(({ source }) => source.replace(/ \(https:.*\)$/, ''))).toMatchSnapshot(mode);
  }
  expect(price.cost(configuration, { region: 'us-east-1' }).map((line) => line.hourly)).toEqual(
    figures.hourly.map((usd) => usd && expect.closeTo(usd, 9)),
  );
  const alarms = (['bytes_read bytes_written', 'metadata_operations'] as const).map((roles) =>
    monitoring?.alarmMetrics(configuration, roles.split(' ') as never),
  );
  const quotas = (account.quotas ?? [])
    .map(({ name, of }) => [name, of(configuration)])
    .filter(([, value]) => value !== 0);
  const bytes = figures.bytes === undefined ? undefined : documented.capacityBytes?.(configuration);
  const memory = documented.serverMemoryBytes?.(configuration);
  const launches = account.launches?.(configuration).map(({ count, volumesGiB }) => [count, volumesGiB]);
  expect({ alarms, addresses: account.addresses?.(configuration) ?? 0, quotas, bytes, memory, launches }).toEqual({
    ...{ alarms: figures.alarms, addresses: figures.addresses, quotas: Object.entries(figures.quotas ?? {}) },
    ...{ bytes: figures.bytes, memory: figures.memory, launches: figures.launches },
  });
});

test.each([
  [false, '10000 Mbit/s × 2; at most 100 Gbit/s a client', '5 Gbit/s × 2 clients × 1 file server '],
  [true, '10000 Mbit/s × 2; at most 700 Gbit/s a client', undefined],
])('limits of Lustre say what they are made of, over EFA %s', (efa, card, paths) => {
  const configuration = { kind: 'lustre', ...MIN.efa };
  const limits = storageOf(configuration).documented.limits(configuration, {
    clients: { count: 2, networkBaselineMbps: 10_000, efa },
  });
  const source = (named: string) => limits.find(({ name }) => name === named)?.source;
  expect(source('client_nic')).toContain(card);
  expect(source('client_oss_path')).toEqual(paths && expect.stringContaining(paths));
});

/** The first two and the last of the sizes of each family, by the property that grows. */
function sizesOf(kind: string, property: string, need: StorageNeed) {
  const families = storageNamed(kind).price.candidates?.families(need) ?? [];
  return families.flatMap(({ sizes, at }) => {
    const some = [0, 1, sizes - 1].map((size) => at(size) as unknown as Readonly<Record<string, unknown>>);
    return property in (some[1] ?? {}) ? [some.map((one) => one[property])] : [];
  });
}

const EFA = { count: 1, instanceType: 'p5.48xlarge', efa: true } as never;

// From the smallest that AWS makes, by its steps, to the largest that is checked; MooseFS as far as its copies need servers.
test.each<[string, string, StorageNeed['clients'], readonly (readonly unknown[])[]]>([
  [
    ...(['lustre', 'storageCapacityGiB', EFA] as const),
    [
      ...Array(4).fill([1200, 2400, 19_999_200]),
      ...Array(2).fill([6000, 12_000, 19_998_000]),
      ...Array(2).fill([1800, 3600, 19_999_800]),
      ...[38_400, 19_200, 9600, 4800].flatMap((min) => [
        [1200, 2400, 19_999_200],
        [min, 2 * min, Math.floor(20e6 / min) * min],
      ]),
    ],
  ],
  ['lustre', 'throughputCapacity', undefined, [[1000, 2000, 2_000_000]]],
  ['efs', 'provisionedThroughputMiBps', undefined, Array(2).fill([1, 2, 3414])],
  ['openzfs', 'throughputMBps', undefined, Array(2).fill([160, 320, 10_240])],
  // 125 MiB/s and 3,000 IOPS are included. io2 has its 4,000 MiB/s at 15,625 IOPS.
  ['ebs', 'throughputMiBps', undefined, Array(4).fill([undefined, 126, 2000])],
  ['ebs', 'iops', undefined, [[100, 200, 15_700]]],
  [
    ...(['moosefs', 'chunkservers', undefined] as const),
    Array(3)
      .fill([
        [1, 2, 40],
        [2, 3, 40],
      ])
      .flat(),
  ],
])('%s is offered by %s from the smallest to the largest', (kind, property, clients, sizes) => {
  expect(sizesOf(kind, property, { reads: false, clients })).toEqual(sizes);
});

// AWS's own bounds, and those of gp3 for the volumes of servers; the counts of servers and copies are those that these programs handle.
test.each([
  ['lustre', 'storageCapacityGiB', 1200, null],
  ['lustre', 'throughputCapacity', 1000, null],
  ['lustre', 'metadataIops', 1500, null],
  ['lustre', 'stripeCount', -1, 2000],
  ['efs', 'efsProvisionedThroughput', 1, 3414],
  ['openzfs', 'openzfsStorageCapacity', 64, 524_288],
  ['openzfs', 'openzfsIops', 1, 400_000],
  ['ebs', 'ebsVolumeGiB', 1, 65_536],
  ['ebs', 'ebsVolumes', 1, 11],
  ['ebs', 'ebsIops', 100, 256_000],
  ['ebs', 'ebsThroughput', 125, 2000],
  ['moosefs', 'moosefsChunkservers', 1, 40],
  ['moosefs', 'moosefsVolumesPerServer', 1, 11],
  ['moosefs', 'moosefsVolumeGiB', 10, 65_536],
  ['moosefs', 'moosefsVolumeIops', 3000, 80_000],
  ['moosefs', 'moosefsVolumeThroughput', 125, 2000],
  ['moosefs', 'moosefsCopies', 1, 9],
  ['lustre-zfs', 'lustreZfsServers', 1, 40],
  ['lustre-zfs', 'lustreZfsRaidDisks', 3, 16],
])('the setting of %s %s goes from %d to %p', (kind, name, min, max) => {
  const { schema } = storageNamed(kind).configuration.settings[name] as Field<z.ZodType>;
  const takes = (value: number) => schema.safeParse(value).success;
  expect([takes(min - 1), takes(min)]).toEqual([false, true]);
  if (max !== null) expect([takes(max), takes(max + 1)]).toEqual([true, false]);
});

// A level has the statistic of its worst moment, or of what the service itself draws; an amount is summed up. By the services' guides.
test.each(
  STORAGES.flatMap(({ kind, monitoring }) => (monitoring?.metrics ? [[kind, monitoring.metrics.table] as const] : [])),
)('what %s counts by role, and the statistics of its levels', (_kind, table) => {
  const roles = ['bytes_read', 'bytes_written', 'metadata_operations'];
  expect(roles.map((role) => `${role}: ${table.find((metric) => metric.role === role)?.name}`)).toMatchSnapshot();
  const levels = table.filter(({ gauge }) => gauge).map(({ name, statistic }) => `${statistic}: ${name}`);
  expect(levels.sort()).toMatchSnapshot();
  // EFS publishes metadata by the size of each operation, which are as many as its samples.
  for (const { name, gauge, statistic, unit } of table)
    if (!gauge)
      expect([name, statistic, unit]).toEqual([
        name,
        name === 'MetadataIOBytes' ? 'SampleCount' : 'Sum',
        expect.stringMatching(/^(Bytes|Count|Seconds)$/),
      ]);
});

// 10 TB are 9,313.2 GiB, in whole GiB for each volume; MooseFS keeps each byte as often as it has copies.
test.each<[string, string, (number | undefined)[]]>([
  ['ebs', 'volumeGiB', [9314, 4657, 2329, 847, 9314]],
  ['openzfs', 'storageCapacityGiB', [9314, 9314]],
  // EBS moves 390.6 MB/s for a c6in.xlarge, 3 volumes of 125 MiB/s; 1,562.5 and 6,250 for larger ones, which have 11 volumes.
  ['moosefs', 'volumeGiB', [3105, 3105, 847, 847, 847, 847]],
  ['moosefs', 'volumesPerServer', [3, 3, 11, 11, 11, 11]],
  ['moosefs', 'volumeThroughputMiBps', [undefined, undefined, 136, 136, 542, 542]],
])('%s for 10 TB has a %s of %j', (kind, property, sizes) => {
  const families = storageNamed(kind).price.candidates?.families({ reads: false, capacityTB: 10 }) ?? [];
  expect(families.map(({ at }) => (at(0) as unknown as Readonly<Record<string, unknown>>)[property])).toEqual(sizes);
});

/** Sustained and burst rates of a limit in MB/s. */
function ratesOf(configuration: { readonly kind: string }, name: string, mode: 'read' | 'write' = 'read') {
  const limits = storageOf(configuration).documented.limits(configuration, { mode });
  const { baselineMBps = Number.NaN, burstMBps = Number.NaN } = limits.find((limit) => limit.name === name) ?? {};
  return [baselineMBps, burstMBps];
}

// The guide's table of Single-AZ 2: GB of memory, network and disks in MB/s.
test.each([
  [160, 8, [375, 3125], [160, 3125]],
  [320, 16, [775, 3750], [320, 3125]],
  [640, 32, [1550, 5000], [640, 3125]],
  [1280, 64, [3125, 6250], [1280, 3125]],
  [2560, 128, [6250, 6250], [2560, 2560]],
  [3840, 192, [9375, 9375], [3840, 3840]],
  [5120, 256, [12_500, 12_500], [5120, 5120]],
  [7680, 384, [18_750, 18_750], [7680, 7680]],
  [10_240, 512, [21_000, 21_000], [10_240, 10_240]],
])(
  'OpenZFS of %d MB/s has %d GB of memory, a network of %j and disks of %j',
  (throughputMBps, memoryGB, network, disk) => {
    const configuration = { kind: 'openzfs', deploymentType: 'SINGLE_AZ_2', storageCapacityGiB: 64, throughputMBps };
    expect([ratesOf(configuration, 'server_network'), ratesOf(configuration, 'disk')]).toEqual([network, disk]);
    expect(storageOf(configuration).documented.serverMemoryBytes?.(configuration)).toBe(memoryGB * 1e9);
  },
);

// 3 IOPS come with each GiB, up to 400,000.
test.each([
  [64, undefined, 0],
  [1000, 3000, 0],
  [1000, 3001, 1],
  [1000, 10_000, 7000],
  [200_000, 400_000, 0],
])('OpenZFS of %d GiB with %p IOPS pays for %d', (storageCapacityGiB, iops, paid) => {
  const configuration = { kind: 'openzfs', deploymentType: 'SINGLE_AZ_2', storageCapacityGiB, throughputMBps: 160 };
  const lines = storageOf(configuration).price.cost(
    { ...configuration, ...(iops && { iops }) },
    { region: 'us-east-1' },
  );
  expect(lines.find(({ unit }) => unit === 'IOPS-month')?.quantity ?? 0).toBe(paid);
});

// Billed by what is stored: list prices of us-east-1 by the month. EFS includes 50 MiB/s for each TiB at bursting and provisioned throughput.
test.each<[StorageConfiguration & Record<string, unknown>, number, number | undefined, readonly (number | null)[]]>([
  [{ kind: 'efs', throughputMode: 'bursting' }, 1024, undefined, [1024 * 0.3]],
  [
    { kind: 'efs', throughputMode: 'provisioned', provisionedThroughputMiBps: 256 },
    1024,
    undefined,
    [1024 * 0.3, (256 - 50) * 6],
  ],
  // 1 TiB in parts of 16 MiB, and read in parts of 8 MiB, once a month each, at 5 and 0.4 USD a million.
  [{ kind: 'mountpoint-s3' }, 1024, undefined, [1024 * 0.023, 65_536 * 5e-6, 131_072 * 0.4e-6]],
  // 1,000 large files: three requests more for each to write, one to read.
  [{ kind: 'mountpoint-s3' }, 1024, 1000, [1024 * 0.023, (65_536 + 3000) * 5e-6, (131_072 + 1000) * 0.4e-6]],
  // 1,000,000 files of 1 KiB each take a part and these.
  [{ kind: 'mountpoint-s3' }, 1, 1e6, [0.023, 4e6 * 5e-6, 2e6 * 0.4e-6]],
  [
    { kind: 'lustre', ...MIN.tiering, throughputCapacity: 4000, dataReadCache: { sizingMode: 'NO_CACHE' } },
    1024,
    undefined,
    [4000 * 0.52, 1024 * 0.023, 1024 * 0.0006, null],
  ],
])('%j with %d GiB in %p files costs %j USD per month', (configuration, storedGiB, files, monthly) => {
  const lines = storageOf(configuration).price.cost(configuration, { region: 'us-east-1', storedGiB, files });
  expect(lines.map((line) => line.hourly && line.hourly * 730)).toEqual(
    monthly.map((usd) => usd && expect.closeTo(usd, 6)),
  );
});
