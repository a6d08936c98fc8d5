import { SIZE_RULES } from '../../../../lib/storage/lustre/rule/type';
import { MIN } from '../configurations';
import { type Case, refuses } from './cases';

const REFUSED: Case[] = [
  [
    'capacity-unit',
    { ...MIN.persistent1, storageCapacityGiB: 24_000_000 },
    "'storageCapacityGiB' must be at most 20000000, got 24000000. It is in GiB.",
  ],
  [
    'throughput-tier',
    { ...MIN.persistent1, perUnitStorageThroughput: undefined },
    "'perUnitStorageThroughput' must be one of [50,100,200] MB/s/TiB with PERSISTENT_1 SSD, got nothing. Set 50 or more.",
  ],
  [
    'throughput-tier',
    { ...MIN.persistent1, perUnitStorageThroughput: 125 },
    "'perUnitStorageThroughput' must be one of [50,100,200] MB/s/TiB with PERSISTENT_1 SSD, got 125. The nearest is 100.",
  ],
  [
    'throughput-tier',
    { ...MIN.hdd12, perUnitStorageThroughput: 50 },
    "'perUnitStorageThroughput' must be one of [12,40] MB/s/TiB with PERSISTENT_1 HDD, got 50. The nearest is 40.",
  ],
  [
    'throughput-tier',
    { ...MIN.persistent2, perUnitStorageThroughput: 200 },
    "'perUnitStorageThroughput' must be one of [125,250,500,1000] MB/s/TiB with PERSISTENT_2 SSD, got 200. The nearest is 250.",
  ],
  [
    'throughput-tier',
    { ...MIN.scratch2, perUnitStorageThroughput: 200 },
    "'perUnitStorageThroughput' (200) cannot be combined with SCRATCH_2: its throughput per TiB is fixed. Leave it out.",
  ],
  [
    'throughput-tier',
    { ...MIN.tiering, perUnitStorageThroughput: 125 },
    "'perUnitStorageThroughput' (125) cannot be combined with PERSISTENT_2 INTELLIGENT_TIERING: it has no throughput per TiB. Leave it out and set 'throughputCapacity'.",
  ],
  [
    'capacity',
    { ...MIN.persistent1, storageCapacityGiB: 1300 },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_1 SSD, got 1300. Take 1200 or 2400 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.persistent1, storageCapacityGiB: 3600 },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_1 SSD, got 3600. Take 2400 or 4800 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.scratch2, storageCapacityGiB: undefined },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with SCRATCH_2, got nothing. Take 1200 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.persistent2, storageCapacityGiB: 600 },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_2 SSD, got 600. Take 1200 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.persistent2, storageCapacityGiB: Number.NaN },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_2 SSD, got NaN. Take 1200 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.persistent1, storageCapacityGiB: 0 },
    "'storageCapacityGiB' must be 1200 or a multiple of 2400 with PERSISTENT_1 SSD, got 0. Take 1200 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.hdd12, storageCapacityGiB: 1800 },
    "'storageCapacityGiB' must be a multiple of 6000 with PERSISTENT_1 HDD at 12 MB/s/TiB, got 1800. Take 6000 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.hdd40, storageCapacityGiB: 6000 },
    "'storageCapacityGiB' must be a multiple of 1800 with PERSISTENT_1 HDD at 40 MB/s/TiB, got 6000. Take 5400 or 7200 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.efa, storageCapacityGiB: 2400 },
    "'storageCapacityGiB' must be a multiple of 4800 with PERSISTENT_2 SSD at 1000 MB/s/TiB and EFA, got 2400. Take 4800 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.efa, perUnitStorageThroughput: 125 },
    "'storageCapacityGiB' must be a multiple of 38400 with PERSISTENT_2 SSD at 125 MB/s/TiB and EFA, got 4800. Take 38400 (GiB).",
  ],
  [
    'capacity',
    { ...MIN.tiering, storageCapacityGiB: 0 },
    "'storageCapacityGiB' (0) cannot be combined with PERSISTENT_2 INTELLIGENT_TIERING: it is elastic. Leave it out.",
  ],
  [
    'drive-cache',
    { ...MIN.hdd12, driveCacheType: undefined },
    "'driveCacheType' must be NONE or READ with storage type HDD, got nothing. READ adds an SSD read cache of 20 % of the capacity.",
  ],
  [
    'drive-cache',
    { ...MIN.persistent1, driveCacheType: 'READ' },
    "'driveCacheType' (READ) cannot be combined with PERSISTENT_1 SSD: only storage type HDD has it. Leave it out.",
  ],
];

refuses(SIZE_RULES, REFUSED);
