import type { AdministrativeAction, FileSystem } from '@aws-sdk/client-fsx';
import type { Described } from '../../schema/run';
import type { LustreConfiguration } from './configuration';
import { metadataIopsOf } from './documented';
import { isElastic } from './types';

/** A wish that cannot be granted: one line that names the value, what is allowed and the next step. Nothing was changed. */
export class Refusal extends Error {}

/** A file system as it is. */
export interface LustreState {
  readonly fileSystemId: string;
  readonly lifecycle: string;
  readonly configuration: LustreConfiguration;
  /** Metadata IOPS in effect, also those that AUTOMATIC chose; `null` without a metadata configuration. */
  readonly metadataIops: number | null;
  /** Path after the colon in a mount command. */
  readonly mountName: string;
  /** FSx's answer, unchanged. */
  readonly described: Described;
  /** Changes, the youngest first. */
  readonly actions: readonly LustreAction[];
}

/** A change that somebody asked for, or that FSx makes as its consequence. */
export interface LustreAction {
  readonly type: string;
  /** PENDING, IN_PROGRESS, UPDATED_OPTIMIZING, COMPLETED or FAILED. */
  readonly status: string;
  readonly requestedAt: Date;
  readonly percent: number | null;
  /** Parts of the file system that it changes. */
  readonly metadata: boolean;
  readonly capacity: boolean;
  readonly failure: string | null;
}

/** Reads FSx's description of a file system. @throws Refusal for other kinds of file system */
export function stateOf(found: FileSystem): LustreState {
  const { FileSystemId: fileSystemId = '', FileSystemType, StorageType, StorageCapacity, LustreConfiguration } = found;
  if (LustreConfiguration === undefined)
    throw new Refusal(`the file system must be FSx for Lustre, got ${fileSystemId} of type ${FileSystemType}`);
  const { DeploymentType, PerUnitStorageThroughput, DataCompressionType, MetadataConfiguration } = LustreConfiguration;
  const { EfaEnabled, DriveCacheType, DataReadCacheConfiguration: cache, ThroughputCapacity } = LustreConfiguration;
  const elastic = isElastic({ deploymentType: DeploymentType ?? '', storageType: StorageType });
  const configuration: LustreConfiguration = {
    // SCRATCH_1 is not among ours, but nothing here depends on that.
    deploymentType: DeploymentType as LustreConfiguration['deploymentType'],
    storageType: StorageType as LustreConfiguration['storageType'],
    storageCapacityGiB: elastic ? undefined : StorageCapacity,
    perUnitStorageThroughput: PerUnitStorageThroughput || undefined,
    throughputCapacity: ThroughputCapacity || undefined,
    dataCompressionType: DataCompressionType ?? 'NONE',
    metadata: metadataOf(MetadataConfiguration),
    efaEnabled: EfaEnabled || undefined,
    driveCacheType: DriveCacheType || undefined,
    dataReadCache: cache?.SizingMode && cacheOf(cache.SizingMode, cache.SizeGiB),
    version: found.FileSystemTypeVersion as LustreConfiguration['version'],
  };
  return {
    fileSystemId,
    lifecycle: found.Lifecycle ?? 'unknown',
    configuration,
    metadataIops: MetadataConfiguration?.Iops ?? metadataIopsOf(configuration),
    mountName: LustreConfiguration.MountName ?? '',
    described: found as unknown as Described,
    actions: (found.AdministrativeActions ?? []).map(actionOf).sort((a, b) => +b.requestedAt - +a.requestedAt),
  };
}

function metadataOf(
  found: { readonly Mode?: string; readonly Iops?: number } | undefined,
): LustreConfiguration['metadata'] {
  if (found?.Mode === undefined) return undefined;
  return found.Mode === 'AUTOMATIC' ? { mode: 'AUTOMATIC' } : { mode: 'USER_PROVISIONED', iops: found.Iops ?? 0 };
}

const cacheOf = (sizingMode: string, sizeGiB = 0): LustreConfiguration['dataReadCache'] =>
  sizingMode === 'USER_PROVISIONED'
    ? { sizingMode, sizeGiB }
    : { sizingMode: sizingMode as 'NO_CACHE' | 'PROPORTIONAL_TO_THROUGHPUT_CAPACITY' };

function actionOf(action: AdministrativeAction): LustreAction {
  const { AdministrativeActionType, Status, RequestTime, ProgressPercent, TargetFileSystemValues, FailureDetails } =
    action;
  return {
    type: AdministrativeActionType ?? 'unknown',
    status: Status ?? 'unknown',
    requestedAt: RequestTime ?? new Date(0),
    percent: ProgressPercent ?? null,
    metadata: TargetFileSystemValues?.LustreConfiguration?.MetadataConfiguration !== undefined,
    capacity:
      TargetFileSystemValues?.StorageCapacity !== undefined || AdministrativeActionType === 'STORAGE_OPTIMIZATION',
    failure: FailureDetails?.Message ?? null,
  };
}
