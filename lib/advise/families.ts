import type { LustreConfiguration } from '../storage/lustre/configuration';
import {
  automaticMetadataIops,
  capacityStep,
  KINDS,
  METADATA_IOPS,
  nextMetadataIops,
  TIERING_CACHE_GIB,
  TIERING_THROUGHPUT,
} from '../storage/lustre/documented';
import { serverMemoryGiB } from '../storage/lustre/limits';
import { operationsPerIops } from '../storage/lustre/metadataNeed';
import { MOST_CAPACITY_GIB } from '../storage/lustre/prediction';
import { dataGiB, type Requirement } from './requirement';

/** Configurations that differ only in size. A larger one is never slower. */
export interface Family {
  /** Number of sizes. */
  readonly sizes: number;
  /** The configuration of a size, numbered from 0, with the metadata IOPS and cache that the requirement needs at that size. */
  at(size: number): LustreConfiguration;
  /** Larger sizes that may cost less than `size`, since their price includes more metadata IOPS. */
  better(size: number): readonly number[];
}

type Base = Omit<LustreConfiguration, 'storageCapacityGiB' | 'metadata'>;

/** Every kind of file system that AWS sells, regardless of size; with LZ4 only if the ratio is known. */
export function familiesOf(requirement: Requirement): readonly Family[] {
  const { ratio = 1, clients } = requirement;
  const compressions = ratio > 1 ? (['NONE', 'LZ4'] as const) : (['NONE'] as const);
  return compressions.flatMap((dataCompressionType) => [
    provisioned({ deploymentType: 'SCRATCH_2', storageType: 'SSD', dataCompressionType }, requirement),
    ...KINDS.PERSISTENT_1_SSD.perUnit.map((perUnitStorageThroughput) =>
      provisioned(
        { deploymentType: 'PERSISTENT_1', storageType: 'SSD', perUnitStorageThroughput, dataCompressionType },
        requirement,
      ),
    ),
    ...KINDS.PERSISTENT_1_HDD.perUnit.flatMap((perUnitStorageThroughput) =>
      (['NONE', 'READ'] as const).map((driveCacheType) =>
        provisioned(
          {
            deploymentType: 'PERSISTENT_1',
            storageType: 'HDD',
            perUnitStorageThroughput,
            driveCacheType,
            dataCompressionType,
          },
          requirement,
        ),
      ),
    ),
    ...KINDS.PERSISTENT_2_SSD.perUnit.flatMap((perUnitStorageThroughput) =>
      // EFA is useless to clients without it, and raises the minimum size.
      (clients?.efa ? [false, true] : [false]).map((efaEnabled) =>
        provisioned(
          {
            deploymentType: 'PERSISTENT_2',
            storageType: 'SSD',
            perUnitStorageThroughput,
            dataCompressionType,
            ...(efaEnabled && { efaEnabled }),
          },
          requirement,
        ),
      ),
    ),
    tiering(dataCompressionType, requirement),
  ]);
}

/** Metadata IOPS that the requirement needs, not rounded to what AWS sells; 0 if it needs none. */
function neededMetadataIops({ createsPerSecond = 0 }: Requirement): number {
  return createsPerSecond / (operationsPerIops('file_create') ?? 1);
}

function provisioned(base: Base, requirement: Requirement): Family {
  const { first, step } = capacityStep(base) ?? { first: 1200, step: 2400 };
  const special = first < step;
  const capacityAt = (size: number) => (special ? (size === 0 ? first : size * step) : (size + 1) * step);
  const sizeFor = (capacity: number) => (capacity <= first ? 0 : Math.ceil(capacity / step) - (special ? 0 : 1));
  const needed = nextMetadataIops(neededMetadataIops(requirement));
  const withMetadata = base.deploymentType === 'PERSISTENT_2';
  return {
    sizes: sizeFor(MOST_CAPACITY_GIB),
    at(size) {
      const storageCapacityGiB = capacityAt(size);
      if (!withMetadata) return { ...base, storageCapacityGiB };
      // Always use the IOPS included in the price of the capacity: without a metadata configuration they cannot be added later.
      const iops = Math.max(needed, automaticMetadataIops(storageCapacityGiB));
      return { ...base, storageCapacityGiB, metadata: { mode: 'USER_PROVISIONED', iops } };
    },
    better(size) {
      if (!withMetadata) return [];
      const capacity = capacityAt(size);
      return capacitiesWithMoreIops(automaticMetadataIops(capacity), needed).flatMap((larger) =>
        larger > capacity ? [sizeFor(larger)] : [],
      );
    },
  };
}

/** The smallest capacities in GiB that include each level of metadata IOPS between two levels. */
function capacitiesWithMoreIops(included: number, needed: number): number[] {
  const capacities: number[] = [];
  // All steps and all available capacities are multiples of 1,200 GiB.
  for (let capacity = 1200, level = 0; level < needed; capacity += 1200) {
    const iops = automaticMetadataIops(capacity);
    if (iops > level && iops > included) capacities.push(capacity);
    level = iops;
  }
  return capacities;
}

function tiering(dataCompressionType: 'NONE' | 'LZ4', requirement: Requirement): Family {
  const { step, max } = TIERING_THROUGHPUT;
  const { min, max: most } = TIERING_CACHE_GIB;
  const needed = neededMetadataIops(requirement);
  const iops = METADATA_IOPS.tiering.find((level) => level >= needed) ?? METADATA_IOPS.tiering[1];
  const { readMBps = 0, workingSetGiB = dataGiB(requirement) } = requirement;
  const fromMemory = (configuration: LustreConfiguration) => workingSetGiB <= (serverMemoryGiB(configuration) ?? 0);
  return {
    sizes: max / step,
    at(size) {
      const servers = size + 1;
      const sizeGiB = Math.min(servers * most, Math.max(servers * min, Math.ceil(workingSetGiB)));
      const bare: LustreConfiguration = {
        deploymentType: 'PERSISTENT_2',
        storageType: 'INTELLIGENT_TIERING',
        throughputCapacity: servers * step,
        metadata: { mode: 'USER_PROVISIONED', iops },
        dataReadCache: { sizingMode: 'NO_CACHE' },
        dataCompressionType,
      };
      // AWS documents read rates only for cache hits.
      const cached = readMBps > 0 && !fromMemory(bare);
      return cached ? { ...bare, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB } } : bare;
    },
    better: () => [],
  };
}
