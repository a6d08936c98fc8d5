import type { StorageCase } from '../cases';

export const storageCase: StorageCase = {
  smallest: { kind: 'mountpoint-s3' },
  usual: { kind: 'mountpoint-s3', partMiB: 64 } as StorageCase['usual'],
  settings: { s3PartMiB: { good: '32', changed: 32 } },
};
