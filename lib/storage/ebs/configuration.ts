import * as z from 'zod';
import { omitUndefined } from '../../common/collections';
import { oneOfWords, type SettingsOf, whole } from '../../common/field';
import { IN_GIB } from '../../common/quantity';
import { type Findings, type Phrase, refusing } from '../../common/violation';
import type { Of } from '../../schema/document';
import { DEVICE_NAMES, GP3, GP3_PAGE } from '../common/ebs';
import { compressedDisk, type Limit, type LimitOptions, limit, MBPS_PER_MIBPS } from '../common/limits';
import { isWhole, sets, warnings, withProperties } from '../common/settings';

const PROVISIONED_IOPS_PAGE = 'https://docs.aws.amazon.com/ebs/latest/userguide/provisioned-iops.html';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

interface VolumeType {
  readonly gib: Bounds;
  /** IOPS that can be set; `null` where the size decides. */
  readonly iops: Bounds | null;
  readonly iopsPerGiB: number;
  readonly throughputMiBps: Bounds | null;
  readonly page: string;
}

/** Values that can be requested. Sizes, IOPS and gp3's ratio are also what aws-cdk-lib 2.276 checks (aws-ec2, volume). */
export const DOCUMENTED: Readonly<Record<EbsStorage['volumeType'], VolumeType>> = {
  gp3: {
    gib: GP3.sizeGiB,
    iops: GP3.iops,
    iopsPerGiB: GP3.iops.maxPerGiB,
    throughputMiBps: GP3.throughputMiBps,
    page: GP3_PAGE,
  },
  gp2: { gib: { min: 1, max: 16_384 }, iops: null, iopsPerGiB: 3, throughputMiBps: null, page: GP3_PAGE },
  io2: {
    gib: { min: 4, max: 65_536 },
    iops: { min: 100, max: 256_000 },
    iopsPerGiB: 1000,
    throughputMiBps: null,
    page: PROVISIONED_IOPS_PAGE,
  },
};

export const MOST_VOLUMES = DEVICE_NAMES;

/** Maximum throughput of io2, however many IOPS it has. Source: {@link PROVISIONED_IOPS_PAGE}. */
export const MOST_IO2_MIBPS = 4000;
/** An operation moves up to 256 KiB. */
export const IO2_MIBPS_PER_IOPS = 0.256;

/** Throughput of one volume in MiB/s: sustained, and while gp2 has credits. */
export function throughputOf({ volumeType, volumeGiB, iops, throughputMiBps }: EbsStorage) {
  switch (volumeType) {
    case 'gp3':
      return same(throughputMiBps ?? GP3.throughputMiBps.min);
    case 'io2':
      return same(Math.min(MOST_IO2_MIBPS, IO2_MIBPS_PER_IOPS * (iops ?? 0)));
    case 'gp2': {
      // Operations of 256 KiB: 3 per second per GiB, 100 at least; below 1,000 GiB 3,000 in a burst. The ceiling follows from the size.
      const ceiling = volumeGiB <= 170 ? 128 : 250;
      const baseline = Math.min(ceiling, Math.max(100, 3 * volumeGiB) / 4);
      return { baseline, burst: volumeGiB < 1000 ? ceiling : baseline };
    }
  }
}

const same = (rate: number) => ({ baseline: rate, burst: rate });

/** The volumes, and the instance's own way to EBS, which they share. The client compresses, so both carry compressed data. */
export function limitsOf(configuration: EbsStorage, { clients, ratio = 1 }: LimitOptions = {}): readonly Limit[] {
  const { compression = 'none', volumeType, volumes = 1 } = configuration;
  const { baseline, burst } = throughputOf(configuration);
  const times = compression === 'none' ? 1 : ratio;
  const { ebsBaselineMBps, ebsBurstMBps = ebsBaselineMBps } = clients ?? {};
  const path = `EC2: ${ebsBaselineMBps} MB/s to EBS, ${ebsBurstMBps} in a burst${by(times)} (https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-type-specifications.html)`;
  const source = `${describeEbs(configuration)}: ${baseline} MiB/s${burst > baseline ? `, ${burst} in a burst,` : ''} a volume (${DOCUMENTED[volumeType].page})`;
  const disk = limit('disk', source, volumes * baseline * MBPS_PER_MIBPS, volumes * burst * MBPS_PER_MIBPS);
  return [
    ...(ebsBaselineMBps !== undefined && ebsBurstMBps !== undefined
      ? [limit('client_ebs_path', path, ebsBaselineMBps * times, ebsBurstMBps * times)]
      : []),
    disk,
    ...(times === 1 ? [] : [compressedDisk(disk, times, `disk${by(times)}`)]),
  ];
}

