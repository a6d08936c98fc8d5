import type { LustreConfiguration } from './configuration';

/** The address of a page of the FSx for Lustre user guide, as the source of a figure that users see. */
export const guide = (page: string): string => `https://docs.aws.amazon.com/fsx/latest/LustreGuide/${page}.html`;

/** The kinds of file system that differ in what AWS allows, promises and charges. */
export type LustreKind =
  | 'SCRATCH_2'
  | 'PERSISTENT_1_SSD'
  | 'PERSISTENT_1_HDD'
  | 'PERSISTENT_2_SSD'
  | 'PERSISTENT_2_INTELLIGENT_TIERING';

/** Storage types of each deployment type. Source: FSx API reference, CreateFileSystem. */
export const STORAGE_TYPES: Readonly<
  Record<LustreConfiguration['deploymentType'], readonly NonNullable<LustreConfiguration['storageType']>[]>
> = {
  SCRATCH_2: ['SSD'],
  PERSISTENT_1: ['SSD', 'HDD'],
  PERSISTENT_2: ['SSD', 'INTELLIGENT_TIERING'],
};

/** Values that AWS allows for each kind. Source: FSx API reference, CreateFileSystem and its Lustre configuration. */
export const KINDS: Readonly<
  Record<
    LustreKind,
    {
      readonly label: string;
      readonly versions: readonly NonNullable<LustreConfiguration['version']>[];
      /** MB/s per TiB; empty where the property must be absent. */
      readonly perUnit: readonly number[];
      /** The smallest capacity, and the step of all others, in GiB; `null` where capacity is elastic. */
      readonly capacity: { readonly first: number; readonly step: number } | null;
    }
  >
> = {
  SCRATCH_2: {
    label: 'SCRATCH_2',
    versions: ['2.10', '2.12', '2.15'],
    perUnit: [],
    capacity: { first: 1200, step: 2400 },
  },
  PERSISTENT_1_SSD: {
    label: 'PERSISTENT_1 SSD',
    versions: ['2.10', '2.12', '2.15'],
    perUnit: [50, 100, 200],
    capacity: { first: 1200, step: 2400 },
  },
  PERSISTENT_1_HDD: {
    label: 'PERSISTENT_1 HDD',
    versions: ['2.10', '2.12', '2.15'],
    perUnit: [12, 40],
    // The real step depends on the throughput: HDD_CAPACITY_STEP.
    capacity: { first: 1800, step: 1800 },
  },
  PERSISTENT_2_SSD: {
    label: 'PERSISTENT_2 SSD',
    versions: ['2.12', '2.15'],
    perUnit: [125, 250, 500, 1000],
    capacity: { first: 1200, step: 2400 },
  },
  PERSISTENT_2_INTELLIGENT_TIERING: {
    label: 'PERSISTENT_2 INTELLIGENT_TIERING',
    // Its metadata configuration, which it needs, exists from 2.15 only.
    versions: ['2.15'],
    perUnit: [],
    capacity: null,
  },
};

/** Capacity step in GiB by MB/s per TiB on HDD. Source: FSx API reference, StorageCapacity. */
export const HDD_CAPACITY_STEP: Readonly<Record<number, number>> = { 12: 6000, 40: 1800 };

/**
 * Capacity step in GiB by MB/s per TiB with EFA. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/increase-storage-capacity.html.
 */
export const EFA_CAPACITY_STEP: Readonly<Record<number, number>> = { 125: 38_400, 250: 19_200, 500: 9600, 1000: 4800 };

/** Throughput of Intelligent-Tiering in MB/s; one file server for each step. Source: FSx API reference, ThroughputCapacity. */
export const TIERING_THROUGHPUT = { step: 4000, max: 2_000_000 } as const;

/**
 * SSD read cache of Intelligent-Tiering in GiB for each 4,000 MB/s. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-ssd-read-cache.html.
 */
export const TIERING_CACHE_GIB = { min: 32, max: 131_072, proportional: 20_000 } as const;

/**
 * Default of the account's quotas in GiB, for each deployment type and Region. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/limits.html.
 */
export const DEFAULT_STORAGE_QUOTA_GIB = 100_800;

/**
 * The same for one file system on hard disks, which do not count among the others. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/limits.html.
 */
export const DEFAULT_HDD_QUOTA_GIB = 102_000;

/**
 * The same for all of Intelligent-Tiering in a Region: throughput, and read cache. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/limits.html.
 */
export const DEFAULT_TIERING_QUOTA = { throughputMBps: 100_000, readCacheGiB: 100_800 } as const;

/** Metadata IOPS that can be provisioned. Source: FSx API reference, CreateFileSystemLustreMetadataConfiguration. */
export const METADATA_IOPS = {
  small: [1500, 3000, 6000],
  step: 12_000,
  max: 192_000,
  tiering: [6000, 12_000],
} as const;

