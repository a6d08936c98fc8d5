import { fsxBackupLines, searchFsx, unfinishedChanges } from '../common/fsx';
import { lustreFilesystem } from '../common/lustre';
import { weeklyMaintenance } from '../common/maintenance';
import { btrfsOnLoop, PLAIN_DIRECTORY, XFS_ON_LOOP } from '../common/standIns';
import type { MetricRole } from '../role';
import type { StandIn } from '../standIn';
import type { Storage } from '../storage';
import { candidates } from './candidates';
import { type LustreStorage, lustreSchema } from './configuration';
import { lustreLines, lustreOffer } from './cost';
import { lustreDashboard } from './dashboard';
import { describeAll, fromDescription, identify } from './described';
import { absentIn, automaticMetadataIops, describeLustre, metadataIopsOf } from './documented';
import { importsOf } from './imports';
import { limitsOf, metadataRates, metadataRatesAt, serverMemoryBytes } from './limits';
import { neededIops, operationsPerIops } from './metadataNeed';
import { dimensionsOf, identityOf, LUSTRE_METRICS, LUSTRE_NAMESPACE } from './metricTable';
import { performance } from './prediction';
import { presumedMetrics } from './presumed';
import { LUSTRE_QUOTAS } from './quotas';
import { checkLustre } from './rules';
import { serversOf } from './servers';
import { LUSTRE_SETTINGS, lustreShorthand, SETTING_WORDS, withSettings } from './settings';
import { refusesUpdate } from './update';

const UNCOMPRESSED = btrfsOnLoop('compress=no', 'without compression on a loop device');
const COMPRESSED = btrfsOnLoop(
  'compress-force=lzo',
  'compress-force=lzo on a loop device (Btrfs has no LZ4, LZO is its nearest relative)',
);

/** Btrfs compresses; XFS counts what is created and removed, and of such files there is next to nothing to compress. */
const standIns = ({ dataCompressionType = 'NONE' }: LustreStorage, about: readonly MetricRole[]): StandIn[] => [
  ...(about.includes('metadata_operations') ? [XFS_ON_LOOP] : []),
  dataCompressionType === 'NONE' ? UNCOMPRESSED : COMPRESSED,
  PLAIN_DIRECTORY,
];

/** Metadata servers of one stack at most: its dashboard draws 19 lines for each, and CloudWatch 2,500 metrics on a dashboard. */
const MOST_METADATA_SERVERS = 62;

/** Amazon FSx for Lustre. */
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
      rates: metadataRates,
      ratesAt: metadataRatesAt,
      source: 'https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html',
      needed: neededIops,
      targets: (configuration) => serversOf(configuration)?.mds ?? null,
      figure: ({ quantity, conditions }) => {
        const capacity = /metadata IOPS (?:at|above) (\d+) GiB/.exec(quantity)?.[1];
        if (capacity !== undefined) return { value: automaticMetadataIops(Number(capacity)), unit: 'IOPS' };
        if (/per provisioned IOPS$/.test(quantity))
          return { value: operationsPerIops(String(conditions.operation)), unit: 'op/s' };
        return null;
      },
    },
    maintenance: weeklyMaintenance('weeklyMaintenanceStartTime', 'LustreConfiguration'),
  },
  price: {
    cost: (configuration, { region, ...options }) => lustreLines(configuration, region, options),
    offers: { AmazonFSx: lustreOffer },
    alarmMetrics,
    candidates,
  },
  account: {
    fromDescription,
    describeAll,
    identify,
    imports: importsOf,
    refusesUpdate,
    changing: unfinishedChanges,
    search: searchFsx('LUSTRE', 'FSx for Lustre', () => lustre, fsxBackupLines),
    quotas: LUSTRE_QUOTAS,
    // One for each file server and metadata server (FSx guide, limit-access-security-groups).
    addresses: (configuration) => {
      const servers = serversOf(configuration);
      return servers === null ? 1 : servers.oss + servers.mds;
    },
    metrics: {
      namespace: LUSTRE_NAMESPACE,
      table: LUSTRE_METRICS,
      identity: identityOf,
      presumed: presumedMetrics,
      dimensions: (metric) =>
        LUSTRE_METRICS.filter(({ name }) => name === metric).flatMap(({ scope }) => dimensionsOf(scope).slice(1)),
      metadataTarget: ({ StorageTargetId: target = '' }) => (target.startsWith('MDT') ? target : null),
    },
    dashboard: lustreDashboard,
  },
  client: { filesystems: [lustreFilesystem] },
  lab: { standIns },
};

/**
 * The capacity of every target, network and disk of every server, and what tells that something happens: bytes read and written, or
 * metadata operations. About metadata in addition: the CPU of every metadata server, reads and writes of every metadata target whose IOPS
 * are provisioned.
 */
function alarmMetrics(configuration: LustreStorage, about: readonly MetricRole[]): number {
  const metadata = about.includes('metadata_operations');
  const seen = metadata ? 1 : 2;
  const servers = serversOf(configuration);
  if (servers === null) return seen;
  const { oss, ost, mds } = servers;
  const watched = metadata ? mds + (configuration.metadata === undefined ? 0 : 2 * mds) : 0;
  // Where the number of targets is not published, that of the servers is the least there can be.
  return (ost ?? oss) + 2 * oss + seen + watched;
}
