import type { StorageCase } from '../cases';
import { BURSTING } from './bench';

export const storageCase: StorageCase = {
  smallest: { kind: 'efs', throughputMode: 'bursting' },
  usual: BURSTING,
  settings: {
    efsThroughputMode: { good: 'provisioned', changed: 'elastic' },
    efsProvisionedThroughput: {
      good: '256',
      changed: 128,
      with: { efsThroughputMode: 'provisioned', efsProvisionedThroughput: 64 },
    },
    efsAvailability: { good: 'one-zone', changed: 'one-zone' },
  },
};
