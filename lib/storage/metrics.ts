import type { Described } from '../schema/run';
import type { MetricRole } from './role';

/** A metric that the service of a storage publishes. */
export interface StorageMetric {
  readonly name: string;
  /** Meaning that engines ask for; `null` where it means something to this storage alone. */
  readonly role: MetricRole | null;
  /** Unit in CloudWatch's spelling: `Bytes`, `Count`, `Percent` … */
  readonly unit: string;
  /** The statistic that answers the usual question. */
  readonly statistic: string;
  /** A level, not a count: a sum of it is one over servers or targets, not one over time. */
  readonly gauge: boolean;
  /** Restriction on its publication, as a clause: `which it does only where LZ4 is or was on`. @default everywhere */
  readonly only?: string | undefined;
}

/** A metric as CloudWatch has it: the dimensions say which server or target. */
export interface PublishedMetric {
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** Metrics that the service of a storage publishes in CloudWatch. */
export interface MetricsCapability {
  readonly namespace: string;
  /** Every metric that `collect` asks for, each name once. */
  readonly table: readonly StorageMetric[];
  /** The resources that publish, where a storage is several. @default - it is one */
  parts?(resourceId: string): readonly string[];
  /** Dimensions that every metric of one resource has; further ones tell servers or targets apart. */
  identity(resourceId: string): Readonly<Record<string, string>>;
  /** Names of the further dimensions of a metric. @default - it has none */
  dimensions?(metric: string): readonly string[];
  /** The metadata target that a series is of; `null` for one of something else. @default - all metadata is on one server */
  metadataTarget?(dimensions: Readonly<Record<string, string>>): string | null;
  /** Metrics that such a file system is expected to publish, for a time that CloudWatch no longer lists. */
  presumed(resourceId: string, described: Described | null): readonly PublishedMetric[];
}
