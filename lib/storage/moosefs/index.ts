import { ON_DEMAND } from '../../common/aws/launch';
import { DEFAULT_KERNEL, imageParameter } from '../../fleet/configuration';
import { instanceType } from '../../fleet/instanceTypes';
import { type CostOptions, instanceLine } from '../../price/line';
import type { CostLine } from '../../schema/cost';
import { type CandidatesCapability, dataGiB, type Family, type StorageNeed } from '../candidates';
import { GP3, gp3Lines } from '../common/ebs';
import { seenIn } from '../common/graphs';
import { MBPS_PER_MIBPS } from '../common/limits';
import { settingsBy, settingsThatSet } from '../common/settings';
import { capacityByDf, inBlocks, spaceByDu } from '../common/space';
import type { Filesystem } from '../filesystem';
import type { Storage, Substitute } from '../storage';
import {
  checkMooseFs,
  checkTogether,
  describeMooseFs,
  limitsOf,
  MASTER_TYPE,
  MOOSEFS_SETTINGS,
  MOST_CHUNKSERVERS,
  MOST_VOLUMES,
  type MooseFsStorage,
  mooseFsSchema,
  ROOT_GIB,
  resolved,
  VOLUME_GIB,
  volumeOf,
  volumesOf,
} from './configuration';
import { MOOSEFS_METRICS, mooseFsDashboard } from './dashboard';

/** Chunkservers of every stand-in in the lab: as many as two copies need. */
const CHUNKSERVERS = 2;

/** Address of the master in assets/storage/moosefs/lab/stand-in. */
const MASTER = '198.18.0.1';

/** The real thing, small. Nothing else stands in for it: a directory has no master, and its figures would be another file system's. */
export const moosefsHere = (wanted: number): Substitute => {
  const copies = Math.min(wanted, CHUNKSERVERS);
  return {
    name: 'moosefs',
    label: 'MooseFS with its servers on this computer',
    filesystem: 'fuse.mfs',
    actually: 'master and two chunkservers on loop devices, through FUSE',
    servers: { copies, master: MASTER },
    program: { path: 'storage/moosefs/lab/stand-in', variables: { MOOSEFS_COPIES: String(copies) } },
  };
};

/**
 * MooseFS as `mfsmount` mounts it: with `subtype=mfs`, as the scripts here give it, or of itself. MooseFS shows blocks before copies, and
 * neither it nor its chunkservers compress; `df` counts all copies.
 *
 * It never settles: a loop of the master, minutes long, finds the chunks of removed files, and chunkservers delete a few a second
 * (mfsmaster.cfg(5), CHUNKS_LOOP_MIN_TIME, CHUNKS_HARD_DEL_LIMIT). Until the loop comes by, `df` stands still as if all were done, so a
 * wait for equal readings would end before anything was freed.
 */
const mooseFsFilesystem: Filesystem = { type: 'fuse.mfs', remote: true, space: spaceByDu, capacity: capacityByDf };

const GIB = 2 ** 30;

/** Chunkservers to choose from: c6in has the most sustained EBS bandwidth for its price, of known types. Its sizes cost the same per MB/s. */
export const CHUNKSERVER_TYPES = ['c6in.xlarge', 'c6in.4xlarge', 'c6in.16xlarge'] as const;

/** A file takes blocks of 64 KiB, and each of its chunks of 64 MiB a header with checksums. Source: https://moosefs.com/faq/. */
const CHUNK = { blockBytes: 64 * 2 ** 10, bytes: 64 * 2 ** 20, headerBytes: 5 * 2 ** 10 } as const;

const fileBytes = (bytes: number): number =>
  inBlocks(CHUNK.blockBytes, CHUNK.headerBytes * Math.ceil(bytes / CHUNK.bytes))(bytes);

const SERIES = { 1: 'MooseFS, 1 copy', 2: 'MooseFS, 2 copies' } as const;
const COPIES = [1, 2] as const;

/** MooseFS on servers that could be rented, by their number: with one copy of everything, and with two. */
const candidates: CandidatesCapability<MooseFsStorage> = {
  families: (need) => CHUNKSERVER_TYPES.flatMap((type) => COPIES.map((copies) => family(type, copies, need))),
  fileBytes,
  settings: settingsBy(MOOSEFS_SETTINGS),
  series: Object.values(SERIES),
  seriesOf: ({ copies = 1 }) => (copies === 1 || copies === 2 ? SERIES[copies] : null),
};