const by = (times: number): string => (times === 1 ? '' : ` × ${times}, the ratio of the data`);

const FILESYSTEMS = ['xfs', 'btrfs'] as const;
const VOLUME_TYPES = ['gp3', 'gp2', 'io2'] as const;

/** EBS volumes of one client, with a file system on them. Valid combinations are checked separately. */
export const ebsSchema = z.object({
  kind: z.literal('ebs'),
  filesystem: z.enum(FILESYSTEMS),
  /** Btrfs only: `none`, `lzo`, `zstd:3`. @default none */
  compression: z.string().optional(),
  volumeType: z.enum(VOLUME_TYPES),
  /** Size of each volume. */
  volumeGiB: z.number(),
  /** Several are one RAID-0. @default 1 */
  volumes: z.number().optional(),
  /** IOPS of each volume. @default - 3,000 with gp3; io2 needs it; gp2 has them by its size */
  iops: z.number().optional(),
  /** MiB/s of each volume; gp3 only. @default 125 */
  throughputMiBps: z.number().optional(),
});
export type EbsStorage = Of<typeof ebsSchema>;

/** A compression that Btrfs knows, with levels of zstd from 1 to 15 (btrfs(5), "compress"). */
const isCompression = (text: string): boolean => /^(?:none|lzo|zstd:(?:[1-9]|1[0-5]))$/.test(text);

const COMPRESSIONS = 'none, lzo or zstd:1 to zstd:15';

/** In a line, for people: `Btrfs zstd:3 on 2 × EBS gp3 1000 GiB, 6000 IOPS, 500 MiB/s`. */
export function describeEbs(configuration: EbsStorage): string {
  const { filesystem, compression = 'none', volumeType, volumeGiB, volumes = 1, iops, throughputMiBps } = configuration;
  const on = `${filesystem === 'xfs' ? 'XFS' : `Btrfs ${compression === 'none' ? 'uncompressed' : compression}`} on`;
  return [
    `${on} ${volumes === 1 ? '' : `${volumes} × `}EBS ${volumeType} ${volumeGiB} GiB`,
    ...(iops === undefined ? [] : [`${iops} IOPS`]),
    ...(throughputMiBps === undefined ? [] : [`${throughputMiBps} MiB/s`]),
  ].join(', ');
}

/** The context keys of the EBS storage. Arms differ in file system and compression, so these have no keys. */
export const EBS_SETTINGS = {
  ebsVolumeType: sets(
    'volumeType',
    oneOfWords(VOLUME_TYPES, 'gp3 has its throughput and IOPS set apart from its size.'),
  ),
  ebsVolumeGiB: sets('volumeGiB', whole(1, GP3.sizeGiB.max, ' of GiB', 'It is the size of each volume.', IN_GIB)),
  ebsVolumes: sets('volumes', whole(1, MOST_VOLUMES, '', 'Several are one RAID-0.')),
  ebsIops: sets('iops', whole(100, 256_000, '', 'It applies to each volume; with gp2, the size decides.')),
  ebsThroughput: sets(
    'throughputMiBps',
    whole(
      GP3.throughputMiBps.min,
      GP3.throughputMiBps.max,
      ' of MiB/s',
      "It applies to each volume, and requires 'ebsVolumeType' gp3.",
    ),
  ),
} as const;

