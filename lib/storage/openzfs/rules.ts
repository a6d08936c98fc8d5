import type { Breach, StorageCheck } from '../slices/configuration';
import type { OpenZfsStorage } from './configuration';
import { includedIops, LEVELS, PERFORMANCE_PAGE, RECORD_KIB, SSD_IOPS, STORAGE_GIB } from './documented';

const within = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** Errors for which FSx would refuse it, naming the settings. */
function errorsOf({ storageCapacityGiB, throughputMBps, iops, recordKiB }: OpenZfsStorage): Breach[] {
  const errors: Breach[] = [];
  if (!within(storageCapacityGiB, STORAGE_GIB.min, STORAGE_GIB.max))
    errors.push({
      id: 'fsxbench:openzfs-capacity',
      message: `'openzfsStorageCapacity' must be a whole number of GiB from ${STORAGE_GIB.min} to ${STORAGE_GIB.max}, got ${storageCapacityGiB}`,
    });
  if (!LEVELS.has(throughputMBps))
    errors.push({
      id: 'fsxbench:openzfs-throughput',
      message: `'openzfsThroughput' must be one of ${[...LEVELS.keys()].join(', ')}, got ${throughputMBps} (${PERFORMANCE_PAGE})`,
    });
  const least = includedIops(storageCapacityGiB);
  if (iops !== undefined && !within(iops, least, SSD_IOPS.max))
    errors.push({
      id: 'fsxbench:openzfs-iops',
      message: `'openzfsIops' must be a whole number from ${least}, which the price of ${storageCapacityGiB} GiB includes, to ${SSD_IOPS.max}, got ${iops}. Leave it out for ${least}.`,
    });
  if (recordKiB !== undefined && !RECORD_KIB.some((size) => size === recordKiB))
    errors.push({
      id: 'fsxbench:openzfs-record',
      message: `'openzfsRecordKiB' must be one of ${RECORD_KIB.join(', ')}, got ${recordKiB}`,
    });
  return errors;
}

/** Warnings: legal, but they make a comparison doubtful. */
function warningsOf({ throughputMBps }: OpenZfsStorage): Breach[] {
  const { networkMBps, diskMBps } = LEVELS.get(throughputMBps) ?? {};
  if (networkMBps === undefined || diskMBps === undefined || networkMBps.burst === networkMBps.baseline) return [];
  return [
    {
      id: 'fsxbench:openzfs-burst',
      message: `with ${throughputMBps} MB/s the server bursts to ${diskMBps.burst} MB/s of disk throughput while it has credits, so a long run measures two file systems; watch FileServerDiskThroughputBalance, or take 2560 MB/s and more`,
    },
  ];
}

export function checkOpenZfs(configuration: OpenZfsStorage): StorageCheck {
  return { errors: errorsOf(configuration), warnings: warningsOf(configuration) };
}
