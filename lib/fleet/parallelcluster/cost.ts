import { instanceLines } from '../../cost/instances';
import type { CostLine, Prices } from '../../schema/cost';
import type { PricedFleet } from '../fleet';
import { HEAD_NODE, isCluster } from './fleet';

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
  ];
}
