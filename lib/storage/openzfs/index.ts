import { fsxBackupLines } from '../../price/fsx';
import { searchFsx } from '../kit/fsx';
import { seenIn } from '../kit/metrics';
import { idByDnsName, nfsFilesystem } from '../kit/nfs';
import { withProperties } from '../kit/settings';
import type { Storage } from '../storage';
import { candidates } from './candidates';
import { describeOpenZfs, type OpenZfsStorage, openZfsSchema } from './configuration';
import { openZfsLines } from './cost';
import { describeAll, fromDescription } from './described';
import { LEVELS, PERFORMANCE_PAGE } from './documented';
import { limitsOf } from './limits';
import { OPENZFS_METRICS } from './metricTable';
import { OPENZFS_QUOTAS } from './quotas';
import { checkOpenZfs } from './rules';
import { OPENZFS_PROPERTIES, OPENZFS_SETTINGS } from './settings';
import { standIns } from './standIns';

const GB = 1e9;
const GIB = 2 ** 30;

/** Amazon FSx for OpenZFS, Single-AZ 2: NFS from one server with an NVMe cache, on SSD. */
export const openzfs: Storage<OpenZfsStorage> = {
  kind: 'openzfs',
  label: 'FSx for OpenZFS',
  configuration: {
    schema: openZfsSchema,
    settings: OPENZFS_SETTINGS,
    withSettings: withProperties(OPENZFS_PROPERTIES),
    describe: describeOpenZfs,
    check: checkOpenZfs,
    compression: ({ compression = 'none' }) => (compression === 'none' ? null : compression),
    conditions: ({ compression = 'none' }) => ({ storage: 'FSx for OpenZFS', compression }),
  },
  documented: {
    limits: limitsOf,
    capacityBytes: ({ storageCapacityGiB }) => storageCapacityGiB * GIB,
    serverMemoryBytes: ({ throughputMBps }) => cachesOf(throughputMBps).memoryGB * GB,
    performance: {
      // What the NVMe cache holds is read at the rate of the network, as from memory.
      caches: ({ throughputMBps }) => {
        const { memoryGB, nvmeGB, networkMBps } = cachesOf(throughputMBps);
        return {
          memoryGiB: (memoryGB * GB) / GIB,
          readCacheGiB: (nvmeGB * GB) / GIB,
          readCacheMBps: nvmeGB > 0 ? networkMBps.baseline : null,
          source: PERFORMANCE_PAGE,
        };
      },
      burstReason: () =>
        'credits of the server end it; the service tells those of its disks (FileServerDiskThroughputBalance)',
      uncompressed: ({ compression: _, ...configuration }) => configuration,
      impliedCompression: (ratio) => ({ compression: ratio === undefined ? 'none' : 'lz4' }),
    },
  },
  price: {
    cost: openZfsLines,
    // Network, disk throughput and disk IOPS of the server, and its CPU.
    alarmMetrics: (_, about) => 4 + seenIn(OPENZFS_METRICS, about),
    candidates,
  },
  account: {
    fromDescription,
    describeAll,
    identify: idByDnsName('fsx'),
    search: searchFsx('OPENZFS', 'FSx for OpenZFS', () => openzfs, fsxBackupLines),
    quotas: OPENZFS_QUOTAS,
    // The server's, and that of the one that stands by.
    addresses: ({ deploymentType }) => (deploymentType === 'SINGLE_AZ_HA_2' ? 2 : 1),
    metrics: OPENZFS_METRICS,
  },
  client: { filesystems: [nfsFilesystem] },
  lab: { standIns },
};

/** Caches and network of a throughput capacity; zeros for one that AWS does not sell. */
function cachesOf(throughputMBps: number) {
  return LEVELS.get(throughputMBps) ?? { memoryGB: 0, nvmeGB: 0, networkMBps: { baseline: 0, burst: 0 } };
}
