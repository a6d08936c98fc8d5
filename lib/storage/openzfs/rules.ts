import { type Breach, refusing } from '../../kit/breach';
import { isWhole, warnings } from '../kit/rules';
import type { StorageCheck, Warning } from '../slices/configuration';
import type { OpenZfsStorage } from './configuration';
import { includedIops, LEVELS, PERFORMANCE_PAGE, RECORD_KIB, SSD_IOPS, STORAGE_GIB } from './documented';

/** Errors for which FSx would refuse it, by property. */
function errorsOf(configuration: OpenZfsStorage): Breach[] {
  const { storageCapacityGiB, throughputMBps, iops, recordKiB } = configuration;
  const { errors, refuse } = refusing(configuration, 'fsxbench:openzfs');
  const { min, max } = STORAGE_GIB;
  if (!isWhole(storageCapacityGiB, STORAGE_GIB))
    refuse('capacity', 'storageCapacityGiB', `a whole number of GiB from ${min} to ${max}`, 'It is that of the SSDs.');
  if (!LEVELS.has(throughputMBps)) {
    const next = `Each chooses a server: ${PERFORMANCE_PAGE}`;
    refuse('throughput', 'throughputMBps', `one of ${[...LEVELS.keys()].join(', ')}`, next);
  }
  const least = includedIops(storageCapacityGiB);
  if (iops !== undefined && !isWhole(iops, { min: least, max: SSD_IOPS.max })) {
    const must = `a whole number from ${least}, which the price of ${storageCapacityGiB} GiB includes, to ${SSD_IOPS.max}`;
    refuse('iops', 'iops', must, `Leave it out for ${least}.`);
  }
  if (recordKiB !== undefined && !RECORD_KIB.some((size) => size === recordKiB))
    refuse('record', 'recordKiB', `one of ${RECORD_KIB.join(', ')}`, 'Leave it out for that of the service.');
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
function warningsOf({ throughputMBps }: OpenZfsStorage): Warning[] {
  const { networkMBps, diskMBps } = LEVELS.get(throughputMBps) ?? {};
  return warnings('fsxbench:openzfs', {
    burst:
      networkMBps?.burst !== networkMBps?.baseline &&
      `with ${throughputMBps} MB/s the server bursts to ${diskMBps?.burst} MB/s of disk throughput while it has credits, so a long run measures two file systems; watch FileServerDiskThroughputBalance, or take 2560 MB/s and more`,
  });
}

export function checkOpenZfs(configuration: OpenZfsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}
