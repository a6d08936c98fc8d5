import { BOUNDED } from '../../common/aws/connection';
import { omitUndefined } from '../../common/collections';
import { type CostOptions, costLine } from '../../price/line';
import { PUBLISHED } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import type { Described } from '../../schema/run';
import { type CandidatesCapability, dataGiB } from '../candidates';
import { capacityOnlyGrows, describeEach, searchFsx } from '../common/fsx';
import { seenIn } from '../common/graphs';
import { weeklyMaintenance } from '../common/maintenance';
import { settingsBy, settingsThatSet } from '../common/settings';
import { idByDnsName, NFS_OVER_LOOPBACK, nfsFilesystem } from '../common/substitutes';
import type { Quota } from '../slices/account';
import type { Storage, Substitute } from '../storage';
import {
  COMPRESSIONS,
  checkOpenZfs,
  DEPLOYMENT_TYPES,
  describeOpenZfs,
  OPENZFS_SETTINGS,
  type OpenZfsStorage,
  openZfsSchema,
} from './configuration';
import { OPENZFS_METRICS, openZfsDashboard } from './dashboard';
import { absentIn, bytesOfFile, includedIops, LEVELS, limitsOf, PERFORMANCE_PAGE, STORAGE_GIB } from './documented';

/** From what DescribeFileSystems answered, and DescribeVolumes of its root volume where that is known; the rest is as planned. */
function fromDescription(described: Described | null, planned: OpenZfsStorage | null = null): OpenZfsStorage | null {
  const { OpenZFSConfiguration: own, StorageCapacity, RootVolume } = described ?? {};
  if (typeof own !== 'object' || own === null) return described === null ? planned : null;
  const { DeploymentType, ThroughputCapacity, DiskIopsConfiguration, WeeklyMaintenanceStartTime } = own as Described;
  const { Mode, Iops } = (DiskIopsConfiguration ?? {}) as Described;
  const { DataCompressionType, RecordSizeKiB } = (RootVolume ?? {}) as Described;
  const compression = COMPRESSIONS.find((one) => one === String(DataCompressionType).toLowerCase());
  const found = openZfsSchema.safeParse({
    ...planned,
    kind: 'openzfs',
    deploymentType: DeploymentType,
    storageCapacityGiB: StorageCapacity,
    throughputMBps: ThroughputCapacity,
    ...(WeeklyMaintenanceStartTime !== undefined && { weeklyMaintenanceStartTime: WeeklyMaintenanceStartTime }),
    ...(Mode === 'USER_PROVISIONED' && { iops: Iops }),
    ...(compression !== undefined && (compression !== 'none' || planned?.compression !== undefined) && { compression }),
    // The service also reports its default; a plan has a value only if it was requested.
    ...(planned === null && RecordSizeKiB !== undefined && { recordKiB: RecordSizeKiB }),
  });
  return found.success ? found.data : null;
}

/** FSx's answers, unmodified; below `RootVolume` the description of the volume that clients mount, if FSx returns it. */
async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { FSxClient, DescribeFileSystemsCommand, DescribeVolumesCommand } = await import('@aws-sdk/client-fsx');
  const client = new FSxClient(BOUNDED);
  return describeEach(ids, async (id) => {
    const { FileSystems: [one] = [] } = await client.send(new DescribeFileSystemsCommand({ FileSystemIds: [id] }));
    const root = one?.OpenZFSConfiguration?.RootVolumeId;
    if (root === undefined) return one === undefined ? [] : [one];
    const { Volumes: [volume] = [] } = await client.send(new DescribeVolumesCommand({ VolumeIds: [root] }));
    return [{ ...one, ...omitUndefined({ RootVolume: volume?.OpenZFSConfiguration }) }];
  });
}

/** Clients mount it by NFS; nothing behind it compresses here, so an arm with compression has no stand-in. */
const substitutes = ({ compression = 'none' }: OpenZfsStorage): readonly Substitute[] =>
  compression === 'none' ? [NFS_OVER_LOOPBACK] : [];

const usual = (value: number, warning: `fsxbench:${string}`) => ({ value, warning, of: 'FSx for OpenZFS' });

/**
 * Quotas on all file systems of an account in a Region. Defaults: https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/limits.html; codes: answers of
 * ListServiceQuotas that accounts have published, all alike.
 */
export const OPENZFS_QUOTAS: readonly Quota<OpenZfsStorage>[] = [
  { service: 'fsx', code: 'L-59D0763F', name: 'OpenZFS file systems', unit: 'file systems', of: () => 1 },
  {
    service: 'fsx',
    code: 'L-88479C21',
    name: 'OpenZFS SSD storage',
    unit: 'GiB',
    usual: usual(262_144, 'fsxbench:openzfsStorageQuota'),
    of: ({ storageCapacityGiB }) => storageCapacityGiB,
  },
  {
    service: 'fsx',
    code: 'L-4EDE4065',
    name: 'OpenZFS throughput',
    unit: 'MB/s',
    usual: usual(10_240, 'fsxbench:openzfsThroughputQuota'),
    of: ({ throughputMBps }) => throughputMBps,
  },
  {
    service: 'fsx',
    code: 'L-E24B4DE4',
    name: 'OpenZFS disk IOPS',
    unit: 'IOPS',
    usual: usual(400_000, 'fsxbench:openzfsIopsQuota'),
    of: ({ storageCapacityGiB, iops = includedIops(storageCapacityGiB) }) => iops,
  },
];

