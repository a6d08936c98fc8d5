import type { StorageCase } from '../cases';
import { MIN } from './configurations';

/** Its settings are those of every benchmark: test/config/read.test.ts and test/deploy/settings.test.ts have them. */
export const storageCase: StorageCase = { smallest: { kind: 'lustre', ...MIN.scratch2 } };
