import type { AdministrativeAction, FileSystem } from '@aws-sdk/client-fsx';
import { omitUndefined } from '../../common/collections';
import type { LustreConfiguration } from './configuration';
import { metadataIopsOf } from './documented';

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

/** What FSx's description says of the configuration. */
export function configurationIn(found: Partial<FileSystem>): Partial<LustreConfiguration> {
  const { LustreConfiguration: own = {}, StorageType, StorageCapacity, FileSystemTypeVersion } = found;
  const { MetadataConfiguration: { Mode, Iops } = {}, DataReadCacheConfiguration: cache } = own;
  const described = {
    // Types and versions that are not among ours pass: nothing here depends on them.
    deploymentType: own.DeploymentType,
    storageType: StorageType,
    storageCapacityGiB: StorageType === 'INTELLIGENT_TIERING' ? undefined : StorageCapacity,
    perUnitStorageThroughput: own.PerUnitStorageThroughput || undefined,
    throughputCapacity: own.ThroughputCapacity || undefined,
    dataCompressionType: own.DataCompressionType,
    driveCacheType: own.DriveCacheType,
    dataReadCache: cache && omitUndefined({ sizingMode: cache.SizingMode, sizeGiB: cache.SizeGiB }),
    efaEnabled: own.EfaEnabled,
    version: FileSystemTypeVersion,
    weeklyMaintenanceStartTime: own.WeeklyMaintenanceStartTime,
    // With AUTOMATIC, FSx says how many it chose.
    metadata: Mode && omitUndefined({ mode: Mode, iops: Mode === 'AUTOMATIC' ? undefined : Iops }),
  };
  return omitUndefined(described) as Partial<LustreConfiguration>;
}

/** Reads FSx's description of a file system. @throws Refusal for other kinds of file system */
export function stateOf(found: FileSystem): LustreState {
  const { FileSystemId: fileSystemId = '', FileSystemType, LustreConfiguration } = found;
  if (LustreConfiguration === undefined)
    throw new Refusal(`the file system must be FSx for Lustre, got ${fileSystemId} of type ${FileSystemType}`);
  const configuration = { dataCompressionType: 'NONE', ...configurationIn(found) } as LustreConfiguration;
  return {
    fileSystemId,
    lifecycle: found.Lifecycle ?? 'unknown',
    configuration,
    metadataIops: LustreConfiguration.MetadataConfiguration?.Iops ?? metadataIopsOf(configuration),
    mountName: LustreConfiguration.MountName ?? '',
    actions: (found.AdministrativeActions ?? []).map(actionOf).sort((a, b) => +b.requestedAt - +a.requestedAt),
  };
}

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
