/** What a run sees besides the documented limits, from measurements that others published. */
import { instanceType } from '../fleet/instanceTypes';
import type { AnyConfiguration, StorageConfiguration } from '../schema/storage';
import { storageOf, withKind } from '../storage/lookup';
import type { ExpectedRange, ExpectedRate, FieldCapability, S3Transfers } from '../storage/performance';
import type { Limit } from '../storage/slices/documented';
import { MIB, type PredictRequest } from './request';

/** The part of a prediction that comes from what others measured. */
export interface RunForecast {
  /** Rate that the run sees, from what others measured; `null` unless the request describes the run. */
  readonly run: { readonly MBps: ExpectedRate; readonly requestMs: number | null } | null;
  /** Metadata rates that the processes of the run see; `null` unless they are known. */
  readonly runMetadataPerSecond: Readonly<Record<string, ExpectedRate>> | null;
  /** Rates and times between S3 and the file system; `null` unless files and their size are known and data come from S3. */
  readonly s3: S3Transfers | null;
}

/** What measurements that others published say of the run of a request. */
export function runOf(
  field: FieldCapability | undefined,
  configuration: StorageConfiguration,
  limits: readonly Limit[],
  { streams, clients, seconds, servedFrom, files, fileBytes, readShare = 0 }: PredictRequest,
): RunForecast {
  const isDescribed = streams !== undefined || seconds !== undefined || servedFrom !== undefined;
  if (field === undefined || !isDescribed) return { run: null, runMetadataPerSecond: null, s3: null };
  const { count = 1, instanceType: type } = clients ?? {};
  const streamCount = streams === undefined ? undefined : streams.processes * count;
  const vcpus = type === undefined ? undefined : instanceType(type)?.vcpus;
  const { transferBytes = MIB } = streams ?? {};
  const from = servedFrom === 's3' ? undefined : servedFrom;
  return {
    run: {
      MBps: field.throughput(configuration, limits, {
        ...{ readShare, servedFrom: from, seconds, processes: streams?.processes, files, fileBytes },
      }),
      requestMs: streams === undefined ? null : field.requestMs(transferBytes),
    },
    runMetadataPerSecond:
      streamCount === undefined
        ? null
        : field.metadata(configuration, {
            ranks: streamCount,
            vcpus: vcpus === undefined ? undefined : vcpus * count,
            operations: files,
            fileBytes,
          }),
    s3:
      servedFrom !== 's3' || files === undefined || fileBytes === undefined
        ? null
        : field.s3(configuration, { clients: count, files, fileBytes, readShare, streamCount: streamCount ?? count }),
  };
}

/** Time until files of S3 are on a file system. */
export interface Hydration {
  /** Import of the metadata, then `lfs hsm_restore` of all files. */
  readonly seconds: ExpectedRange;
  /** The limit that decides the restore. */
  readonly bottleneck: string;
}

/**
 * Predicts how long it takes until files of S3 are on a file system: seconds for the import of their metadata and the restore of their
 * data. `null` for a storage of which nobody published measurements.
 */
export function hydration(
  configuration: AnyConfiguration,
  { files, fileBytes, clients = 1 }: { readonly files: number; readonly fileBytes: number; readonly clients?: number },
): Hydration | null {
  const own = withKind(configuration);
  const field = storageOf(own).documented.performance?.field;
  if (field === undefined) return null;
  const transfers = field.s3(own, { clients, files, fileBytes, streamCount: clients, readShare: 0 });
  const { seconds: imported } = transfers.import;
  const { seconds: restored, bottleneck } = transfers.restore;
  return {
    seconds: {
      low: imported.low + restored.low,
      expected: imported.expected + restored.expected,
      high: imported.high + restored.high,
    },
    bottleneck,
  };
}
