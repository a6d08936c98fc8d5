import { metadataIopsAbove } from '../../../../lib/storage/lustre/documented';
import { METADATA_RULES } from '../../../../lib/storage/lustre/rule/metadata';
import { checkLustre } from '../../../../lib/storage/lustre/rules';
import { MIN } from '../configurations';
import { anything, type Case, refuses } from './cases';

const REFUSED: Case[] = [
  [
    'metadata-type',
    { ...MIN.persistent1, metadata: { mode: 'AUTOMATIC' } },
    `'metadata' ({"mode":"AUTOMATIC"}) cannot be combined with PERSISTENT_1: only PERSISTENT_2 has a metadata configuration. Leave it out, or use PERSISTENT_2.`,
  ],
  [
    'metadata-type',
    { ...MIN.scratch2, metadata: { mode: 'USER_PROVISIONED', iops: 1500 } },
    `'metadata' ({"mode":"USER_PROVISIONED","iops":1500}) cannot be combined with SCRATCH_2: only PERSISTENT_2 has a metadata configuration. Leave it out, or use PERSISTENT_2.`,
  ],
  [
    'metadata-mode',
    { ...MIN.tiering, metadata: undefined },
    `'metadata' must be present with PERSISTENT_2 INTELLIGENT_TIERING, got nothing. Take {"mode":"USER_PROVISIONED","iops":6000}.`,
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 5000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 5000. Take 6000.",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 18_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 18000. Take 24000.",
  ],
  [
    'metadata-iops',
    { ...MIN.persistent2, metadata: { mode: 'USER_PROVISIONED', iops: 204_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 204000. Take 192000.",
  ],
  [
    'metadata-iops',
    { ...MIN.tiering, metadata: { mode: 'USER_PROVISIONED', iops: 18_000 } },
    "'metadata.iops' must be one of 1500, 3000, 6000, or a multiple of 12000 up to 192000, got 18000. Take 24000.",
  ],
  [
    'metadata-min',
    { ...MIN.persistent2, storageCapacityGiB: 12_000, metadata: { mode: 'USER_PROVISIONED', iops: 6000 } },
    "'metadata.iops' must be at least 12000 with 12000 GiB, got 6000. Take 12000, or at most 9600 GiB: FSx refuses fewer than AUTOMATIC gives to the capacity.",
  ],
  [
    'metadata-min',
    { ...MIN.persistent2, storageCapacityGiB: 2400, metadata: { mode: 'USER_PROVISIONED', iops: 1500 } },
    "'metadata.iops' must be at least 3000 with 2400 GiB, got 1500. Take 3000, or at most 1200 GiB: FSx refuses fewer than AUTOMATIC gives to the capacity.",
  ],
  // How AUTOMATIC rounds between multiples of 24,000 GiB is not documented: rounded up.
  [
    'metadata-min',
    { ...MIN.persistent2, storageCapacityGiB: 50_400, metadata: { mode: 'USER_PROVISIONED', iops: 24_000 } },
    "'metadata.iops' must be at least 36000 with 50400 GiB, got 24000. Take 36000, or at most 48000 GiB: FSx refuses fewer than AUTOMATIC gives to the capacity.",
  ],
  [
    'metadata-iops',
    anything({ ...MIN.persistent2, metadata: { mode: 'AUTOMATIC', iops: 1500 } }),
    "'metadata.iops' (1500) cannot be combined with AUTOMATIC: FSx chooses the IOPS. Leave it out, or use USER_PROVISIONED.",
  ],
  [
    'efa',
    { ...MIN.efa, metadata: undefined },
    "'efaEnabled' must be false except for PERSISTENT_2 file systems with metadata configuration, got true. Set 'metadata'.",
  ],
  [
    'efa',
    { ...MIN.persistent1, efaEnabled: true },
    "'efaEnabled' must be false except for PERSISTENT_2 file systems with metadata configuration, got true. Take PERSISTENT_2 and set 'metadata'.",
  ],
  [
    'efa-throughput',
    { ...MIN.tiering, throughputCapacity: 2000, efaEnabled: true },
    "'efaEnabled' must be false below 4000 MB/s with INTELLIGENT_TIERING, got true. Set 'throughputCapacity' to 4000 or more.",
  ],
  [
    'metadata-mode',
    anything({ ...MIN.persistent2, metadata: { mode: 'MANUAL', iops: 1500 } }),
    "'metadata.mode' must be AUTOMATIC or USER_PROVISIONED, got MANUAL. Name one of them.",
  ],
];

refuses(METADATA_RULES, REFUSED);

test.each<[capacityGiB: number, min: number]>([
  [1200, 1500],
  [2400, 3000],
  [4800, 6000],
  [9600, 6000],
  [12_000, 12_000],
  [45_600, 12_000],
  [48_000, 24_000],
  [72_000, 36_000],
  [1_000_800, 192_000],
])('%i GiB takes %i metadata IOPS and more, not the level below', (storageCapacityGiB, min) => {
  const at = (iops: number) =>
    checkLustre({ ...MIN.persistent2, storageCapacityGiB, metadata: { mode: 'USER_PROVISIONED', iops } }).errors;
  expect(at(min)).toEqual([]);
  const below = metadataIopsAbove(0).filter((iops) => iops < min);
  expect(below.filter((iops) => at(iops).length === 0)).toEqual([]);
});

test('Intelligent-Tiering takes every level, AUTOMATIC, and no capacity decides', () => {
  const levels = metadataIopsAbove(0).map((iops) => ({ mode: 'USER_PROVISIONED', iops }) as const);
  for (const metadata of [{ mode: 'AUTOMATIC' } as const, ...levels])
    expect(checkLustre({ ...MIN.tiering, metadata }).errors).toEqual([]);
});
