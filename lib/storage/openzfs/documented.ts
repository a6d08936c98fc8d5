import { ratio as ratioWords } from '../../common/format/units';
import type { Violation } from '../../common/violation';
import { clientNetwork, compressedDisk, type Limit, type LimitOptions, limit } from '../common/limits';
import { inBlocks } from '../common/space';
import type { OpenZfsStorage } from './configuration';

/** Regions without Single-AZ 2. Source: https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/available-aws-regions.html, and that page of docs.amazonaws.cn. */
const ABSENT_IN: readonly string[] = [
  ...['ap-east-1', 'ap-east-2', 'ap-northeast-3', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5'],
  ...['ap-southeast-6', 'ap-southeast-7', 'ca-west-1', 'cn-north-1', 'cn-northwest-1', 'eu-south-1', 'us-gov-east-1'],
];

/** Why a Region does not offer it; `null` if it does, as far as AWS documents it. */
export function absentIn({ deploymentType }: OpenZfsStorage, region: string): Violation | null {
  if (!ABSENT_IN.includes(region)) return null;
  const next = 'Choose another Region, or arms of another storage.';
  return { property: 'deploymentType', must: `a type that ${region} offers`, got: deploymentType, next };
}

export const PERFORMANCE_PAGE = 'https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/performance-ssd.html';

const rate = (baseline: number, burst = baseline) => ({ baseline, burst });
type Rate = ReturnType<typeof rate>;

const level = (memoryGB: number, nvmeGB: number, networkMBps: Rate, diskMBps: Rate) =>
  ({ memoryGB, nvmeGB, networkMBps, diskMBps }) as const;

/** Throughput capacities of Single-AZ 2, with and without a standby, by their MB/s; GB as in the source: {@link PERFORMANCE_PAGE}, tables of Single-AZ 2. */
export const LEVELS = new Map([
  [160, level(8, 40, rate(375, 3125), rate(160, 3125))],
  [320, level(16, 80, rate(775, 3750), rate(320, 3125))],
  [640, level(32, 160, rate(1550, 5000), rate(640, 3125))],
  [1280, level(64, 320, rate(3125, 6250), rate(1280, 3125))],
  [2560, level(128, 640, rate(6250), rate(2560))],
  [3840, level(192, 960, rate(9375), rate(3840))],
  [5120, level(256, 1280, rate(12_500), rate(5120))],
  [7680, level(384, 1920, rate(18_750), rate(7680))],
  [10_240, level(512, 2560, rate(21_000), rate(10_240))],
]);

/** Source: https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystem.html, StorageCapacity. */
export const STORAGE_GIB = { min: 64, max: 524_288 } as const;

/**
 * SSD IOPS: so many come with each GiB, and are provisioned by themselves. Sources:
 * https://docs.aws.amazon.com/fsx/latest/OpenZFSGuide/managing-storage-capacity.html; the most is what the servers reach ({@link PERFORMANCE_PAGE}).
 */
export const SSD_IOPS = { perGiB: 3, max: 400_000 } as const;

/** IOPS included with the storage, the least that can be set: capped at the maximum, which {@link SSD_IOPS} reaches at 133,333 GiB. */
export const includedIops = (storageCapacityGiB: number): number =>
  Math.min(SSD_IOPS.max, SSD_IOPS.perGiB * storageCapacityGiB);

/** Default record size of the root volume. Source: https://docs.aws.amazon.com/fsx/latest/APIReference/API_OpenZFSCreateRootVolumeConfiguration.html. */
const DEFAULT_RECORD_BYTES = 128 * 1024;

/** Bytes of a file: one block up to the record size, whole records above. Assumes sectors of 4 KiB and a dnode of 512 bytes (docs/estimate.md). */
export const bytesOfFile = (bytes: number): number =>
  inBlocks(bytes > DEFAULT_RECORD_BYTES ? DEFAULT_RECORD_BYTES : 4096, 512)(bytes);

/** The limits of the file server, of its disks, which store compressed data, and, with given clients, of their network. */
export function limitsOf(
  { throughputMBps, compression = 'none' }: OpenZfsStorage,
  { clients, ratio = 1 }: LimitOptions = {},
): readonly Limit[] {
  const level = LEVELS.get(throughputMBps);
  if (level === undefined) return [];
  const limits = clientNetwork(clients);
  const source = `${throughputMBps} MB/s of throughput capacity (${PERFORMANCE_PAGE})`;
  const { networkMBps, diskMBps } = level;
  const disk = limit('disk', source, diskMBps.baseline, diskMBps.burst);
  limits.push(limit('server_network', source, networkMBps.baseline, networkMBps.burst), disk);
  if (compression !== 'none' && ratio !== 1)
    limits.push(compressedDisk(disk, ratio, `disk × ${ratioWords(ratio)}, the ratio of the data`));
  return limits;
}
