import { counted, metricsBy } from '../kit/metrics';
import type { MetricsCapability, StorageMetric } from '../metrics';
import { METRICS_PAGE } from './documented';

const gauge = (name: string, unit: string, statistic: string, only?: string) =>
  ({ name, role: null, unit, statistic, gauge: true, only }) as const;

const TABLE = [
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

export type EbsMetricName = (typeof TABLE)[number]['name'];

/** An arm of several volumes is known by all their ids. */
export const SEPARATOR = '+';
export const volumesOf = (resourceId: string): string[] => resourceId.split(SEPARATOR);

const OF_ONE = metricsBy('VolumeId', 'AWS/EBS', TABLE);

/**
 * Metrics of each volume, one value per minute. Client writes and volume writes differ by its cache, compression and the file
 * system's own writes: nobody but the client counts the first, so there is no metric in the role `bytes_written`. What they
 * mean: {@link METRICS_PAGE}.
 */
export const EBS_METRICS: MetricsCapability = {
  ...OF_ONE,
  parts: volumesOf,
  presumed: (resourceId) => volumesOf(resourceId).flatMap((volume) => OF_ONE.presumed(volume, null)),
};
