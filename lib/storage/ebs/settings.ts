import { flag, oneOfWords, type SettingsOf, whole } from '../../kit/field';
import { omitUndefined } from '../../kit/omitUndefined';
import { IN_GIB } from '../../kit/quantity';
import { GP3 } from '../kit/gp3';
import { withProperties } from '../kit/settings';
import { type EbsStorage, VOLUME_TYPES } from './configuration';
import { MOST_VOLUMES } from './documented';

/** The context keys of volumes of EBS. File system and compression are what arms compare, so they have none. */
export const EBS_SETTINGS = {
  ebsVolumeType: oneOfWords(VOLUME_TYPES, 'gp3 has its throughput and IOPS set apart from its size.'),
  ebsVolumeGiB: whole(1, GP3.sizeGiB.max, ' of GiB', 'It is the size of each volume.', IN_GIB),
  ebsVolumes: whole(1, MOST_VOLUMES, '', 'Several are one RAID-0.'),
  ebsIops: whole(100, 256_000, '', 'It is that of each volume; gp2 has it by its size.'),
  ebsThroughput: whole(
    GP3.throughputMiBps.min,
    GP3.throughputMiBps.max,
    ' of MiB/s',
    "It is that of each volume, and goes with 'ebsVolumeType' gp3.",
  ),
  ebsEncrypted: flag('It cannot be changed later, and costs nothing.'),
} as const;

export const EBS_PROPERTIES = {
  ebsVolumeType: 'volumeType',
  ebsVolumeGiB: 'volumeGiB',
  ebsVolumes: 'volumes',
  ebsIops: 'iops',
  ebsThroughput: 'throughputMiBps',
  ebsEncrypted: 'encrypted',
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
  return withProperties<EbsStorage>(EBS_PROPERTIES)({ ...configuration, filesystem, ...kept }, settings);
}
