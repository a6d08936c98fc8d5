import { omitUndefined } from '../../common/collections';
import { type CandidatesCapability, dataGiB, type Family, type FilesPerSecond, type StorageNeed } from '../candidates';
import { warnings } from '../common/settings';
import type { LustreConfiguration, LustreStorage } from './configuration';
import { lustreLines } from './cost';
import {
  absentIn,
  automaticMetadataIops,
  capacityStep,
  describeLustre,
  metadataIopsAbove,
  minMetadataIops,
  nextMetadataIops,
} from './documented';
import { operationsPerIops, serverMemoryGiB } from './limits';
import { isScratch } from './rule/type';
import { serversOf } from './servers';
import { isElastic, LUSTRE_TYPES, MOST_CAPACITY_GIB, TIERING, typeOf } from './types';

/**
 * Creates per second of one small client on 1,200 GiB without a metadata configuration; third-party log of 2026-10-09, PERSISTENT_1 at 50:
 * 6,200 to 7,100. Such a file system has one metadata server, for which AWS documents 12,000 metadata IOPS
 * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/dne-metadata-performance.html).
 */
const WITHOUT_METADATA: FilesPerSecond = {
  value: 6000,
  source: 'were measured by others on 1,200 GiB',
  max: { value: 24_000, source: 'all that AWS documents for its one metadata server' },
};

/** Apart from China, PERSISTENT_2 exists in "a limited number of Regions" (FSx API reference). A price of the Region shows that it is sold there. */
function soldIn(configuration: LustreConfiguration, region: string) {
  const { deploymentType, storageType } = configuration;
  const name = storageType === 'INTELLIGENT_TIERING' ? 'Intelligent-Tiering' : deploymentType;
  if (absentIn(configuration, region)?.property === 'deploymentType')
    return { met: false, reason: `AWS does not sell ${name} in ${region}` };
  if (deploymentType !== 'PERSISTENT_2') return undefined;
  const [line] = lustreLines(configuration, { region });
  if (line?.confidence != null && line.confidence !== 'estimated') return undefined;
  const reason = `AWS sells ${name} in a limited number of Regions, and ${region} is not known here as one`;
  return { met: null, reason };
}

export const candidates: CandidatesCapability<LustreStorage> = {
  families: familiesOf,
  lesser: withFewerIops,
  capacityGiB: (configuration) =>
    configuration.storageCapacityGiB ?? (serversOf(configuration)?.oss ?? 0) * TIERING.perServer.storageGiB,
  takesObjects: true,
  // https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html
  caveats: (configuration) =>
    isScratch(configuration.deploymentType)
      ? warnings({
          'fsxbench:scratch-not-replicated':
            'scratch data are not replicated: they are lost with a file server, so keep the originals in S3',
        })
      : [],
  // For Intelligent-Tiering, only reads from its caches are documented.
  workingSetGiB: (configuration, { workingSetGiB, dataGiB: all }) =>
    workingSetGiB ?? (isElastic(configuration) && all > 0 ? all : undefined),
  filesPerSecond: () => WITHOUT_METADATA,
  soldIn,
  settings: settingsOf,
  words: (configuration) => `${describeLustre(configuration)}${describeCache(configuration)}`,
  series: Object.values(LUSTRE_TYPES).map(({ series }) => series),
  seriesOf: (configuration) => typeOf(configuration)?.series ?? null,
};

type Base = Omit<LustreStorage, 'storageCapacityGiB' | 'metadata'>;

/** Every kind of file system that AWS sells, regardless of size; with LZ4 only if the ratio is known. */
function familiesOf(need: StorageNeed): readonly Family<LustreStorage>[] {
  const { ratio = 1, clients } = need;
  const compressions = ratio > 1 ? (['NONE', 'LZ4'] as const) : (['NONE'] as const);
  return compressions.flatMap((dataCompressionType) =>
    Object.values(LUSTRE_TYPES).flatMap((type) => {
      // AWS documents read rates only for cache hits.
      if ('elastic' in type)
        return (need.reads ? [true, false] : [false]).map((cached) => tiering(dataCompressionType, need, cached));
      const { deploymentType, storageType } = type;
      const base: Base = { kind: 'lustre', deploymentType, storageType, dataCompressionType };
      const caches = type.driveCache ? ([{ driveCacheType: 'NONE' }, { driveCacheType: 'READ' }] as const) : [{}];
      // EFA is useless to clients without it, and raises the minimum size.
      const networks = type.efa && clients?.efa ? [{}, { efaEnabled: true }] : [{}];
      return type.tiers.flatMap(({ perUnit }) =>
        caches.flatMap((cache) =>
          networks.map((network) =>
            provisioned(
              { ...base, ...(perUnit !== null && { perUnitStorageThroughput: perUnit }), ...cache, ...network },
              need,
            ),
          ),
        ),
      );
    }),
  );
}

