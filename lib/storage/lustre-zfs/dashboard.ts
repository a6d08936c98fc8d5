import type { Graph, ShownArm } from '../../dashboard/graph';
import { counted, countedGraphs, gauge, metricsBy, SERVER_COUNTERS } from '../common/graphs';
import type { StorageMetric } from '../storage';
import { type LustreZfsStorage, limitsOf } from './configuration';

/** Namespace of the metrics that each server publishes once a minute (assets/server/publish-counters). */
export const LUSTRE_ZFS_NAMESPACE = 'fsxbench/LustreZfs';

/** A level of which every server publishes its part once a minute, so the sum over a minute is that of all servers. */
const level = (name: string, role: StorageMetric['role']) => gauge(name, role, 'Bytes', 'Sum');

/** Counters of Lustre's targets and ZFS (`lctl get_param obdfilter.*.stats mdt.*.md_stats`; `zfs get`), by MGS and file system. */
export const LUSTRE_ZFS_METRICS = metricsBy('FileSystem', LUSTRE_ZFS_NAMESPACE, [
  ...SERVER_COUNTERS,
  counted('ReadOperations', 'read_operations'),
  counted('WriteOperations', 'write_operations'),
  level('LogicalBytes', 'logical_bytes'),
  level('UsedBytes', 'physical_bytes'),
  level('FreeBytes', 'capacity_free'),
  // Of the whole server, whoever uses it: arms on the same servers show the same.
  gauge('ServerCpu', 'server_cpu', 'Percent', 'Maximum'),
]);

type Arm = ShownArm<LustreZfsStorage>;

const READING = [
  '**What good looks like.** The servers count what their targets move, a value a minute. Throughput at the line is at the limit of a server’s network;',
  'a server near 100 % CPU is limited by what compresses. Arms on the same servers show the same CPU, so look at the arm that is being measured.',
];

const { levels, pairs, operations, dashboardOf } = countedGraphs<LustreZfsStorage>(LUSTRE_ZFS_METRICS, limitsOf, {
  server_network: 'network of the servers',
});

/** The work of targets by its kind. */
const metadataGraphs = (arms: readonly Arm[]): Graph[] => [
  operations(arms, 'Metadata operations', ['MetadataOperations', 'Stats', 'Renames']),
  operations(arms, 'Files', ['FileCreates', 'FileOpens', 'FileDeletes', 'DirectoryCreates', 'DirectoryDeletes']),
  operations(arms, 'Object storage requests', ['WriteOperations', 'ReadOperations']),
];

/** Load of the compressing servers, and the space that it saves. */
const serverGraphs = (arms: readonly Arm[]): Graph[] => [
  levels(arms, 'CPU of the busiest server', 'ServerCpu', '%', 8),
  pairs(arms, 'Data before and after compression', 8, { before: 'LogicalBytes', after: 'UsedBytes' }),
  levels(arms, 'Free space of the pools', 'FreeBytes', 'bytes', 8),
];

export const lustreZfsDashboard = dashboardOf(READING, metadataGraphs, serverGraphs);
