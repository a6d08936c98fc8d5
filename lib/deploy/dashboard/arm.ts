import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { LustreMetricMethods } from '../../storage/lustre/metricMethods';

/** A documented ceiling, such as `disks, sustained`. */
export interface Ceiling {
  readonly label: string;
  readonly megabytesPerSecond: number;
}

/** What is provisioned for metadata, as far as it is known. */
export interface MetadataView {
  readonly provisionedIops: number;
  /** Names of the metadata targets that so many IOPS have. */
  readonly targets: readonly string[];
}

/** One arm as dashboards and alarms see it. */
export interface ArmView {
  readonly name: string;
  /** For people: `PERSISTENT_1 SSD 14400 GiB, 200 MB/s/TiB, LZ4`. */
  readonly description: string;
  readonly storage: LustreMetricMethods;
  /** Documented ceilings in MB/s, drawn into the graphs of throughput. */
  readonly ceilings: { readonly write: readonly Ceiling[]; readonly read: readonly Ceiling[] };
  /** `null` without a metadata configuration: AWS publishes no number then. */
  readonly metadata: MetadataView | null;
  /**
   * What its metadata IOPS can still be raised to, the least first: none without a metadata configuration, which cannot be added.
   * `null` where that is not known.
   */
  readonly metadataIopsAbove: readonly number[] | null;
  /** List price; `null` when it is unknown. */
  readonly hourlyUsd: number | null;
}

/** Metadata IOPS of one metadata server, and so of its target. Source: guide/dne-metadata-performance. */
const IOPS_PER_TARGET = 12_000;

/** What one metadata target of so many provisioned IOPS can do. */
export const iopsPerTarget = (provisionedIops: number): number => Math.min(IOPS_PER_TARGET, provisionedIops);

/** The first arm is the reference and grey; the others stand out. An arm has one colour on every graph. */
const COLOURS = ['#7f7f7f', '#1f77b4', '#ff7f0e', '#2ca02c', '#9467bd', '#8c564b'] as const;

export const colourOf = (index: number): string => COLOURS[index % COLOURS.length] ?? COLOURS[0];

/** The arm in names of metric math, which takes no dash. */
export const idOf = ({ name }: ArmView): string => name.replaceAll(/\W/g, '_');

/** One line an arm, in the arm's colour. */
export function linePerArm(
  arms: readonly ArmView[],
  metric: (arm: ArmView, options: { readonly label: string; readonly color: string }) => cloudwatch.IMetric,
): cloudwatch.IMetric[] {
  return arms.map((arm, index) => metric(arm, { label: arm.name, color: colourOf(index) }));
}
