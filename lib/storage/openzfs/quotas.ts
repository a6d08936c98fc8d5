import type { Quota } from '../slices/account';
import type { OpenZfsStorage } from './configuration';
import { includedIops } from './documented';

const usual = (value: number, warning: `fsxbench:${string}`) => ({ value, warning, of: 'FSx for OpenZFS' });

/**
 * Quotas on all file systems of an account in a Region. Defaults: https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/limits.html; codes: answers of
 * ListServiceQuotas that accounts have published, all alike.
 */
export const OPENZFS_QUOTAS: readonly Quota<OpenZfsStorage>[] = [
  { service: 'fsx', code: 'L-59D0763F', name: 'OpenZFS file systems', unit: 'file systems', of: () => 1 },
  {
    ...{ service: 'fsx', code: 'L-88479C21', name: 'OpenZFS SSD storage', unit: 'GiB' },
    usual: usual(262_144, 'fsxbench:openzfsStorageQuota'),
    of: ({ storageCapacityGiB }) => storageCapacityGiB,
  },
  {
    ...{ service: 'fsx', code: 'L-4EDE4065', name: 'OpenZFS throughput', unit: 'MB/s' },
    usual: usual(10_240, 'fsxbench:openzfsThroughputQuota'),
    of: ({ throughputMBps }) => throughputMBps,
  },
  {
    ...{ service: 'fsx', code: 'L-E24B4DE4', name: 'OpenZFS disk IOPS', unit: 'IOPS' },
    usual: usual(400_000, 'fsxbench:openzfsIopsQuota'),
    of: ({ storageCapacityGiB, iops = includedIops(storageCapacityGiB) }) => iops,
  },
];
