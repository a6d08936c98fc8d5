import * as z from 'zod';
import { type ConfigurationProblem, requireNone } from '../../common/configurationError';
import { field, flag, list, type SettingsOf } from '../../common/field';
import { unless } from '../../common/violation';
import { maxClientsOf, storageOf } from '../../storage/lookup';
import type { FleetConfiguration, FleetEnvironment } from '../configuration';
import { bootsAmazonLinux, instanceType as infoOf, instanceType } from '../instanceTypes';
import { isArm } from '../offerings';
import { CLIENT_QUEUE, type ClusterFleet, HEAD_NODE, type Queue, resourceName } from './configuration';

type Rule = (cluster: Pick<ClusterFleet, 'headNodeInstanceType' | 'queues'>) => (string | false)[];

/** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/efa-v3.html */
const efa: Rule = ({ queues }) =>
  queues.map(
    ({ instanceType: type, efa }) =>
      efa &&
      instanceType(type)?.efa === false &&
      `'mpiEfa' must be false with ${type}, got true: the type has no Elastic Fabric Adapter. Use c5n.18xlarge, or leave it out.`,
  );

/** The type of the clients is checked with those of other fleets. */
const bootable: Rule = ({ headNodeInstanceType, queues }) =>
  [['headNodeInstanceType', headNodeInstanceType], ...queues.map((queue) => ['queues', queue.instanceType])].map(
    ([setting, type = '']) =>
      !bootsAmazonLinux(type) &&
      `'${setting}' must be a type that Amazon Linux 2023 boots on, got ${type}. Use one such as m5.xlarge.`,
  );

/** Memory of a head node: 0.6 GiB and 1 GiB for each 25 nodes, up to 16 (HeadNodeMemorySizeValidator of 3.16.1). */
const headNode: Rule = ({ headNodeInstanceType: type, queues }) => {
  const info = instanceType(type);
  const nodes = queues.reduce((sum, queue) => sum + queue.nodes, 0);
  const needed = Math.min(nodes / 25 + 0.6, 16);
  if (info === null)
    return [
      `'headNodeInstanceType' must be a type whose memory is known, got "${type}". Use m5.xlarge, which manages any number of nodes.`,
    ];
  const has = info.memoryMiB / 1024;
  return [
    has < needed &&
      `'headNodeInstanceType' must be a type with at least ${needed.toFixed(2)} GiB of memory for ${nodes} nodes, got ${type} with ${has} GiB. Use m5.xlarge.`,
  ];
};

/** Source: https://docs.aws.amazon.com/parallelcluster/latest/ug/HeadNode-v3.html */
const architecture: Rule = ({ headNodeInstanceType: head, queues }) => {
  const other = queues.map((queue) => queue.instanceType).find((type) => isArm(type) !== isArm(head));
  return [
    other !== undefined &&
      `'headNodeInstanceType' must be of the architecture of all nodes, got ${head} with ${other}. Take both of ${isArm(other) ? 'Arm, such as c7gn.xlarge' : 'x86, such as m5.xlarge'}.`,
  ];
};

const names: Rule = ({ queues }) => {
  const all = queues.map(({ name }) => name);
  const twice = all.find((name, index) => all.indexOf(name) < index);
  return [twice !== undefined && `'queues' must name each instance type once, got ${twice} twice.`];
};

/** Faults for which ParallelCluster would refuse a cluster, by its settings; without those that depend on the account. */
const clusterProblems = (cluster: ClusterFleet): string[] =>
  [efa, bootable, headNode, architecture, names]
    .flatMap((rule) => rule(cluster))
    .filter((problem) => problem !== false);

const QUEUE = /^([a-z][a-z0-9-]*\.[a-z0-9-]+):([1-9]\d{0,3})$/;

export const CLUSTER_SETTINGS = {
  headNodeInstanceType: field(
    z.string().regex(/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/),
    'an EC2 instance type such as m5.xlarge',
    'It runs Slurm and starts runs, as long as the cluster is deployed.',
  ),
  queues: field(
    list(z.string().regex(QUEUE)),
    'a list of instance types with their number of nodes, such as c5.9xlarge:200',
    "They are queues in addition to the one of 'clients'.",
  ),
  mpiEfa: flag('With false MPI uses TCP. The way to the file system is chosen by the file system.'),
} as const;

