import { omitUndefined } from '../../common/omitUndefined';
import { type CandidatesCapability, dataGiB, type Family, type FilesPerSecond, type StorageNeed } from '../candidates';
import { warnings } from '../common/rules';
import type { LustreConfiguration, LustreStorage } from './configuration';
import { lustreLines } from './cost';
import {
  automaticMetadataIops,
  capacityStep,
  describeLustre,
  KINDS,
  kindOf,
  type LustreKind,
  METADATA_IOPS,
  MOST_CAPACITY_GIB,
  metadataIopsAbove,
  nextMetadataIops,
  TIERING_CACHE_GIB,
  TIERING_THROUGHPUT,
} from './documented';
import { serverMemoryGiB } from './limits';
import { operationsPerIops } from './metadataNeed';
import { serversOf } from './servers';

/** Intelligent-Tiering storage per file server, GiB. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html. */
const TIERING_GIB_PER_SERVER = 512 * 1024;

/** The kinds with their names in a chart. */
const SERIES: Readonly<Record<LustreKind, string>> = {
  SCRATCH_2: 'SCRATCH_2',
  PERSISTENT_1_SSD: 'PERSISTENT_1 SSD',
  PERSISTENT_1_HDD: 'PERSISTENT_1 HDD',
  PERSISTENT_2_SSD: 'PERSISTENT_2 SSD',
  PERSISTENT_2_INTELLIGENT_TIERING: 'Intelligent-Tiering',
};

/**
 * Creates per second of one small client on 1,200 GiB without a metadata configuration; third-party log of 2026-10-09, PERSISTENT_1 at 50:
 * 6,200 to 7,100. Such a file system has one metadata server, for which AWS documents 12,000 metadata IOPS
 * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/dne-metadata-performance.html).
 */
const WITHOUT_METADATA: FilesPerSecond = {
  value: 6000,
  source: 'were measured by others on 1,200 GiB',
  most: { value: 24_000, source: 'all that AWS documents for its one metadata server' },
};

/**
 * China has persistent file systems only, without PERSISTENT_2 (https://docs.amazonaws.cn/en_us/fsx/latest/LustreGuide/using-fsx-lustre.html);
 * elsewhere PERSISTENT_2 exists in "a limited number of Regions" (FSx API reference). A price of the Region shows that it is sold there.
 */
function soldIn(configuration: LustreConfiguration, region: string) {
  const { deploymentType, storageType } = configuration;
  const name = storageType === 'INTELLIGENT_TIERING' ? 'Intelligent-Tiering' : deploymentType;
  if (deploymentType === 'PERSISTENT_1') return undefined;
  if (region.startsWith('cn-')) return { met: false, reason: `AWS does not sell ${name} in ${region}` };
  if (deploymentType === 'SCRATCH_2') return undefined;
  const [line] = lustreLines(configuration, region);
  if (line?.confidence != null && line.confidence !== 'estimated') return undefined;
  return {
    met: null,
    reason: `AWS sells ${name} in a limited number of Regions, and ${region} is not known here as one`,
  };
}

/** The file systems of FSx for Lustre that could be bought. */
export const candidates: CandidatesCapability<LustreStorage> = {
  families: familiesOf,
  lesser: withFewerIops,
  capacityGiB: (configuration) =>
    configuration.storageCapacityGiB ?? (serversOf(configuration)?.oss ?? 0) * TIERING_GIB_PER_SERVER,
  takesObjects: true,
  // https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html
  caveats: (configuration) =>
    configuration.deploymentType === 'SCRATCH_2'
      ? warnings({
          'fsxbench:scratch-not-replicated':
            'scratch data are not replicated: they are lost with a file server, so keep the originals in S3',
        })
      : [],
  // For Intelligent-Tiering, only reads from its caches are documented.
  workingSetGiB: ({ storageType }, { workingSetGiB, dataGiB: all }) =>
    workingSetGiB ?? (storageType === 'INTELLIGENT_TIERING' && all > 0 ? all : undefined),
  filesPerSecond: () => WITHOUT_METADATA,
  soldIn,
  settings: settingsOf,
  words: (configuration) => `${describeLustre(configuration)}${cacheWords(configuration)}`,
  series: Object.values(SERIES),
  seriesOf: (configuration) => {
    const kind = kindOf(configuration);
    return kind === null ? null : SERIES[kind];
  },
};

type Base = Omit<LustreConfiguration, 'storageCapacityGiB' | 'metadata'>;

