import { lustreOptions } from '../../lib/cli/scale/configurationOptions';

const LUSTRE = { kind: 'lustre', storageType: 'SSD' };
const P2 = { deployment: 'PERSISTENT_2', capacity: '4800', perUnit: '125' };

test.each<[Readonly<Record<string, unknown>>, object]>([
  [
    { deployment: 'SCRATCH_2', capacity: '1200' },
    { ...LUSTRE, deploymentType: 'SCRATCH_2', storageCapacityGiB: 1200 },
  ],
  [
    { deployment: 'PERSISTENT_1', storageType: 'HDD', capacity: '6000', perUnit: '12', driveCache: 'READ' },
    {
      ...{ ...LUSTRE, deploymentType: 'PERSISTENT_1', storageType: 'HDD', storageCapacityGiB: 6000 },
      ...{ perUnitStorageThroughput: 12, driveCacheType: 'READ' },
    },
  ],
  [
    { ...P2, compression: 'LZ4', metadataIops: '12000', efa: true },
    {
      ...{ ...LUSTRE, deploymentType: 'PERSISTENT_2', storageCapacityGiB: 4800, perUnitStorageThroughput: 125 },
      ...{ dataCompressionType: 'LZ4', metadata: { mode: 'USER_PROVISIONED', iops: 12_000 }, efaEnabled: true },
    },
  ],
  [{ ...P2, compression: 'NONE' }, { dataCompressionType: 'NONE' }],
  [{ ...P2, metadataIops: 'automatic' }, { metadata: { mode: 'AUTOMATIC' } }],
  [
    { deployment: 'PERSISTENT_2', storageType: 'INTELLIGENT_TIERING', throughputCapacity: '4000', readCache: '128' },
    {
      ...{ deploymentType: 'PERSISTENT_2', storageType: 'INTELLIGENT_TIERING', throughputCapacity: 4000 },
      dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB: 128 },
    },
  ],
])('%j describe a file system', (flags, configuration) => {
  expect(lustreOptions.configurationOf(flags as never)).toMatchObject(configuration);
});

test.each([
  [{ capacity: '1200' }, '--deployment is missing: choose one of SCRATCH_2, PERSISTENT_1, PERSISTENT_2'],
  [{ ...P2, compression: 'ZSTD' }, "'--compression' must be NONE or LZ4, got 'ZSTD'"],
  [{ ...P2, storageType: 'NVMe' }, "'--storage-type' must be"],
  [{ ...P2, metadataIops: 'many' }, "'--metadata-iops' must be"],
])('%j are refused', (flags, words) => expect(() => lustreOptions.configurationOf(flags as never)).toThrow(words));
