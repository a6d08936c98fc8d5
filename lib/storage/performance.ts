import type { Breach } from '../common/breach';
import type { StorageConfiguration } from '../schema/storage';

/** Caches of the file servers: what is read from them does not come from the disks. */
export interface ServerCaches {
  /** Memory for caching data, GiB; `null` if none is documented. */
  readonly memoryGiB: number | null;
  /** SSD read cache, GiB; 0 if there is none. */
  readonly readCacheGiB: number;
  /** Throughput of the read cache; `null` if there is none. */
  readonly readCacheMBps: number | null;
  /** Documentation page. */
  readonly source: string;
}

/** Clients that reach a file system over EFA. */
export interface EfaCapability<C extends StorageConfiguration = StorageConfiguration> {
  enabled(configuration: C): boolean;
  /** Why clients of this type, with EFA or without, cannot use it, by `instanceType`; `null` if they can. */
  breach(type: { readonly name: string; readonly efa: boolean }): Breach | null;
}

/** Documented performance of a storage beyond its limits, for predictions. */
export interface PerformanceCapability<C extends StorageConfiguration = StorageConfiguration> {
  /** @default - the memory of the servers, as far as it is documented */
  caches?(configuration: C): ServerCaches;
  /** Number of servers and targets, by kind; `null` where no number is published. @default - none is */
  servers?(configuration: C): Readonly<Record<string, number | null>> | null;
  /** Why the duration of a burst is not known. @default - nothing is published */
  burstReason?(configuration: C): string;
  /** The source of the metadata rates, or why there are none. @default - nothing is published */
  metadataReason?(configuration: C): string;
  /** Reasons why published limits do not cover such a mix. @default - nothing */
  undocumented?(configuration: C, mix: { readonly readShare: number; readonly hitShare: number }): readonly string[];
  /** @default - clients cannot use EFA */
  readonly efa?: EfaCapability<C>;
  /** The configuration without compression. @default - the storage does not compress */
  uncompressed?(configuration: C): C;
  /** Settings for a configuration that leaves its compression open, by the ratio of the data. @default - it stays without */
  impliedCompression?(ratio: number | undefined): Partial<C>;
}
