import { type Account, askAll } from '../../common/aws/account';
import { BOUNDED } from '../../common/aws/connection';
import { type InstanceLaunch, type LaunchImage, ON_DEMAND } from '../../common/aws/launch';
import { countedLines, instanceLines, type PricedFleet } from '../../price/cost';
import { itemLine } from '../../price/line';
import type { PriceBook } from '../../price/prices';
import type { CostLine } from '../../schema/cost';
import type { Deployment } from '../../schema/deployment';
import {
  type FoundResource,
  foundLogGroup,
  type ResourceSearch,
  type SearchOptions,
  stackInName,
} from '../../storage/search';
import { bySlurm } from '../common/slurm';
import { architectureOf, builderLaunch, type FleetConfiguration } from '../configuration';
import type { FleetKind, FoundFleet } from '../fleet';
import { type ClusterFleet, HEAD_NODE, isCluster, PARALLELCLUSTER_VERSION } from './configuration';
import { CLUSTER_SETTINGS, configureCluster, SMALLEST_ROOT_GIB } from './settings';

/** Prefix of a cluster's log groups (aws-parallelcluster's constants.py). */
const LOGS = '/aws/parallelcluster/';

/** The domain of a cluster is its name in this one. */
const DOMAIN = '.pcluster.';

const ZONE = 'route53/hosted-zone';

/** Finds ParallelCluster resources that are listed without tags: log groups and the DNS zone. Nodes and volumes have the stack's tag. */
export const clusterSearch: ResourceSearch = {
  label: 'ParallelCluster',
  find: async (account, options) => [...(await clusterLogs(account, options)), ...(await zones(account, options))],
};

const clusterLogs = async (account: Account, { region, stacks }: SearchOptions): Promise<FoundResource[]> =>
  (await askAll(account, 'logs:DescribeLogGroups', { logGroupNamePrefix: LOGS }, 'logGroups')).flatMap((group) => {
    const stack = stackInName(stacks, group.logGroupName?.slice(LOGS.length) ?? '');
    return stack === undefined ? [] : { ...foundLogGroup(group, region), stack };
  });

async function zones(account: Account, options: SearchOptions): Promise<FoundResource[]> {
  const all = await askAll(account, 'route53:ListHostedZones', {}, 'HostedZones');
  return all.flatMap(({ Id = '', Name = '' }) => {
    const stack = Name.endsWith(DOMAIN) ? stackInName(options.stacks, Name) : undefined;
    // The id as the console shows it is the last part.
    const id = Id.slice(Id.lastIndexOf('/') + 1);
    return stack === undefined
      ? []
      : {
          id,
          what: `hosted zone ${Name}`,
          stack,
          lines: [itemLine(ZONE, 1, ZONE, options)],
          remove: `aws route53 delete-hosted-zone --id ${id}`,
        };
  });
}

/**
 * Billed as long as a cluster is deployed: its zone (slurm_builder.py of aws-parallelcluster), its dashboard (cw_dashboard_builder.py), the
 * alarms on the health, CPU, memory, disk and heartbeat of its head node, and one on all of them (cluster_stack.py). The cost of its logs and
 * its own metrics depends on use.
 */
const BESIDE_NODES = {
  'route53/hosted-zone': 1,
  'cloudwatch/dashboard': 1,
  'cloudwatch/alarm-metric': 5,
  'cloudwatch/composite-alarm': 1,
};

/** The head node for the whole deployment, and the clients while a job has them: all in a run, none in between. Other queues are left out. */
function clusterLines(fleet: PricedFleet, region: string, book?: PriceBook): readonly CostLine[] {
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
  launcher: bySlurm,
  launches,
  find: findCluster,
  cost: clusterLines,
  search: clusterSearch,
};

/** The head node. Clients are nodes that Slurm starts for a run's job and names to its driver. @throws Error unless the head node is running */
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
