import * as z from 'zod';
import { unless } from '../../common/breach';
import { type ConfigurationProblem, requireNone } from '../../common/configurationError';
import { field, flag, list, type SettingsOf } from '../../common/field';
import { storageOf } from '../../storage/lookup';
import type { FleetConfiguration, FleetSurroundings } from '../fleet';
import { instanceType as infoOf } from '../instanceTypes';
import { resourceName } from './configuration';
import { CLIENT_QUEUE, type ClusterFleet, HEAD_NODE, type Queue } from './fleet';
import { clusterProblems } from './rules';

const QUEUE = /^([a-z][a-z0-9-]*\.[a-z0-9-]+):([1-9]\d{0,3})$/;

/** The context keys of a cluster. */
export const CLUSTER_SETTINGS = {
  headNodeInstanceType: field(
    z.string().regex(/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/),
    'an EC2 instance type such as m5.xlarge',
    'It runs Slurm and starts runs, as long as the cluster is deployed.',
  ),
  queues: field(
    list(z.string().regex(QUEUE)),
    'a list of instance types with their number of nodes, such as c5.9xlarge:200',
    "They are queues beside that of the 'clients'.",
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
export function configureCluster(fleet: FleetConfiguration, surroundings: FleetSurroundings): ClusterFleet {
  const own = surroundings.settings as OwnSettings;
  const first = clientQueue(fleet, own.mpiEfa);
  const cluster: ClusterFleet = {
    ...fleet,
    mpiEfa: first.efa,
    headNodeInstanceType: own.headNodeInstanceType ?? HEAD_NODE,
    rootVolumeGiB: Math.max(fleet.rootVolumeGiB, SMALLEST_ROOT_GIB),
    queues: [first, ...(own.queues ?? fleet.moreQueues ?? []).map((text) => furtherQueue(text))],
  };
  requireNone([...refused(fleet, surroundings), ...clusterProblems(cluster)]);
  return cluster;
}

type OwnSettings = SettingsOf<typeof CLUSTER_SETTINGS>;

/** Settings of fleets in general that a cluster does not take. */
function refused(fleet: FleetConfiguration, { settings, storages }: FleetSurroundings): ConfigurationProblem[] {
  const { mpiEfa } = settings as OwnSettings;
  return [
    ...OF_IMAGES.flatMap((key) =>
      unless(
        settings[key] === undefined,
        key,
        'absent with fleet parallelcluster',
        settings[key],
        "Its nodes boot the image of ParallelCluster's release; leave it out.",
      ),
    ),
    ...unless(
      settings.rootVolumeGiB === undefined || fleet.rootVolumeGiB >= SMALLEST_ROOT_GIB,
      'rootVolumeGiB',
      `at least ${SMALLEST_ROOT_GIB} with fleet parallelcluster`,
      fleet.rootVolumeGiB,
      "It is the size of ParallelCluster's image; leave it out.",
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
      "Its nodes need services that have no endpoint here; leave it out, or bring a network of your own with 'vpcId'.",
    ),
    ...unless(
      fleet.bootTimeoutMinutes <= LONGEST_BOOT_MINUTES,
      'bootTimeoutMinutes',
      `at most ${LONGEST_BOOT_MINUTES} with fleet parallelcluster`,
      fleet.bootTimeoutMinutes,
      `CloudFormation waits an hour for the whole cluster; leave it out for ${LONGEST_BOOT_MINUTES}.`,
    ),
    ...storages.flatMap((storage) => {
      const { label, client } = storageOf(storage);
      return unless(
        client.mostClients === undefined,
        'fleet',
        `ec2 with ${label}`,
        'parallelcluster',
        `Its head node mounts every arm beside the clients, and only ${client.mostClients?.(storage)} machine can; leave those arms out with 'arms'.`,
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
