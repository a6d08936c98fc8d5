import { BOUNDED } from '../../common/aws/bounded';
import { type InstanceLaunch, type LaunchImage, ON_DEMAND } from '../../common/aws/launch';
import { countedLines } from '../../price/cost';
import type { PricedFleet } from '../../price/instances';
import { builderLine, instanceLines } from '../../price/instances';
import type { CostLine, Prices } from '../../schema/cost';
import type { Deployment } from '../../schema/deployment';
import { bySlurm } from '../common/slurm';
import type { FleetConfiguration, FleetKind, FoundFleet } from '../fleet';
import { architectureOf, builderLaunch } from '../image';
import { type ClusterFleet, HEAD_NODE, isCluster, PARALLELCLUSTER_VERSION } from './fleet';
import { checkOffline } from './offline';
import { clusterSearch } from './search';
import { CLUSTER_SETTINGS, configureCluster, SMALLEST_ROOT_GIB } from './settings';

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
function clusterLines(fleet: PricedFleet, region: string, book?: Prices): readonly CostLine[] {
  const rootVolumeGiB = Math.max(fleet.rootVolumeGiB ?? 0, SMALLEST_ROOT_GIB);
  const instanceType = isCluster(fleet) ? fleet.headNodeInstanceType : HEAD_NODE;
  const named = (lines: readonly CostLine[], what: string): CostLine[] =>
    lines.map((line) => ({ ...line, item: `${what}: ${line.item}` }));
  return [
    ...named(instanceLines({ instanceType, clients: 1, rootVolumeGiB }, region, book), 'head node'),
    ...named(instanceLines({ ...fleet, rootVolumeGiB }, region, book), 'compute nodes, while jobs use them'),
    ...named(countedLines(BESIDE_NODES, region, book), 'ParallelCluster'),
  ];
}

/** The release's own image for a type, as ParallelCluster looks it up (`get_official_image_id` of aws-parallelcluster 3.16.1). */
const imageFor = (instanceType: string): LaunchImage => ({
  owner: 'amazon',
  name: `aws-parallelcluster-${PARALLELCLUSTER_VERSION}-amzn2023-hvm-${architectureOf(instanceType)}-*`,
});

/** The head node, and as many nodes as a queue may have. */
function launches(configuration: FleetConfiguration): readonly InstanceLaunch[] {
  const fleet = configuration as ClusterFleet;
  // All nodes have one architecture.
  const common = { image: imageFor(fleet.headNodeInstanceType), volumesGiB: [fleet.rootVolumeGiB] } as const;
  // A reservation is for the clients alone.
  const unreserved = fleet.purchase.kind === 'capacity-reservation' ? ON_DEMAND : fleet.purchase;
  return [
    {
      ...common,
      name: 'head node',
      instanceType: fleet.headNodeInstanceType,
      count: 1,
      purchase: ON_DEMAND,
      settings: { instanceType: 'headNodeInstanceType' },
    },
    ...fleet.queues.map(
      (queue, index): InstanceLaunch => ({
        ...common,
        name: queue.name,
        instanceType: queue.instanceType,
        count: queue.nodes,
        ...(index === 0
          ? { settings: { instanceType: 'instanceType' }, purchase: fleet.purchase }
          : { settings: { instanceType: 'queues' }, purchase: unreserved, onRequest: true }),
      }),
    ),
    builderLaunch(fleet),
  ];
}

/** Nodes of AWS ParallelCluster, which Slurm starts for the job of a run. */
export const parallelCluster: FleetKind = {
  kind: 'parallelcluster',
  settings: CLUSTER_SETTINGS,
  configure: configureCluster,
  checkOffline,
  launcher: bySlurm,
  launches,
  find: findCluster,
  cost: clusterLines,
  search: clusterSearch,
  costOnce: ({ instanceType }, region, book) => [builderLine(instanceType, region, book)],
};

/**
 * The head node. Clients are nodes that Slurm starts for the job of a run, and names to its driver; none needs to be there before.
 *
 * @throws Error unless the head node is running
 */
async function findCluster({ leader = '', image }: Deployment): Promise<FoundFleet> {
  const { EC2Client, DescribeInstancesCommand } = await import('@aws-sdk/client-ec2');
  const { Reservations = [] } = await new EC2Client(BOUNDED).send(
    new DescribeInstancesCommand({ InstanceIds: [leader] }),
  );
  const found = Reservations.flatMap(({ Instances = [] }) => Instances)[0];
  const state = found?.State?.Name ?? 'gone';
  if (state !== 'running')
    throw new Error(
      `the head node ${leader} must be running, but is ${state}: start it in the console, or deploy the benchmark again`,
    );
  return { image: found?.ImageId ?? image, clients: [], leader };
}