/** The AMI of ParallelCluster 3.16.2 and later has 50 GB; a volume is never smaller than its image (CHANGELOG of aws-parallelcluster). */
export const SMALLEST_ROOT_GIB = 50;

/** Longest boot: the hour of a custom resource less ParallelCluster's own work, which takes some ten minutes. */
const LONGEST_BOOT_MINUTES = 45;

/** Settings that say what a machine boots; a cluster's nodes boot the image of its release. */
const OF_IMAGES = ['image', 'kernel'] as const;

/** The cluster as the settings want it. @throws ConfigurationError with everything that ParallelCluster would refuse after minutes */
export function configureCluster(fleet: FleetConfiguration, environment: FleetEnvironment): ClusterFleet {
  const own = environment.settings as OwnSettings;
  const first = clientQueue(fleet, own.mpiEfa);
  const cluster: ClusterFleet = {
    ...fleet,
    mpiEfa: first.efa,
    headNodeInstanceType: own.headNodeInstanceType ?? HEAD_NODE,
    rootVolumeGiB: Math.max(fleet.rootVolumeGiB, SMALLEST_ROOT_GIB),
    queues: [first, ...(own.queues ?? fleet.moreQueues ?? []).map((text) => furtherQueue(text))],
  };
  requireNone([...refused(fleet, environment), ...clusterProblems(cluster)]);
  return cluster;
}

type OwnSettings = SettingsOf<typeof CLUSTER_SETTINGS>;

/** Settings of fleets in general that a cluster does not take. */
function refused(fleet: FleetConfiguration, { settings, storages }: FleetEnvironment): ConfigurationProblem[] {
  const { mpiEfa } = settings as OwnSettings;
  return [
    ...OF_IMAGES.flatMap((key) =>
      unless(
        settings[key] === undefined,
        key,
        { conflict: 'fleet parallelcluster: its nodes boot the image of the ParallelCluster release' },
        settings[key],
        'Leave it out.',
      ),
    ),
    ...unless(
      settings.rootVolumeGiB === undefined || fleet.rootVolumeGiB >= SMALLEST_ROOT_GIB,
      'rootVolumeGiB',
      `at least ${SMALLEST_ROOT_GIB} with fleet parallelcluster`,
      fleet.rootVolumeGiB,
      'The image of the release has this size; leave it out.',
    ),
    ...unless(
      fleet.placement !== 'partition',
      'placement',
      'cluster or none with fleet parallelcluster',
      fleet.placement,
      'ParallelCluster makes placement groups of strategy cluster only; use none.',
    ),
    ...unless(
      fleet.efa !== true || mpiEfa !== false,
      'mpiEfa',
      "true with 'efaClients'",
      mpiEfa,
      'Both use the adapter of the clients; leave it out.',
    ),
    ...unless(
      settings.vpcId !== undefined || settings.egress !== 'endpoints',
      'egress',
      'nat with fleet parallelcluster',
      settings.egress,
      "Its nodes need services that have no endpoint here; leave it out, or use your own network with 'vpcId'.",
    ),
    ...unless(
      fleet.bootTimeoutMinutes <= LONGEST_BOOT_MINUTES,
      'bootTimeoutMinutes',
      `at most ${LONGEST_BOOT_MINUTES} with fleet parallelcluster`,
      fleet.bootTimeoutMinutes,
      `CloudFormation waits an hour for the whole cluster; leave it out for ${LONGEST_BOOT_MINUTES}.`,
    ),
    ...storages.flatMap((storage) => {
      const kind = storageOf(storage);
      const max = maxClientsOf(kind);
      return unless(
        max === undefined,
        'fleet',
        `ec2 with ${kind.label}`,
        'parallelcluster',
        `Its head node mounts every arm in addition to the clients, and only ${max} instance can; leave those arms out with 'arms'.`,
      );
    }),
  ];
}

const clientQueue = ({ instanceType, clients, placement }: FleetConfiguration, mpiEfa?: boolean): Queue => ({
  name: CLIENT_QUEUE,
  instanceType,
  nodes: clients,
  placementGroup: placement === 'cluster',
  efa: mpiEfa ?? infoOf(instanceType)?.efa ?? false,
});

/** Nodes of a further queue are spread: a placement group of 200 is seldom to be had. */
function furtherQueue(text: string): Queue {
  const [, instanceType = '', nodes] = QUEUE.exec(text) ?? [];
  return { name: resourceName(instanceType), instanceType, nodes: Number(nodes), placementGroup: false, efa: false };
}
