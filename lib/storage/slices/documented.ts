import type { ValueOrReason } from '../../common/collections';
import type { StorageConfiguration } from '../../schema/deployment';
import type { Limit, LimitOptions } from '../common/limits';
import type { WeeklyMaintenance } from '../common/maintenance';
import type { PerformanceCapability } from '../performance';

/** A limit in a sentence, `the disks`, and at the head of a column, `disk`. */
export type LimitName = { readonly words: string; readonly short: string };

/** Metadata performance that is provisioned. */
export interface MetadataCapability<C extends StorageConfiguration = StorageConfiguration> {
  /** Metadata IOPS; `null` if none are provisioned. */
  iops(configuration: C): number | null;
  /** Metadata IOPS that the service provisions by itself for its capacity. */
  automaticIops(configuration: C): number;
  /** Documented operations per second with this many metadata IOPS, by operation: `file_create` … */
  ratesAt(iops: number): Readonly<Record<string, number>>;
  /** Page that documents the rates. */
  readonly source: string;
  /** The IOPS that so many operations per second take, as the service provisions them; `null` with a reason. */
  needed(operation: string, perSecond: number): ValueOrReason;
  /** A documented figure that a claim states by its quantity in words and the conditions under which it holds; `null` for any other. */
  figure(claim: {
    readonly quantity: string;
    readonly conditions: Readonly<Record<string, unknown>>;
  }): { readonly value: number | null; readonly unit: string } | null;
}

/** Figures and times that the service documents. */
export interface DocumentedSlice<C extends StorageConfiguration = StorageConfiguration> {
  /** The limits of the file system and, with given clients, of the way to it; empty for a configuration that cannot be made. */
  limits(configuration: C, options?: LimitOptions): readonly Limit[];
  /** Its own limits for people, by their names; those that several storages have are known (lib/storage/limitNames.ts). @default - it has none */
  readonly limitNames?: Readonly<Record<string, LimitName>>;
  /** @default - it is elastic, or not known */
  capacityBytes?(configuration: C): number | null;
  /** Memory in which its servers cache data: less data than that measures memory. @default - not documented */
  serverMemoryBytes?(configuration: C): number | null;
  /** @default - predictions are made of limits and metadata rates alone */
  readonly performance?: PerformanceCapability<C>;
  readonly metadata?: MetadataCapability<C>;
  /** FSx's: it also changes such a file system while it is in use. @default - the service never stops it */
  readonly maintenance?: WeeklyMaintenance;
  /**
   * Its configuration as conditions of published figures (lib/claims). @default - there is nothing to compare
   * @param layer id of the baseline of a layer below it, whose conditions may differ: a disk has no servers
   */
  conditions?(configuration: C, layer?: string): Readonly<Record<string, unknown>>;
}
