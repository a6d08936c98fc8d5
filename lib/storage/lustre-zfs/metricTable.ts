import { counted, metricsBy, SERVER_COUNTERS } from '../kit/metrics';
import type { StorageMetric } from '../metrics';

/** Namespace of the metrics that each server publishes once a minute (assets/server/publish-counters). */
export const LUSTRE_ZFS_NAMESPACE = 'fsxbench/LustreZfs';

/** A level of which every server publishes its part once a minute, so that the sum over a minute is that of all servers. */
const level = (name: string, role: StorageMetric['role']): StorageMetric => ({
  ...{ name, role, unit: 'Bytes', statistic: 'Sum', gauge: true },
});

/** Counters of Lustre's targets and ZFS (`lctl get_param obdfilter.*.stats mdt.*.md_stats`; `zfs get`), by MGS and file system. */
export const LUSTRE_ZFS_METRICS = metricsBy('FileSystem', LUSTRE_ZFS_NAMESPACE, [
  ...SERVER_COUNTERS,
  counted('ReadOperations', 'read_operations'),
  counted('WriteOperations', 'write_operations'),
  level('LogicalBytes', 'logical_bytes'),
  level('UsedBytes', 'physical_bytes'),
  level('FreeBytes', 'capacity_free'),
  // Of the whole server, whoever uses it: arms on the same servers show the same.
  { name: 'ServerCpu', role: 'server_cpu', unit: 'Percent', statistic: 'Maximum', gauge: true },
]);
