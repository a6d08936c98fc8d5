import type { Volume } from '@aws-sdk/client-ec2';
import { askAll } from '../../common/aws/account';
import { BOUNDED } from '../../common/aws/connection';
import { isOnXen } from '../../fleet/instanceTypes';
import { type CostOptions, itemLine, unknownQuantity } from '../../price/line';
import type { CostLine, Offered, OfferRow } from '../../schema/cost';
import type { Described } from '../../schema/run';
import { type CandidatesCapability, dataGiB, type Family, type StorageNeed } from '../candidates';
import { EBS_QUOTA_TYPES, ebsQuota, GP3, gp3Lines } from '../common/ebs';
import { settingsBy, settingsThatSet } from '../common/settings';
import { inBlocks } from '../common/space';
import { btrfs, btrfsOnLoop, XFS_ON_LOOP, xfsFilesystem } from '../common/substitutes';
import { OF_STACKS, type ResourceSearch, type SearchOptions, stackOf } from '../search';
import type { MetricRole, Storage, Substitute } from '../storage';
import {
  type Bounds,
  checkEbs,
  DOCUMENTED,
  describeEbs,
  EBS_SETTINGS,
  type EbsStorage,
  ebsSchema,
  IO2_MIBPS_PER_IOPS,
  limitsOf,
  MOST_IO2_MIBPS,
  MOST_VOLUMES,
  withSettings,
} from './configuration';
import { EBS_METRICS, ebsDashboard, volumesOf } from './dashboard';

/** io2's IOPS are priced in tiers: up to so many, the item. */
const IO2_TIERS = [
  { upTo: 32_000, item: 'ebs/io2-iops' },
  { upTo: 64_000, item: 'ebs/io2-iops-tier2' },
  { upTo: Number.POSITIVE_INFINITY, item: 'ebs/io2-iops-tier3' },
] as const;

/** List price of the volumes: what is provisioned, used or not. */
function ebsLines(configuration: EbsStorage, options: CostOptions): readonly CostLine[] {
  const { volumeType, volumeGiB: sizeGiB, volumes = 1, iops = 0, throughputMiBps } = configuration;
  const { label = 'EBS' } = options;
  if (volumeType === 'gp3') return gp3Lines({ sizeGiB, iops: configuration.iops, throughputMiBps }, volumes, options);
  const line = (what: string, each: number, item: string, unit: string): CostLine =>
    itemLine(`${label}: ${what}`, volumes * each, item, options, unit);
  const lines = [line(`${volumes} × ${volumeType} ${sizeGiB} GiB`, sizeGiB, `ebs/${volumeType}`, 'GB-month')];
  let from = 0;
  for (const { upTo, item } of volumeType === 'io2' ? IO2_TIERS : []) {
    const inTier = Math.min(iops, upTo) - from;
    if (inTier > 0) lines.push(line(`IOPS ${from + 1} to ${from + inTier}`, inTier, item, 'IOPS-month'));
    from = upTo;
  }
  return lines;
}

/** Usage types of the list AmazonEC2 (https://cur.vantage.sh/aws/amazon%20elastic%20block%20storage%20(ebs)/); gp3 is read for all (lib/cost/refresh.ts). */
const OFFERED: Readonly<Record<string, Offered>> = {
  'EBS:VolumeUsage.gp2': { item: 'ebs/gp2', unit: 'GB-month' },
  'EBS:VolumeUsage.io2': { item: 'ebs/io2', unit: 'GB-month' },
  'EBS:VolumeP-IOPS.io2': { item: 'ebs/io2-iops', unit: 'IOPS-month' },
  'EBS:VolumeP-IOPS.io2.tier2': { item: 'ebs/io2-iops-tier2', unit: 'IOPS-month' },
  'EBS:VolumeP-IOPS.io2.tier3': { item: 'ebs/io2-iops-tier3', unit: 'IOPS-month' },
};

/** Units as the list has them: a row in another one means something else. */
const UNITS: Readonly<Record<string, string>> = { 'GB-month': 'GB-Mo', 'IOPS-month': 'IOPS-Mo' };

function ebsOffer({ unit }: OfferRow, usage: string): Offered | null {
  const found = OFFERED[usage];
  return found !== undefined && UNITS[found.unit] === unit ? found : null;
}

const SERIES = { one: 'EBS gp3', several: 'EBS gp3, RAID-0', io2: 'EBS io2' } as const;

/** Blocks of 4 KiB, and an inode of 512 bytes: defaults of mkfs.xfs(8). */
const ofXfs = inBlocks(4096, 512);

/** IOPS between two sizes of io2: 25.6 MiB/s. */
const IO2_STEP = 100;

