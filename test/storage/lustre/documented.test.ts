import type { LustreConfiguration } from '../../../lib/storage/lustre/configuration';
import { automaticMetadataIops, describeLustre } from '../../../lib/storage/lustre/documented';
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
