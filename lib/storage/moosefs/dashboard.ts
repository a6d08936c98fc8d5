import type { Graph, ShownArm } from '../../dashboard/graph';
import { countedGraphs, gauge, metricsBy, SERVER_COUNTERS } from '../common/graphs';
import { limitsOf, type MooseFsStorage } from './configuration';

/** Namespace of the metrics that the master publishes once a minute (assets/storage/moosefs/server/publish-counters). */
export const MOOSEFS_NAMESPACE = 'fsxbench/MooseFS';

/**
 * Counters of the MooseFS servers, as `mfscli` shows it (mfscli(1), charts of master and chunkservers). Bytes are those of
 * the data in chunks, of all chunkservers together; written ones are divided by the copies.
 */
export const MOOSEFS_METRICS = metricsBy('Master', MOOSEFS_NAMESPACE, [
  ...SERVER_COUNTERS,
  // A level of the last minute: CPU of the one thread that serves metadata, which ends at 100.
  gauge('MasterCpu', 'metadata_cpu', 'Percent', 'Maximum'),
  gauge('UsedBytes', 'physical_bytes', 'Bytes', 'Maximum'),
  gauge('FreeBytes', 'capacity_free', 'Bytes', 'Minimum'),
]);

type Arm = ShownArm<MooseFsStorage>;

const GOOD = [
  '**What good looks like.** MooseFS counts what its chunkservers move and what its master is asked for, a value a minute; there is no service that could. Throughput at',
  'one of the lines is at an EC2 or EBS limit. A master near 100 % is the limit of everything that opens, creates or removes files, and more chunkservers change nothing.',
];

const { levels, pairs, operations, dashboardOf } = countedGraphs<MooseFsStorage>(MOOSEFS_METRICS, limitsOf, {
  server_network: 'network of the chunkservers',
  server_ebs: 'EBS bandwidth of the chunkservers',
  disk: 'volumes',
});

/** The master's work by its kind. */
const metadataGraphs = (arms: readonly Arm[]): Graph[] => [
  operations(arms, 'Metadata operations', ['MetadataOperations']),
  operations(arms, 'Files', ['FileCreates', 'FileOpens', 'FileDeletes', 'Stats']),
  operations(arms, 'Directories and names', ['DirectoryCreates', 'DirectoryDeletes', 'Renames']),
];

const serverGraphs = (arms: readonly Arm[]): Graph[] => [
  levels(arms, 'CPU of the master, which serves metadata with one thread', 'MasterCpu', '%', 12),
  pairs(arms, 'Space of the chunkservers, all copies', 12, { used: 'UsedBytes', free: 'FreeBytes' }),
];

export const mooseFsDashboard = dashboardOf(GOOD, metadataGraphs, serverGraphs);
