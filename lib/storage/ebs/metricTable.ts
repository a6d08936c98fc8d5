import { counted } from '../kit/metrics';
import type { PublishedMetric, StorageMetric } from '../storage';
import { METRICS_PAGE } from './documented';

/** CloudWatch namespace of EBS; what its metrics mean: {@link METRICS_PAGE}. */
export const EBS_NAMESPACE = 'AWS/EBS';

const gauge = (name: string, unit: string, statistic: string, only?: string) =>
  ({ name, role: null, unit, statistic, gauge: true, only }) as const;

/**
 * Of each volume, a value a minute. What a client writes and what reaches its volumes differ by its cache, by compression and by the file
 * system's own writes: nobody but the client counts the first, so there is no metric in the role `bytes_written`.
 */
export const EBS_METRICS = [
  counted('VolumeReadBytes', 'disk_bytes_read', 'Bytes'),
  counted('VolumeWriteBytes', 'disk_bytes_written', 'Bytes'),
  counted('VolumeReadOps', 'disk_read_operations'),
  counted('VolumeWriteOps', 'disk_write_operations'),
  counted('VolumeTotalReadTime', null, 'Seconds'),
  counted('VolumeTotalWriteTime', null, 'Seconds'),
  counted('VolumeIdleTime', null, 'Seconds'),
  gauge('VolumeQueueLength', 'Count', 'Average'),
  gauge('VolumeIOPSExceededCheck', 'None', 'Maximum', 'which it does for volumes of Nitro instances'),
  gauge('VolumeThroughputExceededCheck', 'None', 'Maximum', 'which it does for volumes of Nitro instances'),
  gauge('VolumeStalledIOCheck', 'None', 'Maximum', 'which it does for volumes of Nitro instances'),
  gauge('BurstBalance', 'Percent', 'Minimum', 'which it does for gp2'),
] as const satisfies readonly StorageMetric[];

export type EbsMetricName = (typeof EBS_METRICS)[number]['name'];

/** An arm of several volumes is known by all their ids. */
export const SEPARATOR = '+';
export const volumesOf = (resourceId: string): string[] => resourceId.split(SEPARATOR);

export const identityOf = (volumeId: string): Readonly<Record<string, string>> => ({ VolumeId: volumeId });

/** What volumes publish, for a time that CloudWatch does not list any more. */
export const presumedMetrics = (resourceId: string): PublishedMetric[] =>
  volumesOf(resourceId).flatMap((id) => EBS_METRICS.map(({ name }) => ({ metric: name, dimensions: identityOf(id) })));
