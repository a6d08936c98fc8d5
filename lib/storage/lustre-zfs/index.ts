import { ON_DEMAND } from '../../common/aws/launch';
import { instanceType } from '../../fleet/instanceTypes';
import { type CostOptions, instanceLine } from '../../price/line';
import type { CostLine } from '../../schema/cost';
import { gp3Lines } from '../common/ebs';
import { seenIn } from '../common/graphs';
import { lustreFilesystem } from '../common/lustre';
import { settingsThatSet } from '../common/settings';
import { btrfsOnLoop, PLAIN_DIRECTORY } from '../common/substitutes';
import type { Storage, Substitute } from '../storage';
import {
  capacityBytes,
  checkLustreZfs,
  describeLustreZfs,
  hardwareOf,
  LUSTRE_ZFS_SETTINGS,
  type LustreZfsStorage,
  limitsOf,
  lustreZfsSchema,
  ROOT_GIB,
  resolved,
  withSettings,
} from './configuration';
import { LUSTRE_ZFS_METRICS, lustreZfsDashboard } from './dashboard';

/** Highest zstd level in Btrfs (btrfs(5)). */
const MOST_ZSTD = 15;

/** Btrfs's relative of a ZFS compression, as its mount option. */
function relativeOf(compression: string): string {
  const [algorithm, level] = compression.split('-');
  if (algorithm === 'gzip') return `compress-force=zlib:${level}`;
  if (algorithm === 'zstd') return `compress-force=zstd:${Math.min(Number(level), MOST_ZSTD)}`;
  return algorithm === 'lz4' ? 'compress-force=lzo' : 'compress=no';
}

/** Btrfs compresses with a processor of this computer, as ZFS does; nothing here offloads it, and Btrfs has records of 128 KiB. */
function substitutes(configuration: LustreZfsStorage): Substitute[] {
  const { compression, offload } = resolved(configuration);
  const option = relativeOf(compression);
  const offloaded = offload === 'none' ? '' : ', on the processor: nothing here offloads';
  return [btrfsOnLoop(option, `${option} on a loop device, replacing ZFS ${compression}${offloaded}`), PLAIN_DIRECTORY];
}

/** ZFS as Lustre's back end, on self-managed servers: the settings and counters that a managed service hides. */
export const lustreZfs: Storage<LustreZfsStorage> = {
  kind: 'lustre-zfs',
  label: 'Lustre on ZFS',
  configuration: {
    schema: lustreZfsSchema,
    ...settingsThatSet<LustreZfsStorage>(LUSTRE_ZFS_SETTINGS),
    withSettings,
    describe: describeLustreZfs,
    check: checkLustreZfs,
    compression: ({ compression }) => (compression === 'off' ? null : compression),
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
    conditions: (configuration, layer) => {
      const { compression, recordSizeKiB, raidDisks, offload, servers, instanceType: type } = resolved(configuration);
      const raid = `${raidDisks - 1}+1`;
      // As the slides name them: their figures are of disks on the server itself.
      const disks = { raw: 'one NVMe', raidz1: `${raid} RAID-Z1 of NVMe` }[layer ?? ''];
      return {
        ...{ compression, recordSizeKiB, raid, offload, servers, serverInstanceType: type },
        ...(disks !== undefined && { storage: disks }),
      };
    },
  },
  price: {
    cost: lustreZfsLines,
    shared: hardwareOf,
    notAdvised: 'the speed of its disks with compression is not published; OffloadBench measures it (plan ladder)',
  },
  account: {
    fromDescription: (_, planned = null) => planned,
    launches: (configuration) => {
      const { servers, instanceType: type, image } = resolved(configuration);
      return [
        {
          name: 'Lustre servers',
          instanceType: type,
          count: servers,
          purchase: ON_DEMAND,
          settings: { instanceType: 'lustreZfsInstanceType', image: 'lustreZfsImage' },
          image: image.startsWith('ami-') ? { id: image } : { parameter: image },
          volumesGiB: [ROOT_GIB],
        },
      ];
    },
    outbound: { internet: 'whose servers install Lustre and Linux packages' },
  },
  monitoring: {
    metrics: LUSTRE_ZFS_METRICS,
    dashboard: lustreZfsDashboard,
    // The server's CPU and free space.
    alarmMetrics: (_, about) => 2 + seenIn(LUSTRE_ZFS_METRICS, about),
  },
  client: { filesystems: [lustreFilesystem], offloads: (configuration) => resolved(configuration).offload !== 'none' },
  substitutes,
};

/** List price of the servers, whose price includes their local NVMe. Rocky Linux is free; the surcharge for RHEL is left out. */
function lustreZfsLines(configuration: LustreZfsStorage, options: CostOptions): readonly CostLine[] {
  const { label = 'Lustre on ZFS' } = options;
  const { servers, instanceType: type } = resolved(configuration);
  return [
    instanceLine(`${label}: servers (${describeLustreZfs(configuration)})`, servers, type, options),
    ...gp3Lines({ sizeGiB: ROOT_GIB }, servers, { ...options, label: `${label}: root volume of servers` }),
  ];
}
