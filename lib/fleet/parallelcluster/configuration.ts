import type { PricedFleet } from '../../price/cost';
import { STACK_TAG } from '../../storage/search';
import type { FleetConfiguration, Purchase } from '../configuration';

export interface Queue {
  readonly name: string;
  readonly instanceType: string;
  /** The most nodes that it may have. */
  readonly nodes: number;
  /** True if its nodes are close together. */
  readonly placementGroup: boolean;
  /** True if its nodes have an Elastic Fabric Adapter, for MPI and, in a fleet with `efa`, for the file systems. */
  readonly efa: boolean;
}

/** A cluster with all defaults filled in; the nodes of its first queue are the clients of the benchmark. */
export interface ClusterFleet extends FleetConfiguration {
  readonly headNodeInstanceType: string;
  readonly queues: readonly [Queue, ...Queue[]];
}

/** The version that stacks deploy; what this folder ParallelCluster says was read in it. */
export const PARALLELCLUSTER_VERSION = '3.16.1';

/** Slurm's name of the queue whose nodes are the clients. */
export const CLIENT_QUEUE = 'clients';

/** Manages any number of nodes: ParallelCluster wants at most 16 GiB of memory. */
export const HEAD_NODE = 'm5.xlarge';

export const isCluster = (fleet: PricedFleet): fleet is PricedFleet & Pick<ClusterFleet, 'headNodeInstanceType'> =>
  'headNodeInstanceType' in fleet;

interface AttachedStorage {
  readonly Name: string;
  readonly MountDir: string;
  readonly StorageType: string;
  readonly FsxLustreSettings: { readonly FileSystemId: string };
}

/** Values that only the stack knows; CloudFormation may fill in ids. */
export interface ClusterParts {
  readonly stackName: string;
  /** Of all resources of the cluster, nodes and volumes among them. */
  readonly tags: Readonly<Record<string, string>>;
  readonly subnetId: string;
  /** Group of the head node and of all nodes, next to those that ParallelCluster makes. */
  readonly securityGroupId: string;
  /** A script at an S3 address, with its arguments; ParallelCluster runs it as root. */
  readonly boot: { readonly Script: string; readonly Args: readonly string[] };
  /** Objects that every node reads while it boots. */
  readonly reads: readonly { readonly bucket: string; readonly key: string }[];
  readonly policyArn: string;
  readonly storages: readonly AttachedStorage[];
  readonly logRetentionDays: number;
}

/** Minutes that an idle node is kept: less than most pauses between two steps would boot nodes again and again. */
const IDLE_MINUTES = 10;

export type ClusterConfiguration = ReturnType<typeof clusterConfiguration>;

/** ParallelCluster's file, as far as used: https://docs.aws.amazon.com/parallelcluster/latest/ug/cluster-configuration-file-v3.html has its whole schema. */
export function clusterConfiguration(fleet: ClusterFleet, parts: ClusterParts) {
  const { headNodeInstanceType, rootVolumeGiB, bootTimeoutMinutes, purchase } = fleet;
  const rootVolume = { Size: rootVolumeGiB, Encrypted: true, VolumeType: 'gp3' };
  const AdditionalSecurityGroups = [parts.securityGroupId];
  const common = {
    CustomActions: { OnNodeConfigured: parts.boot },
    Iam: {
      S3Access: parts.reads.map(({ bucket, key }) => ({ BucketName: bucket, KeyName: key })),
      AdditionalIamPolicies: [{ Policy: parts.policyArn }],
    },
  };
  // ParallelCluster mounts over TCP, before any script of ours. So clients with EFA mount by their own, which give LNet its interfaces first.
  const { efa = false } = fleet;
  const boot = { ...parts.boot, Args: [...parts.boot.Args, 'FSXBENCH_EFA=true'] };
  const seconds = bootTimeoutMinutes * 60;
  return {
    Image: { Os: 'alinux2023' },
    Imds: { ImdsSupport: 'v2.0' },
    HeadNode: {
      InstanceType: headNodeInstanceType,
      Networking: { SubnetId: parts.subnetId, AdditionalSecurityGroups },
      LocalStorage: { RootVolume: rootVolume },
      ...common,
    },
    Scheduling: {
      Scheduler: 'slurm',
      // A job gets all its nodes or none: one that waits for the last of them would pay for the others.
      ScalingStrategy: 'all-or-nothing',
      SlurmSettings: { ScaledownIdletime: IDLE_MINUTES, QueueUpdateStrategy: 'TERMINATE' },
      SlurmQueues: fleet.queues.map((queue) => ({
        Name: queue.name,
        CapacityType: purchase.kind === 'spot' ? 'SPOT' : 'ONDEMAND',
        // Two jobs on one node would measure one another.
        JobExclusiveAllocation: true,
        ...(queue === fleet.queues[0] &&
          purchase.kind === 'capacity-reservation' && {
            CapacityReservationTarget: { CapacityReservationId: purchase.id },
          }),
        Networking: {
          SubnetIds: [parts.subnetId],
          AdditionalSecurityGroups,
          PlacementGroup: placementGroup(queue, purchase, queue === fleet.queues[0]),
        },
        ComputeSettings: { LocalStorage: { RootVolume: rootVolume } },
        ComputeResources: [computeResource(queue)],
        ...common,
        ...(efa && queue === fleet.queues[0] ? { CustomActions: { OnNodeConfigured: boot } } : {}),
      })),
    },
    ...(efa ? {} : { SharedStorage: parts.storages }),
    Monitoring: {
      // Without it EC2 publishes every five minutes, and not by instance type, which is how the nodes are found.
      DetailedMonitoring: true,
      Logs: { CloudWatch: { Enabled: true, RetentionInDays: parts.logRetentionDays, DeletionPolicy: 'Delete' } },
    },
    // The cluster is its own stack, whose name CloudFormation puts on all of it.
    Tags: Object.entries({ ...parts.tags, [STACK_TAG]: parts.stackName }).map(([Key, Value]) => ({ Key, Value })),
    DevSettings: { Timeouts: { HeadNodeBootstrapTimeout: seconds, ComputeNodeBootstrapTimeout: seconds } },
  };
}

const computeResource = ({ instanceType, nodes, efa }: Queue) => ({
  Name: resourceName(instanceType),
  InstanceType: instanceType,
  // Nodes cost money only while jobs use them, and some minutes after.
  MinCount: 0,
  MaxCount: nodes,
  // One rank a core, as the study had it: 36 on a c5n.18xlarge.
  DisableSimultaneousMultithreading: true,
  ...(efa ? { Efa: { Enabled: true } } : {}),
});

/** Letters, digits and dashes, as queues and their resources are named: `c5n-18xlarge`. */
export const resourceName = (instanceType: string): string => instanceType.replaceAll('.', '-');

function placementGroup(queue: Queue, purchase: Purchase, first: boolean) {
  const reserved = first && purchase.kind === 'capacity-reservation' ? purchase.placementGroup : undefined;
  return reserved === undefined ? { Enabled: queue.placementGroup } : { Name: reserved };
}
