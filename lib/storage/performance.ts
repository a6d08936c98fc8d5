import type { Violation } from '../common/violation';
import type { StorageConfiguration } from '../schema/deployment';
import type { Limit } from './common/limits';

/** Caches of the file servers: what is read from them does not come from the disks. */
export interface ServerCaches {
  /** Memory for caching data, GiB; `null` if none is documented. */
  readonly memoryGiB: number | null;
  /** SSD read cache in GiB; 0 without one. */
  readonly readCacheGiB: number;
  /** Throughput of the read cache in MB/s; `null` without one. */
  readonly readCacheMBps: number | null;
  /** Documentation page. */
  readonly source: string;
}

/** Clients that reach a file system over EFA. */
export interface EfaCapability<C extends StorageConfiguration = StorageConfiguration> {
  enabled(configuration: C): boolean;
  /** Why clients of this type, with EFA or without, cannot use it, by `instanceType`; `null` if they can. */
  violation(type: { readonly name: string; readonly efa: boolean }): Violation | null;
}

/** An expected figure with the ends of its interval. */
export interface ExpectedRange {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

/** A predicted rate, and the limit that decides it. */
export interface ExpectedRate extends ExpectedRange {
  readonly bottleneck: string;
}

/** Requests that are in flight at a time. */
export interface StreamDemand {
  readonly clients: number;
  /** Processes on each client. */
  readonly processes: number;
  /** Requests of each process in flight at a time: 1 for synchronous I/O. */
  readonly inFlight: number;
  readonly transferBytes: number;
}

/** A run whose throughput is predicted. */
export interface ThroughputRun {
  /** Share of reads in the bytes moved, 0 to 1. */
  readonly readShare: number;
  readonly servedFrom?: 'disk' | 'memory' | undefined;
  /** Duration. @default - longer than any burst */
  readonly seconds?: number | undefined;
  /** Processes on each client. @default - enough for all servers */
  readonly processes?: number | undefined;
  readonly files?: number | undefined;
  readonly fileBytes?: number | undefined;
}

/** A run whose metadata rates are predicted. */
export interface MetadataRun {
  /** Processes on all clients. */
  readonly ranks: number;
  /** vCPUs of all clients. @default - enough */
  readonly vcpus?: number | undefined;
  /** Operations of the run. @default - not known */
  readonly operations?: number | undefined;
  /** Data written into each created file. @default 0 */
  readonly fileBytes?: number | undefined;
}

/** Files that move between S3 and the file system. */
export interface S3Run {
  readonly clients: number;
  readonly files: number;
  readonly fileBytes: number;
  /** Streams that read files which are still in S3. */
  readonly streamCount: number;
  readonly readShare: number;
}

export interface Transfer {
  readonly filesPerSecond: ExpectedRange;
  /** `null` if only metadata move. */
  readonly MBps: ExpectedRange | null;
  /** Time for all files. */
  readonly seconds: ExpectedRange;
  readonly bottleneck: string;
}

/** Times and rates between S3 and the file system. */
export interface S3Transfers {
  /** Metadata of objects into the file system. */
  readonly import: Transfer;
  /** `lfs hsm_restore` of files from all clients. */
  readonly restore: Transfer;
  /** Reading files that are still in S3. */
  readonly lazyLoad: Transfer;
  /** Automatic export of new files. */
  readonly export: Transfer;
  /** Share of the clients' throughput that is left during an export, 0 to 1. */
  readonly leftWhileExporting: number;
}

/** Behaviour of a storage in addition to its documented limits, from measurements that others published. */
export interface FieldCapability<C extends StorageConfiguration = StorageConfiguration> {
  /** Milliseconds of one request of so many bytes. */
  requestMs(bytes: number): number;
  /** Limit `streams`: requests in flight × size ÷ latency. */
  streams(demand: StreamDemand): Limit;
  /** The rate that a run sees. @param limits those of the run, `streams` among them if they are known */
  throughput(configuration: C, limits: readonly Limit[], run: ThroughputRun): ExpectedRate;
  /** Operations per second by operation (`file_create` …). */
  metadata(configuration: C, run: MetadataRun): Readonly<Record<string, ExpectedRate>>;
  s3(configuration: C, run: S3Run): S3Transfers;
}

/** Documented performance of a storage beyond its limits, for predictions. */
export interface PerformanceCapability<C extends StorageConfiguration = StorageConfiguration> {
  /** @default - the memory of the servers, as far as it is documented */
  caches?(configuration: C): ServerCaches;
  /** Number of servers and targets, by kind; `null` if the number is not published. @default - no number is published */
  servers?(configuration: C): Readonly<Record<string, number | null>> | null;
  /** Why the duration of a burst is not known. @default - nothing is published */
  burstReason?(configuration: C): string;
  /** The source of the metadata rates, or the reason why they are missing. @default - nothing is published */
  metadataReason?(configuration: C): string;
  /** Reasons why published limits do not cover such a mix. @default - nothing */
  undocumented?(configuration: C, mix: { readonly readShare: number; readonly hitShare: number }): readonly string[];
  /** @default - only documented limits are predicted */
  readonly field?: FieldCapability<C>;
  /** @default - clients cannot use EFA */
  readonly efa?: EfaCapability<C>;
  /** The configuration without compression. @default - the storage does not compress */
  uncompressed?(configuration: C): C;
  /** Settings for a configuration that leaves its compression open, by the ratio of the data. @default - it stays without */
  impliedCompression?(ratio: number | undefined): Partial<C>;
}
