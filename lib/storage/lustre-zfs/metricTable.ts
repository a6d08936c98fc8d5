import { counted, SERVER_COUNTERS } from '../kit/metrics';
import type { StorageMetric } from '../storage';

/** Of the metrics that each server publishes once a minute (assets/server/publish-counters). */
export const LUSTRE_ZFS_NAMESPACE = 'fsxbench/LustreZfs';

/** Of a series: the server with the MGS, and the name of the file system on it. */
export const identityOf = (fileSystem: string): Readonly<Record<string, string>> => ({ FileSystem: fileSystem });

/** A level of which every server publishes its part once a minute, so that the sum over a minute is that of all servers. */
const level = (name: string, role: StorageMetric['role']): StorageMetric => ({
  ...{ name, role, unit: 'Bytes', statistic: 'Sum', gauge: true },
});

/** What Lustre's targets and ZFS count (lctl get_param obdfilter.*.stats and mdt.*.md_stats; zfs get), of one file system. */
export const LUSTRE_ZFS_METRICS: readonly StorageMetric[] = [
  ...SERVER_COUNTERS,
  counted('ReadOperations', 'read_operations'),
  counted('WriteOperations', 'write_operations'),
  level('LogicalBytes', 'logical_bytes'),
  level('UsedBytes', 'physical_bytes'),
  level('FreeBytes', 'capacity_free'),
  // Of the whole server, whoever uses it: arms on the same servers show the same.
  { name: 'ServerCpu', role: 'server_cpu', unit: 'Percent', statistic: 'Maximum', gauge: true },
];
