import type { StorageMetric } from '../storage';

/** Of the metrics that the master publishes once a minute (assets/storage/moosefs/server/publish-counters). */
export const MOOSEFS_NAMESPACE = 'fsxbench/MooseFS';

const counted = (name: string, role: StorageMetric['role'], unit = 'Count'): StorageMetric => ({
  ...{ name, role, unit, statistic: 'Sum', gauge: false },
});

/**
 * What the servers of MooseFS count themselves, as `mfscli` shows it (mfscli(1), charts of master and chunkservers). Bytes are those of
 * the data in chunks, of all chunkservers together; written ones are divided by the copies.
 */
export const MOOSEFS_METRICS: readonly StorageMetric[] = [
  counted('BytesRead', 'bytes_read', 'Bytes'),
  counted('BytesWritten', 'bytes_written', 'Bytes'),
  counted('FileCreates', 'file_creates'),
  counted('FileDeletes', 'file_deletes'),
  counted('FileOpens', 'file_opens'),
  counted('DirectoryCreates', 'dir_creates'),
  counted('DirectoryDeletes', 'dir_deletes'),
  counted('Renames', 'renames'),
  counted('Stats', 'stats'),
  counted('MetadataOperations', 'metadata_operations'),
  // A level of the last minute: CPU of the one thread that serves metadata, which ends at 100.
  { name: 'MasterCpu', role: 'metadata_cpu', unit: 'Percent', statistic: 'Maximum', gauge: true },
  { name: 'UsedBytes', role: 'physical_bytes', unit: 'Bytes', statistic: 'Maximum', gauge: true },
  { name: 'FreeBytes', role: 'capacity_free', unit: 'Bytes', statistic: 'Minimum', gauge: true },
];
