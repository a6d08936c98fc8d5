import { type Graph, graph } from '../../dashboard/graph';
import type { DashboardPart, ShownArm } from '../dashboard';
import { countedGraphs } from '../kit/graphs';
import type { MetricRole } from '../role';
import type { LustreZfsStorage } from './configuration';
import { limitsOf } from './limits';
import { LUSTRE_ZFS_METRICS } from './metricTable';

type Arm = ShownArm<LustreZfsStorage>;

const READING = [
  '**What good looks like.** The servers count what their targets move, a value a minute. Throughput at the line is at the limit of a server’s network;',
  'a server near 100 % CPU is limited by what compresses. Arms on the same servers show the same CPU, so look at the arm that is being measured.',
];

const { metric, levels, throughput, operations } = countedGraphs<LustreZfsStorage>(LUSTRE_ZFS_METRICS, limitsOf, {
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
  graph({
    ...{ title: 'Data before and after compression', width: 8, unit: 'bytes' },
    left: arms.flatMap((arm) => [
      { label: `${arm.name} before`, of: metric(arm, 'LogicalBytes') },
      { label: `${arm.name} after`, of: metric(arm, 'UsedBytes') },
    ]),
  }),
  levels(arms, 'Free space of the pools', 'FreeBytes', 'bytes', 8),
];

export function lustreZfsDashboard(arms: readonly Arm[], about: readonly MetricRole[]): DashboardPart {
  const [data, metadata, servers] = [throughput(arms), metadataGraphs(arms), serverGraphs(arms)];
  return {
    reading: READING,
    rows: about.includes('metadata_operations') ? [metadata, servers, data] : [data, servers, metadata],
  };
}
