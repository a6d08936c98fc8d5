import type { MetricsCapability, StorageMetric } from '../metrics';
import type { MetricRole } from '../role';

/** A counter: its sum over a minute is what happened in that minute. */
export const counted = <Name extends string, Role extends StorageMetric['role']>(
  name: Name,
  role: Role,
  unit = 'Count',
) => ({ name, role, unit, statistic: 'Sum', gauge: false }) as const;

/** A level: a sum of it is one over servers or targets, not one over time. */
export const gauge = <Name extends string, Role extends StorageMetric['role']>(
  name: Name,
  role: Role,
  unit: string,
  statistic: string,
) => ({ name, role, unit, statistic, gauge: true }) as const;

/** Counters of a file system's servers, by the names under which ours publish them. */
export const SERVER_COUNTERS = [
  counted('BytesRead', 'bytes_read', 'Bytes'),
  counted('BytesWritten', 'bytes_written', 'Bytes'),
  counted('FileCreates', 'file_creates'),
  counted('FileOpens', 'file_opens'),
  counted('FileDeletes', 'file_deletes'),
  counted('DirectoryCreates', 'dir_creates'),
  counted('DirectoryDeletes', 'dir_deletes'),
  counted('Renames', 'renames'),
  counted('Stats', 'stats'),
  counted('MetadataOperations', 'metadata_operations'),
] as const;

/**
 * The metrics of a storage whose every series has the id of the resource as a dimension.
 * @param others further dimensions, the same for every series
 */
export function metricsBy(
  dimension: string,
  namespace: string,
  table: readonly StorageMetric[],
  others: Readonly<Record<string, string>> = {},
): MetricsCapability {
  const identity = (resourceId: string) => ({ [dimension]: resourceId, ...others });
  const presumed = (resourceId: string) =>
    table.map(({ name }) => ({ metric: name, dimensions: identity(resourceId) }));
  return { namespace, table, identity, presumed };
}

/** Number of metrics of a table that show activity: the alarm on a stalled run reads each of them. */
export const seenIn = ({ table }: MetricsCapability, about: readonly MetricRole[]): number =>
  about.filter((role) => table.some((metric) => metric.role === role)).length;
