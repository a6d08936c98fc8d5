import type { FileSystem } from '@aws-sdk/client-fsx';
import { BOUNDED } from '../../common/aws/connection';
import type { Mount } from '../../common/mounts';
import type { Described } from '../../schema/run';
import { capacityOnlyGrows, describeEach, searchFsx } from '../common/fsx';
import { lustreFilesystem, parseLustreSource } from '../common/lustre';
import { weeklyMaintenance } from '../common/maintenance';
import { btrfsOnLoop, PLAIN_DIRECTORY, XFS_ON_LOOP } from '../common/substitutes';
import type { Quota } from '../slices/account';
import type { MetricRole, PublishedMetric, Storage, Substitute } from '../storage';
import { candidates } from './candidates';
import { type LustreStorage, lustreSchema } from './configuration';
import { lustreLines, lustreOffer } from './cost';
import { lustreDashboard } from './dashboard';
import { absentIn, automaticMetadataIops, describeLustre, metadataIopsOf } from './documented';
import { limitsOf, metadataRatesAt, neededIops, operationsPerIops, readCacheGiB, serverMemoryBytes } from './limits';
import { dimensionsOf, identityOf, LUSTRE_METRICS, LUSTRE_NAMESPACE, type MetricScope } from './metricTable';
import { performance } from './prediction';
import { checkLustre } from './rules';
import { metadataTargetsOf, type ServerNames, serverNamesOf, serversOf } from './servers';
import { LUSTRE_SETTINGS, lustreShorthand, SETTING_WORDS, withSettings } from './settings';
import { configurationIn, stateOf } from './state';
import { DEFAULT_STORAGE_QUOTA_GIB, DEFAULT_TIERING_QUOTA, DEPLOYMENTS, isElastic } from './types';

/** The configuration in an answer of DescribeFileSystems; fields that it leaves out are taken from the plan. */
function fromDescription(described: Described | null, planned: LustreStorage | null = null): LustreStorage | null {
  const found = { ...planned, kind: 'lustre', ...(described && configurationIn(described as Partial<FileSystem>)) };
  return found.deploymentType === undefined ? null : (found as LustreStorage);
}

/** FSx's descriptions of file systems, unchanged. */
async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { FSxClient, DescribeFileSystemsCommand } = await import('@aws-sdk/client-fsx');
  const client = new FSxClient(BOUNDED);
  const answerOn = (id: string) => client.send(new DescribeFileSystemsCommand({ FileSystemIds: [id] }));
  return describeEach(ids, async (id) => (await answerOn(id)).FileSystems ?? []);
}

/** Id of the FSx file system that is mounted, by its mount name; `null` if FSx has none with that name, or several, as SCRATCH_1 has `fsx`. */
async function identify({ type, device }: Mount): Promise<string | null> {
  const source = type === lustreFilesystem.type ? parseLustreSource(device) : null;
  if (source === null) return null;
  const { FSxClient, paginateDescribeFileSystems } = await import('@aws-sdk/client-fsx');
  const named: string[] = [];
  for await (const { FileSystems = [] } of paginateDescribeFileSystems({ client: new FSxClient(BOUNDED) }, {}))
    for (const { FileSystemId: id, LustreConfiguration } of FileSystems)
      if (id !== undefined && LustreConfiguration?.MountName === source.fileSystem) named.push(id);
  return named.length === 1 ? (named[0] ?? null) : null;
}

const quotaOf = (
  code: string,
  name: string,
  unit: string,
  of: Quota<LustreStorage>['of'],
  usual?: Quota<LustreStorage>['usual'],
): Quota<LustreStorage> => ({ service: 'fsx', code, name, unit, usual, of });

