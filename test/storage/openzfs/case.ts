import type { StorageCase } from '../cases';
import { OPENZFS } from '../efs/bench';

export const storageCase: StorageCase = {
  smallest: { kind: 'openzfs', deploymentType: 'SINGLE_AZ_2', storageCapacityGiB: 64, throughputMBps: 160 },
  usual: OPENZFS,
  settings: {
    openzfsDeploymentType: { good: 'SINGLE_AZ_HA_2', changed: 'SINGLE_AZ_2' },
    openzfsStorageCapacity: { good: '1200', changed: 2000 },
    openzfsThroughput: { good: '1280', changed: 320 },
    openzfsIops: { good: '8000', changed: 9000 },
  },
};
