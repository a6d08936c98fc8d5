import type { EfaCapability, PerformanceCapability } from '../performance';
import type { LustreConfiguration, LustreStorage } from './configuration';
import { field } from './field';
import { readCacheGiB, serverMemoryGiB } from './limits';
import { serversOf } from './servers';
import { guide, isElastic, READ_CACHE_MBPS } from './types';

/**
 * Families of the third Nitro generation (EC2 docs); FSx takes EFA clients from the fourth on, without trn2
 * (https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html).
 */
const NO_EFA_TO_FSX = ['c5n', 'g4dn', 'i3en', 'inf1', 'm5dn', 'm5n', 'm5zn', 'p3dn', 'r5dn', 'r5n', 'trn2'];

export const efaBreach: EfaCapability['breach'] = ({ name, efa }) =>
  efa && !NO_EFA_TO_FSX.includes(name.split('.')[0] ?? '')
    ? null
    : {
        property: 'instanceType',
        must: 'a type that supports FSx over EFA',
        got: name,
        next: 'Use one such as c6in.32xlarge.',
      };

/** Performance of FSx for Lustre beyond its limits, for `predict`. */
export const performance: PerformanceCapability<LustreStorage> = {
  caches: (configuration) => ({
    memoryGiB: serverMemoryGiB(configuration),
    readCacheGiB: readCacheGiB(configuration),
    readCacheMBps: readCacheMBps(configuration),
    source: guide('performance'),
  }),
  servers: (configuration) => {
    const servers = serversOf(configuration);
    return servers === null ? null : { ...servers };
  },
  burstReason: () =>
    'AWS does not publish the size of the burst credit balance; only a run shows how long a burst lasts',
  metadataReason: ({ metadata, storageType }) =>
    metadata === undefined
      ? `AWS publishes metadata rates only for file systems with a metadata configuration (${guide('performance')})`
      : metadata.mode === 'AUTOMATIC' && storageType === 'INTELLIGENT_TIERING'
        ? 'AWS does not publish how many metadata IOPS AUTOMATIC gives to Intelligent-Tiering'
        : `operations per provisioned metadata IOPS; none is published for stat (${guide('performance')})`,
  undocumented: (configuration, { readShare, hitShare }) =>
    isElastic(configuration) && readShare > 0 && hitShare < 1
      ? [
          `reads that miss the caches of Intelligent-Tiering: AWS publishes no throughput, and each read takes tens of milliseconds (${guide('intelligent-tiering-file-systems')})`,
        ]
      : [],
  field,
  efa: { enabled: ({ efaEnabled = false }) => efaEnabled, breach: efaBreach },
  uncompressed: (configuration) => ({ ...configuration, dataCompressionType: 'NONE' }),
  impliedCompression: (ratio) => ({ dataCompressionType: ratio === undefined ? 'NONE' : 'LZ4' }),
};

/** Throughput of the SSD read cache in MB/s; `null` if there is none. */
function readCacheMBps(configuration: LustreConfiguration): number | null {
  const size = readCacheGiB(configuration);
  if (size === 0) return null;
  // The cache of Intelligent-Tiering delivers its throughput capacity
  // (https://docs.aws.amazon.com/fsx/latest/LustreGuide/intelligent-tiering-file-systems.html).
  return isElastic(configuration) ? (configuration.throughputCapacity ?? 0) : (size / 1000) * READ_CACHE_MBPS;
}
