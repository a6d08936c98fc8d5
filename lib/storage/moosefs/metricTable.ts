import { metricsBy, SERVER_COUNTERS } from '../kit/metrics';

/** Namespace of the metrics that the master publishes once a minute (assets/storage/moosefs/server/publish-counters). */
export const MOOSEFS_NAMESPACE = 'fsxbench/MooseFS';

/**
 * Counters of the MooseFS servers, as `mfscli` shows it (mfscli(1), charts of master and chunkservers). Bytes are those of
 * the data in chunks, of all chunkservers together; written ones are divided by the copies.
 */
export const MOOSEFS_METRICS = metricsBy('Master', MOOSEFS_NAMESPACE, [
  ...SERVER_COUNTERS,
  // A level of the last minute: CPU of the one thread that serves metadata, which ends at 100.
  { name: 'MasterCpu', role: 'metadata_cpu', unit: 'Percent', statistic: 'Maximum', gauge: true },
  { name: 'UsedBytes', role: 'physical_bytes', unit: 'Bytes', statistic: 'Maximum', gauge: true },
  { name: 'FreeBytes', role: 'capacity_free', unit: 'Bytes', statistic: 'Minimum', gauge: true },
]);
