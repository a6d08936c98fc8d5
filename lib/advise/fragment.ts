import { metadataBench } from '../benchmark/metadata';
import { instanceType } from '../fleet/instanceTypes';
import { storageOf } from '../storage/lookup';
import type { LustreConfiguration } from '../storage/lustre/configuration';
import { limitsOf } from '../storage/lustre/limits';
import type { DemandResult } from './assess';
import type { Requirement } from './requirement';

/** Fragment of a cdk.json that deploys a configuration with a fleet to test it. */
export interface Fragment {
  readonly context: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
}

/** A fifth more than required, so that the clients are not the bottleneck. */
const SPARE = 1.2;
/** The maximum of the setting `clients`, which is even. */
const MOST_CLIENTS = 1000;
/** The instance type of the compression study. */
const DEFAULT_TYPE = 'c5n.9xlarge';

/**
 * The part of cdk.json (docs/settings.md) to prove a configuration: CompressionBench with and without LZ4, half of the
 * clients each; and MetadataBench if creations are required, with a fleet in proportion to the metadata study's.
 */
export function fragmentOf(
  configuration: LustreConfiguration,
  requirement: Requirement,
  demands: readonly DemandResult[],
): Fragment {
  const settings = settingsOf(configuration);
  const required = Math.max(...demands.map(({ requiredMBps }) => requiredMBps));
  const { createsPerSecond } = requirement;
  return {
    context: {
      CompressionBench: { ...settings, ...fleetFor(configuration, requirement, required) },
      ...(createsPerSecond !== undefined && {
        MetadataBench: { ...settings, clients: metadataClients(createsPerSecond) },
      }),
    },
  };
}

function fleetFor(
  configuration: LustreConfiguration,
  { clients }: Requirement,
  required: number,
): { instanceType: string; clients: number } {
  const type = clients?.instanceType ?? DEFAULT_TYPE;
  if (clients !== undefined) return { instanceType: type, clients: even(clients.count * 2) };
  const { networkBaselineMbps = 1 } = instanceType(type) ?? {};
  const one = limitsOf(configuration, { clients: { count: 1, networkBaselineMbps } }).filter(({ name }) =>
    name.startsWith('client_'),
  );
  const each = Math.min(...one.map(({ baselineMBps }) => baselineMBps));
  return { instanceType: type, clients: even(2 * Math.ceil((required * SPARE) / each)) };
}

/** Clients per creation as in the study, at the documented rate of its largest arm. */
function metadataClients(createsPerSecond: number): number {
  const { clients } = metadataBench.fleet('published');
  const most = Math.max(
    ...metadataBench.arms('published').map(({ storage }) => storageOf(storage).metadata?.iops(storage) ?? 0),
  );
  return even(Math.max(4, Math.ceil((createsPerSecond / (2 * most)) * clients)));
}

function even(clients: number): number {
  return Math.min(MOST_CLIENTS, Math.max(2, Math.ceil(clients / 2) * 2));
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
