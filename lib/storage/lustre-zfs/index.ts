import { instanceType } from '../../fleet/instanceTypes';
import { ON_DEMAND } from '../../kit/aws/launch';
import { lustreFilesystem } from '../kit/lustre';
import { seenIn } from '../kit/metrics';
import type { Storage } from '../storage';
import {
  describeLustreZfs,
  hardwareOf,
  type LustreZfsStorage,
  lustreZfsSchema,
  ROOT_GIB,
  resolved,
} from './configuration';
import { lustreZfsLines } from './cost';
import { capacityBytes, limitsOf } from './limits';
import { LUSTRE_ZFS_METRICS } from './metricTable';
import { checkLustreZfs } from './rules';
import { LUSTRE_ZFS_SETTINGS, withSettings } from './settings';
import { standIns } from './standIns';

/** ZFS as Lustre's back end, on servers of one's own: the knobs and counters that a managed service hides. */
export const lustreZfs: Storage<LustreZfsStorage> = {
  kind: 'lustre-zfs',
  label: 'Lustre on ZFS',
  configuration: {
    schema: lustreZfsSchema,
    settings: LUSTRE_ZFS_SETTINGS,
    withSettings,
    describe: describeLustreZfs,
    check: checkLustreZfs,
    compression: ({ compression }) => (compression === 'off' ? null : compression),
    conditions: (configuration) => {
      const { compression, recordSizeKiB, raidDisks, offload, servers, instanceType: type } = resolved(configuration);
      return { compression, recordSizeKiB, raid: `${raidDisks - 1}+1`, offload, servers, serverInstanceType: type };
    },
    // As the slides name them: their figures are of disks on the server itself.
    layers: (configuration) => ({
      raw: { storage: 'one NVMe' },
      raidz1: { storage: `${resolved(configuration).raidDisks - 1}+1 RAID-Z1 of NVMe` },
    }),
  },
  documented: {
    limits: limitsOf,
    capacityBytes,
    // The ARC: by default half of the memory (zfs(4), zfs_arc_max), and a reader is served from it.
    serverMemoryBytes: (configuration) => {
      const { servers, instanceType: type } = resolved(configuration);
      const memory = instanceType(type)?.memoryMiB;
      return memory === undefined ? null : servers * memory * 2 ** 20;
    },
  },
  price: {
    cost: lustreZfsLines,
    // The server's CPU and free space.
    alarmMetrics: (_, about) => 2 + seenIn(LUSTRE_ZFS_METRICS, about),
    shared: hardwareOf,
  },
  account: {
    fromDescription: (_, planned = null) => planned,
    quotas: [],
    launches: (configuration) => {
      const { servers, instanceType: type, image } = resolved(configuration);
      return [
        {
          ...{ name: 'Lustre servers', instanceType: type, count: servers, purchase: ON_DEMAND },
          settings: { instanceType: 'lustreZfsInstanceType', image: 'lustreZfsImage' },
          image: image.startsWith('ami-') ? { id: image } : { parameter: image },
          volumesGiB: [ROOT_GIB],
        },
      ];
    },
    addresses: () => 0,
    outbound: { internet: 'whose servers install the packages of Lustre and of their Linux' },
    metrics: LUSTRE_ZFS_METRICS,
  },
  client: { filesystems: [lustreFilesystem], offloads: (configuration) => resolved(configuration).offload !== 'none' },
  lab: { standIns },
};
