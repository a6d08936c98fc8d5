import type { LustreConfiguration, LustreStorage } from '../../../lib/storage/lustre/configuration';
import { automaticMetadataIops, describeLustre } from '../../../lib/storage/lustre/documented';
import { lustreShorthand } from '../../../lib/storage/lustre/settings';
import { kindOf } from '../../../lib/storage/lustre/types';
import { MIN } from './configurations';

test.each([
  [1200, 1500],
  [2400, 3000],
  [4800, 6000],
  [7200, 6000],
  [9600, 6000],
  [12_000, 12_000],
  [45_600, 12_000],
  [48_000, 24_000],
  [72_000, 36_000],
  [480_000, 192_000],
])('AUTOMATIC gives %i GiB its documented %i metadata IOPS', (capacity, iops) => {
  expect(automaticMetadataIops(capacity)).toBe(iops);
});

test.each<[LustreConfiguration, string]>([
  [{ ...MIN.persistent1, dataCompressionType: 'LZ4' }, 'PERSISTENT_1 SSD 1200 GiB, 50 MB/s/TiB, LZ4'],
  [MIN.efa, 'PERSISTENT_2 SSD 4800 GiB, 1000 MB/s/TiB, 6000 metadata IOPS, EFA, no compression'],
  [
    { ...MIN.persistent2, metadata: { mode: 'AUTOMATIC' } },
    'PERSISTENT_2 SSD 1200 GiB, 125 MB/s/TiB, automatic metadata IOPS, no compression',
  ],
  [MIN.tiering, 'PERSISTENT_2 INTELLIGENT_TIERING, 4000 MB/s, 6000 metadata IOPS, no compression'],
])('a person can tell configurations apart: %#', (configuration, words) => {
  expect(describeLustre(configuration)).toBe(words);
});

test('a storage type that a deployment type does not have is no kind', () => {
  expect(kindOf({ deploymentType: 'PERSISTENT_2', storageType: 'HDD' })).toBeNull();
  expect(kindOf({ deploymentType: 'SCRATCH_1' as never })).toBeNull();
});

const published: LustreStorage = {
  kind: 'lustre',
  deploymentType: 'PERSISTENT_1',
  storageType: 'SSD',
  storageCapacityGiB: 14_400,
  perUnitStorageThroughput: 200,
  dataCompressionType: 'LZ4',
};
const read = (text: string) => lustreShorthand.read(text, published);

test.each([
  ['PERSISTENT_2', /^must be a type .* such as 'PERSISTENT_2:500,12TiB'.*, got 'PERSISTENT_2'/],
  ['PERSISTENT_3:500,12TiB', /^must be .*, got 'PERSISTENT_3:500,12TiB'/],
  ['PERSISTENT_2:500,12TB', /^must be .*, got 'PERSISTENT_2:500,12TB'/],
  ['PERSISTENT_2:200,12TiB', /AWS accepts, got 'PERSISTENT_2:200,12TiB': .*perUnitStorageThroughput/],
  ['PERSISTENT_2:500,13TiB', /AWS accepts, got 'PERSISTENT_2:500,13TiB': .*storageCapacityGiB/],
  ['PERSISTENT_2:500,12TiB,12000', /^must be .* perhaps metadata IOPS.*, got 'PERSISTENT_2:500,12TiB,12000'/],
  ['PERSISTENT_2:500,12TiB,5000IOPS', /AWS accepts, got 'PERSISTENT_2:500,12TiB,5000IOPS': .*metadata/],
  ['PERSISTENT_2:500,12TiB,6000IOPS', /AWS accepts, got .*: 'metadataIops' must be at least 12000 with 12000 GiB/],
  ['SCRATCH_2,4800GiB,12000IOPS', /AWS accepts, got 'SCRATCH_2,4800GiB,12000IOPS': .*metadata/],
  ['PERSISTENT_1,2400GiB', /AWS accepts, got 'PERSISTENT_1,2400GiB': .*perUnitStorageThroughput/],
])('refuses %s', (text, message) => expect(() => read(text)).toThrow(message));

test('a TiB of AWS is 1,000 GiB, and rates of 12 and 40 are those of HDD', () => {
  expect(read('PERSISTENT_2:500,12TiB').settings).toEqual({
    deploymentType: 'PERSISTENT_2',
    storageType: 'SSD',
    storageCapacityGiB: 12_000,
    perUnitStorageThroughput: 500,
  });
  expect(read('PERSISTENT_1:40,1800GiB').settings).toMatchObject({ storageType: 'HDD', driveCacheType: 'NONE' });
});

test('keeps the compression, and drops a rate that the type does not have', () => {
  expect(read('SCRATCH_2,4800GiB').configuration).toEqual({
    kind: 'lustre',
    deploymentType: 'SCRATCH_2',
    storageType: 'SSD',
    storageCapacityGiB: 4800,
    dataCompressionType: 'LZ4',
  });
});

test.each(['PERSISTENT_1:200,14.4TiB', 'PERSISTENT_2:500,12TiB', 'SCRATCH_2,4.8TiB', 'PERSISTENT_1:40,1.8TiB'])(
  'writes %s as it is read',
  (text) => expect(lustreShorthand.write(read(text).configuration)).toBe(text),
);

test.each([
  ['PERSISTENT_2:500,12TiB,12000IOPS', { mode: 'USER_PROVISIONED', iops: 12_000 }],
  ['PERSISTENT_2:500,12TiB,automaticIOPS', { mode: 'AUTOMATIC' }],
] as const)('says the metadata IOPS of %s where they are asked for', (text, metadata) => {
  const { configuration } = read(text);
  expect(configuration.metadata).toEqual(metadata);
  expect(lustreShorthand.write(configuration, true)).toBe(text);
  // Arms of a scale model differ in these, and keep their own.
  expect(lustreShorthand.write(configuration)).toBe('PERSISTENT_2:500,12TiB');
  expect(lustreShorthand.read('PERSISTENT_2:250,4.8TiB', configuration).configuration.metadata).toEqual(metadata);
});