/** With the user's settings on it: another type drops what was set for the first. */
export function withSettings(
  { iops, throughputMiBps, ...configuration }: EbsStorage,
  settings: SettingsOf<typeof EBS_SETTINGS>,
): EbsStorage {
  const type = settings.ebsVolumeType ?? configuration.volumeType;
  const kept = type === configuration.volumeType ? omitUndefined({ iops, throughputMiBps }) : {};
  // One that is described by settings alone has no file system yet.
  const { filesystem = 'xfs' } = configuration;
  return withProperties<EbsStorage>(EBS_SETTINGS)({ ...configuration, filesystem, ...kept }, settings);
}

/** Errors that AWS would find after minutes, or the client at its first boot, by property, and warnings about comparisons. */
export function checkEbs(configuration: EbsStorage): Findings {
  const { filesystem, compression, volumeType, volumeGiB, volumes = 1, iops, throughputMiBps } = configuration;
  const { gib, iops: settable, iopsPerGiB, throughputMiBps: rates, page } = DOCUMENTED[volumeType];
  const { errors, refuse } = refusing(configuration, 'fsxbench:ebs');
  const documented = `Its limits: ${page}`;
  if (compression !== undefined && filesystem === 'xfs')
    refuse('compression', 'compression', { conflict: 'XFS: it does not compress' }, 'Leave it out, or use Btrfs.');
  else if (compression !== undefined && !isCompression(compression))
    refuse('compression', 'compression', COMPRESSIONS, 'Leave it out for none.');
  if (!isWhole(volumeGiB, gib))
    refuse('size', 'volumeGiB', `a whole number from ${gib.min} to ${gib.max} with ${volumeType}`, documented);
  if (!isWhole(volumes, { min: 1, max: MOST_VOLUMES }))
    refuse('volumes', 'volumes', `a whole number from 1 to ${MOST_VOLUMES}`, 'Several are one RAID-0.');
  if (settable === null && iops !== undefined)
    refuse('iops', 'iops', { conflict: `${volumeType}: its size decides` }, 'Leave it out, or use gp3.');
  const max = settable === null ? 0 : Math.min(settable.max, Math.max(settable.min, iopsPerGiB * volumeGiB));
  if (settable !== null && iops === undefined && volumeType === 'io2')
    refuse('iops', 'iops', 'given with io2', `Set it from ${settable.min} to ${max}.`);
  if (settable !== null && iops !== undefined) {
    const must = `a whole number from ${settable.min} to ${max} with ${volumeType} of ${volumeGiB} GiB`;
    if (!isWhole(iops, { min: settable.min, max })) refuse('iops', 'iops', must, documented);
  }
  if (rates === null && throughputMiBps !== undefined)
    refuse(
      'throughput',
      'throughputMiBps',
      { conflict: `${volumeType}: only gp3 has it` },
      'Use gp3, or leave it out.',
    );
  if (rates !== null && throughputMiBps !== undefined) {
    const max = Math.min(rates.max, GP3.throughputMiBps.maxPerIops * (iops ?? settable?.min ?? 0));
    const must = `a whole number of MiB/s from ${rates.min} to ${max} with ${iops ?? settable?.min} IOPS`;
    const next: Phrase = ({ name }) =>
      `Higher values require more '${name('iops')}': ${GP3.throughputMiBps.maxPerIops} MiB/s for each (${page})`;
    if (!isWhole(throughputMiBps, { min: rates.min, max })) refuse('throughput', 'throughputMiBps', must, next);
  }
  return {
    errors,
    warnings: warnings({
      'fsxbench:ebs-burst-credits':
        volumeType === 'gp2' &&
        volumeGiB < 1000 &&
        `gp2 of ${volumeGiB} GiB bursts while it has credits and then falls to ${Math.max(100, 3 * volumeGiB)} IOPS, so a long run measures two volumes; watch BurstBalance, or use gp3`,
      'fsxbench:ebs-raid0':
        volumes > 1 && `${volumes} volumes without redundancy: one that fails takes the file system with it`,
    }),
  };
}
