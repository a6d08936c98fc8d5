import { ON_DEMAND } from '../../common/aws/launch';
import { DEFAULT_KERNEL, imageParameter } from '../../fleet/configuration';
import { instanceType } from '../../fleet/instanceTypes';
import { type CostOptions, instanceLine } from '../../price/line';
import type { CostLine } from '../../schema/cost';
import { gp3Lines } from '../common/ebs';
import { seenIn } from '../common/graphs';
import { settingsThatSet } from '../common/settings';
import { capacityByDf, spaceByDu } from '../common/space';
import type { Filesystem } from '../filesystem';
import type { Storage, Substitute } from '../storage';
import { candidates } from './candidates';
import {
  checkMooseFs,
  checkTogether,
  describeMooseFs,
  limitsOf,
  MASTER_TYPE,
  MOOSEFS_SETTINGS,
  type MooseFsStorage,
  mooseFsSchema,
  ROOT_GIB,
  resolved,
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
