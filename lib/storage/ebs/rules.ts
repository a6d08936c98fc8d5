import { type Breach, type Phrase, refusing } from '../../kit/breach';
import { GP3 } from '../kit/gp3';
import { isWhole, warnings } from '../kit/rules';
import type { StorageCheck, Warning } from '../slices/configuration';
import { COMPRESSIONS, type EbsStorage, isCompression } from './configuration';
import { DOCUMENTED, MOST_VOLUMES } from './documented';

/** Errors that AWS would find after minutes, or the client at its first boot, by property. */
function errorsOf(configuration: EbsStorage): Breach[] {
  const { filesystem, compression, volumeType, volumeGiB, volumes = 1, iops, throughputMiBps } = configuration;
  const { gib, iops: settable, iopsPerGiB, throughputMiBps: rates, page } = DOCUMENTED[volumeType];
  const { errors, refuse } = refusing(configuration, 'fsxbench:ebs');
  const documented = `Its limits: ${page}`;
  if (compression !== undefined && filesystem === 'xfs')
    refuse('compression', 'compression', 'absent with XFS, which has none', 'Leave it out, or take Btrfs.');
  else if (compression !== undefined && !isCompression(compression))
    refuse('compression', 'compression', COMPRESSIONS, 'Leave it out for none.');
  if (!isWhole(volumeGiB, gib))
    refuse('size', 'volumeGiB', `a whole number from ${gib.min} to ${gib.max} with ${volumeType}`, documented);
  if (!isWhole(volumes, { min: 1, max: MOST_VOLUMES }))
    refuse('volumes', 'volumes', `a whole number from 1 to ${MOST_VOLUMES}`, 'Several are one RAID-0.');
  if (settable === null && iops !== undefined)
    refuse('iops', 'iops', `absent with ${volumeType}, whose size decides`, 'Leave it out, or take gp3.');
  if (settable !== null && iops === undefined && volumeType === 'io2')
    refuse('iops', 'iops', 'given with io2', `Set it from ${settable.min} to ${settable.max}.`);
  if (settable !== null && iops !== undefined) {
    const max = Math.min(settable.max, Math.max(settable.min, iopsPerGiB * volumeGiB));
    const must = `a whole number from ${settable.min} to ${max} with ${volumeType} of ${volumeGiB} GiB`;
    if (!isWhole(iops, { min: settable.min, max })) refuse('iops', 'iops', must, documented);
  }
  if (rates === null && throughputMiBps !== undefined)
    refuse('throughput', 'throughputMiBps', `absent with ${volumeType}`, 'Leave it out, or take gp3.');
  if (rates !== null && throughputMiBps !== undefined) {
    const max = Math.min(rates.max, GP3.throughputMiBps.mostPerIops * (iops ?? settable?.min ?? 0));
    const must = `a whole number of MiB/s from ${rates.min} to ${max} with ${iops ?? settable?.min} IOPS`;
    const next: Phrase = ({ name }) =>
      `More takes more '${name('iops')}': ${GP3.throughputMiBps.mostPerIops} MiB/s for each (${page})`;
    if (!isWhole(throughputMiBps, { min: rates.min, max })) refuse('throughput', 'throughputMiBps', must, next);
  }
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
const warningsOf = ({ volumeType, volumeGiB, volumes = 1, encrypted = true }: EbsStorage): Warning[] =>
  warnings('fsxbench:ebs', {
    'burst-credits':
      volumeType === 'gp2' &&
      volumeGiB < 1000 &&
      `gp2 of ${volumeGiB} GiB bursts while it has credits and then falls to ${Math.max(100, 3 * volumeGiB)} IOPS, so a long run measures two volumes; watch BurstBalance, or use gp3`,
    raid0: volumes > 1 && `${volumes} volumes without redundancy: one that fails takes the file system with it`,
    'not-encrypted':
      !encrypted && 'the volumes are not encrypted at rest, which cannot be changed later; it costs nothing',
  });

export function checkEbs(configuration: EbsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}
