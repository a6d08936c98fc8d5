import type { LustreConfiguration } from './configuration';
import { guide, kindOf, type LustreKind } from './documented';

/** Design figures for each 1,000 GiB. Throughput in MB/s as [baseline, burst]; both are the same where there is no burst. */
export interface PerTiB {
  readonly network: readonly [number, number];
  readonly diskRead: readonly [number, number];
  readonly diskWrite: readonly [number, number];
  /** Memory of the file servers that caches data, GiB. */
  readonly memoryGiB: number;
  /** Some Regions give less network burst. */
  readonly reducible: boolean;
  readonly source: string;
}

const SOURCE = guide('ssd-storage');

const rates = (
  network: readonly [number, number],
  disk: readonly [number, number],
  memoryGiB: number,
  reducible = false,
): PerTiB => ({ network, diskRead: disk, diskWrite: disk, memoryGiB, reducible, source: SOURCE });

const HDD = `${SOURCE}, table of HDD`;

/**
 * By kind and MB/s per TiB. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html; the persistent rows are the same
 * since 2022.
 */
const TABLE: Readonly<
  Record<Exclude<LustreKind, 'PERSISTENT_2_INTELLIGENT_TIERING'>, Readonly<Record<number, PerTiB>>>
> = {
  SCRATCH_2: {
    0: {
      network: [200, 1300],
      diskRead: [200, 200],
      diskWrite: [100, 100],
      memoryGiB: 6.7,
      reducible: false,
      source: SOURCE,
    },
  },
  PERSISTENT_1_SSD: {
    50: rates([250, 1300], [50, 240], 2.2, true),
    100: rates([500, 1300], [100, 240], 4.4, true),
    200: rates([750, 1300], [200, 240], 8.8, true),
  },
  PERSISTENT_1_HDD: {
    // The guide marks this burst of 375 as reduced to 530 in some Regions, which cannot be: it is taken as it is.
    12: {
      network: [40, 375],
      diskRead: [12, 80],
      diskWrite: [12, 50],
      memoryGiB: 0.4,
      reducible: false,
      source: HDD,
    },
    40: {
      network: [150, 1300],
      diskRead: [40, 250],
      diskWrite: [40, 150],
      memoryGiB: 1.5,
      reducible: true,
      source: HDD,
    },
  },
  PERSISTENT_2_SSD: {
    125: rates([320, 1300], [125, 500], 3.4),
    250: rates([640, 1300], [250, 500], 6.8),
    500: rates([1300, 1300], [500, 500], 13.7),
    1000: rates([2600, 2600], [1000, 1000], 27.3),
  },
};

/**
 * Intelligent-Tiering, for each file server, which is for each 4,000 MB/s. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/intelligent-tiering-file-systems.html.
 */
export const TIERING_PER_SERVER = { networkMBps: 12_500, memoryGB: 76.8 } as const;

/**
 * MB/s for each 1,000 GiB of the SSD read cache of HDD, which has no burst. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html, table of HDD.
 */
export const READ_CACHE_MBPS = 200;

/**
 * MB/s of network burst for each 1,000 GiB in {@link REDUCED_BURST_REGIONS}. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/ssd-storage.html.
 */
export const REDUCED_BURST = 530;

export const REDUCED_BURST_REGIONS: readonly string[] = [
  'af-south-1',
  'ap-east-1',
  'ap-northeast-3',
  'ap-southeast-1',
  'ca-central-1',
  'cn-north-1',
  'cn-northwest-1',
  'eu-central-1',
  'eu-north-1',
  'eu-south-1',
  'eu-west-2',
  'me-south-1',
  'sa-east-1',
];

/** The rates of a configuration; `null` for Intelligent-Tiering and for a throughput that its kind does not have. */
export function perTiB(configuration: LustreConfiguration): PerTiB | null {
  const kind = kindOf(configuration);
  if (kind === null || kind === 'PERSISTENT_2_INTELLIGENT_TIERING') return null;
  return TABLE[kind][kind === 'SCRATCH_2' ? 0 : (configuration.perUnitStorageThroughput ?? 0)] ?? null;
}
