import { MOST_CAPACITY_GIB } from '../predict/request';
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
import { dataGiB, type Requirement } from './requirement';

/** Configurations that differ in size only. A larger one is never slower. */
export interface Family {
  /** How many sizes there are. */
  readonly sizes: number;
  /** The configuration of a size, from 0 on, with the metadata IOPS and the cache that the requirement takes at that size. */
  at(size: number): LustreConfiguration;
  /** Larger sizes that may cost less than `size`, since their price includes more metadata IOPS. */
  better(size: number): readonly number[];
}

type Base = Omit<LustreConfiguration, 'storageCapacityGiB' | 'metadata'>;

/** Everything that AWS sells, apart from its size. LZ4 is among it where it is known what it saves. */
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
      // EFA changes nothing for clients that do not use it, and makes the smallest size larger.
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

/** Metadata IOPS that the requirement takes, not rounded to what AWS sells; 0 where it asks for none. */
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
      // What the price of the capacity includes is taken in any case: it cannot be added later without a metadata configuration.
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

/** The smallest capacities in GiB whose price includes each level of metadata IOPS above one, up to another. */
function capacitiesWithMoreIops(included: number, needed: number): number[] {
  const capacities: number[] = [];
  // All steps are multiples of 1,200 GiB, and so are all capacities that are sold.
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
      // Reads are promised from caches only.
      const cached = readMBps > 0 && !fromMemory(bare);
      return cached ? { ...bare, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB } } : bare;
    },
    better: () => [],
  };
}