/** XFS on EBS to choose from. gp2 is never cheaper or faster than gp3. Btrfs is shown apart: LZ4's ratio says little about LZO and zstd. */
const candidates: CandidatesCapability<EbsStorage> = {
  families: (need) => [...[1, 2, 4, MOST_VOLUMES].map((volumes) => gp3(volumes, need)), io2(need)],
  btrfsCodecs: ['lzo', 'zstd:3'],
  fileBytes: ofXfs,
  caveats: (configuration) => checkEbs(configuration).warnings.filter(({ id }) => id === 'fsxbench:ebs-raid0'),
  settings: settingsBy(EBS_SETTINGS),
  words: (configuration) => `${describeEbs(configuration)}, one client`,
  series: Object.values(SERIES),
  seriesOf: ({ volumeType, volumes = 1 }) => {
    if (volumeType === 'gp2') return null;
    if (volumeType === 'io2') return SERIES.io2;
    return volumes > 1 ? SERIES.several : SERIES.one;
  },
};

/** Each volume with its part of the data, and no smaller than its IOPS allow. */
const sizeGiB = (
  need: StorageNeed,
  volumes: number,
  iops: number,
  { gib, iopsPerGiB }: { readonly gib: Bounds; readonly iopsPerGiB: number },
) => Math.min(gib.max, Math.max(gib.min, Math.ceil(dataGiB(need) / volumes), Math.ceil(iops / iopsPerGiB)));

/** By throughput: 1 MiB/s per volume more in each size. */
function gp3(volumes: number, need: StorageNeed): Family<EbsStorage> {
  const { min, max, maxPerIops } = GP3.throughputMiBps;
  return {
    sizes: max - min + 1,
    at(size) {
      const throughputMiBps = min + size;
      const iops = Math.max(GP3.iops.min, Math.ceil(throughputMiBps / maxPerIops));
      return {
        kind: 'ebs',
        filesystem: 'xfs',
        volumeType: 'gp3',
        volumeGiB: sizeGiB(need, volumes, iops, DOCUMENTED.gp3),
        ...(volumes > 1 && { volumes }),
        ...(iops > GP3.iops.min && { iops }),
        ...(throughputMiBps > min && { throughputMiBps }),
      };
    },
  };
}

/** By IOPS, from which its throughput follows. */
function io2(need: StorageNeed): Family<EbsStorage> {
  return {
    sizes: Math.ceil(MOST_IO2_MIBPS / IO2_MIBPS_PER_IOPS / IO2_STEP),
    at(size) {
      const iops = (size + 1) * IO2_STEP;
      return {
        kind: 'ebs',
        filesystem: 'xfs',
        volumeType: 'io2',
        iops,
        volumeGiB: sizeGiB(need, 1, iops, DOCUMENTED.io2),
      };
    },
  };
}

/** From what DescribeVolumes answered. The file system on the volumes only the plan knows. */
function fromDescription(described: Described | null, planned: EbsStorage | null = null): EbsStorage | null {
  const volumes = described?.Volumes;
  if (!Array.isArray(volumes) || volumes.length === 0) return planned;
  const { VolumeType, Size, Iops, Throughput } = volumes[0] as Described;
  const found = ebsSchema.safeParse({
    ...planned,
    kind: 'ebs',
    volumeType: VolumeType,
    volumeGiB: Size,
    ...(volumes.length > 1 || planned?.volumes !== undefined ? { volumes: volumes.length } : {}),
    // The service also reports its own choices; a plan has a value only if it was requested.
    ...(VolumeType !== 'gp2' && (planned === null || planned.iops !== undefined) ? { iops: Iops } : {}),
    ...(VolumeType === 'gp3' && (planned === null || planned.throughputMiBps !== undefined)
      ? { throughputMiBps: Throughput }
      : {}),
  });
  return found.success ? found.data : null;
}

/** EC2's answers about the volumes of each arm, unmodified, below `Volumes`; an arm that lacks one is left out. */
async function describeAll(ids: readonly string[]): Promise<ReadonlyMap<string, Described>> {
  const { EC2Client, paginateDescribeVolumes } = await import('@aws-sdk/client-ec2');
  const found = new Map<string, Described>();
  // A filter, since one unknown id among VolumeIds fails the whole call.
  const Filters = [{ Name: 'volume-id', Values: ids.flatMap(volumesOf) }];
  if (ids.length === 0) return found;
  const all = new Map<string, Described>();
  for await (const { Volumes = [] } of paginateDescribeVolumes({ client: new EC2Client(BOUNDED) }, { Filters }))
    for (const volume of Volumes) all.set(volume.VolumeId ?? '', volume as unknown as Described);
  for (const id of ids) {
    const volumes = volumesOf(id).flatMap((one) => all.get(one) ?? []);
    if (volumes.length === volumesOf(id).length) found.set(id, { Volumes: volumes });
  }
  return found;
}

