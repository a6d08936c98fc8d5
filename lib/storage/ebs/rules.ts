import { GP3 } from '../kit/gp3';
import type { Breach, StorageCheck } from '../slices/configuration';
import { COMPRESSIONS, type EbsStorage, isCompression } from './configuration';
import { DOCUMENTED, MOST_VOLUMES } from './documented';

const within = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** Errors that AWS would find after minutes, or the client at its first boot, naming the settings. */
function errorsOf(configuration: EbsStorage): Breach[] {
  const { filesystem, compression, volumeType, volumeGiB, volumes = 1, iops, throughputMiBps } = configuration;
  const { gib, iops: settable, iopsPerGiB, throughputMiBps: rates, page } = DOCUMENTED[volumeType];
  const errors: Breach[] = [];
  const refuse = (id: string, message: string): void => {
    errors.push({ id: `fsxbench:ebs-${id}`, message });
  };
  if (compression !== undefined && (filesystem === 'xfs' || !isCompression(compression)))
    refuse(
      'compression',
      filesystem === 'xfs'
        ? `'compression' must be absent with XFS, which has none, got ${compression}. Leave it out, or take Btrfs.`
        : `'compression' must be ${COMPRESSIONS}, got ${compression}.`,
    );
  if (!within(volumeGiB, gib))
    refuse(
      'size',
      `'ebsVolumeGiB' must be a whole number from ${gib.min} to ${gib.max} with ${volumeType}, got ${volumeGiB} (${page})`,
    );
  if (!within(volumes, { min: 1, max: MOST_VOLUMES }))
    refuse('volumes', `'ebsVolumes' must be a whole number from 1 to ${MOST_VOLUMES}, got ${volumes}`);
  if (settable === null && iops !== undefined)
    refuse(
      'iops',
      `'ebsIops' must be absent with ${volumeType}, whose size decides, got ${iops}. Leave it out, or take gp3.`,
    );
  if (settable !== null && iops === undefined && volumeType === 'io2')
    refuse('iops', `'ebsIops' must be given with io2, got nothing. Set it from ${settable.min} to ${settable.max}.`);
  if (settable !== null && iops !== undefined) {
    const max = Math.min(settable.max, Math.max(settable.min, iopsPerGiB * volumeGiB));
    if (!within(iops, { min: settable.min, max }))
      refuse(
        'iops',
        `'ebsIops' must be a whole number from ${settable.min} to ${max} with ${volumeType} of ${volumeGiB} GiB, got ${iops} (${page})`,
      );
  }
  if (rates === null && throughputMiBps !== undefined)
    refuse(
      'throughput',
      `'ebsThroughput' must be absent with ${volumeType}, got ${throughputMiBps}. Leave it out, or take gp3.`,
    );
  if (rates !== null && throughputMiBps !== undefined) {
    const max = Math.min(rates.max, GP3.throughputMiBps.mostPerIops * (iops ?? settable?.min ?? 0));
    if (!within(throughputMiBps, { min: rates.min, max }))
      refuse(
        'throughput',
        `'ebsThroughput' must be a whole number of MiB/s from ${rates.min} to ${max} with ${iops ?? settable?.min} IOPS, got ${throughputMiBps}. More takes more 'ebsIops': ${GP3.throughputMiBps.mostPerIops} MiB/s for each (${page})`,
      );
  }
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
function warningsOf({ volumeType, volumeGiB, volumes = 1, encrypted = true }: EbsStorage): Breach[] {
  const warnings: Breach[] = [];
  if (volumeType === 'gp2' && volumeGiB < 1000)
    warnings.push({
      id: 'fsxbench:ebs-burst-credits',
      message: `gp2 of ${volumeGiB} GiB bursts while it has credits and then falls to ${Math.max(100, 3 * volumeGiB)} IOPS, so a long run measures two volumes; watch BurstBalance, or use gp3`,
    });
  if (volumes > 1)
    warnings.push({
      id: 'fsxbench:ebs-raid0',
      message: `${volumes} volumes without redundancy: one that fails takes the file system with it`,
    });
  if (!encrypted)
    warnings.push({
      id: 'fsxbench:ebs-not-encrypted',
      message: 'the volumes are not encrypted at rest, which cannot be changed later; it costs nothing',
    });
  return warnings;
}

export function checkEbs(configuration: EbsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}
