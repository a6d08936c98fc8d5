import { BENCHMARKS } from '../benchmark/registry';
import type { LustreConfiguration } from '../storage/lustre/configuration';
import type { DemandResult } from './assess';
import type { Requirement } from './requirement';

/** Fragment of a cdk.json that deploys a configuration with a fleet to test it. */
export interface Fragment {
  readonly context: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
}

/** The part of cdk.json (docs/settings.md) to prove a configuration, of every benchmark that has something to say of the requirement. */
export function fragmentOf(
  configuration: LustreConfiguration,
  requirement: Requirement,
  demands: readonly DemandResult[],
): Fragment {
  const settings = settingsOf(configuration);
  const { createsPerSecond, clients } = requirement;
  const need = {
    storage: { kind: 'lustre', ...configuration },
    throughputMBps: Math.max(...demands.map(({ requiredMBps }) => requiredMBps)),
    ...(createsPerSecond === undefined ? {} : { createsPerSecond }),
    ...(clients === undefined ? {} : { clients }),
  };
  const sections = BENCHMARKS.map(({ name, proof }) => ({ name, fleet: proof?.(need) ?? null }));
  return {
    context: Object.fromEntries(
      sections.flatMap(({ name, fleet }) => (fleet === null ? [] : [[name, { ...settings, ...fleet }]])),
    ),
  };
}

/** The properties of a file system by setting name. */
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
    dataReadCache:
      dataReadCache === undefined
        ? undefined
        : dataReadCache.sizingMode === 'USER_PROVISIONED'
          ? dataReadCache.sizeGiB
          : dataReadCache.sizingMode === 'NO_CACHE'
            ? 'none'
            : 'proportional',
    metadataIops: metadata === undefined ? undefined : metadata.mode === 'AUTOMATIC' ? 'automatic' : metadata.iops,
    efa: efaEnabled === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | number | boolean
  >;
}
