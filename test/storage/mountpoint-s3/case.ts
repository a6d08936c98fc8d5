import type { StorageCase } from '../cases';

export const storageCase: StorageCase = { smallest: { kind: 'mountpoint-s3' } };
