import { storageNamed } from '../../../lib/storage/lookup';
import type { LustreStorage } from '../../../lib/storage/lustre/configuration';

const lustre = storageNamed('lustre');

const P2: LustreStorage = {
  kind: 'lustre',
  deploymentType: 'PERSISTENT_2',
  storageCapacityGiB: 4800,
  perUnitStorageThroughput: 1000,
  metadata: { mode: 'USER_PROVISIONED', iops: 12_000 },
};
const TIERED: LustreStorage = {
  kind: 'lustre',
  deploymentType: 'PERSISTENT_2',
  storageType: 'INTELLIGENT_TIERING',
  throughputCapacity: 8000,
  metadata: { mode: 'USER_PROVISIONED', iops: 6000 },
  dataReadCache: { sizingMode: 'NO_CACHE' },
};
const { metadata: _, ...WITHOUT } = P2;

test.each<[string | null, LustreStorage, LustreStorage]>([
  ['capacity can only grow, from 4800 GiB, not to 2400', P2, { ...P2, storageCapacityGiB: 2400 }],
  ['EFA is chosen when a file system is made, and cannot be switched on later', P2, { ...P2, efaEnabled: true }],
  ['EFA is chosen when a file system is made, and cannot be switched off later', { ...P2, efaEnabled: true }, P2],
  ['a metadata configuration cannot be added to a file system that was made without one', WITHOUT, P2],
  [
    'metadata IOPS can only rise, from 12000, not to 6000',
    P2,
    { ...P2, metadata: { mode: 'USER_PROVISIONED', iops: 6000 } },
  ],
  [
    'MB/s of throughput capacity can only rise, from 8000, not to 4000',
    TIERED,
    { ...TIERED, throughputCapacity: 4000 },
  ],
  [null, P2, { ...P2, storageCapacityGiB: 9600, metadata: { mode: 'USER_PROVISIONED', iops: 24_000 } }],
  // CloudFormation replaces it.
  [null, { ...WITHOUT, deploymentType: 'PERSISTENT_1', perUnitStorageThroughput: 200 }, { ...P2, efaEnabled: true }],
])('FSx refuses of a deployed file system: %s', (reason, deployed, planned) => {
  expect(lustre.account.refusesUpdate?.(deployed, planned)).toBe(reason);
});
