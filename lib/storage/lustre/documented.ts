import type { Violation } from '../../common/violation';
import { DEFAULT_LUSTRE_VERSION, type LustreConfiguration } from './configuration';
import { CHINA, DEPLOYMENTS, LUSTRE_TYPES, METADATA_IOPS, tierOf, typeOf } from './types';

/** Every number of metadata IOPS that AWS provisions on some file system, ascending. */
const LEVELS: readonly number[] = [
  ...METADATA_IOPS.small,
  ...Array.from({ length: METADATA_IOPS.max / METADATA_IOPS.step }, (_, index) => (index + 1) * METADATA_IOPS.step),
];

/** Values that {@link isMetadataIops} accepts, in words. */
export const METADATA_IOPS_ALLOWED = `one of ${METADATA_IOPS.small.join(', ')}, or a multiple of ${METADATA_IOPS.step} up to ${METADATA_IOPS.max}`;

export const isMetadataIops = (iops: unknown): iops is number => (LEVELS as readonly unknown[]).includes(iops);

/** The smallest number of metadata IOPS that is not below the given one, or the largest there is. */
export function nextMetadataIops(iops: unknown): number {
  if (typeof iops !== 'number' || Number.isNaN(iops)) return METADATA_IOPS.step;
  return LEVELS.find((value) => value >= iops) ?? METADATA_IOPS.max;
}

/** Metadata IOPS that a file system can still be raised to, in ascending order; they only rise. Source: as {@link METADATA_IOPS}. */
export const metadataIopsAbove = (iops: number): number[] => LEVELS.filter((value) => value > iops);

/** Valid capacities in GiB; `null` for elastic storage, and if they depend on a throughput that the type does not have. */
export function capacityStep(configuration: LustreConfiguration): { first: number; step: number } | null {
  const [first, ...rest] = typeOf(configuration)?.tiers ?? [];
  const same = () => rest.every(({ capacity }) => capacity.step === first?.capacity.step) && !configuration.efaEnabled;
  const tier = tierOf(configuration) ?? (same() ? (first ?? null) : null);
  if (tier === null || !configuration.efaEnabled || tier.efaStep === undefined) return tier?.capacity ?? null;
  return { first: tier.efaStep, step: tier.efaStep };
}

/** Capacities of SSD from which AUTOMATIC gives more than 12,000 metadata IOPS: 12,000 for each 24,000 GiB. */
const LARGE = { fromGiB: 48_000, stepGiB: 24_000 } as const;

/**
 * Metadata IOPS that AUTOMATIC gives to a capacity in GiB on SSD, included in its price (https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html).
 * The guide does not say how AWS rounds between multiples of 24,000 GiB above 48,000: the lower multiple is assumed here.
 */
export function automaticMetadataIops(capacityGiB: number): number {
  if (capacityGiB < 2400) return 1500;
  if (capacityGiB < 4800) return 3000;
  if (capacityGiB < 12_000) return 6000;
  if (capacityGiB < LARGE.fromGiB) return METADATA_IOPS.step;
  return Math.min(METADATA_IOPS.max, Math.floor(capacityGiB / LARGE.stepGiB) * METADATA_IOPS.step);
}

/**
 * The fewest metadata IOPS that FSx certainly accepts for a capacity in GiB on SSD: "You can't provision fewer Metadata IOPS than AUTOMATIC
 * mode provisions for your file system" (botocore 1.44.8), and how AUTOMATIC rounds is not documented.
 */
export function minMetadataIops(capacityGiB: number): number {
  if (capacityGiB < LARGE.fromGiB) return automaticMetadataIops(capacityGiB);
  return automaticMetadataIops(Math.ceil(capacityGiB / LARGE.stepGiB) * LARGE.stepGiB);
}

/** Metadata IOPS; `null` without a metadata configuration, or on Intelligent-Tiering with AUTOMATIC, for which AWS documents no numbers. */
export function metadataIopsOf(configuration: LustreConfiguration): number | null {
  const { metadata, storageCapacityGiB = 0 } = configuration;
  if (metadata === undefined) return null;
  if (metadata.mode === 'USER_PROVISIONED') return metadata.iops;
  return typeOf(configuration)?.elastic === undefined ? automaticMetadataIops(storageCapacityGiB) : null;
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

/** Why a Region does not offer such a file system; `null` if it does, as far as AWS documents it. */
export function absentIn(configuration: LustreConfiguration, region: string): Violation | null {
  const { deploymentType, version = DEFAULT_LUSTRE_VERSION } = configuration;
  const isThere = (type: keyof typeof DEPLOYMENTS): boolean => !DEPLOYMENTS[type].absentIn.includes(region);
  if (!isThere(deploymentType)) {
    const there = Object.values(LUSTRE_TYPES).flatMap((row) => (isThere(row.deploymentType) ? row.label : []));
    const must = `a type that ${region} offers (${there.join(', ')})`;
    return { property: 'deploymentType', must, got: deploymentType, next: 'Choose one of them, or another Region.' };
  }
  if (version !== '2.15' || !CHINA.includes(region)) return null;
  const next = 'Take 2.12, which clients on Amazon Linux 2023 can mount.';
  return { property: 'version', must: `2.10 or 2.12 in ${region}`, got: version, next };
}
