import type { StorageCase } from '../cases';
import { TWO_SERVERS } from './bench';

export const storageCase: StorageCase = {
  smallest: { kind: 'moosefs', chunkservers: 1, instanceType: 'c5.large', volumeGiB: 10 },
  usual: TWO_SERVERS,
  settings: {
    moosefsEngine: { good: 'moosefs-4.57.5', changed: 'moosefs-3.0.117' },
    moosefsChunkservers: { good: '2', changed: 3 },
    moosefsInstanceType: { good: 'c5.2xlarge', changed: 'c5.4xlarge' },
    moosefsVolumesPerServer: { good: '2', changed: 3 },
    moosefsVolumeGiB: { good: '500', changed: 600 },
    moosefsVolumeIops: { good: '6000', changed: 7000 },
    moosefsVolumeThroughput: { good: '500', changed: 600 },
    moosefsCopies: { good: '2', changed: 2 },
  },
};
