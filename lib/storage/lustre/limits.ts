import { ratio as ratioWords } from '../../common/format/units';
import { compressedDisk, type Limit, type LimitOptions, limit } from '../common/limits';
import type { MetadataCapability } from '../slices/documented';
import type { LustreConfiguration } from './configuration';
import { nextMetadataIops } from './documented';
import { serversOf } from './servers';
import { GIB, guide, METADATA_IOPS, REDUCED_BURST, REDUCED_BURST_REGIONS, TIERING, tierOf, typeOf } from './types';

const MBPS_PER_GBPS = 125;
/** TCP between one client and one server. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html. */
const CLIENT_OSS_GBPS = 5;
/** One client and one file system. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html. */
const CLIENT_GBPS = { ena: 100, efa: 700 } as const;

/** The limits of a file system and, with given clients, of the way to it; empty for a configuration that AWS would refuse. */
export function limitsOf(configuration: LustreConfiguration, options: LimitOptions = {}): readonly Limit[] {
  const { mode = 'write', ratio, clients, region } = options;
  const servers = serversOf(configuration);
  const storage = storageLimits(configuration, mode, region);
  if (servers === null || storage === null) return [];
  const limits: Limit[] = [];
  if (clients !== undefined) {
    const { count, networkBaselineMbps, networkBurstMbps = networkBaselineMbps, efa = false } = clients;
    const overEfa = efa && configuration.efaEnabled === true;
    const max = (overEfa ? CLIENT_GBPS.efa : CLIENT_GBPS.ena) * 1000;
    const MBps = (mbps: number) => (count * Math.min(mbps, max)) / 8;
    const cards = `EC2: ${networkBaselineMbps} Mbit/s × ${count}; at most ${max / 1000} Gbit/s a client (${guide('performance')})`;
    limits.push(limit('client_nic', cards, MBps(networkBaselineMbps), MBps(networkBurstMbps)));
    if (!overEfa) {
      const { oss } = servers;
      const paths = `${CLIENT_OSS_GBPS} Gbit/s × ${count} client${count === 1 ? '' : 's'} × ${oss} file server${oss === 1 ? '' : 's'} (${guide('performance')})`;
      limits.push(limit('client_oss_path', paths, count * oss * CLIENT_OSS_GBPS * MBPS_PER_GBPS));
    }
  }
  const { network, disk } = storage;
  limits.push(network, disk);
  if (ratio !== undefined && configuration.dataCompressionType === 'LZ4') {
    const source = `disk × ${ratioWords(ratio)}: servers compress before the disk (${guide('data-compression')})`;
    limits.push(compressedDisk(disk, ratio, source));
  }
  return limits;
}

/** Memory in which the servers cache data, in GiB: less data than that measures memory. `null` for a configuration without limits. */
export function serverMemoryGiB(configuration: LustreConfiguration): number | null {
  const { throughputCapacity } = configuration;
  const elastic = typeOf(configuration)?.elastic;
  if (elastic !== undefined) {
    if (throughputCapacity === undefined) return null;
    return ((throughputCapacity / elastic.throughput.step) * elastic.perServer.memoryGB * 1e9) / 2 ** 30;
  }
  const rates = tierOf(configuration);
  // Rounds off the noise of binary fractions.
  return rates === null ? null : Math.round(tib(configuration) * rates.memoryGiB * 1e6) / 1e6;
}

export function serverMemoryBytes(configuration: LustreConfiguration): number | null {
  const gib = serverMemoryGiB(configuration);
  return gib === null ? null : Math.round(gib * 2 ** 30);
}

/** SSD read cache in GiB; 0 without one. Source: DriveCacheType (API); https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-ssd-read-cache.html. */
export function readCacheGiB(configuration: LustreConfiguration): number {
  const { driveCacheType, storageCapacityGiB = 0, dataReadCache, throughputCapacity = 0 } = configuration;
  if (driveCacheType === 'READ') return storageCapacityGiB / 5;
  if (dataReadCache?.sizingMode === 'USER_PROVISIONED') return dataReadCache.sizeGiB;
  if (dataReadCache?.sizingMode !== 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY') return 0;
  return (throughputCapacity / 1000) * TIERING.cacheGiB.proportional;
}

/** Metadata operations per second that are documented for the provisioned IOPS. No rate is published for stat. Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html. */
export const metadataRatesAt = (iops: number) => ({
  file_create: iops * 2,
  file_remove: iops,
  // Divided, not multiplied by 0.1 and 0.2, to stay exact.
  dir_create: iops / 10,
  dir_rename: iops / 10,
  dir_remove: iops / 5,
});

function storageLimits(
  configuration: LustreConfiguration,
  mode: 'write' | 'read',
  region: string | undefined,
): { readonly network: Limit; readonly disk: Limit } | null {
  const elastic = typeOf(configuration)?.elastic;
  if (elastic !== undefined) {
    const { throughputCapacity = 0 } = configuration;
    const { step } = elastic.throughput;
    const { networkMBps } = elastic.perServer;
    const network = (throughputCapacity / step) * networkMBps;
    const source = `for each ${step} MB/s of throughput capacity (${guide('intelligent-tiering-file-systems')})`;
    return {
      network: limit('server_network', `${networkMBps} MB/s ${source}`, network),
      disk: limit('disk', `up to ${step} MB/s ${source}`, throughputCapacity),
    };
  }
  const rates = tierOf(configuration);
  if (rates === null) return null;
  const reduced = region !== undefined && REDUCED_BURST_REGIONS.includes(region) && rates.reducible;
  const [base, burst] = rates.network;
  // The guide's burst (530) is below its own baseline of the 200 tier (750), which no burst reduces.
  const network = [base, reduced ? Math.max(base, REDUCED_BURST) : burst] as const;
  const size = tib(configuration);
  const byCapacity = (name: string, [base, burst]: readonly [number, number]): Limit => {
    const rate = base === burst ? `${base}` : `${base}, in a burst ${burst}`;
    const source = `${rate} MB/s for each 1000 of ${configuration.storageCapacityGiB} GiB (${rates.source})`;
    return limit(name, source, size * base, size * burst);
  };
  return {
    network: byCapacity('server_network', network),
    disk: byCapacity('disk', mode === 'write' ? rates.diskWrite : rates.diskRead),
  };
}

const tib = ({ storageCapacityGiB = 0 }: LustreConfiguration): number => storageCapacityGiB / GIB.TiB;

/** Documented operations per second for one metadata IOPS; `null` if no rate is published. */
export function operationsPerIops(operation: string): number | null {
  const rates: Readonly<Record<string, number>> = metadataRatesAt(1);
  // "File create, open and close" have one rate. `predict` does not have it, since clients answer opens from their caches as well.
  return rates[operation === 'file_open' ? 'file_create' : operation] ?? null;
}

/** The metadata IOPS that so many operations per second need, as AWS provisions them. */
export function neededIops(operation: string, perSecond: number): ReturnType<MetadataCapability['needed']> {
  const factor = operationsPerIops(operation);
  if (factor === null) return { value: null, reason: `AWS publishes no rate for ${operation}` };
  const iops = perSecond / factor;
  if (iops > METADATA_IOPS.max)
    return {
      value: null,
      reason: `it needs ${Math.round(iops)} metadata IOPS, and AWS provisions at most ${METADATA_IOPS.max}`,
    };
  return { value: nextMetadataIops(iops), reason: null };
}