const SERIES: Readonly<Record<OpenZfsStorage['deploymentType'], string>> = {
  SINGLE_AZ_2: 'OpenZFS Single-AZ 2',
  SINGLE_AZ_HA_2: 'OpenZFS Single-AZ 2 (HA)',
};

const CAPACITIES = [...LEVELS.keys()];

/** By throughput capacity. Compression is left out: LZ4's savings on FSx for Lustre say little about OpenZFS records. */
const candidates: CandidatesCapability<OpenZfsStorage> = {
  families: (need) =>
    DEPLOYMENT_TYPES.map((deploymentType) => ({
      sizes: CAPACITIES.length,
      at: (size) => ({
        kind: 'openzfs',
        deploymentType,
        storageCapacityGiB: Math.min(STORAGE_GIB.max, Math.max(STORAGE_GIB.min, Math.ceil(dataGiB(need)))),
        throughputMBps: CAPACITIES[size] as number,
      }),
    })),
  fileBytes: bytesOfFile,
  settings: settingsBy(OPENZFS_SETTINGS),
  series: Object.values(SERIES),
  seriesOf: ({ deploymentType }) => SERIES[deploymentType],
};

/** FSx's price list is not read for OpenZFS: no page says which of its rows belong to it. */
const reasonOf = (item: string, region: string): string =>
  `no price of ${item} in ${region} is known: take it from https://aws.amazon.com/fsx/openzfs/pricing/, and put it into prices.json`;

/** List price: storage, throughput capacity, and IOPS beyond those that come with the storage. */
function openZfsLines(
  configuration: OpenZfsStorage,
  { region, label = 'OpenZFS', book = PUBLISHED }: CostOptions,
): readonly CostLine[] {
  const { deploymentType, storageCapacityGiB, throughputMBps, iops = 0 } = configuration;
  const line = (what: string, quantity: number, item: string, unit: string): CostLine[] => {
    const name = `fsx/openzfs/${deploymentType}/${item}`;
    return quantity <= 0
      ? []
      : [costLine(`${label}: ${what}`, quantity, book.priceOf(name, region), { reason: reasonOf(name, region), unit })];
  };
  return [
    ...line(`storage (${describeOpenZfs(configuration)})`, storageCapacityGiB, 'storage', 'GB-month'),
    ...line('throughput', throughputMBps, 'throughput', 'MBps-month'),
    ...line('IOPS', iops - includedIops(storageCapacityGiB), 'iops', 'IOPS-month'),
  ];
}

const GB = 1e9;
const GIB = 2 ** 30;

/** Amazon FSx for OpenZFS, Single-AZ 2: NFS from one server with an NVMe cache, on SSD. */
export const openzfs: Storage<OpenZfsStorage> = {
  kind: 'openzfs',
  label: 'FSx for OpenZFS',
  configuration: {
    schema: openZfsSchema,
    ...settingsThatSet<OpenZfsStorage>(OPENZFS_SETTINGS),
    describe: describeOpenZfs,
    check: checkOpenZfs,
    absentIn,
    compression: ({ compression = 'none' }) => (compression === 'none' ? null : compression),
  },
  documented: {
    limits: limitsOf,
    capacityBytes: ({ storageCapacityGiB }) => storageCapacityGiB * GIB,
    serverMemoryBytes: ({ throughputMBps }) => cachesOf(throughputMBps).memoryGB * GB,
    maintenance: weeklyMaintenance('WeeklyMaintenanceStartTime (aws fsx update-file-system)', 'OpenZFSConfiguration'),
    performance: {
      // Data in the NVMe cache is read at the rate of the network, as from memory.
      caches: ({ throughputMBps }) => {
        const { memoryGB, nvmeGB, networkMBps } = cachesOf(throughputMBps);
        return {
          memoryGiB: (memoryGB * GB) / GIB,
          readCacheGiB: (nvmeGB * GB) / GIB,
          readCacheMBps: nvmeGB > 0 ? networkMBps.baseline : null,
          source: PERFORMANCE_PAGE,
        };
      },
      burstReason: () =>
        'credits of the server end it; the service reports those of its disks (FileServerDiskThroughputBalance)',
      uncompressed: ({ compression: _, ...configuration }) => configuration,
      impliedCompression: (ratio) => ({ compression: ratio === undefined ? 'none' : 'lz4' }),
    },
    conditions: ({ compression = 'none' }) => ({ storage: 'FSx for OpenZFS', compression }),
  },
  price: { cost: openZfsLines, candidates },
  account: {
    fromDescription,
    describeAll,
    identify: idByDnsName('fsx'),
    refusesUpdate: capacityOnlyGrows,
    search: searchFsx('OPENZFS', 'FSx for OpenZFS', () => openzfs),
    quotas: OPENZFS_QUOTAS,
    // The server's, and that of the one that stands by.
    addresses: ({ deploymentType }) => (deploymentType === 'SINGLE_AZ_HA_2' ? 2 : 1),
  },
  monitoring: {
    metrics: OPENZFS_METRICS,
    dashboard: openZfsDashboard,
    // Network, disk throughput and disk IOPS of the server, and its CPU.
    alarmMetrics: (_, about) => 4 + seenIn(OPENZFS_METRICS, about),
  },
  client: { filesystems: [nfsFilesystem] },
  substitutes,
};

/** Caches and network of a throughput capacity; zeros for one that AWS does not sell. */
const cachesOf = (throughputMBps: number) =>
  LEVELS.get(throughputMBps) ?? { memoryGB: 0, nvmeGB: 0, networkMBps: { baseline: 0, burst: 0 } };