/** Values that {@link isMetadataIops} accepts on SSD, in words. */
export const METADATA_IOPS_ALLOWED = `one of ${METADATA_IOPS.small.join(', ')}, or a multiple of ${METADATA_IOPS.step} up to ${METADATA_IOPS.max}`;

/** True if AWS provisions this number of metadata IOPS on SSD. */
export function isMetadataIops(iops: unknown): iops is number {
  const { small, step, max } = METADATA_IOPS;
  if ((small as readonly unknown[]).includes(iops)) return true;
  return typeof iops === 'number' && iops > 0 && iops <= max && iops % step === 0;
}

/** The smallest number of metadata IOPS on SSD that is not below the given one, or the largest there is. */
export function nextMetadataIops(iops: unknown): number {
  const { small, step, max } = METADATA_IOPS;
  if (typeof iops !== 'number' || Number.isNaN(iops)) return step;
  return small.find((value) => value >= iops) ?? Math.min(max, Math.ceil(iops / step) * step);
}

/** Metadata IOPS that a file system can still be raised to, in ascending order; they only rise. Source: as {@link METADATA_IOPS}. */
export function metadataIopsAbove(iops: number, storageType?: LustreConfiguration['storageType']): number[] {
  const { small, step, max, tiering } = METADATA_IOPS;
  const all: readonly number[] =
    storageType === 'INTELLIGENT_TIERING'
      ? tiering
      : [...small, ...Array.from({ length: max / step }, (_, index) => (index + 1) * step)];
  return all.filter((value) => value > iops);
}

/** The kind of a configuration; `null` when its deployment and storage types do not go together. */
export function kindOf(configuration: LustreConfiguration): LustreKind | null {
  const { deploymentType, storageType = 'SSD' } = configuration;
  if (!STORAGE_TYPES[deploymentType]?.includes(storageType)) return null;
  return deploymentType === 'SCRATCH_2' ? deploymentType : `${deploymentType}_${storageType as 'SSD'}`;
}

/** The step in GiB between valid capacities; `null` for elastic storage and where the throughput tier is not a valid one. */
export function capacityStep(configuration: LustreConfiguration): { first: number; step: number } | null {
  const kind = kindOf(configuration);
  if (kind === null) return null;
  const perUnit = configuration.perUnitStorageThroughput ?? 0;
  const special =
    kind === 'PERSISTENT_1_HDD'
      ? HDD_CAPACITY_STEP
      : kind === 'PERSISTENT_2_SSD' && configuration.efaEnabled
        ? EFA_CAPACITY_STEP
        : null;
  if (special === null) return KINDS[kind].capacity;
  const step = special[perUnit];
  return step === undefined ? null : { first: step, step };
}

/**
 * Metadata IOPS that AUTOMATIC gives to a capacity in GiB, which the price of the storage includes. Source:
 * https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html.
 * The guide does not say how AWS rounds between multiples of 24,000 GiB above 48,000: the lower multiple is taken here.
 */
export function automaticMetadataIops(capacityGiB: number): number {
  if (capacityGiB < 2400) return 1500;
  if (capacityGiB < 4800) return 3000;
  if (capacityGiB < 12_000) return 6000;
  if (capacityGiB < 48_000) return 12_000;
  return Math.min(METADATA_IOPS.max, Math.floor(capacityGiB / 24_000) * 12_000);
}

/** A configuration in words for people: `PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4`. */
export function describeLustre(configuration: LustreConfiguration): string {
  const { deploymentType, storageType = 'SSD', storageCapacityGiB, perUnitStorageThroughput } = configuration;
  const { throughputCapacity, metadata, dataCompressionType = 'NONE' } = configuration;
  return [
    `${deploymentType} ${storageType}${storageCapacityGiB === undefined ? '' : ` ${storageCapacityGiB} GiB`}`,
    ...(perUnitStorageThroughput === undefined ? [] : [`${perUnitStorageThroughput} MB/s/TiB`]),
    ...(throughputCapacity === undefined ? [] : [`${throughputCapacity} MB/s`]),
    ...(metadata === undefined
      ? []
      : [metadata.mode === 'AUTOMATIC' ? 'automatic metadata IOPS' : `${metadata.iops} metadata IOPS`]),
    ...(configuration.efaEnabled ? ['EFA'] : []),
    dataCompressionType === 'NONE' ? 'no compression' : dataCompressionType,
  ].join(', ');
}

/**
 * Higher values are typos: more than a hundred times the default quota of an account
 * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/limits.html).
 */
export const MOST_CAPACITY_GIB = 20_000_000;

/** AWS's "TiB" in throughput is 1,000 GiB. */
export const GIB = { TiB: 1000, GiB: 1 } as const;
