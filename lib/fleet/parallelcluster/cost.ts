import { countedLines } from '../../price/cost';
import { instanceLines } from '../../price/instances';
import type { CostLine, Prices } from '../../schema/cost';
import type { PricedFleet } from '../fleet';
import { HEAD_NODE, isCluster } from './fleet';

/**
 * Billed as long as a cluster is deployed: its zone (slurm_builder.py of aws-parallelcluster), its dashboard (cw_dashboard_builder.py), the
 * alarms on the health, CPU, memory, disk and heartbeat of its head node, and one on all of them (cluster_stack.py). What its logs and its
 * own metrics cost goes by use.
 */
const BESIDE_NODES = {
  'route53/hosted-zone': 1,
  'cloudwatch/dashboard': 1,
  'cloudwatch/alarm-metric': 5,
  'cloudwatch/composite-alarm': 1,
};

/**
 * The head node, as long as the cluster is deployed, and the clients as long as a job has them: a run has all of them, and a deployment
 * between two runs none. Nodes of further queues are left out: no run of the benchmark takes them.
 */
export function clusterLines(fleet: PricedFleet, region: string, book?: Prices): readonly CostLine[] {
  const { rootVolumeGiB } = fleet;
  const instanceType = isCluster(fleet) ? fleet.headNodeInstanceType : HEAD_NODE;
  const named = (lines: readonly CostLine[], what: string): CostLine[] =>
    lines.map((line) => ({ ...line, item: `${what}: ${line.item}` }));
  return [
    ...named(
      instanceLines({ instanceType, clients: 1, ...(rootVolumeGiB && { rootVolumeGiB }) }, region, book),
      'head node',
    ),
    ...named(instanceLines(fleet, region, book), 'compute nodes, while jobs use them'),
    ...named(countedLines(BESIDE_NODES, region, book), 'ParallelCluster'),
  ];
}