/** Volumes that carry what the server has to EBS: as many as it takes with gp3's included throughput, then with more each once there are no more names. */
function volumesFor(type: string): { readonly volumesPerServer: number; readonly volumeThroughputMiBps?: number } {
  const wanted = (instanceType(type)?.ebsBaselineMBps ?? 0) / MBPS_PER_MIBPS;
  const volumesPerServer = Math.min(MOST_VOLUMES, Math.ceil(wanted / GP3.throughputMiBps.min));
  const each = Math.ceil(wanted / volumesPerServer);
  return { volumesPerServer, ...(each > GP3.throughputMiBps.min && { volumeThroughputMiBps: each }) };
}

function family(type: string, copies: (typeof COPIES)[number], need: StorageNeed): Family<MooseFsStorage> {
  const volumes = volumesFor(type);
  return {
    sizes: MOST_CHUNKSERVERS - copies + 1,
    at(size) {
      const chunkservers = copies + size;
      const each = Math.ceil((dataGiB(need) * copies) / (chunkservers * volumes.volumesPerServer));
      return {
        kind: 'moosefs',
        chunkservers,
        instanceType: type,
        ...volumes,
        copies,
        volumeGiB: Math.min(VOLUME_GIB.max, Math.max(VOLUME_GIB.min, each)),
      };
    },
  };
}

/** MooseFS on EC2 instances with EBS volumes: the LizardFS family, alive (docs/decisions/moosefs-engine.md). */
export const moosefs: Storage<MooseFsStorage> = {
  kind: 'moosefs',
  label: 'MooseFS on EBS',
  configuration: {
    schema: mooseFsSchema,
    ...settingsThatSet<MooseFsStorage>(MOOSEFS_SETTINGS),
    describe: describeMooseFs,
    check: checkMooseFs,
    checkTogether,
  },
  documented: {
    limits: limitsOf,
    limitNames: { server_ebs: { words: 'the servers’ path to EBS', short: 'server EBS' } },
    capacityBytes: (configuration) =>
      (volumesOf(configuration) * configuration.volumeGiB * GIB) / resolved(configuration).copies,
    // The chunkservers' page caches: what fits there is read from memory.
    serverMemoryBytes: ({ chunkservers, instanceType: type }) => {
      const memory = instanceType(type)?.memoryMiB;
      return memory === undefined ? null : chunkservers * memory * 2 ** 20;
    },
  },
  price: { cost: mooseFsLines, candidates },
  account: {
    fromDescription: (_, planned = null) => planned,
    launches: (configuration) => {
      const { chunkservers, instanceType: type, volumesPerServer } = resolved(configuration);
      const server = (name: string, type: string) => ({
        name,
        instanceType: type,
        purchase: ON_DEMAND,
        image: { parameter: imageParameter(DEFAULT_KERNEL, type) },
      });
      const data = Array.from({ length: volumesPerServer }, () => configuration.volumeGiB);
      return [
        { ...server('MooseFS master', MASTER_TYPE), settings: {}, count: 1, volumesGiB: [ROOT_GIB.master] },
        {
          ...server('MooseFS chunkservers', type),
          settings: { instanceType: 'moosefsInstanceType' },
          count: chunkservers,
          volumesGiB: [ROOT_GIB.chunkserver, ...data],
        },
      ];
    },
    outbound: { internet: 'whose servers fetch the MooseFS source' },
  },
  monitoring: {
    metrics: MOOSEFS_METRICS,
    dashboard: mooseFsDashboard,
    // The master's CPU and free space.
    alarmMetrics: (_, about) => 2 + seenIn(MOOSEFS_METRICS, about),
  },
  client: { filesystems: [mooseFsFilesystem] },
  substitutes: (configuration) => [moosefsHere(resolved(configuration).copies)],
};

/** List price of the servers and their volumes. The custom metrics of the master are billed by use, as those of a run are. */
function mooseFsLines(configuration: MooseFsStorage, options: CostOptions): readonly CostLine[] {
  const { label = 'MooseFS' } = options;
  const { chunkservers, instanceType } = configuration;
  const servers = (what: string, count: number, type: string, rootGiB: number): readonly CostLine[] => [
    instanceLine(`${label}: ${what}, EC2 ${type}`, count, type, options),
    ...gp3Lines({ sizeGiB: rootGiB }, count, { ...options, label: `${label}: root volume of ${what}` }),
  ];
  return [
    ...servers('master', 1, MASTER_TYPE, ROOT_GIB.master),
    ...servers('chunkservers', chunkservers, instanceType, ROOT_GIB.chunkserver),
    ...gp3Lines(volumeOf(configuration), volumesOf(configuration), {
      ...options,
      label: `${label}: data (${describeMooseFs(configuration)})`,
    }),
  ];
}
