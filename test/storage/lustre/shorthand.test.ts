import type { LustreStorage } from '../../../lib/storage/lustre/configuration';
import { lustreShorthand } from '../../../lib/storage/lustre/shorthand';

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
