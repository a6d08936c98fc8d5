import * as z from 'zod';
import { omitUndefined } from '../../common/collections';
import { oneOfWords, type SettingsOf, whole } from '../../common/field';
import { IN_GIB } from '../../common/quantity';
import { type Phrase, refusing, type Violation } from '../../common/violation';
import type { Of } from '../../schema/document';
import { GP3 } from '../common/gp3';
import { isWhole, sets, warnings, withProperties } from '../common/settings';
import type { StorageCheck, Warning } from '../slices/configuration';
import { DOCUMENTED, MOST_VOLUMES } from './documented';

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

/** Errors that AWS would find after minutes, or the client at its first boot, by property. */
function errorsOf(configuration: EbsStorage): Violation[] {
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
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
const warningsOf = ({ volumeType, volumeGiB, volumes = 1 }: EbsStorage): Warning[] =>
  warnings({
    'fsxbench:ebs-burst-credits':
      volumeType === 'gp2' &&
      volumeGiB < 1000 &&
      `gp2 of ${volumeGiB} GiB bursts while it has credits and then falls to ${Math.max(100, 3 * volumeGiB)} IOPS, so a long run measures two volumes; watch BurstBalance, or use gp3`,
    'fsxbench:ebs-raid0':
      volumes > 1 && `${volumes} volumes without redundancy: one that fails takes the file system with it`,
  });

export const checkEbs = (configuration: EbsStorage): StorageCheck => ({
  errors: errorsOf(configuration),
  warnings: warningsOf(configuration),
});
