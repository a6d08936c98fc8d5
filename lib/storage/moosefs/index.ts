import { DEFAULT_KERNEL, imageParameter } from '../../fleet/image';
import { instanceType } from '../../fleet/instanceTypes';
import { ON_DEMAND } from '../../kit/aws/launch';
import { seenIn } from '../kit/metrics';
import { withProperties } from '../kit/settings';
import type { Storage } from '../storage';
import { candidates } from './candidates';
import { describeMooseFs, type MooseFsStorage, mooseFsSchema, ROOT_GIB, resolved, volumesOf } from './configuration';
import { mooseFsLines } from './cost';
import { mooseFsFilesystem } from './filesystem';
import { limitsOf } from './limits';
import { MOOSEFS_METRICS } from './metricTable';
import { checkMooseFs, checkTogether } from './rules';
import { MOOSEFS_PROPERTIES, MOOSEFS_SETTINGS } from './settings';
import { moosefsHere } from './standIn';

const GIB = 2 ** 30;

/** MooseFS on instances of EC2 with volumes of EBS: the LizardFS family, alive (docs/decisions/moosefs-engine.md). */
export const moosefs: Storage<MooseFsStorage> = {
  kind: 'moosefs',
  label: 'MooseFS on EBS',
  configuration: {
    schema: mooseFsSchema,
    settings: MOOSEFS_SETTINGS,
    withSettings: withProperties(MOOSEFS_PROPERTIES),
    describe: describeMooseFs,
    check: checkMooseFs,
    checkTogether,
  },
  documented: {
    limits: limitsOf,
    limitNames: { server_ebs: { words: 'the way of the servers to EBS', short: 'server EBS' } },
    capacityBytes: (configuration) =>
      (volumesOf(configuration) * configuration.volumeGiB * GIB) / resolved(configuration).copies,
    // The chunkservers' page caches: what fits there is read from memory.
    serverMemoryBytes: ({ chunkservers, instanceType: type }) => {
      const memory = instanceType(type)?.memoryMiB;
      return memory === undefined ? null : chunkservers * memory * 2 ** 20;
    },
  },
  price: {
    cost: mooseFsLines,
    // The master's CPU and free space.
    alarmMetrics: (_, about) => 2 + seenIn(MOOSEFS_METRICS, about),
    candidates,
  },
  account: {
    fromDescription: (_, planned = null) => planned,
    quotas: [],
    launches: (configuration) => {
      const { chunkservers, instanceType: type, masterInstanceType, volumesPerServer } = resolved(configuration);
      const server = (name: string, setting: string, type: string) => ({
        ...{ name, instanceType: type, settings: { instanceType: setting }, purchase: ON_DEMAND },
        image: { parameter: imageParameter(DEFAULT_KERNEL, type) },
      });
      const data = Array.from({ length: volumesPerServer }, () => configuration.volumeGiB);
      return [
        {
          ...server('MooseFS master', 'moosefsMasterInstanceType', masterInstanceType),
          ...{ count: 1, volumesGiB: [ROOT_GIB.master] },
        },
        {
          ...server('MooseFS chunkservers', 'moosefsInstanceType', type),
          ...{ count: chunkservers, volumesGiB: [ROOT_GIB.chunkserver, ...data] },
        },
      ];
    },
    addresses: () => 0,
    outbound: { internet: 'whose servers fetch the source of MooseFS' },
    metrics: MOOSEFS_METRICS,
  },
  client: { filesystems: [mooseFsFilesystem] },
  lab: { standIns: (configuration) => [moosefsHere(resolved(configuration).copies)] },
};
