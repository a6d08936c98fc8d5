import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Account, askAll } from '../../common/aws/account';
import { BOUNDED } from '../../common/aws/connection';
import { type InstanceLaunch, type LaunchImage, ON_DEMAND } from '../../common/aws/launch';
import { countedLines } from '../../price/cost';
import { builderLine, instanceLines, type PricedFleet } from '../../price/instances';
import { itemLine } from '../../price/line';
import type { CostLine, Prices } from '../../schema/cost';
import type { Deployment } from '../../schema/deployment';
import {
  type FoundResource,
  foundLogGroup,
  type ResourceSearch,
  type SearchOptions,
  stackInName,
  stackOf,
} from '../../storage/search';
import { bySlurm } from '../common/slurm';
import {
  architectureOf,
  builderLaunch,
  type FleetConfiguration,
  type FleetKind,
  type FoundFleet,
  type OfflineCheck,
  OPENMPI_VERSION,
} from '../fleet';
import { type ClusterParts, clusterConfiguration } from './configuration';
import { type ClusterFleet, HEAD_NODE, isCluster, PARALLELCLUSTER_VERSION } from './fleet';
import { CLUSTER_SETTINGS, configureCluster, SMALLEST_ROOT_GIB } from './settings';

/** Placeholders for ids that are filled in later; no rule checks them. */
const LATER: ClusterParts = {
  stackName: 'a-stack',
  tags: {},
  subnetId: 'subnet-0a1b2c3d4e5f60718',
  securityGroupId: 'sg-0a1b2c3d4e5f60718',
  boot: { Script: 's3://bucket/boot', Args: [] },
  reads: [{ bucket: 'bucket', key: 'boot' }],
  policyArn: 'arn:aws:iam::123456789012:policy/parallelcluster/nodes',
  storages: [
    {
      Name: 'fsx',
      MountDir: '/fsx',
      StorageType: 'FsxLustre',
      FsxLustreSettings: { FileSystemId: 'fs-0a1b2c3d4e5f60718' },
    },
  ],
  logRetentionDays: 14,
};

const verdictsSchema = z.array(
  z.object({
    accepted: z.boolean(),
    problems: z.array(z.object({ level: z.string(), validator: z.string(), message: z.string() })),
    /** Validators that had all they ask for. */
    ran: z.array(z.string()),
    /** Validators that ask the account: neither passed nor failed. */
    skipped: z.array(z.string()),
  }),
);

/** Verdict of ParallelCluster's own code on a configuration, without AWS. */
export type Verdict = z.infer<typeof verdictsSchema>[number];

const INSTALL = 'scripts/install-python parallelcluster';

/** Loading its package takes most of it. */
const SECONDS = 300;
const MEGABYTES = 16;

/** The verdict on each configuration, in order; `null` if ParallelCluster's code is not installed. @throws Error with what it printed when it broke */
export function validateOffline(root: string, configurations: readonly object[]): readonly Verdict[] | null {
  const packages = join(root, '.lab/parallelcluster');
  const python = join(root, '.lab/venv/bin/python');
  if (!existsSync(join(packages, 'fsxbench-stamp')) || !existsSync(python)) return null;
  const { status, stdout, stderr } = spawnSync(python, [join(root, 'assets/parallelcluster/validate.py')], {
    input: JSON.stringify(configurations),
    encoding: 'utf8',
    timeout: SECONDS * 1000,
    maxBuffer: MEGABYTES * 2 ** 20,
    env: { ...process.env, PYTHONPATH: packages },
  });
  if (status === 0) return verdictsSchema.parse(JSON.parse(stdout));
  throw new Error(`ParallelCluster's validators broke: ${stderr.trim().split('\n').slice(-3).join('\n')}`);
}

/** Nodes of the study's two sizes, and of both its clusters together. */
const SIZES = [{ clients: 2 }, { clients: 8 }, { clients: 8, moreQueues: ['c5.9xlarge:200'] }] as const;

const STUDY: FleetConfiguration = {
  instanceType: 'c5n.18xlarge',
  clients: 8,
  ranksPerClient: 36,
  purchase: { kind: 'on-demand' },
  placement: 'cluster',
  image: undefined,
  kernel: '6.12',
  rootVolumeGiB: 50,
  bootTimeoutMinutes: 45,
  iorVersion: '3.3.0',
  openMpiVersion: OPENMPI_VERSION,
  tuning: 'advised',
};

/** Checks with ParallelCluster's own code the configurations that would be deployed, in the sizes of the study. */
export function checkOffline(root: string): OfflineCheck {
  const name = `ParallelCluster ${PARALLELCLUSTER_VERSION}'s validators`;
  const beside = { settings: {}, storages: [] };
  const configurations = SIZES.map((size) =>
    clusterConfiguration(configureCluster({ ...STUDY, ...size }, beside), LATER),
  );
  const verdicts = validateOffline(root, configurations);
  if (verdicts === null)
    return { name, found: 'not installed', advice: `${INSTALL}; needed for fleet=parallelcluster only` };
  const wrong = verdicts.flatMap(({ problems }) => problems.filter(({ level }) => level === 'ERROR'));
  const [first] = verdicts;
  return wrong.length > 0
    ? { name, found: wrong.map(({ message }) => message).join('; '), advice: 'use another release of fsxbench' }
    : {
        name,
        found: `accept 2, 8 and 208 nodes; ${first?.ran.length} ran, ${first?.skipped.length} skipped, which ask the account`,
        advice: null,
      };
}

/** Log group prefixes of a cluster (aws-parallelcluster's constants.py) and of its provider, which is kept for 90 days (cluster.yaml). */
const LOGS = { cluster: '/aws/parallelcluster/', provider: '/aws/lambda/pcluster-cfn-' } as const;

/** The domain of a cluster is its name in this one. */
const DOMAIN = '.pcluster.';

const ZONE = 'route53/hosted-zone';

/** Finds ParallelCluster resources that are listed without tags: log groups and the DNS zone. Nodes and volumes have the stack's tag. */
export const clusterSearch: ResourceSearch = {
  label: 'ParallelCluster',
  find: async (account, options) => [
    ...(await clusterLogs(account, options)),
    ...(await providerLogs(account, options)),
    ...(await zones(account, options)),
  ],
};

const logGroups = (account: Account, logGroupNamePrefix: string) =>
  askAll(account, 'logs:DescribeLogGroups', { logGroupNamePrefix }, 'logGroups');

const clusterLogs = async (account: Account, { region, stacks }: SearchOptions): Promise<FoundResource[]> =>
  (await logGroups(account, LOGS.cluster)).flatMap((group) => {
    const stack = stackInName(stacks, group.logGroupName?.slice(LOGS.cluster.length) ?? '');
    return stack === undefined ? [] : { ...foundLogGroup(group, region), stack };
  });

async function providerLogs(account: Account, { region }: SearchOptions): Promise<FoundResource[]> {
  const all = await logGroups(account, LOGS.provider);
  return Promise.all(
    all.map(async (group) => {
      const { tags = {} } = await account.ask('logs:ListTagsForResource', { resourceArn: group.logGroupArn });
      const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
      return { ...foundLogGroup(group, region), stack: stackOf({ Tags }), kept: true };
    }),
  );
}

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