const ebsSearch: ResourceSearch = {
  label: 'EBS',
  find: async (account, options) => {
    const volumes = await askAll(account, 'ec2:DescribeVolumes', { Filters: [OF_STACKS] }, 'Volumes');
    const snapshots = await askAll(
      account,
      'ec2:DescribeSnapshots',
      { Filters: [OF_STACKS], OwnerIds: ['self'] },
      'Snapshots',
    );
    return [
      ...volumes.map((volume) => ({
        id: volume.VolumeId ?? '',
        what: `${volume.VolumeType} ${volume.Size} GiB, ${volume.State}`,
        stack: stackOf(volume),
        lines: linesOf(volume, options),
        remove: `aws ec2 delete-volume --volume-id ${volume.VolumeId} --region ${options.region}`,
      })),
      ...snapshots.map((snapshot) => ({
        id: snapshot.SnapshotId ?? '',
        what: `snapshot of ${snapshot.VolumeId}`,
        stack: stackOf(snapshot),
        lines: [unknownQuantity('snapshot', null, { reason: 'EC2 does not say how much a snapshot stores' })],
        remove: `aws ec2 delete-snapshot --snapshot-id ${snapshot.SnapshotId} --region ${options.region}`,
      })),
    ];
  },
};

function linesOf({ VolumeType, Size, Iops, Throughput }: Volume, options: SearchOptions): readonly CostLine[] {
  const found = ebsSchema.safeParse({
    // Which file system is on it only its stack knew, and the price does not depend on it.
    kind: 'ebs',
    filesystem: 'xfs',
    volumeType: VolumeType,
    volumeGiB: Size,
    ...(VolumeType === 'gp2' ? {} : { iops: Iops }),
    ...(VolumeType === 'gp3' ? { throughputMiBps: Throughput } : {}),
  });
  if (found.success) return ebsLines(found.data, options);
  return [unknownQuantity('volume', null, { reason: `the price of ${VolumeType} volumes is unknown` })];
}

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
  },
  documented: {
    limits: limitsOf,
    limitNames: { client_ebs_path: { words: 'the clients’ paths to EBS', short: 'client EBS' } },
    capacityBytes: (configuration) => gibOf(configuration) * 2 ** 30,
    performance: {
      burstReason: ({ volumeType }) =>
        volumeType === 'gp2'
          ? 'credits of the volume and of the instance end it; the service reports only the first (BurstBalance)'
          : 'an instance can burst for at least 30 minutes in 24 hours',
      uncompressed: ({ compression: _, ...configuration }) => configuration,
    },
    // As studies name it; one with another compression is another storage.
    conditions: ({ filesystem, compression = 'none' }) => ({
      storage: `${filesystem === 'xfs' ? 'XFS' : compression === 'none' ? 'Btrfs' : `Btrfs ${compression}`} on EBS`,
    }),
  },
  price: { cost: ebsLines, offers: { AmazonEC2: ebsOffer }, candidates },
  account: {
    fromDescription,
    describeAll,
    search: ebsSearch,
    quotas: EBS_QUOTA_TYPES.map((type) => ({
      ...ebsQuota(type),
      of: (configuration) => (configuration.volumeType === type ? gibOf(configuration) / 1024 : 0),
    })),
    // A client attaches its volumes when it boots.
    outbound: { services: { Ec2: 'ec2' } },
  },
  monitoring: { metrics: EBS_METRICS, dashboard: ebsDashboard, alarmMetrics },
  client: {
    // A volume is attached to one instance, and two that mounted it would destroy it (docs/decisions/one-client-of-ebs.md).
    filesystems: [xfsFilesystem, btrfs],
    // A client finds a volume by the serial number of its NVMe device (EBS user guide, nvme-ebs-volumes).
    clientProblem: (_, instanceType) =>
      isOnXen(instanceType) ? 'a type of the Nitro System, whose volumes are NVMe devices, such as c5.2xlarge' : null,
  },
  substitutes,
};

/** Number of alarm metrics: both exceeded checks of each volume, gp2's credits, and those that show activity. */
function alarmMetrics({ volumeType, volumes = 1 }: EbsStorage, about: readonly MetricRole[]): number {
  const seen = about.filter((role) => role === 'bytes_read' || role === 'bytes_written').length;
  return volumes * (volumeType === 'gp2' ? 3 : 2) + seen;
}

/** The file system with its options on a loop device. A plain directory is not offered, since it cannot show a difference. */
function substitutes({ filesystem, compression = 'none' }: EbsStorage): Substitute[] {
  if (filesystem === 'xfs') return [XFS_ON_LOOP];
  const option = mountOptionOf(compression);
  return [btrfsOnLoop(option, `${compression === 'none' ? 'without compression' : option} on a loop device`)];
}

/** Btrfs mount option: `compress` alone gives up on a file whose first blocks do not compress (btrfs(5)). */
export const mountOptionOf = (compression: string): string =>
  compression === 'none' ? 'compress=no' : `compress-force=${compression}`;