/** Number of file systems and their storage by deployment type; of Intelligent-Tiering, throughput and read cache. Rules check single sizes. */
const LUSTRE_QUOTAS: readonly Quota<LustreStorage>[] = [
  ...Object.entries(DEPLOYMENTS).flatMap(([type, { quota }]): Quota<LustreStorage>[] => {
    const own = ({ deploymentType }: LustreStorage): boolean => deploymentType === type;
    const { label, count, storage } = quota;
    // Hard disks have their own quota, for each file system.
    const gib = ({ storageType, storageCapacityGiB = 0 }: LustreStorage) =>
      storageType === 'HDD' ? 0 : storageCapacityGiB;
    const usual = { value: DEFAULT_STORAGE_QUOTA_GIB, warning: 'fsxbench:storageQuota', of: type } as const;
    return [
      quotaOf(count, `${label} file systems`, 'file systems', (one) => (own(one) ? 1 : 0)),
      quotaOf(storage, `${label} storage`, 'GiB', (one) => (own(one) ? gib(one) : 0), usual),
    ];
  }),
  quotaOf(
    'L-0CD18A5D',
    'Intelligent-Tiering throughput',
    'MB/s',
    (one) => (isElastic(one) ? (one.throughputCapacity ?? 0) : 0),
    {
      value: DEFAULT_TIERING_QUOTA.throughputMBps,
      warning: 'fsxbench:tieringThroughputQuota',
      of: 'INTELLIGENT_TIERING',
    },
  ),
  quotaOf('L-B7391FCE', 'Intelligent-Tiering read cache', 'GiB', (one) => (isElastic(one) ? readCacheGiB(one) : 0), {
    value: DEFAULT_TIERING_QUOTA.readCacheGiB,
    warning: 'fsxbench:tieringCacheQuota',
    of: 'read cache of INTELLIGENT_TIERING',
  }),
];

const NAMES: Readonly<Record<MetricScope, (names: ServerNames) => readonly string[]>> = {
  'file-system': () => [],
  oss: ({ oss }) => oss,
  mds: ({ mds }) => mds,
  ost: ({ ost }) => ost,
  mdt: ({ mdt }) => mdt,
  target: ({ ost, mdt }) => [...ost, ...mdt],
  publisher: () => ['AutoImport', 'AutoExport'],
};

/** Metrics that a file system of this size is expected to publish, for a time that CloudWatch no longer lists. */
function assumedMetrics(fileSystemId: string, described: Described | null): PublishedMetric[] {
  const names = namesOf(described as FileSystem | null);
  const identity = identityOf(fileSystemId);
  return LUSTRE_METRICS.flatMap(({ name, scope }): PublishedMetric[] => {
    const own = dimensionsOf(scope)[1];
    if (own === undefined) return [{ metric: name, dimensions: identity }];
    return NAMES[scope](names).map((part) => ({ metric: name, dimensions: { ...identity, [own]: part } }));
  });
}

/** The servers and targets of a file system; those of its data only where their number is known. */
function namesOf(described: FileSystem | null): ServerNames {
  if (!described?.LustreConfiguration) return { oss: [], ost: [], mds: [], mdt: [] };
  const { configuration, metadataIops } = stateOf(described);
  const mdt = metadataTargetsOf(metadataIops ?? 0);
  return serverNamesOf(configuration) ?? { oss: [], ost: [], mds: mdt.map((name) => name.replace('MDT', 'MDS')), mdt };
}

const UNCOMPRESSED = btrfsOnLoop('compress=no', 'without compression on a loop device');
const COMPRESSED = btrfsOnLoop(
  'compress-force=lzo',
  'compress-force=lzo on a loop device (Btrfs has no LZ4, LZO is its nearest relative)',
);

/** Btrfs compresses; XFS counts what is created and removed, and of such files there is next to nothing to compress. */
const substitutes = ({ dataCompressionType = 'NONE' }: LustreStorage, about: readonly MetricRole[]): Substitute[] => [
  ...(about.includes('metadata_operations') ? [XFS_ON_LOOP] : []),
  dataCompressionType === 'NONE' ? UNCOMPRESSED : COMPRESSED,
  PLAIN_DIRECTORY,
];

/** Metadata servers of one stack at most: its dashboard draws 19 lines for each, and CloudWatch 2,500 metrics on a dashboard. */
const MOST_METADATA_SERVERS = 62;