/** Metadata IOPS that the requirement needs, not rounded to what AWS sells; 0 if it needs none. */
const neededMetadataIops = ({ filesPerSecond = 0 }: StorageNeed): number =>
  filesPerSecond / (operationsPerIops('file_create') ?? 1);

function provisioned(base: Base, need: StorageNeed): Family<LustreStorage> {
  const { first, step } = capacityStep(base) ?? { first: 1200, step: 2400 };
  const special = first < step;
  const capacityAt = (size: number) => (special ? (size === 0 ? first : size * step) : (size + 1) * step);
  const sizeFor = (capacity: number) => (capacity <= first ? 0 : Math.ceil(capacity / step) - (special ? 0 : 1));
  const needed = nextMetadataIops(neededMetadataIops(need));
  const withMetadata = typeOf(base)?.metadata !== 'none';
  return {
    sizes: sizeFor(MOST_CAPACITY_GIB),
    at(size) {
      const storageCapacityGiB = capacityAt(size);
      if (!withMetadata) return { ...base, storageCapacityGiB };
      return { ...base, storageCapacityGiB, metadata: metadataAt(storageCapacityGiB, needed) };
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

/**
 * At least the IOPS that the price of the capacity includes: FSx refuses fewer, and none can be added to a file system without. AUTOMATIC
 * if it suffices and it is not documented which number of IOPS would be the fewest.
 */
function metadataAt(capacityGiB: number, needed: number): NonNullable<LustreConfiguration['metadata']> {
  const [included, min] = [automaticMetadataIops(capacityGiB), minMetadataIops(capacityGiB)];
  if (included < min && needed <= included) return { mode: 'AUTOMATIC' };
  return { mode: 'USER_PROVISIONED', iops: Math.max(needed, min) };
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

function tiering(dataCompressionType: 'NONE' | 'LZ4', need: StorageNeed, withCache: boolean): Family<LustreStorage> {
  const { small, step, max } = TIERING.throughput;
  const { min, max: most } = TIERING.cacheGiB;
  // Fewer may be below what AUTOMATIC would give, which is not documented, and are then refused.
  const iops = nextMetadataIops(Math.max(6000, neededMetadataIops(need)));
  const { workingSetGiB = dataGiB(need) } = need;
  const fromMemory = (configuration: LustreConfiguration) => workingSetGiB <= (serverMemoryGiB(configuration) ?? 0);
  return {
    sizes: small.length + max / step,
    at(size) {
      const throughputCapacity = small[size] ?? (size - small.length + 1) * step;
      const thousands = throughputCapacity / 1000;
      const sizeGiB = Math.min(thousands * most, Math.max(thousands * min, Math.ceil(workingSetGiB)));
      const bare: LustreStorage = {
        kind: 'lustre',
        deploymentType: 'PERSISTENT_2',
        storageType: 'INTELLIGENT_TIERING',
        throughputCapacity,
        metadata: { mode: 'USER_PROVISIONED', iops },
        dataReadCache: { sizingMode: 'NO_CACHE' },
        dataCompressionType,
        ...(need.clients?.efa && throughputCapacity >= step && { efaEnabled: true }),
      };
      return withCache && !fromMemory(bare)
        ? { ...bare, dataReadCache: { sizingMode: 'USER_PROVISIONED', sizeGiB } }
        : bare;
    },
  };
}

/** The next lower level of metadata IOPS, if the current one costs extra. */
function withFewerIops(configuration: LustreStorage): Partial<LustreStorage> | null {
  const { metadata, storageCapacityGiB } = configuration;
  if (metadata?.mode !== 'USER_PROVISIONED') return null;
  const iops = metadataIopsAbove(0)
    .filter((level) => level < metadata.iops)
    .at(-1);
  const min = storageCapacityGiB === undefined ? 6000 : minMetadataIops(storageCapacityGiB);
  return iops === undefined || iops < min ? null : { metadata: { mode: 'USER_PROVISIONED', iops } };
}

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
function describeCache({ driveCacheType, dataReadCache }: LustreConfiguration): string {
  if (driveCacheType === 'READ') return ', read cache';
  return dataReadCache?.sizingMode === 'USER_PROVISIONED' ? `, ${dataReadCache.sizeGiB} GiB read cache` : '';
}