/** Every kind of file system that AWS sells, regardless of size; with LZ4 only if the ratio is known. */
function familiesOf(need: StorageNeed): readonly Family<LustreConfiguration>[] {
  const { ratio = 1, clients } = need;
  const compressions = ratio > 1 ? (['NONE', 'LZ4'] as const) : (['NONE'] as const);
  return compressions.flatMap((dataCompressionType) => [
    provisioned({ deploymentType: 'SCRATCH_2', storageType: 'SSD', dataCompressionType }, need),
    ...KINDS.PERSISTENT_1_SSD.perUnit.map((perUnitStorageThroughput) =>
      provisioned(
        { deploymentType: 'PERSISTENT_1', storageType: 'SSD', perUnitStorageThroughput, dataCompressionType },
        need,
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
          need,
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
          need,
        ),
      ),
    ),
    // AWS documents read rates only for cache hits.
    ...(need.reads ? [true, false] : [false]).map((cached) => tiering(dataCompressionType, need, cached)),
  ]);
}

/** Metadata IOPS that the requirement needs, not rounded to what AWS sells; 0 if it needs none. */
const neededMetadataIops = ({ filesPerSecond = 0 }: StorageNeed): number =>
  filesPerSecond / (operationsPerIops('file_create') ?? 1);

function provisioned(base: Base, need: StorageNeed): Family<LustreConfiguration> {
  const { first, step } = capacityStep(base) ?? { first: 1200, step: 2400 };
  const special = first < step;
  const capacityAt = (size: number) => (special ? (size === 0 ? first : size * step) : (size + 1) * step);
  const sizeFor = (capacity: number) => (capacity <= first ? 0 : Math.ceil(capacity / step) - (special ? 0 : 1));
  const needed = nextMetadataIops(neededMetadataIops(need));
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

function tiering(
  dataCompressionType: 'NONE' | 'LZ4',
  need: StorageNeed,
  withCache: boolean,
): Family<LustreConfiguration> {
  const { step, max } = TIERING_THROUGHPUT;
  const { min, max: most } = TIERING_CACHE_GIB;
  const needed = neededMetadataIops(need);
  const iops = METADATA_IOPS.tiering.find((level) => level >= needed) ?? METADATA_IOPS.tiering[1];
  const { workingSetGiB = dataGiB(need) } = need;
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
        // It has no larger minimum for EFA, and costs the same.
        ...(need.clients?.efa && { efaEnabled: true }),
      };
      return withCache && !fromMemory(bare)
        ? { ...bare, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB } }
        : bare;
    },
  };
}

/** The next lower level of metadata IOPS, if the current one costs extra. */
function withFewerIops(configuration: LustreStorage): Partial<LustreStorage> | null {
  const { metadata, storageCapacityGiB, storageType } = configuration;
  if (metadata?.mode !== 'USER_PROVISIONED') return null;
  const iops = metadataIopsAbove(0, storageType)
    .filter((level) => level < metadata.iops)
    .at(-1);
  const included = storageCapacityGiB === undefined ? 0 : automaticMetadataIops(storageCapacityGiB);
  return iops === undefined || iops < included ? null : { metadata: { mode: 'USER_PROVISIONED', iops } };
}

/** The properties of a file system by setting name. */
function settingsOf(configuration: LustreConfiguration): Record<string, string | number | boolean> {
  const { deploymentType, storageType = 'SSD', storageCapacityGiB, perUnitStorageThroughput } = configuration;
  const { throughputCapacity, driveCacheType, dataReadCache, metadata, efaEnabled } = configuration;
  const settings = {
    deploymentType,
    storageType,
    storageCapacityGiB,
    perUnitStorageThroughput,
    throughputCapacity,
    driveCacheType,
    dataReadCache: dataReadCache && cacheSetting(dataReadCache),
    metadataIops: metadata?.mode === 'AUTOMATIC' ? 'automatic' : metadata?.iops,
    efa: efaEnabled === true ? true : undefined,
  };
  return omitUndefined(settings);
}

function cacheSetting(cache: NonNullable<LustreConfiguration['dataReadCache']>): number | string {
  if (cache.sizingMode === 'USER_PROVISIONED') return cache.sizeGiB;
  return cache.sizingMode === 'NO_CACHE' ? 'none' : 'proportional';
}

/** The read cache, the only difference between some candidates. */
function cacheWords({ driveCacheType, dataReadCache }: LustreConfiguration): string {
  if (driveCacheType === 'READ') return ', read cache';
  return dataReadCache?.sizingMode === 'USER_PROVISIONED' ? `, ${dataReadCache.sizeGiB} GiB read cache` : '';
}
