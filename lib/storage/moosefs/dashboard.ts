import { type Graph, graph } from '../../dashboard/graph';
import type { DashboardPart, ShownArm } from '../dashboard';
import { countedGraphs } from '../kit/graphs';
import type { MetricRole } from '../role';
import type { MooseFsStorage } from './configuration';
import { limitsOf } from './limits';
import { MOOSEFS_METRICS } from './metricTable';

type Arm = ShownArm<MooseFsStorage>;

const GOOD = [
  '**What good looks like.** MooseFS counts what its chunkservers move and what its master is asked for, a value a minute; there is no service that could. Throughput at',
  'one of the lines is at a limit of EC2 or EBS. A master near 100 % is the limit of everything that opens, creates or removes files, and more chunkservers change nothing.',
];

const { metric, levels, throughput, operations } = countedGraphs<MooseFsStorage>(MOOSEFS_METRICS, limitsOf, {
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

/** Load of the master and space used on the chunkservers. */
const serverGraphs = (arms: readonly Arm[]): Graph[] => [
  levels(arms, 'CPU of the master, which serves metadata with one thread', 'MasterCpu', '%', 12),
  graph({
    ...{ title: 'Space of the chunkservers, all copies', width: 12, unit: 'bytes' },
    left: arms.flatMap((arm) => [
      { label: `${arm.name} used`, of: metric(arm, 'UsedBytes') },
      { label: `${arm.name} free`, of: metric(arm, 'FreeBytes') },
    ]),
  }),
];

export function mooseFsDashboard(arms: readonly Arm[], about: readonly MetricRole[]): DashboardPart {
  const [data, metadata, servers] = [throughput(arms), metadataGraphs(arms), serverGraphs(arms)];
  return {
    reading: GOOD,
    rows: about.includes('metadata_operations') ? [metadata, servers, data] : [data, servers, metadata],
  };
}
