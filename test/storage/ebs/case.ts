import type { StorageCase } from '../cases';
import { XFS } from './bench';

export const storageCase: StorageCase = {
  smallest: { kind: 'ebs', filesystem: 'xfs', volumeType: 'gp3', volumeGiB: 1 },
  usual: XFS,
  settings: {
    ebsVolumeType: { good: 'gp3', changed: 'gp2' },
    ebsVolumeGiB: { good: '100', changed: 300 },
    ebsVolumes: { good: '2', changed: 2 },
    ebsIops: { good: '4000', changed: 4000 },
    ebsThroughput: { good: '250', changed: 250 },
  },
};