export const lustre: Storage<LustreStorage> = {
  kind: 'lustre',
  label: 'FSx for Lustre',
  configuration: {
    schema: lustreSchema,
    settings: LUSTRE_SETTINGS,
    withSettings,
    describe: describeLustre,
    check: checkLustre,
    words: SETTING_WORDS,
    absentIn,
    checkTogether: (configurations) => {
      const servers = configurations.reduce((sum, configuration) => sum + (serversOf(configuration)?.mds ?? 0), 0);
      if (servers <= MOST_METADATA_SERVERS) return [];
      const must = `of at most ${MOST_METADATA_SERVERS} metadata servers in all (one for each 12000 IOPS of an arm)`;
      return [{ property: 'metadata', must, got: servers, next: "Choose fewer of the large ones with 'arms'." }];
    },
    shorthand: lustreShorthand,
    compression: ({ dataCompressionType = 'NONE' }) => (dataCompressionType === 'NONE' ? null : dataCompressionType),
  },
  documented: {
    limits: limitsOf,
    limitNames: {
      client_oss_path: { words: 'the paths between clients and file servers', short: 'client–server path' },
    },
    capacityBytes: ({ storageCapacityGiB }) => (storageCapacityGiB === undefined ? null : storageCapacityGiB * 2 ** 30),
    serverMemoryBytes,
    performance,
    metadata: {
      iops: metadataIopsOf,
      automaticIops: ({ storageCapacityGiB = 12_000 }) => automaticMetadataIops(storageCapacityGiB),
      ratesAt: metadataRatesAt,
      source: 'https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html',
      needed: neededIops,
      figure: ({ quantity, conditions }) => {
        const capacity = /metadata IOPS (?:at|above) (\d+) GiB/.exec(quantity)?.[1];
        if (capacity !== undefined) return { value: automaticMetadataIops(Number(capacity)), unit: 'IOPS' };
        if (/per provisioned IOPS$/.test(quantity))
          return { value: operationsPerIops(String(conditions.operation)), unit: 'op/s' };
        return null;
      },
    },
    maintenance: weeklyMaintenance('weeklyMaintenanceStartTime', 'LustreConfiguration'),
    conditions: (configuration) => ({
      deploymentType: configuration.deploymentType,
      storageType: configuration.storageType ?? 'SSD',
      capacityGiB: configuration.storageCapacityGiB,
      perUnitMBps: configuration.perUnitStorageThroughput,
      compression: configuration.dataCompressionType ?? 'NONE',
      metadataIops: metadataIopsOf(configuration),
      lustreVersion: configuration.version,
      stripeCount: configuration.stripeCount,
    }),
  },
  price: { cost: lustreLines, offers: { AmazonFSx: lustreOffer }, candidates },
  account: {
    fromDescription,
    describeAll,
    identify,
    // CloudFormation does not wait for them: API_CreateDataRepositoryAssociation in the FSx reference, BatchImportMetaDataOnCreate.
    imports: ({ dataRepositories = [] }) =>
      dataRepositories.filter(({ importMetadataOnCreate }) => importMetadataOnCreate).length,
    refusesUpdate: capacityOnlyGrows,
    search: searchFsx('LUSTRE', 'FSx for Lustre', () => lustre),
    quotas: LUSTRE_QUOTAS,
    // One for each file server and metadata server (FSx guide, limit-access-security-groups).
    addresses: (configuration) => {
      const servers = serversOf(configuration);
      return servers === null ? 1 : servers.oss + servers.mds;
    },
  },
  monitoring: {
    metrics: {
      namespace: LUSTRE_NAMESPACE,
      table: LUSTRE_METRICS,
      identity: identityOf,
      assumed: assumedMetrics,
      dimensions: (metric) =>
        LUSTRE_METRICS.filter(({ name }) => name === metric).flatMap(({ scope }) => dimensionsOf(scope).slice(1)),
      metadataTarget: ({ StorageTargetId: target = '' }) => (target.startsWith('MDT') ? target : null),
    },
    dashboard: lustreDashboard,
    alarmMetrics,
  },
  client: { filesystems: [lustreFilesystem] },
  substitutes,
};

/**
 * Number of alarm metrics: the capacity of every target, network and disk of every server, and bytes read and written or metadata operations
 * as signs of activity. For metadata also: the CPU of every metadata server, and reads and writes of every metadata target with provisioned IOPS.
 */
function alarmMetrics(configuration: LustreStorage, about: readonly MetricRole[]): number {
  const metadata = about.includes('metadata_operations');
  const seen = metadata ? 1 : 2;
  const servers = serversOf(configuration);
  if (servers === null) return seen;
  const { oss, ost, mds } = servers;
  const watched = metadata ? mds + (configuration.metadata === undefined ? 0 : 2 * mds) : 0;
  // If the number of targets is not published, the number of servers is its lower bound.
  return (ost ?? oss) + 2 * oss + seen + watched;
}
