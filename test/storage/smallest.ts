import type { StorageConfiguration } from '../../lib/storage/storage';
import { MIN } from './lustre/configurations';

/** The smallest configuration of each kind that can be made. */
export const SMALLEST: Readonly<Record<string, StorageConfiguration>> = {
  lustre: { kind: 'lustre', ...MIN.scratch2 } as StorageConfiguration,
  directory: { kind: 'directory' },
  ebs: { kind: 'ebs', filesystem: 'xfs', volumeType: 'gp3', volumeGiB: 1 } as StorageConfiguration,
  'instance-store': { kind: 'instance-store' },
  openzfs: {
    ...{ kind: 'openzfs', deploymentType: 'SINGLE_AZ_2', storageCapacityGiB: 64, throughputMBps: 160 },
  } as StorageConfiguration,
  efs: { kind: 'efs', throughputMode: 'bursting' } as StorageConfiguration,
  'lustre-zfs': { kind: 'lustre-zfs', instanceType: 'i4i.32xlarge', compression: 'off' } as StorageConfiguration,
  moosefs: {
    ...{ kind: 'moosefs', chunkservers: 1, instanceType: 'c5.large', masterInstanceType: 'c5.large' },
    volumeGiB: 10,
  } as StorageConfiguration,
};
