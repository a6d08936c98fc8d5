import { instanceType } from '../../fleet/instanceTypes';
import { vcpuQuotaOf } from '../../fleet/vcpuQuota';
import { GP3_STORAGE_QUOTA } from '../kit/gp3';
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

/** Where it counts on the quota of all but special families; one of those is the user's to look after. */
function standardVcpus(type: string): number {
  return vcpuQuotaOf(type, 'on-demand')?.code === STANDARD.code ? (instanceType(type)?.vcpus ?? 0) : 0;
}

const STANDARD = { code: 'L-1216C47A', usual: 5 } as const;

/** MooseFS on instances of EC2 with volumes of EBS: the LizardFS family, alive (docs/decisions/moosefs-engine.md). */
export const moosefs: Storage<MooseFsStorage> = {
  kind: 'moosefs',
  label: 'MooseFS on EBS',
  schema: mooseFsSchema,
  settings: MOOSEFS_SETTINGS,
  withSettings: withProperties(MOOSEFS_PROPERTIES),
  describe: describeMooseFs,
  check: checkMooseFs,
  checkTogether,
  cost: mooseFsLines,
  quotas: [
    {
      ...{ name: 'vCPUs of servers of MooseFS', service: 'ec2', code: STANDARD.code, unit: 'vCPUs' },
      usual: {
        value: STANDARD.usual,
        warning: 'fsxbench:moosefs-vcpu-quota',
        of: 'Running On-Demand Standard instances, beside those of the clients,',
      },
      of: (configuration) => {
        const { chunkservers, instanceType: type, masterInstanceType } = resolved(configuration);
        return standardVcpus(masterInstanceType) + chunkservers * standardVcpus(type);
      },
    },
    {
      ...GP3_STORAGE_QUOTA,
      service: 'ebs',
      of: (configuration) =>
        (ROOT_GIB.master +
          configuration.chunkservers * ROOT_GIB.chunkserver +
          volumesOf(configuration) * configuration.volumeGiB) /
        1024,
    },
  ],
  addresses: ({ chunkservers }) => 1 + chunkservers,
  // The master's CPU and free space.
  alarmMetrics: (_, about) => 2 + seenIn(MOOSEFS_METRICS, about),
  limits: limitsOf,
  limitNames: { server_ebs: { words: 'the way of the servers to EBS', short: 'server EBS' } },
  fromDescription: (_, planned = null) => planned,
  capacityBytes: (configuration) =>
    (volumesOf(configuration) * configuration.volumeGiB * GIB) / resolved(configuration).copies,
  // The chunkservers' page caches: what fits there is read from memory.
  serverMemoryBytes: ({ chunkservers, instanceType: type }) => {
    const memory = instanceType(type)?.memoryMiB;
    return memory === undefined ? null : chunkservers * memory * 2 ** 20;
  },
  candidates,
  filesystems: [mooseFsFilesystem],
  standIns: (configuration) => [moosefsHere(resolved(configuration).copies)],
  metrics: MOOSEFS_METRICS,
};
