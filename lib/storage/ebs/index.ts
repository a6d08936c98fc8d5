import { isOnXen } from '../../fleet/instanceTypes';
import { btrfs } from '../common/btrfs';
import { EBS_QUOTA_TYPES, ebsQuota } from '../common/ebsQuota';
import { settingsThatSet } from '../common/settings';
import { btrfsOnLoop, XFS_ON_LOOP } from '../common/standIns';
import { xfsFilesystem } from '../common/xfs';
import type { MetricRole } from '../role';
import type { StandIn } from '../standIn';
import type { Storage } from '../storage';
import { describeAll, ebsSearch, fromDescription } from './account';
import { checkEbs, describeEbs, EBS_SETTINGS, type EbsStorage, ebsSchema, withSettings } from './configuration';
import { EBS_METRICS, ebsDashboard } from './dashboard';
import { limitsOf } from './limits';
import { candidates, ebsLines, ebsOffer } from './price';

const gibOf = ({ volumeGiB, volumes = 1 }: EbsStorage): number => volumes * volumeGiB;

/** Volumes of EBS with a file system of the client's own kernel on them. */
export const ebs: Storage<EbsStorage> = {
  kind: 'ebs',
  label: 'EBS',
  configuration: {
    schema: ebsSchema,
    ...settingsThatSet<EbsStorage>(EBS_SETTINGS),
    withSettings,
    describe: describeEbs,
    check: checkEbs,
    compression: ({ compression = 'none' }) => (compression === 'none' ? null : compression),
    // As studies name it; one with another compression is another storage.
    conditions: ({ filesystem, compression = 'none' }) => ({
      storage: `${filesystem === 'xfs' ? 'XFS' : compression === 'none' ? 'Btrfs' : `Btrfs ${compression}`} on EBS`,
    }),
  },
  documented: {
    limits: limitsOf,
    limitNames: { client_ebs_path: { words: 'the clients’ paths to EBS', short: 'client EBS' } },
    capacityBytes: (configuration) => gibOf(configuration) * 2 ** 30,
    performance: {
      burstReason: ({ volumeType }) =>
        volumeType === 'gp2'
          ? 'credits of the volume and of the instance end it; the service reports only the first (BurstBalance)'
          : 'an instance bursts for 30 minutes in 24 hours at least',
      uncompressed: ({ compression: _, ...configuration }) => configuration,
    },
  },
  price: { cost: ebsLines, offers: { AmazonEC2: ebsOffer }, alarmMetrics, candidates },
  account: {
    fromDescription,
    describeAll,
    search: ebsSearch,
    quotas: EBS_QUOTA_TYPES.map((type) => ({
      ...ebsQuota(type),
      of: (configuration) => (configuration.volumeType === type ? gibOf(configuration) / 1024 : 0),
    })),
    // The instance's own path to EBS takes none.
    addresses: () => 0,
    // A client attaches its volumes when it boots.
    outbound: { services: { Ec2: 'ec2' } },
    metrics: EBS_METRICS,
    dashboard: ebsDashboard,
  },
  client: {
    filesystems: [xfsFilesystem, btrfs],
    // A volume is attached to one instance, and two that mounted it would destroy it (docs/decisions/one-client-of-ebs.md).
    mostClients: () => 1,
    // A client finds a volume by the serial number of its NVMe device (EBS user guide, nvme-ebs-volumes).
    clientProblem: (_, instanceType) =>
      isOnXen(instanceType) ? 'a type of the Nitro System, whose volumes are NVMe devices, such as c5.2xlarge' : null,
  },
  lab: { standIns },
};

/** Number of alarm metrics: both exceeded checks of each volume, gp2's credits, and those that show activity. */
function alarmMetrics({ volumeType, volumes = 1 }: EbsStorage, about: readonly MetricRole[]): number {
  const seen = about.filter((role) => role === 'bytes_read' || role === 'bytes_written').length;
  return volumes * (volumeType === 'gp2' ? 3 : 2) + seen;
}

/** The file system with its options on a loop device. No directory: it would compare nothing. */
function standIns({ filesystem, compression = 'none' }: EbsStorage): StandIn[] {
  if (filesystem === 'xfs') return [XFS_ON_LOOP];
  const { btrfs } = mountOptionsOf(compression);
  return [btrfsOnLoop(btrfs, `${compression === 'none' ? 'without compression' : btrfs} on a loop device`)];
}

/** Mount options of Btrfs: `compress` alone gives up on a file whose first blocks do not compress (btrfs(5)). */
export const mountOptionsOf = (compression: string): { readonly btrfs: string } => ({
  btrfs: compression === 'none' ? 'compress=no' : `compress-force=${compression}`,
});
