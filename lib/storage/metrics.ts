import type { Described } from '../schema/run';
import type { MetricRole } from './role';

/** A metric that the service of a storage publishes. */
export interface StorageMetric {
  readonly name: string;
  /** What engines ask for; `null` for what means something to this storage alone. */
  readonly role: MetricRole | null;
  /** As CloudWatch names it: `Bytes`, `Count`, `Percent` … */
  readonly unit: string;
  /** The statistic that answers the usual question. */
  readonly statistic: string;
  /** A level, not a count: a sum of it is one over servers or targets, not one over time. */
  readonly gauge: boolean;
  /** Where the service publishes it at all: `which it does only where LZ4 is or was on`. @default everywhere */
  readonly only?: string | undefined;
}

/** A metric as CloudWatch has it: the dimensions say which server or target. */
export interface PublishedMetric {
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** What the service of a storage publishes in CloudWatch. */
export interface MetricsCapability {
  readonly namespace: string;
  /** Every metric that `collect` asks for, each name once. */
  readonly table: readonly StorageMetric[];
  /** The resources that publish, where a storage is several. @default - it is one */
  parts?(resourceId: string): readonly string[];
  /** What every metric of one of them has; further dimensions tell servers or targets apart. */
  identity(resourceId: string): Readonly<Record<string, string>>;
  /** Names of the further dimensions of a metric. @default - it has none */
  dimensions?(metric: string): readonly string[];
  /** The metadata target that a series is of; `null` for one of something else. @default - all metadata is on one server */
  metadataTarget?(dimensions: Readonly<Record<string, string>>): string | null;
  /** What such a file system publishes, for a time that CloudWatch does not list any more. */
  presumed(resourceId: string, described: Described | null): readonly PublishedMetric[];
}
